import type { Connection } from './connection.ts';

/** How far the machine's clock and the steady one may run apart before the measurement is unreliable. Milliseconds. */
const runApartMs = 500;
/**
 * When something is sent, the transport closes a connection whose last ping is too long ago by the machine's clock: the
 * gateway's ping time-out is 8 s. After a longer jump of the clock, wait for the next ping before asking.
 */
const jumpAtMostMs = 7_000;

/** How long the gateway may take to tell its time. Milliseconds. */
const measureWithinMs = 1_000;

/**
 * The gateway's time as a softphone knows it: measured once, then carried on by the steady clock, so that a correction
 * of the machine's clock changes nothing. Most browsers stop the steady clock while the machine sleeps: the two clocks
 * then run apart, as after a correction, and the gateway must be asked again.
 */
export class GatewayTime {
  /** While the gateway is being asked for its time. */
  #measuring: Promise<void> | null = null;
  /** To be added to the steady time; until the first measurement by the machine's own clock. */
  #offsetMs = Date.now() - performance.now();
  #apartMs = Date.now() - performance.now();

  /** Milliseconds since the epoch. */
  now(): number {
    return performance.now() + this.#offsetMs;
  }

  /** @param serverTime ISO 8601, as it was at the steady time `at` in milliseconds */
  measure(serverTime: string, at: number = performance.now()): void {
    this.#offsetMs = Date.parse(serverTime) - at;
    this.#apartMs = Date.now() - performance.now();
  }

  /**
   * Asks the gateway for its time again where `now` cannot be relied on.
   * @param connection the current one; null: there is none
   * @param isCurrent whether a connection is still the current one when the answer comes
   * @param wasHeard the gateway was heard this very moment
   * @returns null where `now` can be relied on; else resolves when the time was measured, or could not be
   */
  measureIfDoubtful(
    connection: Connection | null,
    isCurrent: (connection: Connection) => boolean,
    wasHeard: boolean,
  ): Promise<void> | null {
    if (!this.#isDoubtful(wasHeard) || connection === null) return null;
    this.#measuring ??= new Promise<void>((resolve) => {
      const askedAt = performance.now();
      connection.ask('read_time', {}, measureWithinMs, (outcome) => {
        this.#measuring = null;
        // An older gateway does not answer this; the next connection's snapshot has the time.
        if (outcome.kind === 'answered' && outcome.ack.ok && isCurrent(connection)) {
          this.measure(outcome.ack.server_time, (askedAt + performance.now()) / 2);
        }
        resolve();
      });
    });
    return this.#measuring;
  }

  /**
   * Whether to measure again, since this machine slept or its clock was set. After a long sleep the connection is gone,
   * and the next one measures.
   */
  #isDoubtful(wasHeard: boolean): boolean {
    const jumpMs = Date.now() - performance.now() - this.#apartMs;
    return Math.abs(jumpMs) > runApartMs && (wasHeard || jumpMs < jumpAtMostMs);
  }
}
