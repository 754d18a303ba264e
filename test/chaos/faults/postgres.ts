import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';

async function restart(world: World, how: 'fast' | 'immediate'): Promise<void> {
  const { postgres } = world.chaos;
  world.ledger.did(`PostgreSQL is restarted (${how})`);
  if (how === 'immediate') await postgres.kill('SIGQUIT');
  await postgres.restart();
  world.ledger.did('PostgreSQL is back');
}

const restarting = (how: 'fast' | 'immediate'): Scenario => ({
  name: `PostgreSQL is restarted in ${how} mode`,
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await restart(world, how);
      await world.for(3_000);
    }
  },
});

export const restartedFast = restarting('fast');
export const restartedImmediately = restarting('immediate');
