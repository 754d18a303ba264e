import type { ClickToDialAnswer } from '../../contract/clickToDial.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { ClaimedKey } from '../../ports/idempotency.ts';
import { changePresence } from '../agents/changePresence.ts';
import { insist } from '../insist.ts';
import type { CallServices } from './callServices.ts';
import { acknowledgeWithinMs, offerDial, type Claimed, type OfferedDial } from './offerDial.ts';
import { recordDial } from './recordDial.ts';

/** `replayed`: the first answer under this Idempotency-Key, given again. */
export type DialedClick = { answer: ClickToDialAnswer; replayed: boolean };

/** One attempt at one agent; `failed`: the agent is released as Not Ready, somebody else may be tried. */
export async function dialFromAgent(
  services: CallServices,
  claimed: Claimed,
  offered: OfferedDial,
  key: ClaimedKey | null,
  deadline: number,
): Promise<Outcome<DialedClick> | { kind: 'failed' }> {
  const { clock } = services;
  const overAt = Math.min(clock.now() + acknowledgeWithinMs, deadline);
  const attempt = attemptDial(services, claimed, offered, key, deadline);
  services.dialsUnderWay.set(claimed.callId, attempt);
  try {
    return await attempt;
  } catch (error) {
    // A dependency broke in the middle: nobody may stay reserved for a click that has failed.
    await cancelClaim(services, claimed);
    // The offer may have gone out, and be shown until it expires; a click that was answered with failure shows nothing.
    await new Promise<void>((resolve) => clock.after(Math.max(0, overAt - clock.now()), resolve));
    throw error;
  } finally {
    services.dialsUnderWay.delete(claimed.callId);
  }
}

async function attemptDial(
  services: CallServices,
  claimed: Claimed,
  offered: OfferedDial,
  key: ClaimedKey | null,
  deadline: number,
): Promise<Outcome<DialedClick> | { kind: 'failed' }> {
  const offer = await offerDial(services, claimed, offered, deadline - services.clock.now());
  if (offer.kind === 'failed') return offer;
  const recorded = await recordDial(services, claimed, offer.presence, { dial: offered, key, deadline });
  if (recorded.kind === 'recorded') return ok({ answer: recorded.answer, replayed: false });
  return refuse('dependency_unavailable', 'The call could not be recorded, so it was not made.', {
    retryAfterSeconds: 5,
  });
}

/** Gives a claim back for a click that has failed, whatever the agent's softphone was told. */
export async function cancelClaim(services: CallServices, claimed: Claimed): Promise<void> {
  const { companyId, agentId, claimId, callId } = claimed;
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: 'canceled' });
  await insist(services, 'a claim could not be released', async () => {
    await changePresence(services, companyId, agentId, { type: 'cancel', callId });
    // It may have been confirmed, though the answer was lost; recorded it was not.
    await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId });
  });
}
