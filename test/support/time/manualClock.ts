import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/ports/clock.ts';

/** A clock that stands still until a test moves it. */
export type ManualClock = Clock & {
  /**
   * Moves time on by `ms`, firing each timer at its due time, the earliest first. Between two timers all promises
   * that are ready go on, so that a timer set by the one before it fires in its turn.
   */
  advance(ms: number): Promise<void>;
  /**
   * Jumps by `ms`, as a machine's clock does that slept: every timer that fell due meanwhile fires once, at the new
   * time. For hours and days, in which the gateway's own rounds would fire a hundred thousand times.
   */
  leap(ms: number): Promise<void>;
};

/** @param startMs milliseconds since the epoch */
export function createManualClock(startMs: number): ManualClock {
  type Timer = { at: number; action: () => void };
  let time = startMs;
  let timers: Timer[] = [];

  /** The earliest timer due by then, taken off the list. */
  const takeNext = (until: number, among: Timer[] = timers): Timer | undefined => {
    const next = among
      .filter((timer) => timer.at <= until && timers.includes(timer))
      .reduce<Timer | undefined>((first, timer) => (first && first.at <= timer.at ? first : timer), undefined);
    timers = timers.filter((timer) => timer !== next);
    return next;
  };

  return {
    now: () => time,
    after(ms, action) {
      const timer = { at: time + ms, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const until = time + ms;
      await nextTurn();
      for (let timer = takeNext(until); timer; timer = takeNext(until)) {
        time = Math.max(time, timer.at);
        timer.action();
        await nextTurn();
      }
      time = Math.max(time, until);
    },
    async leap(ms) {
      time += ms;
      const waiting = [...timers];
      for (let timer = takeNext(time, waiting); timer; timer = takeNext(time, waiting)) {
        timer.action();
        await nextTurn();
      }
      await nextTurn();
    },
  };
}
