import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeTable, type RedisNodeTable } from '../../src/adapters/redis/nodes.ts';
import { createRedisPresence } from '../../src/adapters/redis/presence.ts';
import { toId, type AgentId, type CompanyId, type NodeId } from '../../src/domain/ids.ts';
import type { Presence } from '../../src/domain/presence.ts';
import { nodeLeaseMs } from '../../src/ports/nodes.ts';
import type { PresenceStore } from '../../src/ports/presence.ts';
import { gate } from '../support/time/gate.ts';
import { applyTo, ask, fresh, newClaim, noon, seatReady } from '../support/stores/presenceFixtures.ts';
import { redisUrl } from '../support/stores/redis.ts';

/** A gateway with a connection of its own, and what it would bring back after a loss. */
class TestGateway {
  readonly redis: Redis;
  readonly nodes: RedisNodeTable;
  readonly presence: PresenceStore;
  readonly mirror = new Map<AgentId, Presence>();
  /** The connection was lost, and is there again. */
  readonly reconnect: () => void;

  private constructor({
    redis,
    nodes,
    presence,
    reconnect,
  }: Pick<TestGateway, 'redis' | 'nodes' | 'presence' | 'reconnect'>) {
    this.redis = redis;
    this.nodes = nodes;
    this.presence = presence;
    this.reconnect = reconnect;
    presence.whenLost(() => this.restore());
  }

  static async open(url: string): Promise<TestGateway> {
    const redis = new Redis(url);
    const nodes = createNodeTable({ redis, nodeId: toId<NodeId>(randomUUID()) });
    let reconnect = () => {};
    const onReconnect = (listener: () => void) => void (reconnect = listener);
    const presence = await createRedisPresence({ redis, nodes, now: () => noon, onReconnect });
    return new TestGateway({ redis, nodes, presence, reconnect: () => reconnect() });
  }

  async seat(companyId: CompanyId, since: number): Promise<Presence> {
    const presence = await seatReady(this.presence, companyId, since);
    this.mirror.set(presence.agentId, presence);
    return presence;
  }

  async restore(): Promise<void> {
    for (const known of this.mirror.values()) await this.presence.restore(known);
  }
}

describe('a presence store that several gateways share and that loses its data', () => {
  let companyId: CompanyId;
  let one: TestGateway;
  let two: TestGateway;

  beforeEach(async () => {
    const url = await redisUrl();
    companyId = fresh<CompanyId>();
    [one, two] = [await TestGateway.open(url), await TestGateway.open(url)];
    for (const gateway of [one, two, one]) {
      await gateway.presence.check();
      await gateway.nodes.renew();
    }
  });
  afterEach(async () => {
    for (const { presence, redis } of [one, two]) {
      await presence.close();
      redis.disconnect();
    }
  });

  it('has state and idle order back before anyone is claimed', async () => {
    const third = await one.seat(companyId, noon + 2);
    const first = await two.seat(companyId, noon);
    const second = await one.seat(companyId, noon + 1);
    await one.redis.flushdb();
    const claims = [one, two, one].map((gateway) => gateway.presence.claim(companyId, newClaim()));
    const claimed = (await Promise.all(claims)).flatMap((claim) =>
      claim.kind === 'claimed' ? [claim.presence.agentId] : [],
    );
    expect(claimed.sort()).toEqual([first, second, third].map(({ agentId }) => agentId).sort());
  });

  it('gives the agent idle longest, though that one’s gateway is the last to bring its agents back', async () => {
    const way = gate();
    way.shut();
    two.presence.whenLost(() => way.pass(() => two.restore()));
    await one.seat(companyId, noon + 1);
    const longest = await two.seat(companyId, noon);
    await one.redis.flushdb();
    const claiming = one.presence.claim(companyId, newClaim());
    const looking = two.presence.check();
    await way.reached();
    way.open();
    expect(await claiming).toMatchObject({ kind: 'claimed', presence: { agentId: longest.agentId } });
    await looking;
  });

  it('waits no longer than a lease for a gateway that died in the same moment', async () => {
    const seated = await one.seat(companyId, noon);
    await one.redis.flushdb();
    const begun = performance.now();
    expect(await one.presence.claim(companyId, newClaim())).toMatchObject({ presence: { agentId: seated.agentId } });
    expect(performance.now() - begun).toBeGreaterThanOrEqual(nodeLeaseMs - 1);
  });

  it('does not say that an agent is unknown while the agents are being brought back', async () => {
    const seated = await one.seat(companyId, noon);
    await one.redis.flushdb();
    const found = two.presence.find(companyId, seated.agentId);
    await one.presence.check();
    expect(await found).toMatchObject({ state: 'ready', idleSince: noon });
  });

  it('takes no write that was decided upon before the loss', async () => {
    const seated = await one.seat(companyId, noon);
    const claim = await two.presence.claim(companyId, newClaim());
    if (claim.kind !== 'claimed') throw new Error('the agent is Ready');
    await one.redis.flushdb();
    const late = two.presence.commit(companyId, claim.presence.version, {
      ...claim.presence,
      version: claim.presence.version + 1,
    });
    await one.presence.check();
    expect(await late).toBe('conflict');
    expect(await one.presence.find(companyId, seated.agentId)).toMatchObject({ state: 'ready' });
  });

  it('keeps what it knows better than a gateway that missed the latest change', async () => {
    const seated = await one.seat(companyId, noon);
    await applyTo(two.presence, companyId, seated.agentId, ask('not_ready', { reason: 'meal' }));
    expect(await one.presence.restore(seated)).toBeNull();
    expect(await one.presence.find(companyId, seated.agentId)).toMatchObject({ state: 'not_ready', reason: 'meal' });
  });

  it('brings back what a failover lost, where the new primary has only an older state', async () => {
    const seated = await one.seat(companyId, noon);
    const known = {
      ...seated,
      version: seated.version + 3,
      state: 'not_ready',
      reason: 'break',
      idleSince: null,
    } as const;
    one.mirror.set(seated.agentId, known);
    const [probe] = await one.redis.keys('readyline:probe:*');
    // What a gateway sees of a failover: the data are there, and the server is another one.
    await one.redis.set(probe ?? '', 'another server');
    two.reconnect();
    const claim = two.presence.claim(companyId, newClaim());
    await one.presence.check();
    expect(await claim).toEqual({ kind: 'none_ready' });
    const back = await two.presence.find(companyId, seated.agentId);
    expect(back).toMatchObject({ state: 'not_ready', reason: 'break' });
    expect(back?.version).toBeGreaterThan(known.version);
  });
});
