import { setTimeout as delay } from 'node:timers/promises';
import { interleave } from '../measure/interleave.ts';
import { cpuMs } from '../measure/processCosts.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { startBareServers, startGateways, type ClickStack } from '../room/clickStacks.ts';
import { withCaseRoom } from '../room/room.ts';
import { clickGoals, type BenchCase } from './case.ts';

const clicksPerSecond = 40;
/** The first server has the softphones, the second one gets the clicks; the others are not concerned. */
const concerned = 2;
const clickedAt = 1;

/** `unconcernedUs`: processor time per click on a server that it does not concern; null where there is none. */
type Measured = { p50: number; p99: number; unconcernedUs: number | null };

/** What the number of gateways does to a click that crosses from one to another, and what it costs the rest. */
export const nodesCase: BenchCase = {
  name: 'nodes',
  async run(room, plan) {
    const rows: Row[] = [];
    for (const count of plan.gateways) {
      room.say(`  ${count} gateways`);
      const measured = await withCaseRoom(room, async (fresh) => {
        const [ours, bare] = [await startGateways(fresh, plan, count), await startBareServers(fresh, plan, count)];
        for (const stack of [ours, bare]) await clickSteadily(stack, plan.warmUpSeconds);
        return interleave(plan.repetitions, { readyline: () => measure(ours, plan), bare: () => measure(bare, plan) });
      });
      rows.push(...rowsOf(count, measured.readyline, measured.bare));
    }
    return rows;
  },
};

async function measure(stack: ClickStack, plan: Plan): Promise<Measured> {
  const others = stack.pids.slice(concerned);
  const idleMs = await spentBy(others, () => delay(plan.seconds * 1000));
  let toAnswer: number[] = [];
  const busyMs = await spentBy(others, async () => {
    toAnswer = await clickSteadily(stack, plan.seconds);
  });
  // Beyond what these servers use while nobody clicks, for as long.
  const extraUs = (busyMs.spent - (idleMs.spent / idleMs.lasted) * busyMs.lasted) * 1000;
  return {
    p50: percentile(toAnswer, 50),
    p99: percentile(toAnswer, 99),
    unconcernedUs: others.length === 0 ? null : extraUs / others.length / toAnswer.length,
  };
}

async function clickSteadily({ softphones, clickerAt }: ClickStack, seconds: number): Promise<number[]> {
  const { toAnswer } = await softphones.ask('clickSteadily', {
    ...clickerAt(clickedAt),
    perSecond: clicksPerSecond,
    seconds,
  });
  return toAnswer;
}

/** Milliseconds: processor time of all of them together, and how long it went on. */
async function spentBy(pids: number[], action: () => Promise<void>): Promise<{ spent: number; lasted: number }> {
  const total = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0);
  const [begun, before] = [performance.now(), total()];
  await action();
  return { spent: total() - before, lasted: performance.now() - begun };
}

function rowsOf(count: number, ours: Measured[], bare: Measured[]): Row[] {
  const row = (what: string, unit: string, goal: Row['goal'], of: (measured: Measured) => number): Row => ({
    what: `${count} gateways: ${what}`,
    unit,
    readyline: ours.map(of),
    bare: bare.map(of),
    goal,
  });
  const latencies = [
    row('click to the 201, p50', 'ms', clickGoals.loaded, ({ p50 }) => p50),
    row('click to the 201, p99', 'ms', clickGoals.loaded, ({ p99 }) => p99),
  ];
  if (count <= concerned) return latencies;
  return [
    ...latencies,
    row(
      'processor time per click on a gateway that it does not concern',
      'µs',
      null,
      ({ unconcernedUs }) => unconcernedUs ?? 0,
    ),
  ];
}
