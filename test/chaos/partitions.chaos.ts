import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { cutInOffer } from './faults/offers.ts';
import { cutFromBoth, lockedAndCutOff, lockedCalls, slowRedis } from './faults/refusals.ts';
import { cutLong, cutShortly, silentForGood, silentLong, silentShortly } from './faults/partitions.ts';
import { fullForm, keepsEveryPromise } from './form.ts';

describe('three gateways, each with ways of its own to the stores', () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster({ gateways: 3, redis: 'ways' });
  });
  afterAll(() => chaos.stop());

  it.each([
    lockedCalls,
    lockedAndCutOff,
    cutFromBoth,
    slowRedis,
    cutInOffer,
    cutShortly,
    cutLong,
    silentShortly,
    silentLong,
    silentForGood,
  ])('keep every promise when $name', (scenario) => keepsEveryPromise(scenario, chaos, fullForm));
});
