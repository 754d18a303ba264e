import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';
import type { ClickToDialOffer, CrmScreenPop, OfferRescinded } from '../contract/socket.ts';
import type { AgentId, ClaimId, CompanyId } from '../domain/ids.ts';
import type { Presence } from '../domain/presence.ts';

export type OfferOutcome =
  | { kind: 'acknowledged' }
  /** The agent or the softphone declined. */
  | { kind: 'declined' }
  /** No acknowledgement in time, no connection, or the claim was over before anything was shown. */
  | { kind: 'undelivered'; detail: string };

/** The way to the agents' softphones. */
export interface Softphones {
  /**
   * Shows the pop and the dial on the one softphone that owns the claimed agent's session, after checking there
   * that the claim still holds, and waits for its acknowledgement.
   * @param timeoutMs how long to wait
   */
  offer(
    claimed: Presence & { claimId: ClaimId },
    pop: CrmScreenPop,
    dial: ClickToDialOffer,
    timeoutMs: number,
  ): Promise<OfferOutcome>;
  /** Takes a shown offer back. */
  rescind(companyId: CompanyId, agentId: AgentId, rescinded: OfferRescinded): void;
  /** Shows a pop that is no offer. */
  pop(companyId: CompanyId, agentId: AgentId, pop: CrmScreenPop): void;
  /** To the agent's softphone and the company's supervisors. */
  agentChanged(companyId: CompanyId, agentId: AgentId, state: AgentStateView): void;
  /** To the agent's softphone. */
  callChanged(companyId: CompanyId, agentId: AgentId, call: CallView): void;
  /** Ends every connection of an agent whose tokens are dead. */
  disconnect(companyId: CompanyId, agentId: AgentId): void;
}
