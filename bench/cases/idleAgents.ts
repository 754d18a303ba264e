import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../demo/cluster/freePort.ts';
import type { BareSockets } from '../bare/sockets.ts';
import type { Stack } from '../load/lines.ts';
import type { Softphones } from '../load/softphones.ts';
import { collectable, collectGarbage } from '../measure/garbage.ts';
import { cpuMs, residentBytes } from '../measure/processCosts.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { withCaseRoom, type CaseRoom } from '../room/room.ts';
import type { Worker } from '../worker.ts';
import { type BenchCase, idleGoals } from './case.ts';

/** A server whose costs are looked at, and its softphones in a process of their own. */
type Host = { stack: Stack; pid: number; inspector: number; url: string; softphones: Worker<Softphones> };
/** Of a whole process: memory, and the processor time that it uses. */
type Costs = { bytes: number; cpuMsPerSecond: number };
/** Of both stacks with the same number of agents. `connectingUs`: what it took to connect one and make it Ready. */
type Stage = Record<Stack, Costs & { connectingUs: number }>;

/**
 * What an agent costs who is Ready and gets no call. Both stacks hold theirs at the same time, and are idle together.
 */
export const idleAgentsCase: BenchCase = {
  name: 'idle',
  async run(room, plan) {
    const runs: Stage[][] = [];
    const empty: number[] = [];
    for (let repetition = 0; repetition < plan.repetitions; repetition++) {
      // New processes: memory that was given to one does not come back. And no agents of the former ones, whom the
      // next gateway would have to release while it is measured.
      await room.redis.flushall();
      empty.push(await withCaseRoom(room, (fresh) => emptyGateway(fresh, plan.idleSeconds)));
      runs.push(await withCaseRoom(room, (fresh) => measureOnce(fresh, plan)));
    }
    const stageOf = (index: number) => (stack: Stack) => runs.map((stages) => costsIn(stages, index, stack));
    return [
      ...rowsOfEmpty(stageOf(0), empty),
      ...plan.idleSockets.flatMap((agents, index) => rowsOfAgents(agents, stageOf(0), stageOf(index + 1))),
      connectingRow(stageOf(plan.idleSockets.length)),
    ];
  },
};

function costsIn(stages: Stage[], index: number, stack: Stack): Stage[Stack] {
  const stage = stages[index];
  if (stage === undefined) throw new Error('not measured');
  return stage[stack];
}

type PerRun = (stack: Stack) => Stage[Stack][];

function connectingRow(last: PerRun): Row {
  const us = (stack: Stack) => last(stack).map(({ connectingUs }) => connectingUs);
  const what = 'processor time to connect an agent and make it Ready';
  return { what, unit: 'µs', readyline: us('readyline'), bare: us('bare'), goal: null };
}

function rowsOfEmpty(empty: PerRun, cpuMsPerSecond: number[]): Row[] {
  const mib = (stack: Stack) => empty(stack).map(({ bytes }) => bytes / 2 ** 20);
  return [
    {
      what: 'memory of a server without agents',
      unit: 'MiB',
      readyline: mib('readyline'),
      bare: mib('bare'),
      goal: null,
    },
    // A bare server without agents does nothing at all: no ratio.
    {
      what: 'processor time in a second of a gateway without agents',
      unit: 'ms',
      readyline: cpuMsPerSecond,
      bare: null,
      goal: idleGoals.empty,
    },
  ];
}

/** What is beyond an empty server's costs, for each agent. */
function rowsOfAgents(agents: number, empty: PerRun, full: PerRun): Row[] {
  const extra = (stack: Stack, of: (costs: Costs) => number) =>
    full(stack).map((costs, run) => (of(costs) - of(empty(stack)[run] ?? costs)) / agents);
  const kib = ({ bytes }: Costs) => bytes / 1024;
  const cpuUs = ({ cpuMsPerSecond }: Costs) => cpuMsPerSecond * 1000;
  const whose = `of each of ${agents.toLocaleString('en-US')} idle agents`;
  return [
    {
      what: `memory ${whose}`,
      unit: 'KiB',
      readyline: extra('readyline', kib),
      bare: extra('bare', kib),
      goal: idleGoals.memory,
    },
    {
      what: `processor time in a second ${whose}`,
      unit: 'µs',
      readyline: extra('readyline', cpuUs),
      bare: extra('bare', cpuUs),
      goal: null,
    },
  ];
}

