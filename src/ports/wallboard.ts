import type { ClickTally, LiveCall } from '../contract/live.ts';
import type { CompanyId } from '../domain/ids.ts';

/** The way to the supervisors who watch a company, whichever gateway they are connected to. Nobody waits for it. */
export interface Wallboard {
  callChanged(companyId: CompanyId, call: LiveCall): void;
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
  /** Forgets quarters that began before then, at most `limit` at once. @returns how many */
  prune(before: Date, limit: number): Promise<number>;
}
