import type { ClickToDialAnswer, ClickToDialRequest } from '../../contract/clickToDial.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import type { ClickResult } from '../../ports/clickTallies.ts';
import type { DialedClick } from './dialFromAgent.ts';
import { dialReadyAgent, tooSlow, type ClickNeeds } from './dialReadyAgent.ts';
import { doneBy } from './doneBy.ts';
import { beginIdempotent } from './idempotency.ts';

/** Within this time a click is decided, whatever softphones and nodes do; see recordDial for the second after it. */
const clickDeadlineMs = 5_000;
/** The Idempotency-Key of a refused click is set free within this time, or lapses by itself. */
const abandonWithinMs = 1_000;

/**
 * Dials a customer from one Ready agent's softphone, with the customer's record on its screen: claim, offer,
 * confirm, record (docs/decisions/0003). `ok` means that exactly one softphone acknowledged the dial.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function clickToDial(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToDialRequest,
  idempotencyKey: string | null,
): Promise<Outcome<DialedClick>> {
  const begunAt = services.clock.now();
  const { companyId } = principal;
  try {
    const outcome = await dialOnce(services, principal, body, idempotencyKey, begunAt + clickDeadlineMs);
    services.observer.click(clickOutcome(outcome), services.clock.now() - begunAt);
    const result = clickResult(outcome);
    if (result !== null) services.countClick(companyId, result);
    return outcome;
  } catch (error) {
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
  const begun = await doneBy(services.clock, deadline, beginIdempotent(services, companyId, key, body));
  if (begun === null) return tooSlow();
  if (begun.kind === 'refused') return begun;
  if (begun.value.kind === 'answered') {
    return ok({ answer: begun.value.body as ClickToDialAnswer, replayed: true });
  }
  const { claimed } = begun.value;
  let dialed = false;
  try {
    const outcome = await dialReadyAgent(services, principal, body, claimed, deadline);
    dialed = outcome.kind === 'ok';
    return outcome;
  } finally {
    // A refusal is not remembered: the next try may find an agent.
    const { clock, idempotency } = services;
    if (!dialed) await doneBy(clock, clock.now() + abandonWithinMs, idempotency.abandon(companyId, claimed));
  }
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
    default:
      return 'refused';
  }
}
