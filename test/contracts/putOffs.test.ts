import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createMemoryCounters, createRedisCounters } from '../../src/adapters/counters/counters.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import type { Counters } from '../../src/ports/counters.ts';
import { redisUrl } from '../support/stores/redis.ts';

const minute = 60_000;
const then = Date.UTC(2026, 10, 21, 10, 15);

describe.each(['memory', 'redis'])('what is put off, in %s', (where) => {
  let counters: Counters;
  let close = () => {};

  beforeAll(async () => {
    if (where === 'memory') return void (counters = createMemoryCounters());
    const redis = await connectRedis(await redisUrl(), {
      onError: (error) => {
        throw error;
      },
    });
    counters = createRedisCounters({ redis });
    close = () => redis.disconnect();
  });
  afterAll(() => close());

  it('is put off until the latest time that anybody has said, and each key by itself', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    expect(await counters.putOffUntil(key)).toBeNull();
    await Promise.all([2, 5, 1].map((later) => counters.putOff(key, then + later, minute)));
    expect(await counters.putOffUntil(key)).toBe(then + 5);
    await counters.putOff(key, then + 3.6, minute);
    expect(await counters.putOffUntil(key)).toBe(then + 5);
    expect(await counters.putOffUntil(other)).toBeNull();
  });
});

describe('what is put off', () => {
  it('is forgotten after its time, in memory', async () => {
    vi.useFakeTimers();
    const counters = createMemoryCounters();
    await counters.putOff('anna', then, minute);
    vi.advanceTimersByTime(minute - 1);
    expect(await counters.putOffUntil('anna')).toBe(then);
    vi.advanceTimersByTime(1);
    expect(await counters.putOffUntil('anna')).toBeNull();
    vi.useRealTimers();
  });

  it('ends by itself in Redis, and does not tell whose it is', async () => {
    const redis = await connectRedis(await redisUrl(), {
      onError: (error) => {
        throw error;
      },
    });
    const before = new Set(await redis.keys('readyline:put-off:*'));
    const key = `anna ${randomUUID()}`;
    await createRedisCounters({ redis }).putOff(key, then, minute);
    const [made = '', ...others] = (await redis.keys('readyline:put-off:*')).filter((one) => !before.has(one));
    expect([others, made.includes('anna')]).toEqual([[], false]);
    const left = await redis.pttl(made);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(minute);
    redis.disconnect();
  });
});
