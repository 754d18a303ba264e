import type { CallKey } from '../../../lib/sip/phoneCall.ts';
import { CallEffects, type CallEffectsNeeds } from './callEffects.ts';
import type { CallEvent } from './callEvents.ts';
import { CallLoop } from './callLoop.ts';
import type { CallState } from './callState.ts';

export type CallPlaceNeeds = Omit<CallEffectsNeeds, 'last' | 'send' | 'sendFor'> & { changed: () => void };

/** A place for one call of this page: what happens to it, and what is done about it. */
export class CallPlace {
  readonly #loop: CallLoop;
  readonly effects: CallEffects;

  constructor(needs: CallPlaceNeeds) {
    const loop: CallLoop = new CallLoop({
      now: () => needs.timers.now(),
      run: (effect) => this.effects.run(effect),
      changed: needs.changed,
    });
    this.#loop = loop;
    this.effects = new CallEffects({
      ...needs,
      last: () => loop.lastKnown,
      send: (event) => loop.send(event),
      sendFor: (key, event) => {
        if (loop.isCurrent(key)) loop.send(event);
      },
    });
  }

  get state(): CallState {
    return this.#loop.state;
  }

  /** Whether that call is here. */
  isCurrent(key: CallKey): boolean {
    return this.#loop.isCurrent(key);
  }

  /** As of `CallLoop`. */
  callIdOf(key: CallKey): string | null {
    return this.#loop.callIdOf(key);
  }

  send(event: CallEvent): void {
    this.#loop.send(event);
  }
}
