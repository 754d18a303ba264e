import type { Services } from '../../../src/usecases/services.ts';

/** The clock of a gateway that is made with `wrap`: ahead of the machine's by so many milliseconds, or behind it. */
export function shiftedClock() {
  let aheadMs = 0;
  return {
    wrap: (services: Services): Services => {
      const { clock } = services;
      return { ...services, clock: { ...clock, now: () => clock.now() + aheadMs } };
    },
    setAhead: (ms: number): void => void (aheadMs = ms),
  };
}
