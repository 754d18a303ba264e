import { expect } from 'vitest';
import type { ChaosCluster } from './chaosCluster.ts';
import { play, type Form, type Scenario } from './scenario.ts';

/** For every run of `npm test`: few agents, each harm once. */
export const shortForm: Form = { size: { companies: 2, agents: 5, clicksPerSecond: 6 }, patience: 1 };
/** For `npm run test:chaos`. */
export const fullForm: Form = { size: { companies: 4, agents: 8, clicksPerSecond: 16 }, patience: 3 };

/** Plays the scenario; fails with the evidence when an invariant is broken. */
export async function keepsEveryPromise(scenario: Scenario, chaos: ChaosCluster, form: Form): Promise<void> {
  const findings = await play(scenario, chaos, form);
  const broken = findings.flatMap(({ invariant, violations }) => violations.map((violation) => `${invariant}: ${violation}`));
  expect(broken, scenario.name).toEqual([]);
}
