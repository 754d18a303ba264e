import type { AgentStateView } from '../../../../src/contract/agents.ts';
import type { LiveCall } from '../../../../src/contract/live.ts';
import type { AgentState } from '../../../../src/contract/vocabulary.ts';
import { mentions, mentionsNumber } from '../../shared/foldText.ts';

/** `state`: by state, in each the longest first. `time`: the longest in their state first. */
export type WallboardSort = 'state' | 'name' | 'time';

/**
 * Which agents are listed, and how. `team`: the ids of its agents; null: all.
 * `text`: part of a name, a code, or of who is on the line; empty: all.
 */
export type WallboardView = {
  sort: WallboardSort;
  state: ListedState | null;
  team: ReadonlySet<string> | null;
  text: string;
};

/** The states of the wallboard as a supervisor reads them: who can take a call, who has one, who cannot. */
export const listedStates = ['ready', 'reserved', 'on_call', 'wrap_up', 'not_ready'] as const satisfies AgentState[];
export type ListedState = (typeof listedStates)[number];

const ranks: Record<AgentState, number> = { ready: 0, reserved: 1, on_call: 2, wrap_up: 3, not_ready: 4, offline: 5 };
const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Ids of the agents to list, in their order. */
export function orderRows(rows: Iterable<WallboardRow>, { sort, state, team, text }: WallboardView): string[] {
  const listed = [...inTeam(rows, team)].filter((row) => {
    const fits = state === null ? row.agent.state !== 'offline' : row.agent.state === state;
    return fits && (mentions(textsOf(row), text) || mentionsNumber(row.call?.phone, text));
  });
  return listed.toSorted(comparisons[sort]).map((row) => row.agent.agent_id);
}

/** The rows of those agents. */
export function inTeam(rows: Iterable<WallboardRow>, team: WallboardView['team']): Iterable<WallboardRow> {
  return team === null ? rows : [...rows].filter(({ agent }) => team.has(agent.agent_id));
}

function textsOf({ agent, call }: WallboardRow): (string | null | undefined)[] {
  return [agent.name, agent.agent_code, call?.caller, call?.name];
}

type Comparison = (a: WallboardRow, b: WallboardRow) => number;

// `since` is ISO 8601 in UTC: as texts they are in the order of time.
const byTime: Comparison = (a, b) => {
  const [one, other] = [a.agent.since ?? '', b.agent.since ?? ''];
  return one === other ? byCode(a, b) : one < other ? -1 : 1;
};
const byCode: Comparison = (a, b) => (a.agent.agent_code < b.agent.agent_code ? -1 : 1);
const byName: Comparison = (a, b) => names.compare(a.agent.name, b.agent.name) || byCode(a, b);
const byState: Comparison = (a, b) => ranks[a.agent.state] - ranks[b.agent.state] || byTime(a, b);

const comparisons: Record<WallboardSort, Comparison> = { state: byState, name: byName, time: byTime };

/**
 * One agent on the wallboard, with the call that they talk in, or all that there is; `others`: how many more they have,
 * which ring or are on hold. A new object for each change.
 */
export type WallboardRow = { agent: AgentStateView; call: LiveCall | null; others: number };
