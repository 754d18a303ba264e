import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRedisServer, type RedisServer } from '../../demo/cluster/redisServer.ts';
import { parseRedisUrl } from '../../src/adapters/redis/address.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { agentKey, companiesKey, companyKeys } from '../../src/adapters/redis/keys.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import type { CompanyId } from '../../src/domain/ids.ts';
import { reconnectGraceMs } from '../../src/domain/presence.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { applyTo, ask, fresh, newClaim, noon, seatReady } from '../support/stores/presenceFixtures.ts';
import { newNode } from './presenceStores.ts';

describe('presence in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  let store: PresenceStore;
  let time: number;
  let companyId: CompanyId;

  beforeAll(async () => {
    server = await startRedisServer();
    redis = (await connectRedis(server.url, { onError: () => undefined })) as Redis;
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    await redis.flushall();
    time = noon;
    companyId = fresh<CompanyId>();
    store = await createRedisPresence({ redis, nodes: newNode(redis), now: () => time });
  });

  it('stores readable fields and leaves out what is null', async () => {
    const { agentId, lease, sessionId, nodeId } = await seatReady(store, companyId, noon);
    const at = String(noon);
    expect(await redis.hgetall(agentKey(companyId, agentId))).toEqual({
      ...{ version: '2', state: 'ready', since: at, connection: 'connected', connectionSince: at, idleSince: at },
      ...{ lease, sessionId, nodeId },
    });
  });

  it('passes over agents in the idle order whose hash is missing or tells another state', async () => {
    const { idle } = companyKeys(companyId);
    const evicted = await seatReady(store, companyId, noon);
    const changedByHand = await seatReady(store, companyId, noon + 1);
    const sound = await seatReady(store, companyId, noon + 2);
    await redis.del(agentKey(companyId, evicted.agentId));
    await redis.hset(agentKey(companyId, changedByHand.agentId), 'state', 'not_ready');
    expect(await store.claim(companyId, newClaim())).toMatchObject({ presence: { agentId: sound.agentId } });
    expect(await store.claim(companyId, newClaim())).toEqual({ kind: 'none_ready' });
    expect(await redis.zrange(idle, '0', '-1')).toEqual([]);
    expect((await store.list(companyId)).map(({ agentId }) => agentId).sort()).toEqual(
      [changedByHand.agentId, sound.agentId].sort(),
    );
  });

  it('lets the guard keys of older gateways expire within a day, and none of its own', async () => {
    const { guard, formerGuard } = companyKeys(companyId);
    await redis.set(formerGuard, 'of an older gateway');
    await seatReady(store, companyId, noon);
    expect(await redis.get(formerGuard)).toBe('of an older gateway');
    const [former, own] = [await redis.ttl(formerGuard), await redis.ttl(guard)];
    expect([former > 23 * 3600 && former <= 24 * 3600, own]).toEqual([true, -1]);
  });

  it('forgets an overdue agent whose hash is missing', async () => {
    const { agentId, lease } = await seatReady(store, companyId, noon);
    await applyTo(store, companyId, agentId, { type: 'lose_connection', lease: lease! });
    await redis.del(agentKey(companyId, agentId));
    time += reconnectGraceMs;
    expect(await store.due(10)).toEqual([]);
    expect(await redis.keys(`*${agentId}*`)).toEqual([]);
    expect(await redis.keys(`*${companyId}*`)).toEqual([companyKeys(companyId).guard]);
  });

  it.each([
    ['state', 'sleeping'],
    ['version', 'many'],
    ['since', '12.5'],
    ['connection', ''],
    ['lease', 'not-a-uuid'],
    ['reservedFor', 'lunch'],
    ['pendingState', 'on_call'],
  ])('says which field of whom is broken: %s is "%s"', async (field, value) => {
    const { agentId } = await seatReady(store, companyId, noon);
    await redis.hset(agentKey(companyId, agentId), field, value);
    const error = `broken presence of agent ${agentId} of company ${companyId} in Redis: ${field} is "${value}"`;
    await expect(store.find(companyId, agentId)).rejects.toThrow(error);
    await expect(store.list(companyId)).rejects.toThrow(error);
  });

  it('says which field is missing', async () => {
    const { agentId } = await seatReady(store, companyId, noon);
    await redis.hdel(agentKey(companyId, agentId), 'since');
    await expect(store.find(companyId, agentId)).rejects.toThrow('since is missing');
  });

  it('goes on after the server forgot its scripts and all data', async () => {
    await seatReady(store, companyId, noon);
    await redis.script('FLUSH');
    await redis.flushall();
    expect(await store.claim(companyId, newClaim())).toEqual({ kind: 'none_ready' });
    const { agentId, lease } = await seatReady(store, companyId, noon);
    await applyTo(store, companyId, agentId, { type: 'lose_connection', lease: lease! });
    time += reconnectGraceMs;
    expect(await store.due(10)).toEqual([{ companyId, agentId }]);
  });

  it('sends a claim as a single command', async () => {
    await seatReady(store, companyId, noon);
    await store.claim(companyId, newClaim());
    const sent = vi.spyOn(redis, 'sendCommand');
    await store.claim(companyId, newClaim());
    expect(sent.mock.calls.map(([command]) => command.name)).toEqual(['evalsha']);
    sent.mockRestore();
  });

  it('takes companies without agents off its list', async () => {
    const { agentId } = await seatReady(store, companyId, noon);
    expect(await redis.zrange(companiesKey, '0', '-1')).toEqual([companyId]);
    await applyTo(store, companyId, agentId, ask('offline'));
    time += 60_000;
    await store.due(10);
    expect(await redis.zrange(companiesKey, '0', '-1')).toEqual([]);
    expect(await redis.keys(`*${companyId}*`)).toEqual([companyKeys(companyId).guard]);
  });

  it('finds a deadline whose writer died before it could list it', async () => {
    const { agentId, lease } = await seatReady(store, companyId, noon);
    await store.due(10);
    const [, listedFor = ''] = await redis.zrange(companiesKey, '0', '-1', 'WITHSCORES');
    await applyTo(store, companyId, agentId, { type: 'lose_connection', lease: lease! });
    await redis.zadd(companiesKey, listedFor, companyId);
    time += reconnectGraceMs;
    expect(await store.due(10)).toEqual([{ companyId, agentId }]);
  });

  it('tells the time of the server, in whole milliseconds', async () => {
    const own = await createRedisPresence({ redis, nodes: newNode(redis) });
    const before = await serverTime();
    const told = own.now();
    const afterwards = await serverTime();
    await own.close();
    expect(Number.isInteger(told)).toBe(true);
    // A measurement is exact to half of its round trip.
    expect(told).toBeGreaterThanOrEqual(before - 250);
    expect(told).toBeLessThanOrEqual(afterwards + 250);
  });

  async function serverTime(): Promise<number> {
    const [seconds, microseconds] = await redis.time();
    return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
  }
});

