import type { AgentStateView } from '../contract/agents.ts';
import type { CallView } from '../contract/calls.ts';

/** More than an agent can have to wrap up, beside two calls. */
const mostKnown = 24;

/**
 * The calls of a softphone that it knows of, in the order in which they were told last: the one that the agent is on or
 * wraps up, a second one beside it, and those that wait to be wrapped up.
 */
export class OwnCalls {
  readonly #calls = new Map<string, CallView>();
  #agent: Pick<AgentStateView, 'call_id' | 'second_call_id'> | null = null;

  /** The agent's call, as far as it is known; after it, the last one. */
  get first(): CallView | null {
    const shown = this.#calls.get(this.#agent?.call_id ?? '');
    if (shown !== undefined && shown.state !== 'ended') return shown;
    const others = [...this.#calls.values()].filter(({ id }) => id !== this.#agent?.second_call_id);
    return others.findLast(({ state }) => state !== 'ended') ?? shown ?? others.at(-1) ?? null;
  }

  /** The call beside it. */
  get second(): CallView | null {
    return this.#calls.get(this.#agent?.second_call_id ?? '') ?? null;
  }

  /** Whether a call is over that may have to be wrapped up yet. */
  hasEnded(id: string): boolean {
    return this.#calls.get(id)?.state === 'ended';
  }

  follow(agent: Pick<AgentStateView, 'call_id' | 'second_call_id'>): void {
    this.#agent = agent;
  }

  /** What is told as it was before it ended is left out. */
  learn(call: CallView): void {
    if (this.hasEnded(call.id) && call.state !== 'ended') return;
    this.#calls.delete(call.id);
    this.#calls.set(call.id, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > mostKnown && oldest !== undefined) this.#calls.delete(oldest);
  }

  forget(): void {
    this.#calls.clear();
  }
}
