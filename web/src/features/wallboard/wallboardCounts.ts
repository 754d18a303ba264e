import type { ClickTally } from '../../../../src/contract/live.ts';
import type { ListedState, WallboardRow } from './wallboardOrder.ts';

/**
 * How many agents are in which state, and how many calls there are. Agents who are offline are not on the wallboard.
 */
export type WallboardCounts = {
  agents: number;
  states: Record<ListedState, number>;
  /** Not Ready by reason, the most frequent first. */
  reasons: { reason: string; count: number }[];
  /** Not connected at this moment. */
  away: number;
  calls: { outbound: number; inbound: number };
};

/** Counts what is on the wallboard. */
export function countRows(rows: Iterable<WallboardRow>): WallboardCounts {
  const states = { ready: 0, reserved: 0, on_call: 0, wrap_up: 0, not_ready: 0 };
  const calls = { outbound: 0, inbound: 0 };
  const reasons = new Map<string, number>();
  let agents = 0;
  let away = 0;
  for (const { agent, call } of rows) {
    if (agent.state === 'offline') continue;
    agents += 1;
    states[agent.state] += 1;
    // At work at a platform alone: there is no connection to miss.
    if (agent.connection !== 'connected' && agent.connection !== null) away += 1;
    if (call !== null) calls[call.direction] += 1;
    if (agent.state !== 'not_ready') continue;
    const reason = agent.reason ?? '';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const sorted = [...reasons].map(([reason, count]) => ({ reason, count }));
  return { agents, states, reasons: sorted.toSorted((a, b) => b.count - a.count), away, calls };
}

/** Clicks since midnight. */
type ClicksToday = { dialed: number; no_ready_agent: number; agent_not_ready: number; failed: number };

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
