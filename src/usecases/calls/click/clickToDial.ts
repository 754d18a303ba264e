import type { ClickToAccountRequest } from '../../../contract/clickToDial.ts';
import type { Principal } from '../../../domain/access.ts';
import { ok, type Outcome } from '../../../domain/outcome.ts';
import type { HeldKey } from '../../../ports/calls.ts';
import type { ClickResult } from '../../../ports/wallboard.ts';
import { freeKey } from '../../concurrency/idempotencyKey.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { mayBeDialed } from './dialAtPlatform.ts';
import { type ClickNeeds, type DialedClick, dialReadyAgent } from './dialReadyAgent.ts';
import { beginInTime } from './clickKey.ts';

/**
 * Within this time a click is decided, whatever softphones and gateways do; see attemptDial for the second after it.
 */
const clickDeadlineMs = 5_000;
/** A refused click waits no longer than this for its Idempotency-Key to be free. */
const freeKeyWithinMs = 1_000;

/**
 * Dials a customer from one Ready agent's softphone, with the customer's record on its screen: claim, offer, confirm,
 * record (docs/decisions/0003). `ok` means that exactly one softphone acknowledged the dial.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 * @param spentMs milliseconds that the request has waited already; they count against the click's time
 */
export async function clickToDial(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToAccountRequest,
  idempotencyKey: string | null,
  spentMs = 0,
): Promise<Outcome<DialedClick>> {
  const { clock } = services;
  const { companyId } = principal;
  const begunAt = clock.now() - spentMs;
  const deadline = begunAt + clickDeadlineMs;
  let held: HeldKey | null = null;
  let outcome: Outcome<DialedClick> | null = null;
  try {
    const begun =
      idempotencyKey === null ? null : await beginInTime(services, principal, idempotencyKey, body, deadline);
    if (begun?.kind === 'refused') outcome = begun;
    else if (begun?.value.kind === 'answered') outcome = ok({ answer: begun.value.answer, replayed: true });
    else {
      held = begun?.value.held ?? null;
      outcome = await dialReadyAgent(services, principal, body, held, deadline);
    }
    return outcome;
  } finally {
    // A refusal is not remembered: the next try may find an agent. Nothing is recorded under the key any more, so that
    // also a click whose outcome is unknown may be tried again; what was recorded before is remembered.
    // Save where a platform may be dialing: that must not be done a second time.
    if (held !== null && outcome?.kind !== 'ok' && !(outcome !== null && mayBeDialed(outcome))) {
      const until = Math.min(clock.now() + freeKeyWithinMs, deadline);
      await withDeadline(clock, until, freeKey(services, companyId, held));
    }
    services.observer.click(outcome === null ? 'failed' : clickOutcome(outcome), clock.now() - begunAt);
    const result = outcome === null ? 'failed' : clickResult(outcome);
    if (result !== null) services.countClick(companyId, result);
  }
}

/** The click's result on the wallboard; null: a repetition of a click that was counted already. */
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

/** The click's outcome in the metrics. */
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
