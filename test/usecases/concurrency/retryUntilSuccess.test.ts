import { describe, expect, it } from 'vitest';
import { createRetryRegistry, retryUntilSuccess } from '../../../src/usecases/concurrency/retryUntilSuccess.ts';
import { createManualClock } from '../../support/time/manualClock.ts';

const minuteMs = 60_000;

describe('what is tried again until it succeeds', () => {
  function room() {
    const clock = createManualClock(0);
    const problems: string[] = [];
    const retries = createRetryRegistry({
      clock,
      observer: { problem: (message) => void problems.push(message) },
      atMost: 200,
    });
    const tries: number[] = [];
    const store = { isAway: true };
    const action = async () => {
      tries.push(clock.now());
      if (store.isAway) throw new Error('away');
    };
    return {
      clock,
      problems,
      retries,
      tries,
      store,
      again: (problem = 'not done') => retryUntilSuccess({ retries }, problem, action),
    };
  }

  it('is tried less and less often, at least four times a minute, and no more once it is done', async () => {
    const { clock, tries, store, again } = room();
    await again();
    await clock.advance(minuteMs);
    const gaps = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    for (const [index, gap] of gaps.entries()) {
      const longest = Math.min(1_000 * 2 ** index, 15_000);
      expect(gap).toBeGreaterThanOrEqual(longest / 2);
      expect(gap).toBeLessThanOrEqual(longest);
    }
    store.isAway = false;
    await clock.advance(minuteMs / 4);
    const { length } = tries;
    await clock.advance(minuteMs);
    expect(tries).toHaveLength(length);
  });

  it('is not tried by all at the same moment', async () => {
    const { clock, tries, again } = room();
    await Promise.all(Array.from({ length: 100 }, () => again()));
    await clock.advance(1_000);
    expect(new Set(tries).size).toBeGreaterThan(20);
  });

  it('is reported once in an outage, however many there are, and again in the next one', async () => {
    const { clock, problems, store, again } = room();
    for (let clicks = 0; clicks < 150; clicks++) await again();
    await again('something else');
    await clock.advance(minuteMs);
    expect(problems).toEqual(['not done', 'something else']);
    store.isAway = false;
    await clock.advance(minuteMs);
    store.isAway = true;
    await again();
    expect(problems).toEqual(['not done', 'something else', 'not done']);
  });

  it('is left when too much waits already, which is said once', async () => {
    const { clock, problems, tries, store, again } = room();
    for (let clicks = 0; clicks < 250; clicks++) await again();
    expect(problems).toHaveLength(2);
    store.isAway = false;
    tries.length = 0;
    await clock.advance(1_000);
    expect(tries).toHaveLength(200);
  });

  it('is not tried any more after the end', async () => {
    const { clock, tries, retries, again } = room();
    await again();
    retries.stop();
    await again();
    await clock.advance(minuteMs);
    expect(tries).toEqual([0, 0]);
  });
});
