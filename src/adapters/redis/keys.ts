import type { AgentId, CompanyId, NodeId } from '../../domain/ids.ts';

/** The keys of one company's presence. They share a hash tag, so that one script may touch them all in a cluster. */
export type CompanyKeys = {
  /** Set of the ids of all agents with a presence. */
  agents: string;
  /** Sorted set of exactly the claimable agents; score: idleSince. */
  idle: string;
  /**
   * Hash: of each agent the groups that the agent is in, by their digests; see groups.ts. A group's own idle order is
   * `<idle>:<digest>`, the set of its agents `<groups>:<digest>`.
   */
  groups: string;
  /** Sorted set of the groups; score: when claims named them, to a few minutes. */
  groupsUsed: string;
  /** Sorted set of the agents for whom something falls due; score: nextDeadline. */
  deadlines: string;
  /** The guard key: the store's generation in which the company's keys were last complete; see restoreGuard.ts. */
  guard: string;
  /** The guard key of older gateways, which may run beside this one. */
  formerGuard: string;
  /** What stands before an agent's id in the key of its hash. */
  agentPrefix: string;
  /** What stands before a gateway's id in the key of the set of the agents who are connected to it. */
  nodePrefix: string;
};

/** Sorted set of the companies with a presence; score: when to look at the company's deadlines again. */
export const companiesKey = 'readyline:companies';

/** Sorted set of the gateways; score: when the lease of each ends. */
export const leasesKey = 'readyline:{nodes}:leases';

/** Hash: the generation for which each gateway has restored its agents. */
export const restoredKey = 'readyline:{nodes}:restored';

/** Set of the companies whose agents are, or were, connected to a gateway. */
export const nodeCompaniesKey = (nodeId: NodeId): string => `readyline:{nodes}:companies:${nodeId}`;

/** When a gateway last looked whether Redis takes changes. */
export const healthKey = 'readyline:health';

/** Held by the gateway whose turn it is to run a task that one gateway runs for all. */
export const turnKey = (name: string): string => `readyline:turn:${name}`;

/**
 * Probe keys: random texts, each set by any gateway that finds it missing.
 * One that changed shows that its server lost data.
 */
export const probeKey = (place: number): string => `readyline:probe:${place}`;

/** The keys of a company. */
export function companyKeys(companyId: CompanyId): CompanyKeys {
  const prefix = `readyline:{${companyId}}`;
  return {
    agents: `${prefix}:agents`,
    idle: `${prefix}:idle`,
    groups: `${prefix}:groups`,
    groupsUsed: `${prefix}:groups-used`,
    deadlines: `${prefix}:deadlines`,
    guard: `${prefix}:generation`,
    formerGuard: `${prefix}:fence`,
    agentPrefix: `${prefix}:agent:`,
    nodePrefix: `${prefix}:node:`,
  };
}

/** The hash that holds an agent's presence. */
export function agentKey(companyId: CompanyId, agentId: AgentId): string {
  return companyKeys(companyId).agentPrefix + agentId;
}
