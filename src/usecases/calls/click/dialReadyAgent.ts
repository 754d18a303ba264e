import type { ClickToDialRequest } from '../../../contract/clickToDial.ts';
import type { AgentState } from '../../../contract/vocabulary.ts';
import type { Principal } from '../../../domain/access.ts';
import { toId, type AgentId, type CallId, type ClaimId, type CompanyId } from '../../../domain/ids.ts';
import { refuse, type Outcome, type Refused } from '../../../domain/outcome.ts';
import type { Presence } from '../../../domain/presence.ts';
import type { ClaimedKey } from '../../../ports/idempotency.ts';
import type { ClaimOutcome } from '../../../ports/presence.ts';
import { announce } from '../../agents/changePresence.ts';
import type { Services, CallServices } from '../../services.ts';
import { cancelClaim, dialFromAgent, tooSlow, type DialedClick } from './dialFromAgent.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import { releaseClaimWithoutAnswer } from './claimsWithoutAnswer.ts';
import type { Claimed } from './offerDial.ts';
import { prepareDial } from './prepareDial.ts';

/** With less than this left nobody is asked: an agent must not lose Ready because the click was slow. */
const leastOfferMs = 250;

export type ClickNeeds = CallServices & Pick<Services, 'agents' | 'countClick' | 'claimsWithoutAnswer' | 'screenPops'>;

/**
 * Claims one Ready agent after the other until a softphone has taken the dial, nobody is left or the time is over.
 * A named agent is the only one asked, unless the click falls back to any.
 * @param key remembered with the answer, in the transaction that records the call
 * @param deadline milliseconds since the epoch
 */
export async function dialReadyAgent(
  services: ClickNeeds,
  principal: Principal,
  body: ClickToDialRequest,
  key: ClaimedKey | null,
  deadline: number,
): Promise<Outcome<DialedClick>> {
  const { companyId } = principal;
  const prepared = await withDeadline(services.clock, deadline, prepareDial(services, principal, body));
  if (prepared === null) return tooSlow();
  if (prepared.kind === 'refused') return prepared;
  const { chosen, offered } = prepared.value;

  let target = chosen;
  if (services.clock.now() + leastOfferMs > deadline) return tooSlow();
  while (services.clock.now() + leastOfferMs <= deadline) {
    const claim = await claimAgent(services, companyId, target, deadline - leastOfferMs);
    if (claim.kind === 'too_late') return tooSlow();
    if (claim.kind === 'none_ready') break;
    if (claim.kind === 'claimed') {
      const done = await dialFromAgent(services, claim.claimed, offered, key, deadline);
      if (done.kind !== 'failed') return done;
    }
    if (target === null) continue;
    if (body.fallback !== 'any') {
      const presence = await withDeadline(services.clock, deadline, services.presence.find(companyId, target).then((found) => ({ found })));
      return presence === null ? tooSlow() : agentNotReady(presence.found);
    }
    target = null;
  }
  return refuse('no_ready_agent', 'No agent of the company is Ready.', { retryAfterSeconds: 2 });
}

type ClaimedAgent = { kind: 'claimed'; claimed: Claimed } | { kind: 'none_ready' } | { kind: 'not_ready' } | { kind: 'too_late' };

/** @param deadline a claim that comes later is given back: the store may take seconds to have everything back */
async function claimAgent(
  services: ClickNeeds,
  companyId: CompanyId,
  agentId: AgentId | null,
  deadline: number,
): Promise<ClaimedAgent> {
  const claimId = toId<ClaimId>(services.newId());
  const callId = toId<CallId>(services.newId());
  const wanted = { ...(agentId === null ? {} : { agentId }), claimId, callId };
  const claiming = services.presence.claim(companyId, wanted).catch((error: unknown) => {
    void releaseClaimWithoutAnswer(services, companyId, claimId);
    throw error;
  });
  const claim = await withDeadline(services.clock, deadline, claiming);
  if (claim === null) {
    const giveBack = async (late: ClaimOutcome) => {
      if (late.kind === 'claimed') await cancelClaim(services, { ...late.presence, claimId, callId });
    };
    void claiming.then(giveBack, () => undefined);
    return { kind: 'too_late' };
  }
  if (claim.kind !== 'claimed') return { kind: claim.kind };
  announce(services, claim.presence, claim.presence);
  return { kind: 'claimed', claimed: { ...claim.presence, claimId, callId } };
}

const whyNot: Record<AgentState, string> = {
  offline: 'is logged out',
  not_ready: 'is Not Ready',
  ready: 'is Ready, but the softphone cannot be reached now',
  reserved: 'is being given another call',
  on_call: 'is on a call',
  wrap_up: 'is in wrap-up',
};

function agentNotReady(presence: Presence | null): Refused {
  const agentState =
    presence === null
      ? { state: 'offline' as const, reason: null, since: null }
      : { state: presence.state, reason: presence.reason, since: new Date(presence.since) };
  return refuse('agent_not_ready', `That agent ${whyNot[agentState.state]}.`, {
    retryAfterSeconds: 2,
    agentState,
  });
}
