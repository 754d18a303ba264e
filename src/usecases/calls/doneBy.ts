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

/** What is cleaned up after a refusal is done before the answer, if it is quick; past the deadline the caller waits so long. */
const lastMomentMs = 250;

/**
 * Waits for what a refusal leaves to be done, but not long after the deadline; it goes on behind the answer.
 * @param work never rejects
 */
export async function behindAnswer(clock: Clock, deadline: number, work: Promise<unknown>): Promise<void> {
  await doneBy(clock, Math.max(deadline, clock.now() + lastMomentMs), work);
}
