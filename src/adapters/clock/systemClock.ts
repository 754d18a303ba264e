import type { Clock } from '../../ports/clock.ts';

/** The machine's clock. Its timers never keep the process alive by themselves. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, action) {
      const timer = setTimeout(action, ms);
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
