import type { AgentStateEvent, PlatformAgentRef } from './connector.ts';
import { foldWord } from './reading.ts';

export type PlatformState = AgentStateEvent['state'];

/** What a platform calls a state of its agents, and what that is here. */
export type StateRow = {
  theirs: string;
  state: PlatformState;
  /** Of `not_ready`, where the name itself says why. */
  reason?: string;
  /** Whether the platform's API sets it. Of several for one state the first is meant. */
  settable?: true;
};
/** A platform's states; no two names are the same when folded. */
export type StateTable = readonly StateRow[];

/** What a platform's state is here; null: it is none of the table. */
export function stateHere(table: StateTable, theirs: string): Pick<StateRow, 'state' | 'reason'> | null {
  const word = foldWord(theirs);
  return table.find((row) => foldWord(row.theirs) === word) ?? null;
}

/** What the platform calls one of our states when it is told to set it, for this reason if it has a name for it; null: it cannot be set. */
export function stateFor(table: StateTable, state: PlatformState, reason: string | null = null): string | null {
  const rows = table.filter((row) => row.state === state && row.settable === true);
  return (rows.find((row) => row.reason === reason) ?? rows[0])?.theirs ?? null;
}

type Told = { eventId?: string | null; reason?: string | null; at?: number | null };

/** An agent in a state of ours, where the platform tells it by an event instead of a name; [] where it names no agent. */
export function inState(agent: PlatformAgentRef | null, state: PlatformState, told: Told = {}): AgentStateEvent[] {
  const reason = state === 'not_ready' ? (told.reason ?? null) : null;
  return agent === null ? [] : [{ kind: 'agent_state', eventId: told.eventId ?? null, agent, state, reason, at: told.at ?? null }];
}

/** What a platform told of an agent's state; [] where it names no agent, or a state that is none of the table. */
export function agentState(table: StateTable, agent: PlatformAgentRef | null, theirs: string | null, told: Told = {}): AgentStateEvent[] {
  const found = theirs === null ? null : stateHere(table, theirs);
  return found === null ? [] : inState(agent, found.state, { ...told, reason: found.reason ?? told.reason ?? null });
}
