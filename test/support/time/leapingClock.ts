import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/ports/clock.ts';

/** A clock that runs as time does, and that a test can move on besides. */
export type LeapingClock = Clock & {
  /** Moves time on by `ms`; each timer that falls due meanwhile fires at its due time, in order. */
  advance(ms: number): Promise<void>;
  /**
   * Jumps on by `ms`, as the clock of a machine that slept: each timer that fell due meanwhile fires once,
   * at the new time.
   */
  jump(ms: number): void;
};

/** For gateways that keep leases by the clocks of others meanwhile. */
export function createLeapingClock(): LeapingClock {
  type Timer = { at: number; action: () => void; real: NodeJS.Timeout };
  const timers = new Set<Timer>();
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;

  const fire = (timer: Timer) => {
    clearTimeout(timer.real);
    if (timers.delete(timer)) timer.action();
  };
  /** What is left falls due so much earlier. */
  const hurry = () => {
    for (const timer of timers) {
      clearTimeout(timer.real);
      timer.real = setTimeout(() => fire(timer), Math.max(0, timer.at - now()));
    }
  };
  return {
    now,
    jump(ms) {
      aheadMs += ms;
      hurry();
    },
    after(ms, action) {
      const timer: Timer = { at: now() + ms, action, real: setTimeout(() => fire(timer), ms) };
      timers.add(timer);
      return () => {
        clearTimeout(timer.real);
        timers.delete(timer);
      };
    },
    async advance(ms) {
      const until = now() + ms;
      for (;;) {
        const next = [...timers].toSorted((one, other) => one.at - other.at)[0];
        if (next === undefined || next.at > until) break;
        aheadMs = Math.max(aheadMs, next.at - Date.now());
        fire(next);
        await nextTurn();
      }
      aheadMs = Math.max(aheadMs, until - Date.now());
      hurry();
    },
  };
}
