import type { Cluster, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryLoginThrottle } from '../../src/adapters/memory/loginThrottle.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { createRedisLoginThrottle } from '../../src/adapters/redis/loginThrottle.ts';
import type { LoginThrottle } from '../../src/ports/loginThrottle.ts';
import { startRedisCluster } from '../support/redisCluster.ts';
import { primariesOf, startOwnRedis } from './presenceStores.ts';

const windowSeconds = 15 * 60;

type Backend = {
  name: string;
  start(): Promise<void>;
  open(): Promise<LoginThrottle>;
  /** Lets the store's time pass. */
  pass(seconds: number): Promise<void>;
  stop(): Promise<void>;
};

describe.each([memoryBackend(), redisBackend('redis', false), redisBackend('redis cluster', true)])(
  'the login throttle in $name',
  (backend) => {
    let throttle: LoginThrottle;

    beforeAll(() => backend.start(), 30_000);
    afterAll(() => backend.stop());
    beforeEach(async () => {
      throttle = await backend.open();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    async function fail(times: number, account: string, address: (index: number) => string): Promise<void> {
      for (let i = 0; i < times; i += 1) await throttle.failed(account, address(i));
    }

    it('lets nine failures of an account pass and blocks at the tenth, from every address', async () => {
      await fail(9, 'acme|anna', (index) => `10.0.0.${index}`);
      expect(await throttle.blockedFor('acme|anna', '10.0.0.1')).toBeNull();
      await throttle.failed('acme|anna', '10.0.0.1');
      const wait = await throttle.blockedFor('acme|anna', '192.0.2.99');
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(windowSeconds);
      expect(Number.isInteger(wait)).toBe(true);
      expect(await throttle.blockedFor('acme|bert', '10.0.0.1')).toBeNull();
    });

    it('blocks an address at its hundredth failure, on every account', async () => {
      for (let i = 0; i < 99; i += 1) await throttle.failed(`account ${i}`, '2001:db8::7');
      expect(await throttle.blockedFor('account 100', '2001:db8::7')).toBeNull();
      await throttle.failed('account 99', '2001:db8::7');
      expect(await throttle.blockedFor('account 100', '2001:db8::7')).toBeGreaterThan(0);
      expect(await throttle.blockedFor('account 1', '2001:db8::8')).toBeNull();
    });

    it('forgets the failures of an account that signed in, but not those of the address', async () => {
      await fail(9, 'anna', () => '10.0.0.1');
      await throttle.succeeded('anna');
      await fail(9, 'anna', () => '10.0.0.1');
      expect(await throttle.blockedFor('anna', '10.0.0.1')).toBeNull();
      for (let i = 0; i < 82; i += 1) await throttle.failed(`account ${i}`, '10.0.0.1');
      await throttle.succeeded('anna');
      expect(await throttle.blockedFor('anna', '10.0.0.1')).toBeGreaterThan(0);
    });

    it('counts failures that arrive together', async () => {
      await Promise.all(Array.from({ length: 10 }, () => throttle.failed('anna', '10.0.0.1')));
      expect(await throttle.blockedFor('anna', '10.0.0.2')).toBeGreaterThan(0);
    });

    it('lets go fifteen minutes after the first failure', async () => {
      await throttle.failed('anna', '10.0.0.1');
      await backend.pass(60);
      await fail(9, 'anna', () => '10.0.0.1');
      expect(await throttle.blockedFor('anna', '10.0.0.1')).toBeLessThanOrEqual(windowSeconds - 60);
      await backend.pass(windowSeconds - 60);
      expect(await throttle.blockedFor('anna', '10.0.0.1')).toBeNull();
      await throttle.failed('anna', '10.0.0.1');
      expect(await throttle.blockedFor('anna', '10.0.0.1')).toBeNull();
    });

    it('bears account names of any content', async () => {
      const name = `${'x'.repeat(100_000)}\u0000{a}:*\n🎧`;
      await fail(10, name, () => '10.0.0.1');
      expect(await throttle.blockedFor(name, '10.0.0.2')).toBeGreaterThan(0);
      expect(await throttle.blockedFor(`${name}x`, '10.0.0.2')).toBeNull();
    });
  },
);

describe('the keys of the login throttle in Redis', () => {
  it('do not tell the account, and expire', async () => {
    const server = await startOwnRedis();
    const redis = await connectRedis(server.url, { onError: throwIt });
    await createRedisLoginThrottle({ redis }).failed('anna@example.com', '10.0.0.1');
    const keys = await redis.keys('*');
    expect(keys).toHaveLength(2);
    expect(keys.join()).not.toContain('anna');
    for (const key of keys) expect(await redis.ttl(key)).toBeGreaterThan(0);
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
      return createMemoryLoginThrottle();
    },
    pass: async (seconds) => {
      vi.advanceTimersByTime(seconds * 1_000);
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
      server = await (cluster ? startRedisCluster() : startOwnRedis());
      redis = await connectRedis(server.url, { onError: throwIt });
    },
    async open() {
      await Promise.all(primariesOf(redis).map((primary) => primary.flushall()));
      return createRedisLoginThrottle({ redis });
    },
    async pass(seconds) {
      for (const key of (await Promise.all(primariesOf(redis).map((primary) => primary.keys('*')))).flat()) {
        await redis.pexpire(key, (await redis.pttl(key)) - seconds * 1_000);
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
