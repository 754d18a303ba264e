import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedisServer, type RedisServer } from '../../demo/cluster/redisServer.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { digestOf } from '../../src/adapters/redis/groups.ts';
import { agentKey, companyKeys } from '../../src/adapters/redis/keys.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { presenceToFields } from '../../src/adapters/redis/presenceFields.ts';
import { groupOf } from '../../src/domain/agentGroups.ts';
import type { AgentId, CompanyId } from '../../src/domain/ids.ts';
import type { Presence } from '../../src/domain/presence.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { applyTo, ask, fresh, newClaim, noon, ready, seatReady } from '../support/stores/presenceFixtures.ts';
import { newNode } from './presenceStores.ts';

const hourMs = 3_600_000;

describe('claims in a team, in Redis', () => {
  let server: RedisServer;
  let redis: Redis;
  let store: PresenceStore;
  let time: number;
  let companyId: CompanyId;
  let seats: Presence[];
  let team: AgentId[];

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
    seats = [];
    for (let i = 0; i < 4; i += 1) seats.push(await seatReady(store, companyId, noon + i));
    // The third and the fourth of those who are Ready, and others who are away.
    team = [...absent(20), seats[3]!.agentId, seats[2]!.agentId];
  });

  it('take the one idle longest as it becomes Ready, leaves and comes back', async () => {
    expect(await claimIn(team)).toBe(seats[2]?.agentId);
    expect(await claimIn(team)).toBe(seats[3]?.agentId);
    expect(await claimIn(team)).toBe('none_ready');
    const late = await seatReady(store, companyId, noon + 9, team[0]);
    const later = await seatReady(store, companyId, noon + 10, team[1]);
    await applyTo(store, companyId, late.agentId, ask('not_ready', { reason: 'meal' }));
    expect(await claimIn(team)).toBe(later.agentId);
    await applyTo(store, companyId, late.agentId, ask('ready'));
    expect(await claimIn(team)).toBe(late.agentId);
  });

  it('take nobody twice, whoever else claims', async () => {
    expect(await claimIn(team)).toBe(seats[2]?.agentId);
    expect(await store.claim(companyId, { agentId: seats[3]!.agentId, ...newClaim() })).toMatchObject({
      kind: 'claimed',
    });
    expect(await claimIn(team)).toBe('none_ready');
  });

  it('go by those who are named, whatever the team was before', async () => {
    expect(await claimIn(team)).toBe(seats[2]?.agentId);
    const joined = [...team, seats[0]!.agentId];
    expect(await claimIn(joined)).toBe(seats[0]?.agentId);
    // A click that read the team before it was changed.
    expect(await claimIn(team)).toBe(seats[3]?.agentId);
    expect(await claimIn(joined)).toBe('none_ready');
  });

  it('ask for as much of a team of 2,000 as of one of 20, of whom one is Ready among thousands of others', async () => {
    await redis.zadd(companyKeys(companyId).idle, ...absent(3_000).flatMap((agentId) => [noon - 1, agentId]));
    const large = [...absent(1_999), seats[0]!.agentId];
    const counts = [];
    for (const among of [team, large]) {
      await claimIn(among);
      await store.claim(companyId, { among, ...newClaim() });
      const before = await commandsRun();
      await claimIn(among);
      counts.push((await commandsRun()) - before);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('make a team anew for nobody who is Ready and not to be taken', async () => {
    const except = [seats[2]!.agentId, seats[3]!.agentId];
    await claimIn([...team]);
    await store.claim(companyId, { among: team, except, ...newClaim() });
    const before = await redis.info('commandstats');
    expect(await store.claim(companyId, { among: team, except, ...newClaim() })).toEqual({ kind: 'none_ready' });
    expect(callsOf('zinterstore', await redis.info('commandstats'))).toBe(callsOf('zinterstore', before));
  });

  it('pass over nobody, though the one whom such a gateway has claimed is not to be taken', async () => {
    await claimIn(team);
    await writeAsBefore({ ...seats[3]!, version: 9, state: 'not_ready', idleSince: null });
    const { agentId } = await writeAsBefore(ready(noon + 20, companyId, team[0]));
    expect(await store.claim(companyId, { among: team, except: [seats[3]!.agentId], ...newClaim() })).toMatchObject({
      kind: 'claimed',
      presence: { agentId },
    });
  });

  it('pass over nobody whom a gateway of before teams had orders of their own made Ready', async () => {
    await claimIn(team);
    await claimIn(team);
    const { agentId } = await writeAsBefore(ready(noon + 20, companyId, team[0]));
    expect(await claimIn(team)).toBe(agentId);
    expect(await claimIn(team)).toBe('none_ready');
  });

  it('leave whom such a gateway made Ready behind others for as long as a gateway does not look at the team anew', async () => {
    await claimIn(team);
    const { agentId } = await writeAsBefore(ready(noon - 20, companyId, team[0]));
    // As a gateway does now and then.
    store = await createRedisPresence({ redis, nodes: newNode(redis), now: () => time });
    expect([await claimIn(team), await claimIn(team)]).toEqual([agentId, seats[3]?.agentId]);
  });

  it('take nobody whom such a gateway has claimed', async () => {
    await claimIn(team);
    await writeAsBefore({ ...seats[3]!, version: 9, state: 'not_ready', idleSince: null });
    expect(await claimIn(team)).toBe('none_ready');
    expect((await store.find(companyId, seats[3]!.agentId))?.state).toBe('not_ready');
  });

  it.each(['groups', 'groupsUsed', 'members', 'order'] as const)(
    'are right again where Redis has evicted one of its keys (%s)',
    async (evicted) => {
      const { groups, groupsUsed, idle } = companyKeys(companyId);
      const digest = digestOf(groupOf(team)!);
      await claimIn(team);
      await redis.del({ groups, groupsUsed, members: `${groups}:${digest}`, order: `${idle}:${digest}` }[evicted]);
      const back = await seatReady(store, companyId, noon + 30, team[0]);
      expect([await claimIn(team), await claimIn(team)].toSorted()).toEqual(
        [seats[3]?.agentId, back.agentId].toSorted(),
      );
      expect(await claimIn(team)).toBe('none_ready');
    },
  );

  it('find everybody after all was lost and brought back', async () => {
    await claimIn(team);
    store.whenLost(async () => {
      for (const seat of seats) await store.restore({ ...seat, nodeId: fresh() });
    });
    await redis.flushall();
    await store.check();
    expect([await claimIn(team), await claimIn(team), await claimIn(team)]).toEqual([
      seats[2]?.agentId,
      seats[3]?.agentId,
      'none_ready',
    ]);
  });

  it('find whom a gateway brings back into a group that is there', async () => {
    await claimIn(team);
    const longest = await seatReady(store, companyId, noon - 5, team[0]);
    // Lost: the presence, and its places.
    await redis.del(agentKey(companyId, longest.agentId));
    await redis.zrem(`${companyKeys(companyId).idle}:${digestOf(groupOf(team)!)}`, longest.agentId);
    expect(await store.restore({ ...longest, nodeId: fresh() })).not.toBeNull();
    expect(await claimIn(team)).toBe(longest.agentId);
  });

  it('leave nothing of a team that no click has named for an hour, and nothing at all once everybody has left', async () => {
    await claimIn(team);
    const other = [...team, seats[0]!.agentId];
    await claimIn(other);
    expect(await groupKeys()).toHaveLength(6);
    time += hourMs - 1_000;
    expect(await claimIn(other)).toBe(seats[3]?.agentId);
    // As every gateway notes it now and then.
    await redis.zadd(companyKeys(companyId).groupsUsed, time, digestOf(groupOf(other)!));
    time += 2_000;
    await store.due(10);
    expect((await groupKeys()).some((key) => key.includes(digestOf(groupOf(team)!)))).toBe(false);
    expect(await redis.hget(companyKeys(companyId).groups, team[0]!)).toBe(digestOf(groupOf(other)!));
    for (const { agentId } of seats) await applyTo(store, companyId, agentId, ask('offline', { force: true }));
    time += 60_000;
    await store.due(10);
    expect(await groupKeys()).toEqual([]);
  });

  it('make no group of a company where nobody is Ready', async () => {
    const empty = fresh<CompanyId>();
    expect(await store.claim(empty, { among: team, ...newClaim() })).toEqual({ kind: 'none_ready' });
    expect(await redis.keys(`*${empty}*group*`)).toEqual([]);
  });

  it('keep a thousand teams, those that were named last', async () => {
    const { groupsUsed } = companyKeys(companyId);
    await redis.zadd(
      groupsUsed,
      ...Array.from({ length: 1_000 }, (_, index) => [noon - 10 - index, `old-${index}`]).flat(),
    );
    await claimIn(team);
    expect(await redis.zcard(groupsUsed)).toBe(1_000);
    expect(await redis.zscore(groupsUsed, 'old-999')).toBeNull();
    expect(await redis.zscore(groupsUsed, digestOf(groupOf(team)!))).toBe(String(noon));
  });

  async function claimIn(among: readonly AgentId[]): Promise<string> {
    const outcome = await store.claim(companyId, { among, ...newClaim() });
    return outcome.kind === 'claimed' ? outcome.presence.agentId : outcome.kind;
  }

  function absent(count: number): AgentId[] {
    return Array.from({ length: count }, () => fresh<AgentId>());
  }

  function callsOf(command: string, told: string): number {
    return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(told)?.[1] ?? 0);
  }

  async function commandsRun(): Promise<number> {
    const told = await redis.info('commandstats');
    const counted = [...told.matchAll(/^cmdstat_(?!info|config|command)[\w|]+:calls=(\d+)/gm)];
    return counted.reduce((sum, [, calls]) => sum + Number(calls), 0);
  }

  /** What such a gateway writes of a presence: it knows nothing of groups. */
  async function writeAsBefore(presence: Presence): Promise<Presence> {
    const { agents, idle } = companyKeys(companyId);
    const key = agentKey(companyId, presence.agentId);
    const writing = redis
      .multi()
      .del(key)
      .hset(key, ...presenceToFields(presence))
      .sadd(agents, presence.agentId);
    await (
      presence.idleSince === null
        ? writing.zrem(idle, presence.agentId)
        : writing.zadd(idle, presence.idleSince, presence.agentId)
    ).exec();
    return presence;
  }

  async function groupKeys(): Promise<string[]> {
    const { groups, idle } = companyKeys(companyId);
    return (await redis.keys(`*${companyId}*`))
      .filter((key) => key.startsWith(groups) || key.startsWith(`${idle}:`))
      .toSorted();
  }
});

describe('a group of agents', () => {
  const agentIds = Array.from({ length: 30 }, () => fresh<AgentId>());

  it('is the same in whatever order its agents are told, and another one with one agent less', () => {
    expect(groupOf(agentIds.toReversed())).toEqual(groupOf(agentIds));
    expect(groupOf([...agentIds, agentIds[0]!])).toEqual(groupOf(agentIds));
    expect(groupOf(agentIds.slice(1))?.text).not.toBe(groupOf(agentIds)?.text);
  });

  it('is none of a handful', () => {
    expect(groupOf(agentIds.slice(0, 5))).toBeNull();
  });
});
