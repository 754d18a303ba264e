import type { Cluster, Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedisServer } from '../../demo/cluster/redisServer.ts';
import { createSingleNode } from '../../src/adapters/memory/presence.ts';
import { connectRedis } from '../../src/adapters/redis/connection.ts';
import { leasesKey, nodeCompaniesKey } from '../../src/adapters/redis/keys.ts';
import { createNodeTable, type RedisNodeTable } from '../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { type AgentId, type CompanyId, type NodeId, toId } from '../../src/domain/ids.ts';
import { nodeLeaseMs, type NodeTable } from '../../src/ports/nodes.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { after, applyTo, ask, fresh, noon, openSession, signedIn } from '../support/stores/presenceFixtures.ts';
import { startClusterOfOne } from '../support/stores/redisCluster.ts';
import { eventually } from '../support/time/waiting.ts';

type Server = { url: string; stop: () => Promise<void> };
type Node = { id: NodeId; table: NodeTable };
type SharingNode = { id: NodeId; table: RedisNodeTable };

/** Reads all that a gateway's agents are listed as. */
async function agentsOf(table: NodeTable, nodeId: NodeId): Promise<{ companyId: CompanyId; agentIds: AgentId[] }[]> {
  const listed = [];
  for await (const entry of table.agentsOf(nodeId)) if (entry.agentIds.length > 0) listed.push(entry);
  return listed;
}

describe.each(['memory', 'redis', 'redis cluster'] as const)('the table of a gateway that is alone (%s)', (kind) => {
  let server: Server | null = null;
  let redis: Redis | Cluster | null = null;
  let node: Node;

  beforeAll(async () => {
    if (kind === 'memory') return;
    server = await (kind === 'redis' ? startRedisServer() : startClusterOfOne());
    redis = await connectRedis(server.url, { onError: () => undefined });
  });
  beforeEach(async () => {
    const id = toId<NodeId>(randomUUID());
    await redis?.flushall();
    node = { id, table: redis === null ? createSingleNode() : createNodeTable({ redis, nodeId: id }) };
    await node.table.renew();
  });
  afterAll(async () => {
    redis?.disconnect();
    await server?.stop();
  });

  it('holds its lease from one renewal to the next, and knows of nobody dead', async () => {
    expect(await node.table.renew()).toEqual({ lapsed: false, dead: [] });
  });

  it('has no agents to release', async () => {
    expect(await agentsOf(node.table, node.id)).toEqual([]);
  });

  it('does not strike itself off while it lives', async () => {
    await node.table.retire(node.id);
    expect(await node.table.renew()).toEqual({ lapsed: false, dead: [] });
  });

  it('takes each turn that nobody has had', async () => {
    expect([await node.table.takeTurn('one', 60_000), await node.table.takeTurn('two', 60_000)]).toEqual([true, true]);
  });

  it('may leave, and leave again', async () => {
    await node.table.leave();
    await node.table.leave();
    expect((await node.table.renew()).dead).toEqual([]);
  });
});

