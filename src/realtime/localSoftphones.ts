import type { CallView } from '../contract/calls.ts';
import { type CrmScreenPop, listenerAck, type ListenerJoins, type ListenerNews } from '../contract/socket.ts';
import { type CallId, type ClaimId, toId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import { changePresence } from '../usecases/agents/changePresence.ts';
import { endUndialed } from '../usecases/calls/repair/endAbandonedCall.ts';
import { resolveOfferOutcome } from '../usecases/calls/click/dialFate.ts';
import { retryUntilSuccess } from '../usecases/concurrency/retryUntilSuccess.ts';
import type { Services } from '../usecases/services.ts';
import type { ListenOffer } from '../ports/softphones.ts';
import { emitTask } from './gatewayBroadcast.ts';
import type { SoftphoneSocket } from './io.ts';
import { listenOfferWithinMs, type LocalSoftphones, type OwnerNotice } from './nodeLink.ts';
import { deliverOffer } from './offerDelivery.ts';
import type { LocalSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';

/** How long a softphone may take to acknowledge a pop without an offer; nothing depends on it. Milliseconds. */
const popAckMs = 2_000;
/**
 * How often the outcome of an acknowledged offer is looked up; normally it arrives within milliseconds. Milliseconds.
 */
const askFateEveryMs = 1_000;
/** How long the old connection of a moved session may still acknowledge its offer. Milliseconds. */
const closeMovedAfterMs = 3_000;

type Needs = { registry: SoftphoneRegistry; services: Services };
type Offered = { callId: CallId; claimId: ClaimId };

/** Shows a customer; whether it was shown matters to nobody. */
export function showPop(socket: SoftphoneSocket, pop: CrmScreenPop): void {
  socket.timeout(popAckMs).emit('crm_screen_pop', pop, () => {});
}

/** Serves the softphones connected to this gateway, for requests of this and of other gateways. */
export function createLocalSoftphones({ registry, services }: Needs): LocalSoftphones {
  const { clock, presence } = services;

  function take(notice: OwnerNotice): void {
    const softphone = registry.find(notice.agentId);
    if (softphone === undefined) return;
    const { socket } = softphone;
    switch (notice.kind) {
      case 'rescind':
        if (softphone.awaiting === notice.rescinded.call_id) softphone.awaiting = null;
        softphone.rescinded = notice.rescinded.call_id;
        socket.emit('offer_rescinded', notice.rescinded);
        return;
      case 'pop':
        showPop(socket, notice.pop);
        return;
      case 'call':
        if (softphone.awaiting === notice.call.id) softphone.awaiting = null;
        if (isUndialed(softphone, notice.call)) endUndialedCall(notice);
        socket.emit('call_state_changed', notice.call);
        return;
      case 'listener':
        tellOfListener(socket, notice.news);
        return;
      case 'transfer_ended':
        socket.emit('transfer_ended', notice.ended);
        return;
      case 'agent':
        registry.learn(notice.lease, notice.presence);
        if (softphone.isShown) socket.emit('agent_state_changed', notice.state);
        else if (notice.state.version > (softphone.untold?.version ?? 0)) softphone.untold = notice.state;
        keepConnection(softphone, notice.presence);
        return;
      case 'task':
        emitTask(socket, notice.news);
        return;
      case 'account':
        socket.emit('settings_changed');
        return;
      case 'taken':
        if (softphone.lease !== notice.lease) return;
        registry.release(notice.agentId, notice.lease);
        endReplaced(clock, softphone, notice.session);
        return;
      default:
        // A newer gateway may send kinds that this one does not know.
        return void (notice satisfies never);
    }
  }

  /** Marks the softphone connected again after another gateway took this one for dead. */
  function keepConnection({ socket, lease }: LocalSoftphone, { companyId, agentId, ...known }: Presence): void {
    if (known.lease !== lease || known.connection === 'connected' || !socket.connected) return;
    void retryUntilSuccess(services, 'a connection that was taken for lost could not be kept', async () => {
      if (socket.connected) await changePresence(services, companyId, agentId, { type: 'keep_connection', lease });
    });
  }

  /** Ends a call whose offer was rescinded at the softphone: nobody will dial it. */
  function endUndialedCall({ companyId, agentId, call }: OwnerNotice & { kind: 'call' }): void {
    void retryUntilSuccess(services, 'a call that nobody dials could not be ended', () =>
      endUndialed(services, { companyId, agentId, callId: toId<CallId>(call.id) }),
    );
  }

  /** Looks up the outcome of an acknowledged offer, in case the message that tells it was lost. */
  function watchFate(softphone: LocalSoftphone, { callId, claimId }: Offered): void {
    const { agentId } = softphone;
    clock.after(askFateEveryMs, () => {
      if (softphone.awaiting !== callId || !softphone.socket.connected) return;
      resolveOfferOutcome(services, { ...softphone, callId }).then(
        (fate) => {
          if (fate.kind === 'open') return watchFate(softphone, { callId, claimId });
          if (softphone.awaiting === callId) softphone.awaiting = null;
          if (fate.kind === 'dialed') softphone.socket.emit('call_state_changed', fate.call);
          else
            take({ kind: 'rescind', agentId, rescinded: { call_id: callId, claim_id: claimId, reason: fate.reason } });
        },
        // A store is unavailable: ask again.
        () => watchFate(softphone, { callId, claimId }),
      );
    });
  }

  return {
    async showOffer(request) {
      const outcome = await deliverOffer({ registry, presence, clock }, request);
      const softphone = registry.find(request.claimed.agentId);
      const { callId, claimId } = request.claimed;
      if (softphone !== undefined && callId !== null && softphone.awaiting === callId) {
        watchFate(softphone, { callId, claimId });
      }
      return outcome;
    },
    askToListen: (agentId, joins) => askToListen(clock, registry.find(agentId), joins),
    take,
  };
}

/** Asks the softphone, if it takes listeners. */
async function askToListen(
  clock: Clock,
  softphone: LocalSoftphone | undefined,
  joins: ListenerJoins,
): Promise<ListenOffer> {
  if (softphone === undefined || !softphone.takesListeners || !softphone.socket.connected) return { kind: 'unable' };
  return new Promise((resolve) => {
    const cancel = clock.after(listenOfferWithinMs, () => resolve({ kind: 'silent' }));
    softphone.socket.emit('listener_joins', joins, (raw: unknown) => {
      cancel();
      const ack = listenerAck.safeParse(raw);
      resolve(ack.success && ack.data.ok ? { kind: 'offered', sdp: ack.data.sdp } : { kind: 'unable' });
    });
  });
}

function tellOfListener(socket: SoftphoneSocket, news: ListenerNews): void {
  switch (news.event) {
    case 'listener_answered':
      return void socket.emit(news.event, news.about);
    case 'listener_changed':
      return void socket.emit(news.event, news.about);
    case 'listener_left':
      return void socket.emit(news.event, news.about);
  }
}

function isUndialed({ rescinded }: LocalSoftphone, call: CallView): boolean {
  return rescinded === call.id && call.state === 'dialing';
}

/** Ends a connection whose session continues elsewhere, or tells it that another session has taken over. */
export function endReplaced(clock: Clock, { socket, sessionId, offer }: LocalSoftphone, session: string): void {
  if (session !== sessionId) return void socket.emit('session_replaced');
  // Half open, or left behind by a softphone that has moved.
  if (offer === null) socket.conn.close();
  else clock.after(closeMovedAfterMs, () => socket.conn.close());
}
