import type { Connection, ConnectionEnd } from './connection.ts';
import { delayOfMove } from './retryDelay.ts';

/** What is under way on the old connection may end there first. Milliseconds. */
const quietWithinMs = 2_500;
/** A gateway that was reached opens the session within this time, or the move has failed. Milliseconds. */
const openWithinMs = 5_000;

type Needs = {
  /** The connection that is to be left. */
  old: Connection;
  /** By the steady clock, in milliseconds; later no more tries are made. */
  until: number;
  /** Milliseconds before the first try. */
  delayMs: number;
  newConnection: () => Connection;
  /** Events shall wait from now on: the session is about to move. */
  onHold: () => void;
  /**
   * The session has not moved, and events may go as before. `oldEnd`: unless the old connection has ended meanwhile.
   * Unless it has, another try follows.
   */
  onFailed: (oldEnd: ConnectionEnd | null) => void;
};

/**
 * Make before break: opens a second connection while the first one serves. The way to the other gateway is found
 * first, which takes the longest; then what is under way on the old connection ends; only then does the session move,
 * which takes one round trip.
 */
export class Move {
  readonly #needs: Needs;
  #candidate: Connection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The session is moving: what happens to the old connection may be the consequence. */
  #isTaking = false;
  #oldEnd: ConnectionEnd | null = null;

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#tryIn(needs.delayMs);
  }

  /** Whether this connection is the second one, which is being opened. */
  isTo(connection: Connection): boolean {
    return this.#candidate === connection;
  }

  /** The other gateway was reached. */
  reached(): void {
    const candidate = this.#candidate;
    this.#needs.old.whenQuiet(quietWithinMs, () => {
      if (candidate !== null && candidate === this.#candidate) this.#take(candidate);
    });
  }

  /** The second connection came to nothing. */
  failed(): void {
    clearTimeout(this.#timer);
    this.#candidate?.close();
    this.#candidate = null;
    this.#isTaking = false;
    this.#needs.onFailed(this.#oldEnd);
    if (this.#oldEnd === null) this.#tryIn(delayOfMove());
  }

  /** The old connection has ended; true: that is no loss, as the session is moving. */
  takesEnd(end: ConnectionEnd): boolean {
    if (this.#isTaking) this.#oldEnd = end;
    return this.#isTaking;
  }

  /** Ends the move; the second connection, if there is one, is the caller's. */
  release(): Connection | null {
    clearTimeout(this.#timer);
    const candidate = this.#candidate;
    this.#candidate = null;
    return candidate;
  }

  #tryIn(ms: number): void {
    if (performance.now() + ms > this.#needs.until) return;
    this.#timer = setTimeout(() => {
      this.#candidate = this.#needs.newConnection();
      this.#candidate.reach();
    }, ms);
  }

  #take(candidate: Connection): void {
    this.#isTaking = true;
    this.#needs.onHold();
    this.#timer = setTimeout(() => this.failed(), openWithinMs);
    candidate.open();
  }
}
