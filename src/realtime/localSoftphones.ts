import type { CallView } from '../contract/calls.ts';
import { type CallId, type ClaimId, toId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import { changePresence } from '../usecases/agents/changePresence.ts';
import { endUndialed } from '../usecases/calls/endAbandonedCall.ts';
import { learnFate } from '../usecases/calls/learnFate.ts';
import { insist } from '../usecases/insist.ts';
import type { Services } from '../usecases/services.ts';
import type { LocalSoftphones, OwnerNotice } from './nodeLink.ts';
import { deliverOffer } from './offerDelivery.ts';
import type { LocalSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';

/** How long a softphone may take to acknowledge a pop that is no offer; nothing hangs on it. */
const popAckMs = 2_000;
/** A softphone that has acknowledged an offer hears of its fate within milliseconds; else it is looked up this often. */
const askFateEveryMs = 1_000;
/** An old connection of a session that has moved may still give an acknowledgement that it owes. */
const closeMovedAfterMs = 3_000;

type Needs = { registry: SoftphoneRegistry; services: Services };
type Offered = { callId: CallId; claimId: ClaimId };

/** What this gateway does for the softphones that are connected to it, whoever asks. */
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
        socket.timeout(popAckMs).emit('crm_screen_pop', notice.pop, () => {});
        return;
      case 'call':
        if (softphone.awaiting === notice.call.id) softphone.awaiting = null;
        if (isUndialed(softphone, notice.call)) endUndialedCall(notice);
        socket.emit('call_state_changed', notice.call);
        return;
      case 'agent':
        registry.learn(notice.lease, notice.presence);
        if (softphone.isShown) socket.emit('agent_state_changed', notice.state);
        else if (notice.state.version > (softphone.untold?.version ?? 0)) softphone.untold = notice.state;
        keepConnection(softphone, notice.presence);
        return;
      case 'account':
        socket.emit('settings_changed');
        return;
      case 'taken':
        if (softphone.lease !== notice.lease) return;
        registry.release(notice.agentId, notice.lease);
        handOver(clock, softphone, notice.session);
        return;
      default:
        // A newer gateway may say more than this one understands.
        return void (notice satisfies never);
    }
  }

  /** Others may have taken this gateway for dead. */
  function keepConnection({ socket, lease }: LocalSoftphone, { companyId, agentId, ...known }: Presence): void {
    if (known.lease !== lease || known.connection === 'connected' || !socket.connected) return;
    void insist(services, 'a connection that was taken for lost could not be kept', async () => {
      if (socket.connected) await changePresence(services, companyId, agentId, { type: 'keep_connection', lease });
    });
  }

  /** The softphone was told that there is no such call, so it will not dial; nobody stays on it for ever. */
  function endUndialedCall({ companyId, agentId, call }: OwnerNotice & { kind: 'call' }): void {
    void insist(services, 'a call that nobody dials could not be ended', () =>
      endUndialed(services, { companyId, agentId, callId: toId<CallId>(call.id) }),
    );
  }

  /** No acknowledged offer stays without an answer because a message was lost on its way here. */
  function watchFate(softphone: LocalSoftphone, { callId, claimId }: Offered): void {
    const { agentId } = softphone;
    clock.after(askFateEveryMs, () => {
      if (softphone.awaiting !== callId || !softphone.socket.connected) return;
      learnFate(services, { ...softphone, callId }).then(
        (fate) => {
          if (fate.kind === 'open') return watchFate(softphone, { callId, claimId });
          if (softphone.awaiting === callId) softphone.awaiting = null;
          if (fate.kind === 'dialed') softphone.socket.emit('call_state_changed', fate.call);
          else take({ kind: 'rescind', agentId, rescinded: { call_id: callId, claim_id: claimId, reason: 'canceled' } });
        },
        // A store is away: what became of the offer is asked again.
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
    take,
  };
}

function isUndialed({ rescinded }: LocalSoftphone, call: CallView): boolean {
  return rescinded === call.id && call.state === 'dialing';
}

/** The session goes on elsewhere, or another one has taken over. */
export function handOver(clock: Clock, { socket, sessionId, offer }: LocalSoftphone, session: string): void {
  if (session !== sessionId) return void socket.emit('session_replaced');
  // A connection that is half open, or was left behind by a softphone that has moved.
  if (offer === null) socket.conn.close();
  else clock.after(closeMovedAfterMs, () => socket.conn.close());
}
