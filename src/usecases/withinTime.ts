import type { Clock } from '../ports/clock.ts';

/** Rejects when the work lasts longer than `ms` milliseconds; the work itself goes on and its end is of no interest. */
export function withinTime<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new Error(`no answer within ${String(ms)} ms`)));
    work.then(resolve, reject).finally(cancel);
  });
}
