import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { killedInOffer, stalledInOffer } from './faults/offers.ts';
import { silentLong } from './faults/partitions.ts';
import { cutFromBoth, lockedAndCutOff, slowRedis } from './faults/refusals.ts';
import { restartedImmediately } from './faults/postgres.ts';
import { flushed, restarted } from './faults/redis.ts';
import { rolledOut } from './faults/rollOut.ts';
import { keepsEveryPromise, shortForm } from './form.ts';

// The chaos suite, shortened: the whole of it is `npm run test:chaos`.

const tenMinutesMs = 600_000;

const scenarios = [
  lockedAndCutOff,
  cutFromBoth,
  slowRedis,
  killedInOffer,
  stalledInOffer,
  flushed,
  restarted,
  restartedImmediately,
  silentLong,
  rolledOut,
];

describe('three gateways whose clocks are 20 minutes apart, under load', () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster({ gateways: 3, clockAheadMs: [0, tenMinutesMs, -tenMinutesMs], redis: 'ways' });
  });
  afterAll(() => chaos.stop());

  it.each(scenarios)('keep every promise when $name', (scenario) => keepsEveryPromise(scenario, chaos, shortForm));
});
