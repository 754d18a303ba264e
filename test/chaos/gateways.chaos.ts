import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, type ChaosCluster } from './chaosCluster.ts';
import { killed, stalledLong, stalledShortly } from './faults/gateways.ts';
import { flushed, restarted } from './faults/redis.ts';
import { play } from './scenario.ts';

describe('three gateways under load', { timeout: 300_000 }, () => {
  let chaos: ChaosCluster;

  beforeAll(async () => {
    chaos = await openCluster(3);
  }, 120_000);
  afterAll(() => chaos.stop());

  it.each([killed, stalledShortly, stalledLong, flushed, restarted])('keep every promise when $name', async (scenario) => {
    const findings = await play(scenario, { ...chaos, size: { companies: 3, agents: 5, clicksPerSecond: 10 }, patience: 1 });
    expect(findings.flatMap(({ violations }) => violations)).toEqual([]);
  });
});
