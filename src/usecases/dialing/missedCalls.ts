import type { MissedCalls } from '../../contract/dialing.ts';
import { countMissedTo } from '../../contract/dialingLimits.ts';
import type { Principal } from '../../domain/access.ts';
import type { Services } from '../services.ts';

type Agent = Extract<Principal, { kind: 'agent' }>;
type Needs = Pick<Services, 'calls' | 'clock' | 'softphoneKeep'>;

/** Of an agent who has never looked, missed calls of so long ago count. Milliseconds. */
const firstLookBackMs = 7 * 86_400_000;

/** How many calls the agent has missed since they looked last, on whichever device. */
export async function readMissedCalls(services: Needs, agent: Agent): Promise<MissedCalls> {
  const seenUntil = await services.softphoneKeep.missedSeenUntil(agent.companyId, agent.agentId);
  return countedSince(services, agent, seenUntil);
}

/** The agent has looked at the calls that ended until then. A time that is yet to come is now. */
export async function seeMissedCalls(services: Needs, agent: Agent, until: string): Promise<MissedCalls> {
  const seen = new Date(Math.min(Date.parse(until), services.clock.now()));
  return countedSince(services, agent, await services.softphoneKeep.seeMissed(agent.companyId, agent.agentId, seen));
}

async function countedSince(
  { calls, clock }: Needs,
  { companyId, agentId }: Agent,
  seenUntil: Date | null,
): Promise<MissedCalls> {
  const since = seenUntil ?? new Date(clock.now() - firstLookBackMs);
  return {
    count: await calls.countMissed(companyId, agentId, since, countMissedTo),
    seen_until: seenUntil?.toISOString() ?? null,
  };
}
