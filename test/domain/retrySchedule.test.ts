import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fateAfterAttempt, judgeAttempt, nextAttemptDelay, retrySteps } from '../../src/domain/retrySchedule.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const attempt = fc.integer({ min: 1, max: retrySteps.length });
const stepAfter = (attemptsMade: number): number => retrySteps[attemptsMade - 1] ?? Number.NaN;

describe('the wait before the next attempt', () => {
  it('is 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h at even chance', () => {
    const seconds = Array.from({ length: 9 }, (_, index) => (nextAttemptDelay(index + 1, 0.5) ?? 0) / 1000);
    expect(seconds).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
  });

  it('lies within 20 % of the step, in whole milliseconds', () => {
    fc.assert(
      fc.property(attempt, chance, (attemptsMade, random) => {
        const delay = nextAttemptDelay(attemptsMade, random) ?? Number.NaN;
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(stepAfter(attemptsMade) * 0.8);
        expect(delay).toBeLessThanOrEqual(stepAfter(attemptsMade) * 1.2);
      }),
    );
  });

  it('uses the whole spread', () => {
    expect(nextAttemptDelay(1, 0)).toBe(4000);
    expect(nextAttemptDelay(1, 0.999_999)).toBe(6000);
  });

  it('is over after the tenth attempt', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 10_000 }), chance, (attemptsMade, random) => {
        expect(nextAttemptDelay(attemptsMade, random)).toBeNull();
        expect(nextAttemptDelay(attemptsMade, random, 5)).toBeNull();
      }),
    );
  });

  it('honours Retry-After between one and two times the step, and never comes sooner than asked within that', () => {
    fc.assert(
      fc.property(attempt, chance, fc.nat(1_000_000), (attemptsMade, random, asked) => {
        const step = stepAfter(attemptsMade);
        const delay = nextAttemptDelay(attemptsMade, random, asked) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(step);
        expect(delay).toBeLessThanOrEqual(2 * step);
        expect(delay).toBeGreaterThanOrEqual(Math.min(asked * 1000, 2 * step));
      }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('does not exist after %d attempts', (attemptsMade) => {
    expect(() => nextAttemptDelay(attemptsMade, 0)).toThrow();
  });
});

describe('an attempt', () => {
  it('is delivered by any 2xx, gone by 410, and failed by all else', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999 }), (statusCode) => {
        const unless2xx = statusCode === 410 ? 'gone' : 'failed';
        const expected = statusCode >= 200 && statusCode <= 299 ? 'delivered' : unless2xx;
        expect(judgeAttempt({ kind: 'response', statusCode }).kind).toBe(expected);
      }),
    );
  });

  it('without an answer has failed', () => {
    expect(judgeAttempt({ kind: 'error' })).toEqual({ kind: 'failed', retryAfterSeconds: null });
  });

  it.each([
    [429, 60],
    [503, 60],
    [500, null],
    [302, null],
  ])('answered with %d and Retry-After 60 waits for %s', (statusCode, retryAfterSeconds) => {
    expect(judgeAttempt({ kind: 'response', statusCode, retryAfterSeconds: 60 })).toEqual({
      kind: 'failed',
      retryAfterSeconds,
    });
  });
});

describe('the fate of a delivery', () => {
  it('is delivered, dead because the receiver is gone, retried, or dead because all attempts are used up', () => {
    expect(fateAfterAttempt({ kind: 'response', statusCode: 204 }, 10, 0)).toEqual({ kind: 'delivered' });
    expect(fateAfterAttempt({ kind: 'response', statusCode: 410 }, 1, 0)).toEqual({ kind: 'dead', reason: 'gone' });
    expect(fateAfterAttempt({ kind: 'error' }, 1, 0.5)).toEqual({ kind: 'retry', delayMs: 5000 });
    expect(fateAfterAttempt({ kind: 'error' }, 10, 0.5)).toEqual({ kind: 'dead', reason: 'exhausted' });
  });

  it('lets a receiver under load set the pace', () => {
    const answer = { kind: 'response', statusCode: 429, retryAfterSeconds: 8 } as const;
    expect(fateAfterAttempt(answer, 1, 0)).toEqual({ kind: 'retry', delayMs: 8000 });
  });
});