describe('the connection to Redis', () => {
  it('fails at once while Redis is away and works again when it is back, without sending anything late', async () => {
    const first = await startRedisServer();
    const errors: Error[] = [];
    const redis = await connectRedis(first.url, { onError: (error) => errors.push(error) });
    const store = await createRedisPresence({ redis, nodes: newNode(redis), now: () => noon });
    const companyId = fresh<CompanyId>();
    const lost = new Promise<void>((resolve) => redis.once('close', resolve));
    await first.stop();
    await lost;
    await expect(store.ping()).rejects.toThrow();
    await expect(store.claim(companyId, newClaim())).rejects.toThrow();
    await expect(seatReady(store, companyId, noon)).rejects.toThrow();
    // Not `once` of node:events, which rejects at the errors that tell of tries in vain.
    const back = new Promise<void>((resolve) => redis.once('ready', resolve));
    const second = await startRedisServer({ port: first.port });
    await back;
    expect(await store.list(companyId)).toEqual([]);
    const { agentId } = await seatReady(store, companyId, noon);
    expect(await store.claim(companyId, newClaim())).toMatchObject({ kind: 'claimed', presence: { agentId } });
    redis.disconnect();
    await second.stop();
  });

  it('fails a command that Redis does not answer in time', async () => {
    const server = await startRedisServer();
    const redis = await connectRedis(server.url, { onError: () => undefined, commandTimeoutMs: 100 });
    server.pause();
    await expect(redis.ping()).rejects.toThrow('timed out');
    server.resume();
    redis.disconnect();
    await server.stop();
  });

  it('tells of a Redis that is not there', async () => {
    const server = await startRedisServer();
    await server.stop();
    const errors: Error[] = [];
    const connecting = connectRedis(server.url, { onError: (error) => errors.push(error), startTimeoutMs: 300 });
    await expect(connecting).rejects.toThrow(
      `Redis cannot be reached at 127.0.0.1:${server.port}: connect ECONNREFUSED`,
    );
    expect(errors[0]?.message).toContain('ECONNREFUSED');
  });

  it.each([
    ['redis://localhost', { kind: 'standalone', tls: false, hosts: [{ host: 'localhost', port: 6379 }] }],
    [
      'rediss://anna:p%40ss@redis.example:7000/3',
      {
        ...{ kind: 'standalone', tls: true, hosts: [{ host: 'redis.example', port: 7000 }] },
        ...{ username: 'anna', password: 'p@ss', db: 3 },
      },
    ],
    [
      'redis://:secret@[::1]:6380',
      { kind: 'standalone', tls: false, hosts: [{ host: '::1', port: 6380 }], password: 'secret' },
    ],
    [
      'redis-sentinel://s1:26380,s2/main',
      {
        kind: 'sentinel',
        tls: false,
        hosts: [
          { host: 's1', port: 26380 },
          { host: 's2', port: 26379 },
        ],
        name: 'main',
      },
    ],
    [
      'redis-cluster://h1:7001,h2:7002',
      {
        kind: 'cluster',
        tls: false,
        hosts: [
          { host: 'h1', port: 7001 },
          { host: 'h2', port: 7002 },
        ],
      },
    ],
  ])('understands %s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    'http://localhost',
    'redis://',
    'redis://a,b',
    'redis://localhost/x',
    'redis-sentinel://s1:26379',
    'redis-cluster://h1/3',
    'redis://h:port',
  ])('refuses %s without repeating it', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(url) }));
  });
});
