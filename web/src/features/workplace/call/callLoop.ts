import type { CallKey } from '../../../lib/sip/phoneCall.ts';
import type { CallEffect, CallEvent } from './callEvents.ts';
import { transition } from './callMachine.ts';
import { callIdOf, sessionOf, type CallState } from './callState.ts';

type Needs = {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Does what the machine says. */
  run: (effect: CallEffect) => void;
  changed: () => void;
};

/**
 * A call of this page: hands to the machine what happens to it, one event after the other, and has its effects done.
 */
export class CallLoop {
  readonly #needs: Needs;
  #state: CallState = { phase: 'idle' };
  readonly #events: CallEvent[] = [];
  #isRunning = false;
  /** What the gateway named last. */
  #lastKnown: { key: CallKey; callId: string } | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get state(): CallState {
    return this.#state;
  }

  get lastKnown(): { key: CallKey; callId: string } | null {
    return this.#lastKnown;
  }

  /** Whether it is that call. */
  isCurrent(key: CallKey): boolean {
    return sessionOf(this.#state)?.key === key;
  }

  /** How the gateway has named that call, be it over; null: not, or another one came after it. */
  callIdOf(key: CallKey): string | null {
    return this.#lastKnown?.key === key ? this.#lastKnown.callId : null;
  }

  /** What happens while something is done about an event comes after it. */
  send(event: CallEvent): void {
    this.#events.push(event);
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let next = this.#events.shift(); next !== undefined; next = this.#events.shift()) this.#take(next);
    } finally {
      this.#isRunning = false;
    }
  }

  #take(event: CallEvent): void {
    const before = this.#state;
    const { state, effects } = transition(before, event, this.#needs.now());
    this.#state = state;
    const [session, callId] = [sessionOf(state), callIdOf(state)];
    if (session !== null && callId !== null) this.#lastKnown = { key: session.key, callId };
    for (const effect of effects) this.#needs.run(effect);
    if (state !== before) this.#needs.changed();
  }
}
