import { type CrmScreenPop, offerAck, type OfferAck } from '../contract/socket.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import type { PresenceStore } from '../ports/presence.ts';
import type { ClaimedPresence, OfferOutcome } from '../ports/softphones.ts';
import type { SoftphoneSocket } from './io.ts';
import type { Offered, OfferToShow, OwnerOutcome } from './nodeLink.ts';
import type { LocalSoftphone, SoftphoneRegistry } from './softphoneRegistry.ts';

type Needs = { registry: SoftphoneRegistry; presence: PresenceStore; clock: Clock };

/**
 * Shows an offer on the agent's softphone and waits for its acknowledgement. Claim and deadline are checked right
 * before, so that a delayed message or a stalled gateway never shows a pop for a claim or click that is over.
 */
export async function deliverOffer(
  { registry, presence, clock }: Needs,
  { claimed, pop, timeoutMs, showBy, ...offered }: OfferToShow,
): Promise<OwnerOutcome> {
  const current = await presence.find(claimed.companyId, claimed.agentId);
  if (!holdsStill(current, claimed) || presence.now() >= (current.expiresAt ?? 0))
    return unreachable('the claim was over');
  const softphone = registry.find(claimed.agentId);
  if (softphone === undefined || softphone.lease !== current.lease) return { kind: 'moved' };
  if (!softphone.socket.connected) return unreachable('the softphone is not connected');
  if (knowsBetter(softphone, current)) return unreachable('the softphone is busy with another call');
  if ('transfer' in offered && !softphone.takesTransfers) return { kind: 'unable' };
  if (softphone.rescinded === claimed.callId) return unreachable('the offer was taken back');
  // The last check of the clock: nothing is awaited between here and the socket.
  if (presence.now() >= showBy) return unreachable('the claim could not be checked in time');
  softphone.offer = offered;
  try {
    const outcome = await askSoftphone(softphone.socket, clock, { pop, offered }, timeoutMs);
    if (outcome.kind === 'acknowledged') softphone.awaiting = claimed.callId;
    return outcome;
  } finally {
    softphone.offer = null;
  }
}

function holdsStill(current: Presence | null, claimed: ClaimedPresence): current is Presence {
  return current?.state === 'reserved' && current.claimId === claimed.claimId;
}

/** Whether the agent is busy although a store that lost its latest writes offers them. */
function knowsBetter({ awaiting, offer, presence }: LocalSoftphone, stored: Presence): boolean {
  if (awaiting !== null || offer !== null) return true;
  return presence.version > stored.version && presence.claimId !== stored.claimId;
}

/**
 * Both messages must be acknowledged: the record is on the screen, and the phone is about to dial,
 * or waits for the call.
 */
function askSoftphone(
  socket: SoftphoneSocket,
  clock: Clock,
  { pop, offered }: { pop: CrmScreenPop; offered: Offered },
  timeoutMs: number,
): Promise<OfferOutcome> {
  return new Promise((resolve) => {
    let missing = 2;
    const finish = (outcome: OfferOutcome) => {
      cancelTimer();
      socket.off('disconnect', onDisconnect);
      resolve(outcome);
    };
    const onDisconnect = () => finish(unreachable('the connection broke'));
    const onAck = (raw: unknown) => {
      const ack = offerAck.safeParse(raw);
      // An acknowledgement without payload counts.
      const answer: OfferAck = ack.success ? ack.data : { ok: true };
      if (!answer.ok)
        return finish(answer.error.code === 'expired' ? undelivered('it came too late') : { kind: 'declined' });
      missing -= 1;
      if (missing === 0) finish({ kind: 'acknowledged' });
    };
    const giveUp = () => finish(undelivered(`no acknowledgement within ${timeoutMs} ms`));
    // Read what has already arrived first: it may be this gateway that was stalled.
    const cancelTimer = clock.after(timeoutMs, () => void setImmediate(giveUp));
    socket.on('disconnect', onDisconnect);
    socket.emit('crm_screen_pop', pop, onAck);
    if ('dial' in offered) socket.emit('click_to_dial', offered.dial, onAck);
    else socket.emit('transfer_offer', offered.transfer, onAck);
  });
}

function undelivered(detail: string): OfferOutcome & { kind: 'undelivered' } {
  return { kind: 'undelivered', detail };
}

function unreachable(detail: string): OfferOutcome & { kind: 'unreachable' } {
  return { kind: 'unreachable', detail };
}
