import type { Cluster, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { createMemoryCounters, createRedisCounters } from '../../src/adapters/counters/counters.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import type { Counters } from '../../src/ports/counters.ts';
import { startRedisCluster } from '../support/stores/redisCluster.ts';
import { primariesOf } from './presenceStores.ts';

type Backend = {
  name: string;
  start(): Promise<void>;
  open(): Promise<Counters>;
  /** Lets the store's time pass. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
};

const minute = { count: 4, perMs: 60_000, below: 4 };

describe.each([memoryBackend(), redisBackend('redis', false), redisBackend('redis cluster', true)])(
  'a sliding window in $name',
  (backend) => {
    let counters: Counters;

    beforeAll(() => backend.start());
    afterAll(() => backend.stop());
    beforeEach(async () => {
      counters = await backend.open();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** So many at once; how many of them came in. */
    const take = async (times: number, window = minute, key = 'anna') =>
      (await Promise.all(Array.from({ length: times }, () => counters.takePlace(key, window)))).filter(
        (wait) => wait === 0,
      ).length;

    it('lets in as many as it may, also of those that come together, and each key by itself', async () => {
      expect(await take(20)).toBe(4);
      expect(await take(20, minute, 'bert')).toBe(4);
    });

    it('is never at rest: a place is free again when whoever took it has been in for the whole time', async () => {
      expect(await take(2)).toBe(2);
      await backend.pass(40_000);
      expect(await take(9)).toBe(2);
      // The window of the first two ends; that of the others does not.
      await backend.pass(30_000);
      expect(await take(9)).toBe(2);
      await backend.pass(31_000);
      expect(await take(9)).toBe(2);
      await backend.pass(61_000);
      expect(await take(9)).toBe(4);
    });

    it('tells when there is room, and takes nothing till then', async () => {
      await take(4);
      await backend.pass(20_000);
      const waitMs = await counters.takePlace('anna', minute);
      expect(waitMs).toBeGreaterThan(38_000);
      expect(waitMs).toBeLessThanOrEqual(40_001);
      await take(50);
      await backend.pass(waitMs);
      expect(await take(9)).toBe(4);
    });

    it('leaves to others what somebody may not take', async () => {
      expect(await take(9, { ...minute, below: 2 })).toBe(2);
      expect(await take(9)).toBe(2);
      expect(await take(9, { ...minute, below: 2 })).toBe(0);
    });
  },
);

describe('the windows in Redis', () => {
  it('do not tell whose they are, and end by themselves', async () => {
    const server = await startRedisServer();
    const redis = await connectRedis(server.url, { onError: throwIt });
    await createRedisCounters({ redis }).takePlace('anna@example.com', minute);
    const keys = await redis.keys('*');
    expect(keys).toHaveLength(1);
    expect(keys.join()).not.toContain('anna');
    expect(await redis.pttl(keys[0]!)).toBeGreaterThan(0);
    redis.disconnect();
    await server.stop();
  });
});

function memoryBackend(): Backend {
  return {
    name: 'memory',
    start: async () => undefined,
    async open() {
      vi.useFakeTimers();
      return createMemoryCounters();
    },
    pass: async (ms) => {
      vi.advanceTimersByTime(ms);
    },
    stop: async () => undefined,
  };
}

function redisBackend(name: string, cluster: boolean): Backend {
  let server: { url: string; stop(): Promise<void> };
  let redis: Redis | Cluster;
  return {
    name,
    async start() {
      server = await (cluster ? startRedisCluster() : startRedisServer());
      redis = await connectRedis(server.url, { onError: throwIt });
    },
    async open() {
      await Promise.all(primariesOf(redis).map((primary) => primary.flushall()));
      return createRedisCounters({ redis });
    },
    async pass(ms) {
      for (const key of (await Promise.all(primariesOf(redis).map((primary) => primary.keys('*')))).flat()) {
        const taken = await redis.lrange(key, 0, -1);
        await redis.del(key);
        await redis.rpush(key, ...taken.map((at) => Number(at) - ms));
      }
    },
    async stop() {
      redis.disconnect();
      await server.stop();
    },
  };
}

function throwIt(error: Error): never {
  throw error;
}
