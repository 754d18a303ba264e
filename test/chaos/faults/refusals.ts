import pg from 'pg';
import type { ClusterGateway } from '../../../demo/cluster/gateway.ts';
import type { Scenario } from '../scenario.ts';
import { wayOf, type World } from '../world.ts';
import { moment, untilReserved } from './offers.ts';
import type { Way } from './way.ts';

// Faults in which a click is refused, though what it began may yet come.

/** Longer than a click may last. */
const lockedMs = 6_500;
/** Until what waited has been tried again. */
const finalAfterMs = 3_000;

/** Nobody can record a call for so long; those who read them can. */
async function lockCalls(
  world: World,
  ms: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { chaos, ledger } = world;
  const client = new pg.Client({ connectionString: chaos.cluster.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE call IN SHARE MODE');
  ledger.did(`the table of calls is locked for ${ms} ms`);
  const harm = meanwhile();
  await world.for(ms);
  await client.query('ROLLBACK');
  ledger.did('the table of calls is free');
  await client.end();
  await harm;
}

function waysOf({ chaos, cluster }: World, gateway: ClusterGateway): { toRedis: Way; toPostgres: Way } {
  const index = cluster.gateways.indexOf(gateway);
  const [toRedis, toPostgres] = [chaos.redisWays[index], chaos.databaseWays[index]];
  if (toRedis === undefined || toPostgres === undefined)
    throw new Error('this scenario needs gateways with ways of their own');
  return { toRedis, toPostgres };
}

export const lockedCalls: Scenario = {
  name: 'the table of calls is locked for longer than a click may last',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await lockCalls(world, lockedMs);
      await world.for(finalAfterMs);
    }
  },
};

/** What the locked table holds up comes while the gateway that asked for it can tell nobody. */
export const lockedAndCutOff: Scenario = {
  name: 'the table of calls is locked while a gateway loses Redis around the end of its clicks',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      const gateway = world.cluster.gateways[round % world.cluster.gateways.length];
      if (gateway === undefined) throw new Error('the cluster has gateways');
      const { toRedis } = waysOf(world, gateway);
      await lockCalls(world, lockedMs, async () => {
        await world.for(5_500);
        world.fault(gateway, 'loses Redis', { isDown: false });
        toRedis.cut();
        await world.for(3_000);
        toRedis.mend();
        await world.for(finalAfterMs);
        world.healed(gateway, 'reaches Redis again');
      });
    }
  },
};

/** The gateway that was asked, where the softphone is or not, loses both stores between the claim and the answer. */
export const cutFromBoth: Scenario = {
  name: 'a gateway loses both stores in the middle of a click',
  async harm(world, patience) {
    for (let round = 0; round < 4 * patience; round += 1) {
      const { agent, owner, other } = await moment(world);
      const asked = round % 2 === 0 ? other : owner;
      const { toRedis, toPostgres } = waysOf(world, asked);
      const answered = world.clicks.click(world.companyOf(agent), wayOf(asked), agent.agent.id);
      await untilReserved(world, agent, answered);
      // Somewhere between the offer and the record's own answer.
      await world.for(Math.random() * 20);
      world.fault(asked, 'loses both stores right after it claimed an agent', { isDown: false });
      for (const way of [toRedis, toPostgres]) {
        if (round % 4 < 2) way.silence();
        else way.cut();
      }
      await answered;
      await world.for(500);
      for (const way of [toRedis, toPostgres]) way.mend();
      await world.for(finalAfterMs);
      world.healed(asked, 'reaches both stores again');
    }
  },
};

/** So slow that an offer is seldom shown in time, and never may be late. */
export const slowRedis: Scenario = {
  name: 'a gateway has a slow way to Redis',
  async harm(world, patience) {
    for (let round = 0; round < 2 * patience; round += 1) {
      const gateway = world.cluster.gateways[round % world.cluster.gateways.length];
      if (gateway === undefined) throw new Error('the cluster has gateways');
      const ms = 150 + 150 * (round % 3);
      world.fault(gateway, `needs ${ms} ms more each way to Redis`, { isDown: false });
      waysOf(world, gateway).toRedis.slow(ms);
      await world.for(4_000);
      waysOf(world, gateway).toRedis.mend();
      await world.for(finalAfterMs);
      world.healed(gateway, 'reaches Redis at once again');
    }
  },
};
