import type { ClickToDialAnswer } from '../../../contract/clickToDial.ts';
import type { JsonText } from '../../../contract/jsonText.ts';
import { ok, refuse, type Outcome, type Refused } from '../../../domain/outcome.ts';
import type { ClaimedKey } from '../../../ports/idempotency.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import type { CallServices } from '../../services.ts';
import { releaseAgent } from './fate.ts';
import { acknowledgeWithinMs, offerDial, type Claimed, type OfferedDial } from './offerDial.ts';
import { recordDial } from './recordDial.ts';

export type DialedClick =
  | { answer: ClickToDialAnswer; replayed: false }
  /** The first answer under this Idempotency-Key, given again to the letter. */
  | { answer: JsonText; replayed: true };

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
  /** For a click that fails before anything is sent to be recorded. */
  const giveBack = async () => {
    void cancelClaim(services, claimed);
    // The offer may have gone out, and be shown until it expires; a click that was answered with failure shows nothing.
    const leftMs = overAt - clock.now();
    if (leftMs > 0) await new Promise<void>((resolve) => clock.after(leftMs, resolve));
  };
  const attempt = attemptDial(services, claimed, offered, key, deadline);
  services.dialsUnderWay.set(claimed.callId, attempt);
  try {
    const outcome = await attempt;
    if (outcome.kind !== 'undecided') return outcome;
    await giveBack();
    return tooSlow();
  } catch (error) {
    // A dependency broke in the middle: nobody may stay reserved for a click that has failed.
    await giveBack();
    throw error;
  } finally {
    services.dialsUnderWay.delete(claimed.callId);
  }
}

/** `undecided`: a store was too slow, and nothing was sent to be recorded. Rejects only where nothing was, either. */
async function attemptDial(
  services: CallServices,
  claimed: Claimed,
  offered: OfferedDial,
  key: ClaimedKey | null,
  deadline: number,
): Promise<Outcome<DialedClick> | { kind: 'failed' } | { kind: 'undecided' }> {
  const offer = await offerDial(services, claimed, offered, deadline);
  if (offer === 'failed') return { kind: 'failed' };
  if (offer === 'undecided') return { kind: 'undecided' };
  const recorded = await recordDial(services, claimed, { dial: offered, key, deadline });
  switch (recorded.kind) {
    case 'recorded':
      return ok({ answer: recorded.answer, replayed: false });
    case 'not_sent':
      return { kind: 'undecided' };
    case 'ruled_out':
      return refuse('dependency_unavailable', 'The call could not be recorded, so it was not made.', { retryAfterSeconds: 5 });
    case 'unknown':
      return outcomeUnknown();
  }
}

/** The refusal of a click whose time a slow store used up. */
export function tooSlow(): Refused {
  return refuse('dependency_unavailable', 'A store did not answer in time; nothing was dialed.', { retryAfterSeconds: 5 });
}

function outcomeUnknown(): Refused {
  return refuse(
    'outcome_unknown',
    'The database went away while the call was being recorded, so nobody knows yet whether it is made. Repeat the request under its Idempotency-Key to find out.',
    { retryAfterSeconds: 5 },
  );
}

/**
 * Gives a claim back for a click that has failed before anything was sent to be recorded, whatever the agent's softphone
 * was told. Never rejects.
 */
export async function cancelClaim(services: CallServices, claimed: Claimed): Promise<void> {
  const { companyId, claimId, callId } = claimed;
  services.softphones.rescind(claimed, { call_id: callId, claim_id: claimId, reason: 'canceled' });
  await Promise.all([
    // It may have been confirmed, though the answer was lost.
    retryUntilSuccess(services, 'a claim could not be released', () => releaseAgent(services, claimed)),
    // Other gateways learn by this that nothing will come, should this one not reach the presence store.
    retryUntilSuccess(services, 'a call that is not made could not be ruled out', () => services.calls.ruleOut(companyId, callId)),
  ]);
}
