import type { AgentId, CompanyId } from '../domain/ids.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Telephony } from '../domain/telephony.ts';

/** Absent is unchanged. */
export type TelephonyChange = Partial<Omit<Telephony, 'updatedAt'>>;

export interface TelephonyStore {
  /** Mode `none` where nothing was ever set, and where there is no such company. */
  find(companyId: CompanyId): Promise<Telephony>;
  /**
   * Changes the settings by what is decided on their latest state; changes of one company wait for each other. Nothing
   * is saved where the decision is a refusal or changes nothing.
   */
  save(companyId: CompanyId, decide: (current: Telephony) => Outcome<TelephonyChange>): Promise<Outcome<Telephony>>;
}

/** The answering machine of the demo, as agents' telephones reach it. */
export interface DemoCarrier {
  /** An agent's account, the same for as long as this process lives. `path`: of the WebSocket, on the gateway's own origin. */
  account(companyId: CompanyId, agentId: AgentId): { path: string; user: string; secret: string; domain: string };
}
