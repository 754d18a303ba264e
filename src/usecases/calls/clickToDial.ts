import type { ClickToDialAnswer, ClickToDialRequest } from '../../contract/clickToDial.ts';
import type { Principal } from '../../domain/access.ts';
import { toId, type AgentId, type CallId, type ClaimId, type CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome, type Refused } from '../../domain/outcome.ts';
import type { Presence } from '../../domain/presence.ts';
import { announce, changePresence } from '../agents/changePresence.ts';
import { insist } from '../insist.ts';
import type { Services } from '../services.ts';
import { doneBy } from './doneBy.ts';
import { beginIdempotent } from './idempotency.ts';
import { offerDial, type Claimed, type OfferedDial } from './offerDial.ts';
import { prepareDial } from './prepareDial.ts';
import { recordDial } from './recordDial.ts';

/** A click is answered within this time, whatever softphones and nodes do. */
const clickDeadlineMs = 5_000;
/** With less than this left nobody is asked: an agent must not lose Ready because the click was slow. */
const leastOfferMs = 250;
/** The Idempotency-Key of a refused click is set free within this time, or lapses by itself. */
const abandonWithinMs = 1_000;

export type DialedClick = { answer: ClickToDialAnswer; replayed: boolean };
type Needs = Pick<
  Services,
  | 'agentCard'
  | 'agents'
  | 'calls'
  | 'clock'
  | 'dialsUnderWay'
  | 'idempotency'
  | 'newId'
  | 'observer'
  | 'presence'
  | 'screenPops'
  | 'settings'
  | 'softphones'
  | 'wakeDispatcher'
>;

/**
 * Dials a customer from one Ready agent's softphone, with the customer's record on its screen: claim, offer,
 * confirm, record (see product.md, "Click-to-dial"). `ok` means that exactly one softphone acknowledged the dial.
 * @param idempotencyKey the first answer under this key is given again for 24 h
 */
export async function clickToDial(
  services: Needs,
  principal: Principal,
  body: ClickToDialRequest,
  idempotencyKey: string | null,
): Promise<Outcome<DialedClick>> {
  const begunAt = services.clock.now();
  const outcome = await dialOnce(services, principal, body, idempotencyKey, begunAt + clickDeadlineMs);
  services.observer.click(clickOutcome(outcome), services.clock.now() - begunAt);
  return outcome;
}

async function dialOnce(
  services: Needs,
  principal: Principal,
  body: ClickToDialRequest,
  key: string | null,
  deadline: number,
): Promise<Outcome<DialedClick>> {
  if (key === null) return dial(services, principal, body, null, deadline);
  const { companyId } = principal;
  const begun = await doneBy(services.clock, deadline, beginIdempotent(services, companyId, key, body));
  if (begun === null) return tooSlow();
  if (begun.kind === 'refused') return begun;
  if (begun.value.kind === 'answered') {
    return ok({ answer: begun.value.body as ClickToDialAnswer, replayed: true });
  }
  let dialed = false;
  try {
    const outcome = await dial(services, principal, body, key, deadline);
    dialed = outcome.kind === 'ok';
    return outcome;
  } finally {
    // A refusal is not remembered: the next try may find an agent.
    const { clock, idempotency } = services;
    if (!dialed) await doneBy(clock, clock.now() + abandonWithinMs, idempotency.abandon(companyId, key));
  }
}

async function dial(
  services: Needs,
  principal: Principal,
  body: ClickToDialRequest,
  key: string | null,
  deadline: number,
): Promise<Outcome<DialedClick>> {
  const { companyId } = principal;
  const prepared = await doneBy(services.clock, deadline, prepareDial(services, principal, body));
  if (prepared === null) return tooSlow();
  if (prepared.kind === 'refused') return prepared;
  const { chosen, offered } = prepared.value;

  let target = chosen;
  if (services.clock.now() + leastOfferMs > deadline) return tooSlow();
  while (services.clock.now() + leastOfferMs <= deadline) {
    const claim = await claimAgent(services, companyId, target);
    if (claim.kind === 'none_ready') break;
    if (claim.kind === 'claimed') {
      const done = await dialFrom(services, claim.claimed, offered, key, deadline);
      if (done.kind !== 'failed') return done;
    }
    if (target === null) continue;
    if (body.fallback !== 'any') return agentNotReady(await services.presence.find(companyId, target));
    target = null;
  }
  return refuse('no_ready_agent', 'No agent of the company is Ready.', { retryAfterSeconds: 2 });
}

function tooSlow(): Refused {
  return refuse('dependency_unavailable', 'The database did not answer in time; nothing was dialed.', {
    retryAfterSeconds: 5,
  });
}

type ClaimedAgent = { kind: 'claimed'; claimed: Claimed } | { kind: 'none_ready' } | { kind: 'not_ready' };

async function claimAgent(services: Needs, companyId: CompanyId, agentId: AgentId | null): Promise<ClaimedAgent> {
  const claimId = toId<ClaimId>(services.newId());
  const callId = toId<CallId>(services.newId());
  const claim = await services.presence.claim(companyId, { ...(agentId === null ? {} : { agentId }), claimId, callId });
  if (claim.kind !== 'claimed') return { kind: claim.kind };
  announce(services, claim.presence);
  return { kind: 'claimed', claimed: { ...claim.presence, claimId, callId } };
}

/** One attempt at one agent; `failed`: the agent is released as Not Ready, somebody else may be tried. */
async function dialFrom(
  services: Needs,
  claimed: Claimed,
  offered: OfferedDial,
  key: string | null,
  deadline: number,
): Promise<Outcome<DialedClick> | { kind: 'failed' }> {
  const attempt = attemptDial(services, claimed, offered, key, deadline);
  services.dialsUnderWay.set(claimed.callId, attempt);
  try {
    return await attempt;
  } catch (error) {
    // A dependency broke in the middle: nobody may stay reserved for a click that has failed.
    await cancelClaim(services, claimed);
    throw error;
  } finally {
    services.dialsUnderWay.delete(claimed.callId);
  }
}

async function cancelClaim(services: Needs, { companyId, agentId, claimId, callId }: Claimed): Promise<void> {
  services.softphones.rescind(companyId, agentId, { call_id: callId, claim_id: claimId, reason: 'canceled' });
  await insist(services, 'a claim could not be released', async () => {
    await changePresence(services, companyId, agentId, { type: 'cancel', callId });
    // It may have been confirmed, though the answer was lost; recorded it was not.
    await changePresence(services, companyId, agentId, { type: 'drop_unrecorded', callId });
  });
}

async function attemptDial(
  services: Needs,
  claimed: Claimed,
  offered: OfferedDial,
  key: string | null,
  deadline: number,
): Promise<Outcome<DialedClick> | { kind: 'failed' }> {
  const offer = await offerDial(services, claimed, offered, deadline - services.clock.now());
  if (offer.kind === 'failed') return offer;
  const recorded = await recordDial(services, claimed, offer.presence, offered, key);
  if (recorded.kind === 'recorded') return ok({ answer: recorded.answer, replayed: false });
  return refuse('dependency_unavailable', 'The call could not be recorded, so it was not made.', {
    retryAfterSeconds: 5,
  });
}

function agentNotReady(presence: Presence | null): Refused {
  const agentState =
    presence === null
      ? { state: 'offline' as const, reason: null, since: null }
      : { state: presence.state, reason: presence.reason, since: new Date(presence.since) };
  return refuse('agent_not_ready', `That agent is ${agentState.state}, not ready.`, {
    retryAfterSeconds: 2,
    agentState,
  });
}

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
