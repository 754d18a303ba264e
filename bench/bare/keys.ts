/** Where the bare stack keeps what it keeps in Redis. */
export const bareEntryKey = (companyId: string, phone: string): string => `bare:pop:${companyId}:${phone}`;
/** Sorted set of the agents who can be dialed, by since when. */
export const bareIdleKey = (companyId: string): string => `bare:idle:${companyId}`;
export const bareAgentKey = (companyId: string, agentId: string): string => `bare:agent:${companyId}:${agentId}`;
