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
      await lose(world, 'FLUSHALL', () => world.watch.redis.flushall());
      await world.for(1_000);
      // Once more while nothing has come to rest yet.
      await world.watch.redis.flushall();
      await world.for(2_000);
    }
  },
};

export const restarted: Scenario = {
  name: 'Redis is restarted and has kept nothing',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await lose(world, 'Redis is restarted', () => world.chaos.redis.restart());
      await world.for(2_000);
    }
  },
};
