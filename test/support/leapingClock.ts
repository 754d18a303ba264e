import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ManualClock } from './manualClock.ts';

/**
 * A clock that a test moves in leaps, as a machine's does that slept: every timer that fell due meanwhile fires once,
 * at the new time. For hours and days, in which the gateway's own rounds would fire a million times.
 * @param startMs milliseconds since the epoch
 */
export function createLeapingClock(startMs: number): ManualClock {
  type Timer = { at: number; action: () => void };
  let time = startMs;
  let timers: Timer[] = [];

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
      time += ms;
      const due = timers.filter((timer) => timer.at <= time).sort((one, other) => one.at - other.at);
      for (const timer of due) {
        // One that fires may cancel another.
        if (!timers.includes(timer)) continue;
        timers = timers.filter((other) => other !== timer);
        timer.action();
        await nextTurn();
      }
      await nextTurn();
    },
  };
}
