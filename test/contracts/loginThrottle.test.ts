import type { Cluster, Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { createMemoryCounters, createRedisCounters } from '../../src/adapters/counters/counters.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { createLoginThrottle, type LoginThrottle, type LoginTry } from '../../src/usecases/auth/loginThrottle.ts';
import { startRedisCluster } from '../support/stores/redisCluster.ts';
import { primariesOf } from './presenceStores.ts';

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

    beforeAll(() => backend.start());
    afterAll(() => backend.stop());
    beforeEach(async () => {
      throttle = await backend.open();
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    const at = (account: string, address = '10.0.0.1', name = account) => ({
      accounts: [account],
      name,
      address,
      device: null,
    });
    const waitOf = async (attempt: LoginTry) => {
      const { allowed, waitSeconds } = await throttle.ask(attempt);
      return allowed.size > 0 ? null : waitSeconds;
    };
    /** So many tries in a row; how many of them were allowed. */
    async function fail(times: number, attempt: (index: number) => LoginTry): Promise<number> {
      let allowed = 0;
      for (let i = 0; i < times; i += 1) allowed += (await throttle.begin(attempt(i))).allowed.size;
      return allowed;
    }

    it('lets ten tries at an account from one address fail, and none after them, and leaves other addresses alone', async () => {
      expect(await fail(9, () => at('anna'))).toBe(9);
      expect(await waitOf(at('anna'))).toBeNull();
      expect(await fail(5, () => at('anna'))).toBe(1);
      const wait = await waitOf(at('anna'));
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(windowSeconds);
      expect(Number.isInteger(wait)).toBe(true);
      expect(await waitOf(at('anna', '10.0.0.2'))).toBeNull();
      expect(await waitOf(at('bert'))).toBeNull();
    });

    it('counts an account once, by whatever name it is tried', async () => {
      const names = ['a101', 'anna@example.com', 'a101|anna@example.com'];
      expect(await fail(60, (index) => at('anna', '10.0.0.1', names[index % names.length]))).toBe(10);
    });

    it('counts a name once, whatever it means: an account more or less makes no difference', async () => {
      for (const [address, accounts] of [
        ['10.0.0.1', ['here', 'nobody']],
        ['10.0.0.2', ['nobody', 'nobody']],
      ] as const) {
        expect(await fail(60, (index) => at(accounts[index % 2] ?? '', address, 'a101'))).toBe(10);
      }
    });

    it('lets fifty tries at an account fail from all addresses, but for those that logged in there', async () => {
      await throttle.begin(at('anna', 'home'));
      await throttle.succeeded(at('anna', 'home'), 'anna');
      expect(await fail(90, (index) => at('anna', `10.0.0.${index % 9}`))).toBe(50);
      expect(await waitOf(at('anna', '192.0.2.99'))).toBeGreaterThan(0);
      expect(await waitOf(at('anna', 'home'))).toBeNull();
      // Its agent, too, may guess there only so often.
      expect(await fail(60, () => at('anna', 'home'))).toBe(30);
      await throttle.succeeded(at('anna', 'home'), 'anna');
      expect(await fail(60, () => at('anna', 'home'))).toBe(30);
      await backend.pass(14 * 24 * 3600);
      await fail(50, (index) => at('anna', `10.0.1.${index}`));
      expect(await waitOf(at('anna', 'home'))).toBeGreaterThan(0);
    });

    it('lets a hundred tries from an address fail, but at accounts that logged in from there', async () => {
      await throttle.begin(at('anna', '2001:db8::/64'));
      await throttle.succeeded(at('anna', '2001:db8::/64'), 'anna');
      expect(await fail(130, (index) => at(`account ${index}`, '2001:db8::/64'))).toBe(100);
      expect(await waitOf(at('account 200', '2001:db8::/64'))).toBeGreaterThan(0);
      expect(await waitOf(at('anna', '2001:db8::/64'))).toBeNull();
      expect(await waitOf(at('account 1', '2001:db8:0:1::/64'))).toBeNull();
    });

    it('tells of several accounts of one name which may be tried', async () => {
      await throttle.succeeded(at('anna of acme', 'home', 'anna'), 'anna of acme');
      await fail(50, (index) => at('anna of beta', `10.0.0.${index}`, 'anna'));
      const both = { accounts: ['anna of acme', 'anna of beta'], name: 'anna', address: 'home', device: null };
      expect(await throttle.ask(both)).toMatchObject({ allowed: new Set(['anna of acme']) });
      expect(await throttle.begin(both)).toMatchObject({ allowed: new Set(['anna of acme']) });
    });

    it('lets a device in that logged in lately, whatever its address has been locked out by, and for that account alone', async () => {
      const from = (account: string, device: string | null) => ({ ...at(account, 'office'), device });
      await throttle.succeeded(from('anna', 'laptop'), 'anna');
      expect(await fail(60, () => from('anna', null))).toBe(30);
      expect(await waitOf(from('anna', 'unknown'))).toBeGreaterThan(0);
      expect(await waitOf(from('anna', 'laptop'))).toBeNull();
      expect(await fail(60, () => from('anna', 'laptop'))).toBe(30);
      expect(await fail(60, (index) => from('bert', `device ${index}`))).toBe(10);
      await backend.pass(14 * 24 * 3600);
      expect(await fail(60, () => from('anna', 'laptop'))).toBe(10);
    });

    it('takes back what turned out to be right, and only that', async () => {
      await fail(9, () => at('anna'));
      for (let i = 0; i < 200; i += 1) {
        expect((await throttle.begin(at('bert'))).allowed.size).toBe(1);
        await throttle.succeeded(at('bert'), 'bert');
      }
      expect(await fail(5, () => at('anna'))).toBe(1);
    });

    it('lets no more through of tries that arrive together', async () => {
      const tries = await Promise.all(Array.from({ length: 40 }, () => throttle.begin(at('anna'))));
      expect(tries.filter(({ allowed }) => allowed.size > 0)).toHaveLength(10);
      const spread = await Promise.all(
        Array.from({ length: 80 }, (_, index) => throttle.begin(at('bert', `10.1.0.${index}`))),
      );
      expect(spread.filter(({ allowed }) => allowed.size > 0)).toHaveLength(50);
    });

    it('lets go fifteen minutes after the first failure', async () => {
      await fail(1, () => at('anna'));
      await backend.pass(60);
      await fail(9, () => at('anna'));
      expect(await waitOf(at('anna'))).toBeLessThanOrEqual(windowSeconds - 60);
      await backend.pass(windowSeconds - 60);
      expect(await waitOf(at('anna'))).toBeNull();
      expect(await fail(20, () => at('anna'))).toBe(10);
    });

    it('bears names of any content', async () => {
      const name = `${'x'.repeat(100_000)}\u0000{a}:*\n🎧`;
      expect(await fail(11, () => at(name))).toBe(10);
      expect(await waitOf(at(`${name}x`))).toBeNull();
    });
  },
);

describe('the keys of the login throttle in Redis', () => {
  it('do not tell the account, and expire', async () => {
    const server = await startRedisServer();
    const redis = await connectRedis(server.url, { onError: throwIt });
    const attempt = { accounts: ['anna@example.com'], name: 'anna@example.com', address: '10.0.0.1', device: 'd1' };
    const throttle = createLoginThrottle(createRedisCounters({ redis }));
    await throttle.begin(attempt);
    await throttle.succeeded(attempt, 'anna@example.com');
    const keys = await redis.keys('*');
    expect(keys.length).toBeGreaterThan(1);
    expect(keys.join()).not.toMatch(/anna|10\.0\.0/);
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
      return createLoginThrottle(createMemoryCounters());
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
      server = await (cluster ? startRedisCluster() : startRedisServer());
      redis = await connectRedis(server.url, { onError: throwIt });
    },
    async open() {
      await Promise.all(primariesOf(redis).map((primary) => primary.flushall()));
      return createLoginThrottle(createRedisCounters({ redis }));
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
