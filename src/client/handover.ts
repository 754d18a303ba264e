import type { Connection, ConnectionEnd } from './connection.ts';
import { delayBeforeHandover } from './retryDelay.ts';

/** How long requests under way may take to finish on the old connection first. Milliseconds. */
const quietWithinMs = 2_500;
/** The new gateway opens the session within this time, or the handover has failed. Milliseconds. */
const openWithinMs = 5_000;

type Needs = {
  /** The connection that is to be left. */
  old: Connection;
  /** By the steady clock, in milliseconds: no try begins later. */
  until: number;
  /** Milliseconds before the first try. */
  delayMs: number;
  newConnection: () => Connection;
  /** Requests must wait from now on: the session is about to move. */
  onHold: () => void;
  /**
   * The session has not moved. `oldEnd`: how the old connection has ended meanwhile; null: it still serves, requests go
   * on there, and another try follows.
   */
  onFailed: (oldEnd: ConnectionEnd | null) => void;
};

/**
 * Make before break: opens a second connection while the first one serves. It reaches the other gateway first, which
 * takes the longest; then it lets the requests on the old connection finish; only then does the session move, which
 * takes one round trip.
 */
export class Handover {
  readonly #needs: Needs;
  #candidate: Connection | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The session is moving, which may be why the old connection ends. */
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

  /** The second connection failed. */
  failed(): void {
    clearTimeout(this.#timer);
    this.#candidate?.close();
    this.#candidate = null;
    this.#isTaking = false;
    this.#needs.onFailed(this.#oldEnd);
    if (this.#oldEnd === null) this.#tryIn(delayBeforeHandover());
  }

  /** The old connection has ended; true: that is no loss, since the session is moving. */
  takesEnd(end: ConnectionEnd): boolean {
    if (this.#isTaking) this.#oldEnd = end;
    return this.#isTaking;
  }

  /** Ends the handover; the second connection, if there is one, is the caller's from now on. */
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
