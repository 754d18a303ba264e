import { offerAck, type ClickToDialOffer, type CrmScreenPop, type OfferAck } from '../contract/socket.ts';
import type { ClaimId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';
import type { Clock } from '../ports/clock.ts';
import type { PresenceStore } from '../ports/presence.ts';
import type { OfferOutcome } from '../ports/softphones.ts';
import type { SoftphoneSocket } from './io.ts';
import type { SoftphoneRegistry } from './softphoneRegistry.ts';

type Needs = { registry: SoftphoneRegistry; presence: PresenceStore; clock: Clock };

/**
 * Shows an offer on the softphone of this node that owns the session, and waits for its acknowledgement. The claim
 * is checked here, immediately before: an offer that was held up on its way is not shown for a claim that is over.
 */
export async function deliverOffer(
  { registry, presence, clock }: Needs,
  claimed: Presence & { claimId: ClaimId },
  pop: CrmScreenPop,
  dial: ClickToDialOffer,
  timeoutMs: number,
): Promise<OfferOutcome> {
  const current = await presence.find(claimed.companyId, claimed.agentId);
  const holds = current?.state === 'reserved' && current.claimId === claimed.claimId;
  if (!holds || presence.now() >= (current.expiresAt ?? 0)) return undelivered('the claim was over');
  const softphone = registry.find(claimed.agentId);
  if (softphone === undefined || softphone.lease !== current.lease || !softphone.socket.connected) {
    return undelivered('the softphone is not connected');
  }
  softphone.offer = dial;
  try {
    return await askSoftphone(softphone.socket, clock, pop, dial, timeoutMs);
  } finally {
    softphone.offer = null;
  }
}

/** Both messages must be acknowledged: the record is on the screen, and the phone is about to dial. */
function askSoftphone(
  socket: SoftphoneSocket,
  clock: Clock,
  pop: CrmScreenPop,
  dial: ClickToDialOffer,
  timeoutMs: number,
): Promise<OfferOutcome> {
  return new Promise((resolve) => {
    let missing = 2;
    const finish = (outcome: OfferOutcome) => {
      cancelTimer();
      socket.off('disconnect', onDisconnect);
      resolve(outcome);
    };
    const onDisconnect = () => finish(undelivered('the connection broke'));
    const onAck = (raw: unknown) => {
      const ack = offerAck.safeParse(raw);
      // A softphone that acknowledges without a payload has acknowledged.
      const answer: OfferAck = ack.success ? ack.data : { ok: true };
      if (!answer.ok) return finish({ kind: 'declined' });
      missing -= 1;
      if (missing === 0) finish({ kind: 'acknowledged' });
    };
    const cancelTimer = clock.after(timeoutMs, () => finish(undelivered(`no acknowledgement within ${timeoutMs} ms`)));
    socket.on('disconnect', onDisconnect);
    socket.emit('crm_screen_pop', pop, onAck);
    socket.emit('click_to_dial', dial, onAck);
  });
}

function undelivered(detail: string): OfferOutcome {
  return { kind: 'undelivered', detail };
}
