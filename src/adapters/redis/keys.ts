import type { AgentId, CompanyId } from '../../domain/ids.ts';

/** The keys of one company's presence. They share a hash tag, so that one script may touch them all in a cluster. */
export type CompanyKeys = {
  /** Set of the ids of all agents with a presence. */
  agents: string;
  /** Sorted set of exactly the claimable agents; score: idleSince. */
  idle: string;
  /** Sorted set of the agents for whom something falls due; score: nextDeadline. */
  deadlines: string;
  /** What stands before an agent's id in the key of its hash. */
  agentPrefix: string;
};

/** Sorted set of the companies with a presence; score: when to look at the company's deadlines again. */
export const companiesKey = 'readyline:companies';

/** A random text, set by whoever finds it missing: it is gone when Redis has lost its data. */
export const epochKey = 'readyline:epoch';

/** What stands before the keys of the login throttle, by what is counted. */
export const throttlePrefixes = { account: 'readyline:login:account', address: 'readyline:login:address' };

/** The keys of a company. */
export function companyKeys(companyId: CompanyId): CompanyKeys {
  const prefix = `readyline:{${companyId}}`;
  return {
    agents: `${prefix}:agents`,
    idle: `${prefix}:idle`,
    deadlines: `${prefix}:deadlines`,
    agentPrefix: `${prefix}:agent:`,
  };
}

/** The hash that holds an agent's presence. */
export function agentKey(companyId: CompanyId, agentId: AgentId): string {
  return companyKeys(companyId).agentPrefix + agentId;
}
