import type { ClickTally, LiveCall } from '../contract/live.ts';
import type { AgentState } from '../contract/vocabulary.ts';
import type { AgentId, CallId, CompanyId } from '../domain/ids.ts';

/** The way to the supervisors who watch a company, whichever gateway they are connected to. Nobody waits for it. */
export interface Wallboard {
  /** @param call is asked for only if somebody watches */
  callChanged(companyId: CompanyId, call: () => LiveCall): void;
  /** @param tallies sums, so that telling them again does no harm */
  clicksChanged(companyId: CompanyId, tallies: ClickTally[]): void;
}

/** What can come of a click. `failed`: refused for another reason, or not to be done just now. */
export type ClickResult = 'dialed' | 'noReadyAgent' | 'agentNotReady' | 'failed';
export type ClickCounts = Record<ClickResult, number>;

/** The clicks of a company in the quarter of an hour that begins at `at`. */
export type QuarterOfClicks = { companyId: CompanyId; at: Date; counts: ClickCounts };

/** Clicks by company and quarter of an hour. */
export interface ClickTallies {
  /**
   * Adds to what is counted already, all or nothing; of a company that is gone nothing is kept.
   * @param clicks no two of the same company and quarter
   * @returns the sums of each since the quarter began
   */
  add(clicks: QuarterOfClicks[]): Promise<QuarterOfClicks[]>;
  /** The company's quarters that begin at `since` or later, in order of time. */
  list(companyId: CompanyId, since: Date): Promise<QuarterOfClicks[]>;
  /**
   * Forgets quarters that began before then, at most `limit` at once, and that more was ever known.
   * @returns how many
   */
  prune(before: Date, limit: number): Promise<number>;
}

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
  /**
   * Forgets changes from before then, at most `limit` at once;
   * what is not rolled up stays, and so does the latest one of an agent who was signed in then. @returns how many
   */
  prune(before: Date, limit: number): Promise<number>;
}
