import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { killed, stalledLong, stalledShortly } from './faults/gateways.ts';
import { killedInOffer, stalledInOffer } from './faults/offers.ts';
import { restartedFast, restartedImmediately } from './faults/postgres.ts';
import { flushed, restarted } from './faults/redis.ts';
import { rolledOut } from './faults/rollOut.ts';
import { fullForm, keepsEveryPromise } from './form.ts';

const scenarios = [
  killed,
  killedInOffer,
  stalledShortly,
  stalledLong,
  stalledInOffer,
  flushed,
  restarted,
  restartedFast,
  restartedImmediately,
  rolledOut,
];

describe('three gateways under load', () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster({ gateways: 3 });
  });
  afterAll(() => chaos.stop());

  it.each(scenarios)('keep every promise when $name', (scenario) => keepsEveryPromise(scenario, chaos, fullForm));
});
