import { setTimeout as pause } from 'node:timers/promises';
import { Patience } from '../support/time/pace.ts';
import type { ChaosCluster } from './chaosCluster.ts';
import { checkAll } from './invariants/all.ts';
import type { Finding, Standing } from './invariants/finding.ts';
import { keepReport, tableOf } from './report.ts';
import type { ClickKind } from './load/steadyLoad.ts';
import { World, type Size } from './world.ts';

/** What goes wrong, as data: one runner plays them all. */
export type Scenario = {
  /** A sentence: what every invariant survives. */
  name: string;
  /** Where clicks go; by default to each gateway by itself, so that the ledger knows which one was asked. */
  through?: 'gateways' | 'balancer';
  /** By default of all kinds, most of them at nobody in particular. */
  kinds?: readonly ClickKind[];
  /** So few clicks that somebody is always Ready. */
  isLight?: boolean;
  /** Whether a click may be left without an answer of a gateway. */
  mayBreak?: boolean;
  /**
   * Does the harm, lets it last, and notes in `world.findings` what it finds beside the invariants.
   * @param patience how much longer than in the short form it goes on, from 1
   */
  harm(world: World, patience: number): Promise<void>;
};

const warmUpMs = 1_500;

const allKinds = ['any', 'any', 'any', 'named', 'named', 'keyed'] as const;

/** How much load, and how long. */
export type Form = { size: Size; patience: number };

/** Plays a scenario on a cluster; resolves with what was found, having printed and kept it. */
export async function play(scenario: Scenario, chaos: ChaosCluster, { size, patience }: Form): Promise<Finding[]> {
  const begunAt = performance.now();
  const clicksPerSecond = size.clicksPerSecond / (scenario.isLight === true ? 4 : 1);
  const world = await World.open(
    chaos,
    { ...size, clicksPerSecond },
    { through: scenario.through ?? 'gateways', kinds: scenario.kinds ?? allKinds },
  );
  try {
    await pause(warmUpMs * patience);
    await scenario.harm(world, patience);
    await pause(warmUpMs * patience);
    await world.calmDown();
    await Promise.all(world.agents.map((agent) => agent.finish()));
    const standings = await rest(world);
    await arrival(world);
    const { ledger, faults, records } = world;
    const [calls, deliveries] = await Promise.all([records.calls(), records.deliveries()]);
    const mayBreak = scenario.mayBreak ?? false;
    const findings = [
      ...checkAll({ ledger, calls, deliveries, standings, faults, mayBreak, pulse: world.pulse }),
      ...world.findings,
    ];
    const seconds = Math.round((performance.now() - begunAt) / 1000);
    const report = { scenario: scenario.name, seconds, deeds: ledger.deeds, findings, said: logsOf(chaos) };
    keepReport(report);
    console.log(tableOf(report));
    return findings;
  } finally {
    await world.close();
  }
}

/** Enough to see what the gateways complained of. */
export function logsOf({ cluster }: Pick<ChaosCluster, 'cluster'>): Record<string, string[]> {
  return Object.fromEntries(
    cluster.gateways.map(({ nodeName, process: { stdout, stderr } }) => [
      nodeName,
      (stdout + stderr).split('\n').slice(-200),
    ]),
  );
}

/** How everybody stands once nothing moves any more, or patience is over. */
async function rest(world: World): Promise<Standing[]> {
  const patience = new Patience();
  for (;;) {
    const standings = await Promise.all(
      world.agents.map(async (agent): Promise<Standing> => ({
        agentId: agent.agent.id,
        presence: await world.presenceOf(agent),
        screen: agent.softphone.agent?.state ?? null,
        screenVersion: agent.softphone.agent?.version ?? null,
      })),
    );
    const isAtRest = standings.every(
      ({ presence, screen }) =>
        (presence?.state === 'ready' || presence?.state === 'not_ready') &&
        presence.connection === 'connected' &&
        screen === presence.state,
    );
    const calls = await world.records.calls();
    if ((isAtRest && calls.every(({ state }) => state === 'ended')) || patience.isOver()) return standings;
    await pause(100);
  }
}

/** Until every delivery is made; what waits for a far attempt is hurried. */
async function arrival({ records, ledger }: World): Promise<void> {
  const patience = new Patience();
  for (let round = 0; !patience.isOver(); round += 1) {
    const arrived = new Set(ledger.webhooks.map(({ deliveryId }) => deliveryId));
    const missing = (await records.deliveries()).filter(({ id }) => !arrived.has(id));
    if (missing.length === 0) return;
    // First they have their usual time.
    if (round >= 10) await records.hurryDeliveries();
    await pause(300);
  }
}
