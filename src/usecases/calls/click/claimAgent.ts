import type { AgentState } from '../../../contract/vocabulary.ts';
import { type CallId, type ClaimId, type CompanyId, toId } from '../../../domain/ids.ts';
import { refuse, type Refused } from '../../../domain/outcome.ts';
import type { Presence } from '../../../domain/presence.ts';
import type { ClaimOutcome, WantedAgent } from '../../../ports/presence.ts';
import { announce } from '../../agents/changePresence.ts';
import { withDeadline } from '../../concurrency/withDeadline.ts';
import type { CallServices, Services } from '../../services.ts';
import { type Claimed, endDial, releaseUnansweredClaim } from './dialFate.ts';

/** How long a softphone may take to acknowledge; nothing is shown any more after that. Milliseconds. */
export const acknowledgeWithinMs = 2_000;
/** With less than this left nobody is asked: an agent must not lose Ready because the request was slow. */
export const leastOfferMs = 250;

type ClaimedAgent =
  { kind: 'claimed'; claimed: Claimed } | { kind: 'none_ready' } | { kind: 'not_ready' } | { kind: 'claim_too_late' };

/**
 * Claims a Ready agent for a call that gets its id here.
 * @param deadline a claim that succeeds later is given back: the store may need seconds to restore lost data
 */
export async function claimAgent(
  services: CallServices & Pick<Services, 'unansweredClaims'>,
  companyId: CompanyId,
  whom: WantedAgent,
  deadline: number,
): Promise<ClaimedAgent> {
  const claimId = toId<ClaimId>(services.newId());
  const callId = toId<CallId>(services.newId());
  const claiming = services.presence.claim(companyId, { ...whom, claimId, callId }).catch((error: unknown) => {
    void releaseUnansweredClaim(services, companyId, claimId);
    throw error;
  });
  const claim = await withDeadline(services.clock, deadline, claiming);
  if (claim === null) {
    const giveBack = async (late: ClaimOutcome) => {
      if (late.kind === 'claimed') await endDial(services, { ...late.presence, claimId, callId }, 'claim_too_late');
    };
    void claiming.then(giveBack, () => undefined);
    return { kind: 'claim_too_late' };
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

/** Why the agent that was named is not asked. */
export function agentNotReady(presence: Presence | null): Refused {
  const agentState =
    presence === null
      ? { state: 'offline' as const, reason: null, since: null }
      : { state: presence.state, reason: presence.reason, since: new Date(presence.since) };
  return refuse('agent_not_ready', `That agent ${whyNot[agentState.state]}.`, {
    retryAfterSeconds: 2,
    agentState,
  });
}
