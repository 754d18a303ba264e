import type { AgentState } from '../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId } from '../domain/ids.ts';

/** What an agent was doing from `since` on. */
export type PastState = {
  since: Date;
  /** The presence's: tells changes of one millisecond apart. */
  version: number;
  state: AgentState;
  reason: string | null;
  callId: CallId | null;
};
export type StateChange = PastState & { companyId: CompanyId; agentId: AgentId };

/** What the agents did when. */
export interface AgentHistory {
  /** All or nothing. Changes that are stored already, or whose agent is gone, are skipped. */
  add(changes: StateChange[]): Promise<void>;
  /**
   * An agent's changes from `since` to before `until` and the one before them, which reaches into that time. In order
   * of time; of more than `limit` the latest.
   */
  list(
    companyId: CompanyId,
    agentId: AgentId,
    window: { since: Date; until: Date },
    limit: number,
  ): Promise<PastState[]>;
  /** Records `offline`, from `at` on, for every agent whose latest state is another. */
  endAll(at: Date): Promise<void>;
  /** Forgets changes from before then, at most `limit` at once. @returns how many */
  prune(before: Date, limit: number): Promise<number>;
}
