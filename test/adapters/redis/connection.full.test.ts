import type { Cluster, Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { startRedisServer } from '../../../demo/cluster/redisServer.ts';
import { connectRedis, onReconnect } from '../../../src/adapters/redis/connection.ts';
import { ask, startRedisCluster, until } from '../../support/stores/redisCluster.ts';
import { startRedisSentinel } from '../../support/stores/redisSentinel.ts';
import { redisSetups } from './redisSetups.ts';

/** What each test has opened, ended after it in the reverse order. */
const opened: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of opened.splice(0).reverse()) await end();
});

async function connect(url: string, commandTimeoutMs = 2_000): Promise<{ redis: Redis | Cluster; errors: Error[] }> {
  const errors: Error[] = [];
  const redis = await connectRedis(url, { onError: (error) => errors.push(error), commandTimeoutMs });
  opened.push(() => redis.disconnect());
  return { redis, errors };
}

async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const running = await starting;
  opened.push(() => running.stop());
  return running;
}

describe.each(redisSetups)('a connection to $name', ({ start }) => {
  it('serves commands again after the disruption, and tells before the first of them that data may be lost', async () => {
    const setup = await started(start());
    const { redis } = await connect(setup.url);
    await redis.set('key', 'value');
    const story: string[] = [];
    onReconnect(redis, () => story.push('told'));
    const over = setup.disrupt('key');
    await until(() =>
      redis.set('key', 'value').then(
        () => false,
        () => true,
      ),
    );
    await over;
    await until(() =>
      redis.set('key', 'value').then(
        () => Boolean(story.push('served')),
        () => false,
      ),
    );
    expect(story[0]).toBe('told');
    expect(story.at(-1)).toBe('served');
  });

  it('serves what is asked in the same moment after it has connected', async () => {
    const setup = await started(start());
    const { redis } = await connect(setup.url);
    const keys = Array.from({ length: 50 }, (_, index) => `key ${index}`);
    expect(await Promise.all(keys.map((key) => redis.set(key, 'value')))).toEqual(keys.map(() => 'OK'));
  });
});

describe.each([
  { name: 'a server', start: startStandalone },
  { name: 'a cluster', start: startCluster },
])('a connection to $name', ({ start }) => {
  it('fails what is under way when the server dies, and does not send it to the next', async () => {
    const { url, server } = await start('counter');
    const { redis } = await connect(url);
    await redis.set('counter', 7);
    server.pause();
    const underWay = expect(redis.incr('counter')).rejects.toThrow(/closed|max retries/i);
    await server.kill('SIGKILL');
    await server.restart();
    await underWay;
    await until(() =>
      redis.set('other', 'value').then(
        () => true,
        () => false,
      ),
    );
    await until(() =>
      redis.get('counter').then(
        (value) => value === null,
        () => false,
      ),
    );
  });

  it('is given up where the server stands still, and what was under way is not sent again', async () => {
    const { url, server } = await start('counter');
    const { redis, errors } = await connect(url, 200);
    let told = 0;
    onReconnect(redis, () => (told += 1));
    server.pause();
    await expect(redis.incr('counter')).rejects.toThrow('Command timed out');
    await until(() => told > 0);
    expect(errors).not.toEqual([]);
    server.resume();
    await until(() =>
      redis.set('other', 'value').then(
        () => true,
        () => false,
      ),
    );
    // The server had received it once, and carries it out when it goes on.
    await until(async () => (await redis.get('counter').catch(() => null)) !== null);
    expect(await redis.get('counter')).toBe('1');
  });
});

describe('a connection by way of sentinels', () => {
  it('leaves a primary that stands still for the one that replaced it, and does not come back', async () => {
    const { url, servers, isPrimary } = await started(startRedisSentinel());
    const [former, next] = servers;
    const { redis } = await connect(url, 500);
    former.pause();
    await isPrimary(next);
    await until(() =>
      redis.set('key', 'new').then(
        () => true,
        () => false,
      ),
    );
    former.resume();
    await redis.set('key', 'newer');
    expect(await ask(next.port, (server) => server.get('key'))).toBe('newer');
  });

  it('leaves a primary that has become a replica', async () => {
    const { url, servers } = await started(startRedisSentinel());
    const [former, next] = servers;
    const { redis } = await connect(url);
    let told = 0;
    onReconnect(redis, () => (told += 1));
    // Behind the sentinels' back: only its refusal to write tells.
    await ask(next.port, (server) => server.replicaof('NO', 'ONE'));
    await ask(former.port, (server) => server.replicaof('127.0.0.1', String(next.port)));
    await expect(redis.set('key', 'value')).rejects.toThrow('READONLY');
    await until(() => told > 0);
  });

  it('logs in to sentinels and servers with a password for each', async () => {
    const { url } = await started(startRedisSentinel({ servers: 'one', sentinels: 'other' }));
    const { redis } = await connect(url);
    expect(await redis.set('key', 'value')).toBe('OK');
    for (const wrong of [url.replace('=other', '=wrong'), url.replace(':one@', ':wrong@')]) {
      const attempt = connectRedis(wrong, { onError: () => undefined, startTimeoutMs: 500 });
      await expect(attempt).rejects.toThrow('WRONGPASS');
    }
  });

  it('says which sentinels cannot be reached', async () => {
    const url = 'redis-sentinel://127.0.0.1:1/readyline';
    const attempt = connectRedis(url, { onError: () => undefined, startTimeoutMs: 300 });
    await expect(attempt).rejects.toThrow(
      /^Redis cannot be reached at 127\.0\.0\.1:1: .*All sentinels are unreachable/,
    );
  });
});

describe('a connection to a cluster whose slots move', () => {
  it('fails a command rather than sending it on to a server that nobody has looked at', async () => {
    const cluster = await started(startRedisCluster({ withReplicas: true }));
    const { redis } = await connect(cluster.url);
    await redis.set('key', 'value');
    const story: string[] = [];
    onReconnect(redis, () => story.push('told'));
    await cluster.handOver('key');
    await until(async () => {
      story.push(
        await redis.set('key', 'value').then(String, (error: unknown) => String(error).replace(/ [0-9].*/, '')),
      );
      return story.at(-1) === 'OK';
    });
    // Unless the change of slots was noticed before the first command, which is told too.
    expect(story.slice(0, 2)).toContain('told');
    expect(story.indexOf('told')).toBeLessThan(story.indexOf('OK'));
  });
});

async function startStandalone() {
  const server = await started(startRedisServer());
  return { url: server.url, server };
}

async function startCluster(key: string) {
  const cluster = await started(startRedisCluster());
  return { url: cluster.url, server: await cluster.serverOf(key) };
}
