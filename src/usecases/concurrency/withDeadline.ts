import type { Clock } from '../../ports/clock.ts';

/**
 * What the work gives, or null when it is not done by the deadline; it goes on then, and nobody hears of its end.
 * @param deadline milliseconds of the clock; one that has passed still lets a work win that is done already
 * @param onLate called at the deadline, before anything else can happen
 */
export function withDeadline<T>(clock: Clock, deadline: number, work: Promise<T>, onLate?: () => void): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => {
      onLate?.();
      resolve(null);
    });
    void work.then(resolve, reject).finally(cancel);
  });
}

/** What is cleaned up after a refusal is done before the answer, if it is quick; past the deadline the caller waits so long. */
const lastMomentMs = 250;

/**
 * Waits for what a refusal leaves to be done, but not long after the deadline; it goes on behind the answer.
 * @param work never rejects
 */
export async function awaitCleanup(clock: Clock, deadline: number, work: Promise<unknown>): Promise<void> {
  await withDeadline(clock, Math.max(deadline, clock.now() + lastMomentMs), work);
}
