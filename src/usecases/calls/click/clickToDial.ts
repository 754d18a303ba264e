import type { ClickToDialRequest } from '../../../contract/clickToDial.ts';
import type { Principal } from '../../../domain/access.ts';
import type { CompanyId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/outcome.ts';
import type { ClickResult } from '../../../ports/clickTallies.ts';
import type { ClaimedKey } from '../../../ports/idempotency.ts';
import { tooSlow, type DialedClick } from './dialFromAgent.ts';
import { dialReadyAgent, type ClickNeeds } from './dialReadyAgent.ts';
import { awaitCleanup, withDeadline } from '../../concurrency/withDeadline.ts';
import { retryUntilSuccess } from '../../concurrency/retryUntilSuccess.ts';
import { beginIdempotent, type BegunRequest } from './idempotency.ts';

/** Within this time a click is decided, whatever softphones and nodes do; see recordDial for the second after it. */
const clickDeadlineMs = 5_000;
/** A refused click waits no longer than this for its Idempotency-Key to be free. */
const freeKeyWithinMs = 1_000;

/**
 * Dials a customer from one Ready agent's softphone, with the customer's record on its screen: claim, offer,
 * confirm, record (docs/decisions/0003). `ok` means that exactly one softphone acknowledged the dial.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 * @param spentMs what the request has waited for already: it counts as the click's
 */
export async function clickToDial(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToDialRequest,
  idempotencyKey: string | null,
  spentMs = 0,
): Promise<Outcome<DialedClick>> {
  const begunAt = services.clock.now() - spentMs;
  const { companyId } = principal;
  try {
    const outcome = await dialOnce(services, principal, body, idempotencyKey, begunAt + clickDeadlineMs);
    services.observer.click(clickOutcome(outcome), services.clock.now() - begunAt);
    const result = clickResult(outcome);
    if (result !== null) services.countClick(companyId, result);
    return outcome;
  } catch (error) {
    services.observer.click('failed', services.clock.now() - begunAt);
    services.countClick(companyId, 'failed');
    throw error;
  }
}

async function dialOnce(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToDialRequest,
  key: string | null,
  deadline: number,
): Promise<Outcome<DialedClick>> {
  if (key === null) return dialReadyAgent(services, principal, body, null, deadline);
  const { companyId } = principal;
  const beginning = beginIdempotent(services, principal, key, body);
  const begun = await withDeadline(services.clock, deadline, beginning);
  if (begun === null) {
    const giveUp = async (late: Outcome<BegunRequest>) => {
      if (late.kind === 'ok' && late.value.kind === 'fresh') await freeKey(services, companyId, late.value.claimed);
    };
    void beginning.then(giveUp, () => undefined);
    return tooSlow();
  }
  if (begun.kind === 'refused') return begun;
  if (begun.value.kind === 'answered') {
    return ok({ answer: begun.value.answer, replayed: true });
  }
  const { claimed } = begun.value;
  let dialed = false;
  try {
    const outcome = await dialReadyAgent(services, principal, body, claimed, deadline);
    dialed = outcome.kind === 'ok';
    return outcome;
  } finally {
    // A refusal is not remembered: the next try may find an agent. Nothing is recorded under the key any more, so that
    // also a click whose outcome is unknown may be tried again; what was recorded before is remembered.
    const { clock } = services;
    if (!dialed) {
      const until = Math.min(clock.now() + freeKeyWithinMs, deadline);
      await awaitCleanup(clock, until, freeKey(services, companyId, claimed));
    }
  }
}

/** Never rejects: what cannot be done now is done behind the answer. */
function freeKey(services: ClickNeeds, companyId: CompanyId, claimed: ClaimedKey): Promise<void> {
  return retryUntilSuccess(services, 'an Idempotency-Key could not be set free', () => services.idempotency.abandon(companyId, claimed));
}

/** As supervisors see it; null: the repetition of a click, which counts itself. */
function clickResult(outcome: Outcome<DialedClick>): ClickResult | null {
  if (outcome.kind === 'ok') return outcome.value.replayed ? null : 'dialed';
  switch (outcome.code) {
    case 'idempotency_in_progress':
      return null;
    case 'no_ready_agent':
      return 'noReadyAgent';
    case 'agent_not_ready':
      return 'agentNotReady';
    default:
      return 'failed';
  }
}

/** As the metrics count it. */
function clickOutcome(outcome: Outcome<DialedClick>) {
  if (outcome.kind === 'ok') return outcome.value.replayed ? 'replayed' : 'dialing';
  switch (outcome.code) {
    case 'no_ready_agent':
    case 'agent_not_ready':
      return outcome.code;
    case 'dependency_unavailable':
      return 'unavailable';
    case 'outcome_unknown':
      return 'unknown';
    default:
      return 'refused';
  }
}
