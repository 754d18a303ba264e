import { createStore } from 'zustand/vanilla';
import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { AgentTimeline } from '../../../../src/contract/live.ts';
import type { AgentState } from '../../../../src/contract/vocabulary.ts';
import type { Wallboard } from './wallboard.ts';

/** What an agent was doing for a while. `until: null`: still. Times are ISO 8601. */
export type TimelineEntry = AgentTimeline['entries'][number];

/** The timeline with what the agent is doing now, as the socket has told it since. In order of time. */
export function followAgent(entries: readonly TimelineEntry[], agent: AgentStateView | null): readonly TimelineEntry[] {
  const since = agent?.since ?? null;
  if (agent === null || since === null) return entries;
  const last = entries.at(-1);
  if (last === undefined) return [entryOf(agent, since)];
  if (since < last.since) return entries;
  const isSame =
    last.since === since || (last.state === agent.state && last.reason === agent.reason && last.until === null);
  if (isSame) return last.state === agent.state ? entries : [...entries.slice(0, -1), entryOf(agent, since)];
  return [...entries.slice(0, -1), { ...last, until: last.until ?? since }, entryOf(agent, since)];
}

function entryOf({ state, reason, call_id }: AgentStateView, since: string): TimelineEntry {
  return { state, reason, call_id, since, until: null };
}

/** A part of the bar, in hundredths of its length. */
type TimelineSegment = { entry: TimelineEntry; start: number; width: number };

/** What of the timeline lies between two moments (milliseconds since the epoch), for a bar from one to the other. */
export function segmentsOf(entries: readonly TimelineEntry[], from: number, to: number): TimelineSegment[] {
  const percent = 100 / Math.max(1, to - from);
  return entries.flatMap((entry) => {
    const start = Math.max(from, Date.parse(entry.since));
    const end = Math.min(to, entry.until === null ? to : Date.parse(entry.until));
    return end > start ? [{ entry, start: (start - from) * percent, width: (end - start) * percent }] : [];
  });
}

/** Milliseconds spent in each state between two moments, the longest first; without being offline. */
export function totalsOf(
  entries: readonly TimelineEntry[],
  from: number,
  to: number,
): { state: AgentState; spent: number }[] {
  const totals = new Map<AgentState, number>();
  for (const { state, since, until } of entries) {
    const spent = Math.min(to, until === null ? to : Date.parse(until)) - Math.max(from, Date.parse(since));
    if (spent > 0 && state !== 'offline') totals.set(state, (totals.get(state) ?? 0) + spent);
  }
  return [...totals].map(([state, spent]) => ({ state, spent })).toSorted((a, b) => b.spent - a.spent);
}

/** One agent's timeline, which goes on with every change that the wallboard is told of. */
export class FollowedTimeline {
  readonly shown = createStore<{ entries: readonly TimelineEntry[] }>(() => ({ entries: [] }));
  readonly #wallboard: Wallboard;
  readonly #agentId: string;
  /** Told before what the gateway has recorded was here. */
  #early: AgentStateView[] = [];
  #isBegun = false;

  constructor(wallboard: Wallboard, agentId: string) {
    this.#wallboard = wallboard;
    this.#agentId = agentId;
  }

  /** Goes on from now. @returns ends it */
  follow(): () => void {
    return this.#wallboard.latest.subscribe(({ agent }) => {
      if (agent?.agent_id !== this.#agentId) return;
      if (this.#isBegun) this.shown.setState(({ entries }) => ({ entries: followAgent(entries, agent) }));
      else this.#early.push(agent);
    });
  }

  /** Takes what the gateway has recorded; the wallboard may know of more already. */
  begin(recorded: readonly TimelineEntry[]): void {
    this.#isBegun = true;
    const told = [...this.#early.splice(0), this.#wallboard.agent(this.#agentId)];
    this.shown.setState({ entries: told.reduce<readonly TimelineEntry[]>(followAgent, recorded) });
  }
}
