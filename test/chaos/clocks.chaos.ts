import { afterAll, beforeAll, describe, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { killed, stalledShortly } from './faults/gateways.ts';
import { fullForm, keepsEveryPromise } from './form.ts';

const tenMinutesMs = 600_000;

describe("three gateways whose machines' clocks are 20 minutes apart", () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster({ gateways: 3, clockAheadMs: [0, tenMinutesMs, -tenMinutesMs] });
  });
  afterAll(() => chaos.stop());

  it.each([stalledShortly, killed])('keep every promise when $name', (scenario) =>
    keepsEveryPromise(scenario, chaos, fullForm),
  );
});
