import type { Clock } from '../../ports/clock.ts';

/**
 * The result of the work, or null when it is not done by the deadline; it then goes on, and its result is ignored.
 * @param deadline milliseconds of the clock; also one that has passed: work that is done already still wins
 * @param onLate called at the deadline, before anything else can happen
 */
export function withDeadline<T>(
  clock: Clock,
  deadline: number,
  work: Promise<T>,
  onLate?: () => void,
): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => {
      onLate?.();
      resolve(null);
    });
    void work.then(resolve, reject).finally(cancel);
  });
}
