import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../../demo/cluster/program.ts';
import { startRedisServer, type RedisServer } from '../../../demo/cluster/redisServer.ts';
import { connectRedis } from '../../../src/adapters/redis/connection.ts';
import { checkRedis, RedisUnfitError, trials } from '../../../src/adapters/redis/needs.ts';
import { createNodeTable } from '../../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../../src/adapters/redis/presence.ts';
import { connectSubscriber } from '../../../src/adapters/redis/subscriber.ts';
import { type NodeId, toId } from '../../../src/domain/ids.ts';
import { startRedisCluster } from '../../support/stores/redisCluster.ts';
import { eventually } from '../../support/time/waiting.ts';

/** Null: all that the gateway needs is there. */
async function refusalOf(url: string): Promise<string | null> {
  const { signal } = new AbortController();
  const options = { onError: () => undefined };
  const redis = await connectRedis(url, options);
  const subscriber = await connectSubscriber(url, options);
  try {
    return await checkRedis(url, { redis, subscriber, signal }).then(
      () => null,
      (error: unknown) => (error instanceof RedisUnfitError ? error.message : String(error)),
    );
  } finally {
    subscriber.disconnect();
    redis.disconnect();
  }
}

describe('what the gateway needs of Redis', () => {
  let server: RedisServer;
  let admin: Redis;
  let version: string;

  beforeAll(async () => {
    server = await startRedisServer();
    admin = new Redis(server.url);
    version = /redis_version:(\S+)/.exec(await admin.info('server'))?.[1] ?? '';
  });
  afterAll(async () => {
    admin.disconnect();
    await server.stop();
  });

  /** Makes a user with these rules. */
  const urlOfUser = async (...rules: string[]) => {
    const name = randomUUID();
    await admin.call('ACL', 'SETUSER', name, 'on', '>hush', ...rules);
    return { name, url: server.url.replace('//', `//${name}:hush@`) };
  };

  it('is all there at a server of its own, and leaves no keys there', async () => {
    expect(await refusalOf(`${server.url}/3`)).toBeNull();
    expect(await admin.select(3).then(() => admin.dbsize())).toBe(0);
    await admin.select(0);
  });

  it('is asked for by name, with the line that gives it: with that line alone, the user suffices', async () => {
    const { name, url } = await urlOfUser('~*', '+@all', 'resetchannels');
    const refused = (await refusalOf(url)) ?? '';
    expect(refused).toContain(
      `Redis ${version} at 127.0.0.1:${server.port} ` +
        `does not let the user ${name} run SPUBLISH, SSUBSCRIBE on keys and channels`,
    );
    const [, line = ''] = /It needs: ACL SETUSER (.+)$/.exec(refused) ?? [];
    expect(line.startsWith(`${name} `)).toBe(true);
    expect(await readFile(join(root, 'docs/deploying.md'), 'utf8')).toContain(
      line.replace(name, 'ACL SETUSER readyline on >…'),
    );
    await admin.call('ACL', 'SETUSER', name, 'resetkeys', 'resetchannels', '-@all');
    await admin.call('ACL', 'SETUSER', ...line.split(' '));
    expect(await refusalOf(url)).toBeNull();
  });

  it.each([
    [['~other:*', '&*', '+@all'], 'SET'],
    [['~*', '&readyline:node:*', '+@all'], 'SSUBSCRIBE'],
    [['~*', '&*', '+@all', '-@scripting'], 'EVAL'],
    [['~*', '&*', '+@all', '-multi'], 'MULTI'],
    [['~*', '&*', '+@all', '-zintercard'], 'ZINTERCARD'],
  ])('is missed where a user has only %s', async (rules, command) => {
    const { url } = await urlOfUser(...rules);
    expect(await refusalOf(url)).toMatch(
      new RegExp(`^Redis \\S+ at \\S+ does not let the user \\S+ run (\\w+, )*${command}\\b`),
    );
  });

  it('is missed in the health and told of, where rights are taken away from a gateway that runs', async () => {
    const { name, url } = await urlOfUser('~*', '&*', '+@all');
    const errors: string[] = [];
    const redis = await connectRedis(url, { onError: () => undefined });
    const subscriber = await connectSubscriber(url, { onError: ({ message }) => void errors.push(message) });
    const presence = await createRedisPresence({
      redis,
      nodes: createNodeTable({ redis, nodeId: toId<NodeId>(randomUUID()) }),
      onReconnect: () => undefined,
    });
    await presence.ping();
    await admin.call('ACL', 'SETUSER', name, '-set', 'resetchannels', '&readyline:node:*');
    await expect(presence.ping()).rejects.toThrow('NOPERM');
    void subscriber.listen('readyline:broadcast#room', () => undefined);
    await eventually(() => errors.some((message) => message.startsWith('NOPERM')));
    subscriber.disconnect();
    await presence.close();
    redis.disconnect();
  });

  it('is missed at a server that is too old, or was told to forget a command, by its version', async () => {
    const old = await startRedisServer({ settings: { 'rename-command': 'SSUBSCRIBE ""' } });
    try {
      expect(await refusalOf(old.url)).toBe(
        `Redis ${version} at 127.0.0.1:${old.port} ` +
          'does not know SSUBSCRIBE: REDIS_URL must lead to Redis 7.0 or later, or to Valkey, ' +
          'with all of its commands',
      );
    } finally {
      await old.stop();
    }
  });

  it('is a log-in that is right, and a database that there is', async () => {
    const { name } = await urlOfUser('~*', '&*', '+@all');
    await expect(
      connectRedis(`${server.url.replace('//', `//${name}:wrong@`)}`, {
        onError: () => undefined,
        startTimeoutMs: 300,
      }),
    ).rejects.toThrow(/^Redis does not take the log-in of the URL at \S+: WRONGPASS/);
    expect(await refusalOf(`${server.url}/99`)).toMatch(/does not carry out SELECT: ERR DB index is out of range$/);
  });

  it('is a URL of the right kind at a cluster', { tags: 'full' }, async () => {
    const cluster = await startRedisCluster();
    try {
      expect(await refusalOf(cluster.url)).toBeNull();
      const [{ url } = { url: '' }] = cluster.primaries;
      expect(await refusalOf(url)).toMatch(
        /MOVED .+; it is one of a Redis Cluster: write the URL as redis-cluster:\/\/$/,
      );
    } finally {
      await cluster.stop();
    }
  });

  it('is tried whole: each command of the scripts', async () => {
    const folders = [
      'src/adapters/redis/scripts',
      'src/adapters/redis/scripts/includes',
      'src/adapters/counters/scripts',
    ];
    const files = await Promise.all(
      folders.map(async (folder) =>
        (await readdir(join(root, folder)))
          .filter((name) => name.endsWith('.lua'))
          .map((name) => join(root, folder, name)),
      ),
    );
    const used = new Set<string>();
    for (const file of [...files.flat(), join(root, 'node_modules/rate-limiter-flexible/lib/RateLimiterRedis.js')]) {
      for (const [, command = ''] of (await readFile(file, 'utf8')).matchAll(/redis\.p?call\('(\w+)'/g))
        used.add(command.toUpperCase());
    }
    const tried = new Set(trials('key').map(([command]) => command));
    expect([...used].filter((command) => !tried.has(command))).toEqual([]);
    expect(used.size).toBeGreaterThan(20);
  });
});
