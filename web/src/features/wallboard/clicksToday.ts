import type { ClickTally } from '../../../../src/contract/live.ts';

/** Clicks since midnight. */
export type ClicksToday = { dialed: number; no_ready_agent: number; agent_not_ready: number; failed: number };

/** Local midnight before that moment; both in milliseconds since the epoch. */
export function midnightBefore(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

/** Sums the quarter hours that began at or after that moment. @param since milliseconds since the epoch */
export function sumClicks(tallies: Iterable<ClickTally>, since: number): ClicksToday {
  const sum = { dialed: 0, no_ready_agent: 0, agent_not_ready: 0, failed: 0 };
  for (const tally of tallies) {
    if (Date.parse(tally.at) < since) continue;
    sum.dialed += tally.dialed;
    sum.no_ready_agent += tally.no_ready_agent;
    sum.agent_not_ready += tally.agent_not_ready;
    sum.failed += tally.failed;
  }
  return sum;
}
