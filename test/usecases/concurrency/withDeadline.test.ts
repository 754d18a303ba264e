import { describe, expect, it } from 'vitest';
import { withDeadline } from '../../../src/usecases/concurrency/withDeadline.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

/** A work that ends after so many milliseconds of the clock. */
function room() {
  const clock = createManualClock(0);
  const workOf = (ms: number) => new Promise<string>((resolve) => clock.after(ms, () => resolve('done')));
  return { clock, workOf };
}

describe('a work with a deadline', () => {
  it('gives what it gives, if it is done by then', async () => {
    const { clock, workOf } = room();
    const result = withDeadline(clock, 100, workOf(99));
    await clock.advance(99);
    expect(await result).toBe('done');
  });

  it('gives null at the deadline, which is told first, and goes on', async () => {
    const { clock, workOf } = room();
    const order: string[] = [];
    const work = workOf(150).then((value) => order.push(value));
    const result = withDeadline(clock, 100, work, () => void order.push('late'));
    await clock.advance(100);
    expect(await result).toBeNull();
    await clock.advance(50);
    await work;
    expect(order).toEqual(['late', 'done']);
  });

  it('fails as it fails', async () => {
    const { clock } = room();
    await expect(withDeadline(clock, 100, Promise.reject(new Error('away')))).rejects.toThrow('away');
  });
});
