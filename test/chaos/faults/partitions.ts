import type { ClusterGateway } from '../../../demo/cluster/gateway.ts';
import type { Scenario } from '../scenario.ts';
import type { World } from '../world.ts';
import type { Way } from './way.ts';

type Part = { gateway: ClusterGateway; way: Way };

let turn = 0;
function somePart({ cluster, chaos }: World): Part {
  turn += 1;
  const index = turn % cluster.gateways.length;
  const [gateway, way] = [cluster.gateways[index], chaos.redisWays[index]];
  if (gateway === undefined || way === undefined)
    throw new Error('this scenario needs gateways with ways of their own to Redis');
  return { gateway, way };
}

async function cutOff(world: World, how: 'cut' | 'silence', ms: number): Promise<void> {
  const { gateway, way } = somePart(world);
  world.fault(gateway, `cannot reach Redis for ${ms} ms (${how})`, { isDown: false });
  way[how]();
  await world.for(ms);
  way.mend();
  // It connects again at the latest after this, and what it was asked meanwhile has been answered.
  await world.for(4_000);
  world.healed(gateway, 'reaches Redis again');
}

const partition = (name: string, how: 'cut' | 'silence', ms: number): Scenario => ({
  name,
  async harm(world, patience) {
    for (let round = 0; round < patience; round += 1) await cutOff(world, how, ms);
  },
});

export const cutShortly = partition('a gateway is cut off from Redis for less than its lease', 'cut', 2_000);
export const cutLong = partition('a gateway is cut off from Redis for longer than its lease', 'cut', 8_000);
export const silentShortly = partition(
  'nothing arrives between a gateway and Redis for less than its lease',
  'silence',
  2_500,
);
export const silentLong = partition(
  'nothing arrives between a gateway and Redis for longer than its lease',
  'silence',
  9_000,
);
export const silentForGood = partition(
  'nothing arrives between a gateway and Redis for so long that it sends its softphones away',
  'silence',
  24_000,
);
