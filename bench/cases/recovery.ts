import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { ClusterGateway } from '../../demo/cluster/gateway.ts';
import type { Cluster } from '../../demo/cluster/topology.ts';
import { agentKey, companyKeys } from '../../src/adapters/redis/keys.ts';
import { clickToDialAnswer } from '../../src/contract/clickToDial.ts';
import { toId, type NodeId } from '../../src/domain/ids.ts';
import type { Stranded } from '../load/stranded.ts';
import type { Row } from '../report/rows.ts';
import type { BenchCompany } from '../room/company.ts';
import { type CaseRoom, withCaseRoom } from '../room/room.ts';
import type { Worker } from '../worker.ts';
import { type BenchCase, recoveryGoal } from './case.ts';

type Scene = { room: CaseRoom; cluster: Cluster; company: BenchCompany; softphones: Worker<Stranded> };
/** Seconds since the blow. */
type Kill = { unroutable: number; ready: number };
type Flush = { clicked: number; restored: number };

const lookEveryMs = 10;
const patienceMs = 60_000;

/** How long it takes until all is well after a gateway was killed, or Redis forgot everything. */
export const recoveryCase: BenchCase = {
  name: 'recovery',
  async run(room, plan) {
    const rows: Row[] = [];
    for (const agents of plan.stranded) {
      await room.redis.flushall();
      rows.push(...(await withCaseRoom(room, (fresh) => recover(fresh, agents, plan.repetitions))));
    }
    return rows;
  },
};

async function recover(room: CaseRoom, agents: number, repetitions: number): Promise<Row[]> {
  room.say(`  ${agents} softphones`);
  const company = await room.company({ customers: 1, agents });
  // Softphones whose gateway is killed find the other one through it.
  const cluster = await room.gateways(1, { balancer: true });
  const softphones = room.worker<Stranded>('load/stranded.ts');
  const scene = { room, cluster, company, softphones };
  await softphones.ask('connect', { url: cluster.url, tokens: company.agents.map(({ token }) => token) });
  // All softphones are at one gateway, and the other one is empty.
  await cluster.addGateway({ env: { JWT_SECRET: room.jwtSecret } });
  const kills: Kill[] = [];
  const flushes: Flush[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    kills.push({ unroutable: await killWithSoftphonesAway(scene), ready: await kill(scene) });
    flushes.push(await flush(scene));
  }
  return rowsOf(agents, kills, flushes);
}

function rowsOf(count: number, kills: Kill[], flushes: Flush[]): Row[] {
  const figure = (what: string, readyline: number[], goal: Row['goal']): Row => ({
    what,
    unit: 's',
    readyline,
    bare: null,
    goal,
  });
  const agents = count.toLocaleString('en-US');
  return [
    figure(
      `gateway killed with ${agents} softphones, which stay away: until nobody is routed to them`,
      kills.map(({ unroutable }) => unroutable),
      { atMost: 5 },
    ),
    figure(
      `gateway killed: until its ${agents} softphones are Ready on another`,
      kills.map(({ ready }) => ready),
      recoveryGoal,
    ),
    figure(
      `Redis flushed with ${agents} agents: until a click is answered 201, by the agent whose turn it was`,
      flushes.map(({ clicked }) => clicked),
      { atMost: 5 },
    ),
    figure(
      `Redis flushed: until ${agents} agents are back in their order`,
      flushes.map(({ restored }) => restored),
      { atMost: 5 },
    ),
  ];
}

/** Stands the softphones still, so that only the gateways can notice. */
async function killWithSoftphonesAway(scene: Scene): Promise<number> {
  const { gateway, nodeId } = await homeOf(scene);
  const back = scene.softphones.ask('comeBack', null);
  process.kill(scene.softphones.pid, 'SIGSTOP');
  const at = Date.now();
  await gateway.kill('SIGKILL');
  const unroutable = await since(at, async () => (await agentsAt(scene, nodeId)) === 0);
  process.kill(scene.softphones.pid, 'SIGCONT');
  await back;
  await gateway.start();
  return unroutable;
}

async function kill(scene: Scene): Promise<number> {
  const { gateway } = await homeOf(scene);
  const back = scene.softphones.ask('comeBack', null);
  const at = Date.now();
  await gateway.kill('SIGKILL');
  const seconds = ((await back) - at) / 1000;
  await gateway.start();
  return seconds;
}

async function flush(scene: Scene): Promise<Flush> {
  const { room, company } = scene;
  const { idle } = companyKeys(company.id);
  const order = await room.redis.zrange(idle, '0', '-1');
  const at = Date.now();
  await room.redis.flushall();
  const clickedAgent = await click(scene);
  const clicked = (Date.now() - at) / 1000;
  if (clickedAgent !== order[0]) throw new Error('after the flush, a click went to an agent whose turn it was not');
  // The one who was clicked is at the end by now, or still on the way there.
  const rest = order.slice(1).join();
  const restored = await since(
    at,
    async () => (await room.redis.zrange(idle, '0', String(order.length - 2))).join() === rest,
  );
  await since(at, async () => (await room.redis.zcard(idle)) === order.length);
  return { clicked, restored };
}

/** Clicks until one is answered 201. @returns the agent who got it */
async function click({ cluster, company }: Scene): Promise<string> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt;) {
    const { statusCode, body } = await request(`${cluster.url}/api/integrations/cti/click-to-dial`, {
      method: 'POST',
      headers: { 'x-service-api-key': company.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ phone_number: company.phones[0] }),
    });
    const answer = await body.json();
    if (statusCode === 201) return clickToDialAnswer.parse(answer).agent.id;
    await delay(lookEveryMs);
  }
  throw new Error('no click was answered 201 any more');
}

/** The gateway that has all softphones. */
async function homeOf({ room, cluster, company }: Scene): Promise<{ gateway: ClusterGateway; nodeId: NodeId }> {
  const [agent] = company.agents;
  if (agent === undefined) throw new Error('the company has no agents');
  const nodeId = toId<NodeId>((await room.redis.hget(agentKey(company.id, agent.id), 'nodeId')) ?? '');
  for (const gateway of cluster.gateways) if (await hasSoftphones(gateway)) return { gateway, nodeId };
  throw new Error('no gateway has any softphone');
}

async function hasSoftphones({ url }: ClusterGateway): Promise<boolean> {
  const { body } = await request(`${url}/metrics`);
  return /^readyline_softphones [1-9]/m.test(await body.text());
}

/** How many the presence store takes for connected to that gateway. */
function agentsAt({ room, company }: Scene, nodeId: NodeId): Promise<number> {
  return room.redis.scard(companyKeys(company.id).nodePrefix + nodeId);
}

/** Seconds from then until it is so. */
async function since(at: number, isSo: () => Promise<boolean>): Promise<number> {
  while (!(await isSo())) {
    if (Date.now() - at > patienceMs) throw new Error('it did not recover');
    await delay(lookEveryMs);
  }
  return (Date.now() - at) / 1000;
}
