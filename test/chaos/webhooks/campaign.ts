import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../../../demo/cluster/topology.ts';
import { GatewayApi } from '../../../demo/gatewayApi.ts';
import { savedIntegration } from '../../../src/contract/integrations.ts';
import { Patience } from '../../support/time/pace.ts';
import type { Finding } from '../invariants/finding.ts';
import { Ledger } from '../ledger.ts';
import { AgentAtWork } from '../load/agentAtWork.ts';
import { Clicks } from '../load/clicks.ts';
import { createCompany, type ChaosCompany } from '../load/company.ts';
import { Crm } from '../load/crm.ts';
import { startLoad, type SteadyLoad } from '../load/steadyLoad.ts';
import { keepReport, tableOf } from '../report.ts';
import { logsOf } from '../scenario.ts';
import { wayOf } from '../world.ts';
import { account } from './account.ts';
import type { Battlefield } from './battlefields.ts';
import { strike, type Kill, type Moment, type Victims } from './kills.ts';
import { OutboxRecords } from './outboxRecords.ts';
import type { KnownSecret } from './signing.ts';
import { Target, type Manner } from './target.ts';

/**
 * How much: `agents` of each company; `clicksPerSecond` and calls by hand over all of them; `workMs`: how long gateways
 * work before a kill that is not to come as soon as they listen.
 */
export type CampaignSize = {
  kills: number;
  agents: number;
  clicksPerSecond: number;
  dialsPerSecond: number;
  workMs: number;
};

/** Two in five kills fall between send and answer, one between answer and settlement. */
const moments: readonly Moment[] = ['unanswered', 'loaded', 'unsettled', 'fresh', 'unanswered'];
const manners: readonly [name: string, manner: Manner][] = [
  ['prompt', 'prompt'],
  ['slow', 'slow'],
  ['flaky', 'flaky'],
  ['rotating', 'prompt'],
];
/** The default of an integration. */
const maxInFlight = 4;
/** What failed has its usual time first. */
const hurryAfterMs = 6_000;

type Place = { company: ChaosCompany; target: Target; secrets: KnownSecret[] };

/** Kills gateways under load and accounts for every event; resolves with what was found, having printed and kept it. */
export async function killAgainAndAgain(
  name: string,
  { cluster, victims }: Battlefield,
  size: CampaignSize,
): Promise<Finding[]> {
  const ledger = new Ledger();
  const records = new OutboxRecords(cluster.databaseUrl);
  const places = await Promise.all(manners.map(([label, manner]) => openPlace(cluster, ledger, size, label, manner)));
  const agents = places.flatMap(({ company }) =>
    company.agents.map((agent) => new AgentAtWork(cluster.url, agent, ledger)),
  );
  const [clicks, crm] = [new Clicks(ledger), new Crm(ledger)];
  const kills: Kill[] = [];
  try {
    await Promise.all(agents.map((agent) => agent.begin()));
    const load = startEverything({ places, agents, clicks, crm, victims, size });
    try {
      for (let round = 0; round < size.kills; round += 1) {
        if (round === Math.floor(size.kills / 3) || round === Math.floor((2 * size.kills) / 3))
          await rotate(victims, ledger, placeAt(places, 3));
        const moment = moments[round % moments.length] ?? 'loaded';
        if (moment !== 'fresh') await pause(size.workMs);
        // 4 endpoints and 5 moments: each meets each.
        kills.push(await strike({ victims, records, ledger }, moment, placeAt(places, round).target));
        // They would come back by themselves, later than the next kill.
        for (const { softphone } of agents) {
          if (softphone.line !== 'connected') softphone.connect().catch(() => undefined);
        }
      }
    } finally {
      await load.stop();
    }
    await Promise.all(agents.map((agent) => agent.finish()));
    const atRest = await rest(records);
    const [calls, events, attempts] = await Promise.all([records.calls(), records.events(), records.attempts()]);
    const endpoints = places.map(({ company, target, secrets }) => ({
      companyId: company.id,
      target,
      secrets,
      maxInFlight,
    }));
    const findings = [atRest, ...(await account({ endpoints, clicks: ledger.clicks, calls, events, attempts, kills }))];
    const report = {
      scenario: name,
      seconds: Math.round(ledger.now() / 1000),
      deeds: ledger.deeds,
      findings,
      said: logsOf({ cluster }),
    };
    keepReport(report);
    console.log(tableOf({ ...report, deeds: [] }));
    return findings;
  } finally {
    for (const agent of agents) agent.close();
    for (const { target } of places) target.close();
    await Promise.all([clicks.close(), crm.close(), records.close()]);
  }
}

