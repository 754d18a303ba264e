import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { failedOver } from './faults/redis.ts';
import { fullForm, keepsEveryPromise } from './form.ts';

describe('three gateways on a Redis that sentinels watch', () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster({ gateways: 3, redis: 'sentinel' });
  });
  afterAll(() => chaos.stop());

  it('keep every promise when its primary is killed and its replica takes over', () =>
    keepsEveryPromise(failedOver, chaos, fullForm));
});
