import type { ClickTally, LiveCall } from '../contract/live.ts';
import type { CompanyId } from '../domain/ids.ts';

/** The way to the supervisors who watch a company, whichever gateway they are connected to. Nobody waits for it. */
export interface Wallboard {
  callChanged(companyId: CompanyId, call: LiveCall): void;
  /** @param tallies sums, so that telling them again does no harm */
  clicksChanged(companyId: CompanyId, tallies: ClickTally[]): void;
}