/** @returns processor time in a second, ms. Of one whose garbage nobody can collect: that costs, too. */
async function emptyGateway(room: CaseRoom, seconds: number): Promise<number> {
  const [gateway] = (await room.gateways(1)).gateways;
  if (gateway === undefined) throw new Error('no gateway was started');
  await delay(seconds * 1000);
  const [begun, before] = [performance.now(), cpuMs(gateway.pid)];
  await delay(seconds * 1000);
  return ((cpuMs(gateway.pid) - before) * 1000) / (performance.now() - begun);
}

/** @returns the costs without agents, then with each of the plan's numbers */
async function measureOnce(room: CaseRoom, plan: Plan): Promise<Stage[]> {
  const company = await room.company({ customers: 0, agents: Math.max(...plan.idleSockets) });
  const hosts = { readyline: await hostGateway(room), bare: await hostBare(room) };
  const stages = [stageOf(await costsOf(hosts, plan.idleSeconds), { readyline: 0, bare: 0 })];
  let connected = 0;
  for (const agents of plan.idleSockets) {
    const tokens = company.agents.slice(connected, agents).map(({ token }) => token);
    const connecting = { readyline: await connect(hosts.readyline, tokens), bare: await connect(hosts.bare, tokens) };
    connected = agents;
    stages.push(stageOf(await costsOf(hosts, plan.idleSeconds), connecting));
  }
  return stages;
}

function stageOf(costs: Record<Stack, Costs>, connecting: Record<Stack, number>): Stage {
  return {
    readyline: { ...costs.readyline, connectingUs: connecting.readyline },
    bare: { ...costs.bare, connectingUs: connecting.bare },
  };
}

/** @returns processor time of the server for each. µs */
async function connect({ stack, url, pid, softphones }: Host, tokens: string[]): Promise<number> {
  const before = cpuMs(pid);
  await softphones.ask('connect', { stack, urls: [url], tokens, ready: true });
  return ((cpuMs(pid) - before) * 1000) / tokens.length;
}

async function costsOf(hosts: Record<Stack, Host>, seconds: number): Promise<Record<Stack, Costs>> {
  const both = [hosts.readyline, hosts.bare];
  for (const { inspector } of both) await collectGarbage(inspector);
  const begun = performance.now();
  const before = both.map(({ pid }) => cpuMs(pid));
  await delay(seconds * 1000);
  const after = both.map(({ pid }) => cpuMs(pid));
  const spentSeconds = (performance.now() - begun) / 1000;
  for (const { inspector } of both) await collectGarbage(inspector);
  const costs = both.map(({ pid }, index) => ({
    bytes: residentBytes(pid),
    cpuMsPerSecond: ((after[index] ?? 0) - (before[index] ?? 0)) / spentSeconds,
  }));
  const [readyline, bare] = costs;
  if (readyline === undefined || bare === undefined) throw new Error('both are measured');
  return { readyline, bare };
}

async function hostGateway(room: CaseRoom): Promise<Host> {
  const inspector = await freePort();
  const { gateways, url } = await room.gateways(1, { env: { NODE_OPTIONS: collectable(inspector) } });
  const [gateway] = gateways;
  if (gateway === undefined) throw new Error('no gateway was started');
  return { stack: 'readyline', pid: gateway.pid, inspector, url, softphones: room.worker('load/softphones.ts') };
}

async function hostBare(room: CaseRoom): Promise<Host> {
  const inspector = await freePort();
  const server = room.worker<BareSockets>('bare/sockets.ts', [collectable(inspector)]);
  const { url } = await server.ask('start', { jwtSecret: room.jwtSecret });
  return { stack: 'bare', pid: server.pid, inspector, url, softphones: room.worker('load/softphones.ts') };
}