describe.each([
  ['redis', false],
  ['redis cluster', true],
] as const)('the table that gateways share (%s)', (_, cluster) => {
  let server: Server;
  let connections: (Redis | Cluster)[];
  let one: SharingNode;
  let two: SharingNode;
  let three: SharingNode;
  let presence: PresenceStore;

  beforeAll(async () => {
    server = await (cluster ? startClusterOfOne() : startRedisServer());
    connections = await Promise.all([1, 2, 3].map(() => connectRedis(server.url, { onError: () => undefined })));
  });
  beforeEach(async () => {
    await connections[0]?.flushall();
    const [first, second, third] = connections.map((redis) => {
      const id = toId<NodeId>(randomUUID());
      const table = createNodeTable({ redis, nodeId: id });
      return { id, table, redis, nodes: table };
    });
    if (first === undefined || second === undefined || third === undefined) throw new Error('there are three gateways');
    [one, two, three] = [first, second, third];
    presence = await createRedisPresence({ ...first, now: () => noon });
  });
  afterEach(() => presence.close());
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await server.stop();
  });

  /** The lease ended a moment ago. */
  async function lapse({ id }: Node): Promise<void> {
    await connections[0]?.zadd(leasesKey, 1, id);
  }

  /** Stores an agent whose softphone is connected to a gateway. */
  async function seat(companyId: CompanyId, nodeId: NodeId, agentId = fresh<AgentId>()) {
    const presenceOf = after(null, noon, { ...openSession(companyId, agentId), nodeId });
    await presence.commit(companyId, 0, presenceOf);
    return presenceOf;
  }

  it('tells a gateway that had no lease that others may have released its agents, and only then', async () => {
    expect((await one.table.renew()).lapsed).toBe(true);
    expect((await one.table.renew()).lapsed).toBe(false);
    await lapse(one);
    expect((await one.table.renew()).lapsed).toBe(true);
    expect((await one.table.renew()).lapsed).toBe(false);
  });

  it("has a gateway live for the others as long as its lease lasts by the server's clock", async () => {
    await two.table.renew();
    await one.table.renew();
    expect(one.table.liveOthers()).toEqual([two.id]);
    await lapse(two);
    await one.table.renew();
    expect(one.table.liveOthers()).toEqual([]);
  });

  it('has a lease lapse that nobody renews', async () => {
    await two.table.renew();
    expect((await one.table.renew()).dead).toEqual([]);
    await eventually(async () => (await one.table.renew()).dead.length > 0);
    expect((await one.table.renew()).dead).toEqual([two.id]);
  });

  it('names a dead gateway to all others until one of them has struck it off', async () => {
    await three.table.renew();
    await lapse(three);
    expect((await one.table.renew()).dead).toEqual([three.id]);
    expect((await two.table.renew()).dead).toEqual([three.id]);
    await one.table.retire(three.id);
    expect((await one.table.renew()).dead).toEqual([]);
    expect((await two.table.renew()).dead).toEqual([]);
    expect((await three.table.renew()).lapsed).toBe(true);
  });

  it('keeps a gateway that has come back to life before it was struck off', async () => {
    await two.table.renew();
    await lapse(two);
    expect((await one.table.renew()).dead).toEqual([two.id]);
    await two.table.renew();
    await one.table.retire(two.id);
    await one.table.renew();
    expect(one.table.liveOthers()).toEqual([two.id]);
    expect((await two.table.renew()).lapsed).toBe(false);
  });

  it('hands a gateway that has left to the others at once, to strike it off', async () => {
    await two.table.renew();
    await two.table.leave();
    expect((await one.table.renew()).dead).toEqual([two.id]);
    await one.table.retire(two.id);
    expect((await one.table.renew()).dead).toEqual([]);
    expect(await connections[0]?.exists(nodeCompaniesKey(two.id))).toBe(0);
  });

  it('lets nobody live longer because the clock has gone back', async () => {
    await two.table.renew();
    await connections[0]?.zadd(leasesKey, Date.now() + 3_600_000, two.id);
    await one.table.renew();
    const [, ends] = (await connections[0]?.zrange(leasesKey, '-1', '-1', 'WITHSCORES')) ?? [];
    expect(Number(ends) - Date.now()).toBeLessThanOrEqual(nodeLeaseMs);
  });

  it('lists who is connected to a gateway, company by company, and nobody else', async () => {
    const [first, second] = [fresh<CompanyId>(), fresh<CompanyId>()];
    const inFirst = [await seat(first, two.id), await seat(first, two.id)].map(({ agentId }) => agentId);
    const inSecond = await seat(second, two.id);
    await seat(first, one.id);
    const listed = new Map(
      (await agentsOf(three.table, two.id)).map(({ companyId, agentIds }) => [companyId, agentIds]),
    );
    expect([...listed.keys()].sort()).toEqual([first, second].sort());
    expect(listed.get(first)?.sort()).toEqual(inFirst.sort());
    expect(listed.get(second)).toEqual([inSecond.agentId]);
  });

  it('does not list who has lost the connection, signed out or moved to another gateway', async () => {
    const companyId = fresh<CompanyId>();
    const [lost, gone, moved] = [
      await seat(companyId, two.id),
      await seat(companyId, two.id),
      await seat(companyId, two.id),
    ];
    await applyTo(presence, companyId, lost.agentId, { type: 'lose_connection', lease: lost.lease! });
    await applyTo(presence, companyId, gone.agentId, ask('offline'));
    await applyTo(presence, companyId, moved.agentId, { ...openSession(companyId, moved.agentId), nodeId: three.id });
    expect(await agentsOf(one.table, two.id)).toEqual([]);
    expect(await agentsOf(one.table, three.id)).toEqual([{ companyId, agentIds: [moved.agentId] }]);
  });

  it('lists agents who came after a list was read, when the gateway has come back to life', async () => {
    const companyId = fresh<CompanyId>();
    await seat(companyId, one.id);
    await agentsOf(two.table, one.id);
    await lapse(one);
    await one.table.renew();
    const late = await seat(companyId, one.id);
    expect((await agentsOf(two.table, one.id))[0]?.agentIds).toContain(late.agentId);
  });

  it('lists an agent whom a gateway brought back after a loss', async () => {
    const companyId = fresh<CompanyId>();
    const known = { ...signedIn(noon, companyId), nodeId: one.id };
    await presence.commit(companyId, 0, known);
    await connections[0]?.flushall();
    presence.whenLost(async () => void (await presence.restore(known)));
    await presence.check();
    expect(await agentsOf(two.table, one.id)).toEqual([{ companyId, agentIds: [known.agentId] }]);
  });

  it('gives a turn to one of those who ask at the same time, and to nobody until it is over', async () => {
    const ask = () => Promise.all([one, two, three].map(({ table }) => table.takeTurn('reap', 60_000)));
    expect((await ask()).filter(Boolean)).toHaveLength(1);
    expect((await ask()).filter(Boolean)).toHaveLength(0);
    expect(await two.table.takeTurn('prune', 1)).toBe(true);
    await eventually(() => three.table.takeTurn('prune', 60_000));
  });
});
