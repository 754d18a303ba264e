import { expect } from 'vitest';
import type { ChaosCluster } from './chaosCluster.ts';
import type { Finding } from './invariants/finding.ts';
import { play, type Form, type Scenario } from './scenario.ts';
import type { Battlefield } from './webhooks/battlefields.ts';
import { killAgainAndAgain, type CampaignSize } from './webhooks/campaign.ts';

/** For `npm run test:full`: few agents, each harm once. */
export const shortForm: Form = { size: { companies: 2, agents: 5, clicksPerSecond: 6 }, patience: 1 };
/** For `npm run test:chaos`. */
export const fullForm: Form = { size: { companies: 4, agents: 8, clicksPerSecond: 16 }, patience: 3 };

/** For `npm run test:full`: each moment, at each endpoint, at least once. */
export const shortCampaign: CampaignSize = { kills: 8, agents: 3, clicksPerSecond: 12, dialsPerSecond: 4, workMs: 500 };
/** For `npm run test:chaos`. */
export const fullCampaign: CampaignSize = {
  kills: 100,
  agents: 6,
  clicksPerSecond: 16,
  dialsPerSecond: 4,
  workMs: 2_000,
};

/** Plays the scenario; fails with the evidence when an invariant is broken. */
export async function keepsEveryPromise(scenario: Scenario, chaos: ChaosCluster, form: Form): Promise<void> {
  nothingIsBroken(scenario.name, await play(scenario, chaos, form));
}

/** Kills gateways under load; fails with the evidence when an event was lost, or anything else is not accounted for. */
export async function losesNoWebhook(name: string, battlefield: Battlefield, size: CampaignSize): Promise<void> {
  nothingIsBroken(name, await killAgainAndAgain(name, battlefield, size));
}

function nothingIsBroken(name: string, findings: readonly Finding[]): void {
  const broken = findings.flatMap(({ invariant, violations }) =>
    violations.map((violation) => `${invariant}: ${violation}`),
  );
  // Joined, because a report shows the start of a text and only the length of a list.
  expect(broken.join('\n'), name).toBe('');
}
