import type { AgentId, CompanyId } from '../domain/ids.ts';

/** The answering machine of the demo, as agents' telephones reach it. */
export interface DemoCarrier {
  /** An agent's account, the same for as long as this process lives. `path`: of the WebSocket, on the gateway's own origin. */
  account(companyId: CompanyId, agentId: AgentId): { path: string; user: string; secret: string; domain: string };
}
