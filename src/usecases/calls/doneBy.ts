import type { Clock } from '../../ports/clock.ts';

/**
 * What the work gives, or null when it is not done by then; it goes on and nobody hears of its end.
 * @param deadline milliseconds of the clock
 * @param giveUp called at the deadline, before anything else can happen
 */
export function doneBy<T>(clock: Clock, deadline: number, work: Promise<T>, giveUp?: () => void): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => {
      giveUp?.();
      resolve(null);
    });
    void work.then(resolve, reject).finally(cancel);
  });
}
