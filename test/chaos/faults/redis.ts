import type { Scenario } from '../scenario.ts';

export const flushed: Scenario = {
  name: 'Redis is flushed',
  async harm(world, patience) {
    for (let round = 0; round < 2 * patience; round += 1) {
      world.ledger.did('FLUSHALL');
      await world.watch.redis.flushall();
      await world.for(3_000);
    }
  },
};

export const restarted: Scenario = {
  name: 'Redis is restarted and has kept nothing',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      world.ledger.did('Redis is restarted');
      await world.cluster.redis?.restart();
      world.ledger.did('Redis is back');
      await world.for(5_000);
    }
  },
};
