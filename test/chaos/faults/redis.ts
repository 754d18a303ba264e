import type { RedisServer } from '../../../demo/cluster/redisServer.ts';
import type { Scenario } from '../scenario.ts';
import { QuietCompany } from './quietCompany.ts';
import type { World } from '../world.ts';

/** Loses what Redis holds, and looks at a company where nothing else happens: who is back, when, and in which order. */
async function lose(world: World, what: string, loseIt: () => Promise<unknown>): Promise<void> {
  const quiet = await QuietCompany.open(world);
  try {
    world.ledger.did(what);
    await loseIt();
    world.ledger.did('it is done');
    world.findings.push(await quiet.isBack());
  } finally {
    await quiet.close();
  }
}

export const flushed: Scenario = {
  name: 'Redis is flushed',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await lose(world, 'FLUSHALL', () => world.chaos.redis.flushall());
      await world.for(1_000);
      // Once more while nothing has come to rest yet.
      await world.chaos.redis.flushall();
      await world.for(2_000);
    }
  },
};

export const restarted: Scenario = {
  name: 'Redis is restarted and has kept nothing',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await lose(world, 'Redis is restarted', () => world.chaos.redisServer.restart());
      await world.for(2_000);
    }
  },
};

/** The replica lacks whatever the primary had not yet passed on. */
export const failedOver: Scenario = {
  name: 'the primary of Redis is killed and its replica takes over',
  async harm(world, patience) {
    const { sentinel } = world.chaos;
    if (sentinel === null) throw new Error('this scenario needs sentinels');
    let [primary, replica]: RedisServer[] = sentinel.servers;
    for (let round = 0; round < patience; round += 1) {
      await lose(world, 'the primary is killed', async () => {
        await primary?.kill('SIGKILL');
        if (replica !== undefined) await sentinel.isPrimary(replica);
      });
      await world.for(3_000);
      await primary?.restart();
      [primary, replica] = [replica, primary];
      // As its replica, with everything: else there is nobody to take over next time.
      await world.for(8_000);
    }
  },
};
