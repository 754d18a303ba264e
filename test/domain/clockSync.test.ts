import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSyncedClock, type SyncedClock } from '../../src/domain/clockSync.ts';

describe('a clock that follows a server', () => {
  let steady: number;
  let clock: SyncedClock;

  /** Asks the server, whose clock is `aheadMs` ahead of the steady one; the way there and back take as told. */
  const asked = (aheadMs: number, thereMs = 0, backMs = thereMs) => {
    const askedAt = steady;
    steady += thereMs + backMs;
    return { askedAt, answeredAt: steady, serverTime: askedAt + thereMs + aheadMs };
  };

  beforeEach(() => {
    steady = 500;
    clock = createSyncedClock(asked(1_000_000, 2), () => steady);
  });

  it("tells the server's time, and runs on by the steady clock", () => {
    expect(clock.now()).toBe(1_000_000 + steady);
    steady += 7_000;
    expect(clock.now()).toBe(1_000_000 + steady);
  });

  it('goes forward at once', () => {
    clock.follow(asked(1_600_000));
    expect(clock.now()).toBe(1_600_000 + steady);
  });

  it('goes back a little at half speed, so that no time comes before one it has told', () => {
    const before = clock.now();
    clock.follow(asked(999_000));
    expect(clock.now()).toBe(before);
    steady += 1_000;
    expect(clock.now()).toBe(before + 500);
    steady += 1_000;
    expect(clock.now()).toBe(999_000 + steady);
    steady += 1_000;
    expect(clock.now()).toBe(999_000 + steady);
  });

  it('takes a new correction in the middle of one', () => {
    clock.follow(asked(999_200));
    steady += 400;
    expect(clock.now()).toBe(999_800 + steady);
    clock.follow(asked(999_600));
    expect(clock.now()).toBe(999_800 + steady);
    steady += 400;
    expect(clock.now()).toBe(999_600 + steady);
    clock.follow(asked(999_700));
    expect(clock.now()).toBe(999_700 + steady);
  });

  it('goes back at once where the server did by more than a second', () => {
    clock.follow(asked(400_000));
    expect(clock.now()).toBe(400_000 + steady);
  });

  it('is not moved by a slow answer that does not prove it wrong', () => {
    clock.follow(asked(1_000_000, 0, 3_000));
    expect(clock.now()).toBe(1_000_000 + steady);
    clock.follow(asked(1_000_000, 3_000, 0));
    expect(clock.now()).toBe(1_000_000 + steady);
  });

  it('never goes back by itself, and is never wronger than the longer way takes once a correction is over', () => {
    const measurement = fc.record({
      drift: fc.integer({ min: -20, max: 20 }),
      there: fc.integer({ min: 0, max: 400 }),
      back: fc.integer({ min: 0, max: 400 }),
      pause: fc.integer({ min: 0, max: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(measurement, { maxLength: 30 }), (measurements) => {
        steady = 0;
        let ahead = 5_000_000;
        const followed = createSyncedClock(asked(ahead), () => steady);
        let told = followed.now();
        const look = () => {
          const now = followed.now();
          expect(now).toBeGreaterThanOrEqual(told);
          told = now;
        };
        for (const { drift, there, back, pause } of measurements) {
          steady += pause;
          ahead += drift;
          look();
          followed.follow(asked(ahead, there, back));
          look();
          // Longer than any correction takes.
          steady += 2_000;
          look();
          expect(Math.abs(told - (ahead + steady))).toBeLessThanOrEqual(Math.max(there, back) + 1);
        }
      }),
    );
  });
});
