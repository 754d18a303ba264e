import type { ClusterGateway } from '../../../demo/cluster/gateway.ts';
import type { Scenario } from '../scenario.ts';
import { wayOf, type World } from '../world.ts';

/** One after the other, so that not always the first one is hit. */
let turn = 0;
function someGateway({ cluster }: World): ClusterGateway {
  turn += 1;
  const gateway = cluster.gateways[turn % cluster.gateways.length];
  if (gateway === undefined) throw new Error('the cluster has gateways');
  return gateway;
}

async function stopFor(world: World, gateway: ClusterGateway, ms: number): Promise<void> {
  world.fault(gateway, `stands still for ${ms} ms`);
  gateway.pause();
  // They wait in front of it, and are done, or not, when it goes on.
  const late = world.companies.map((company) => world.clicks.click(company, wayOf(gateway)));
  await world.for(ms);
  gateway.resume();
  await Promise.all(late);
  world.healed(gateway, 'goes on');
}

export const killed: Scenario = {
  name: 'a gateway is killed and comes back',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      const gateway = someGateway(world);
      world.fault(gateway, 'is killed');
      await gateway.kill('SIGKILL');
      await world.for(3_000);
      await world.startAgain(gateway);
      await world.for(2_000);
    }
  },
};

export const stalledShortly: Scenario = {
  name: 'a gateway stands still for less than its lease',
  async harm(world, patience) {
    for (let round = 0; round < 2 * patience; round += 1) {
      await stopFor(world, someGateway(world), 500 + Math.round(Math.random() * 2_000));
      await world.for(1_000);
    }
  },
};

export const stalledLong: Scenario = {
  name: 'a gateway stands still for longer than its lease',
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) {
      await stopFor(world, someGateway(world), 9_000);
      await world.for(2_000);
    }
  },
};
