import { describe, expect, it } from 'vitest';
import { retryDelay } from '../../src/client/retryDelay.ts';

describe('the waits of a softphone that has lost its line', () => {
  it('begin anywhere between 0.1 and 3 s, every moment as likely as another', () => {
    expect([0, 0.5, 1].map((random) => retryDelay(0, () => random))).toEqual([100, 1_550, 3_000]);
    const seconds = [0, 0, 0];
    for (let n = 0; n < 10_000; n++) seconds[Math.min(2, Math.floor((retryDelay(0) - 100) / 967))]! += 1;
    for (const share of seconds) expect(share).toBeGreaterThan(3_000);
  });

  it('grow to 10 s, and are never all the same', () => {
    const range = (attempt: number) => [retryDelay(attempt, () => 0), retryDelay(attempt, () => 1)];
    expect([1, 2, 3, 4, 50].map(range)).toEqual([
      [1_500, 3_000],
      [3_000, 6_000],
      [5_000, 10_000],
      [5_000, 10_000],
      [5_000, 10_000],
    ]);
  });
});
