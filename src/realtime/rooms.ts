import type { AgentId, CompanyId, SessionId } from '../domain/ids.ts';

/** The one connection that owns an agent's softphone. */
export const agentRoom = (companyId: CompanyId, agentId: AgentId): string => `agent:${companyId}:${agentId}`;
/** Every connection of an agent, passive ones and watchers too. */
export const connectionsRoom = (companyId: CompanyId, agentId: AgentId): string => `connections:${companyId}:${agentId}`;
/** The connection of one session. */
export const sessionRoom = (sessionId: SessionId): string => `session:${sessionId}`;
/** Those who watch the company's agents. */
export const supervisorsRoom = (companyId: CompanyId): string => `supervisors:${companyId}`;