async function openPlace(
  cluster: Cluster,
  ledger: Ledger,
  size: CampaignSize,
  name: string,
  manner: Manner,
): Promise<Place> {
  const target = await Target.open(name, manner, ledger);
  const { url, platformToken } = cluster;
  const company = await createCompany({
    url,
    platformToken,
    agents: size.agents,
    wrapUpSeconds: 1,
    webhookUrl: target.url,
  });
  return { company, target, secrets: [{ secret: company.secret, askedAt: 0, shownAt: 0 }] };
}

type Load = {
  places: readonly Place[];
  agents: readonly AgentAtWork[];
  clicks: Clicks;
  crm: Crm;
  victims: Victims;
  size: CampaignSize;
};

function startEverything({ places, agents, clicks, crm, victims, size }: Load): SteadyLoad {
  const steady = startLoad({
    companies: places.map(({ company }) => company),
    agents,
    clicks,
    crm,
    ways: () => victims.all.filter((gateway) => !victims.down.has(gateway)).map(wayOf),
    clicksPerSecond: size.clicksPerSecond,
    kinds: ['any', 'any', 'named', 'keyed'],
  });
  const dialing = setInterval(() => {
    const ready = agents.filter(({ softphone }) => softphone.agent?.state === 'ready');
    ready[Math.floor(Math.random() * ready.length)]?.dialByHand('+15551230002');
  }, 1_000 / size.dialsPerSecond);
  return {
    stop() {
      clearInterval(dialing);
      return steady.stop();
    },
  };
}

function placeAt(places: readonly Place[], round: number): Place {
  const place = places[round % places.length];
  if (place === undefined) throw new Error('there are endpoints');
  return place;
}

/** A new secret under load. Asked of a gateway itself: the balancer may not have noticed yet that it is back. */
async function rotate(victims: Victims, ledger: Ledger, { company, secrets }: Place): Promise<void> {
  const askedAt = ledger.now();
  const url = victims.all.find((gateway) => !victims.down.has(gateway))?.url ?? '';
  const { webhook_secret: secret } = await new GatewayApi(url).ask({
    method: 'PUT',
    path: '/api/integrations',
    answer: savedIntegration,
    as: { token: company.adminToken },
    body: { webhook_secret: 'rotate' },
  });
  if (secret === undefined) throw new Error('a rotated secret is shown');
  secrets.push({ secret, askedAt, shownAt: ledger.now() });
  ledger.did('the secret of the rotating endpoint is rotated');
}

/** Until all calls have ended and the outbox has nothing waiting, or patience is over. */
async function rest(records: OutboxRecords): Promise<Finding> {
  const begunAt = performance.now();
  const patience = new Patience();
  for (;;) {
    const [calls, waiting] = await Promise.all([records.calls(), records.waiting()]);
    const lasting = calls.filter(({ state }) => state !== 'ended');
    const seconds = Math.round((performance.now() - begunAt) / 1000);
    const finding = { invariant: 'everything comes to rest when the load stops', figures: { seconds } };
    if (lasting.length + waiting === 0) return { ...finding, violations: [] };
    if (patience.isOver()) {
      return { ...finding, violations: [`${lasting.length} calls last; ${waiting} deliveries wait`] };
    }
    if (seconds * 1000 > hurryAfterMs) await records.hurry();
    await pause(200);
  }
}
