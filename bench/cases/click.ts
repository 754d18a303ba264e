import type { HttpLoader } from '../load/http.ts';
import type { ClickTimes } from '../load/softphones.ts';
import { costRows, costsOf, type Costs } from '../measure/costs.ts';
import { interleave } from '../measure/interleave.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { startBareServers, startGateways, type ClickStack } from '../room/clickStacks.ts';
import type { CaseRoom } from '../room/room.ts';
import type { Worker } from '../worker.ts';
import { callCostGoals, clickGoals, type BenchCase } from './case.ts';

/** What else the stack does while clicks are timed under load. */
const load = { clicksPerSecond: 40, lookupsPerSecond: 400, connections: 8 };
const call = 'call from click to wrap-up';
const places = { same: 0, cross: 1 } as const;

/** From the click to the pop and to the 201: on the gateway that has the softphone, and through another one. */
export const clickCase: BenchCase = {
  name: 'click',
  async run(room, plan) {
    const [ours, bare] = [await startGateways(room, plan, 2), await startBareServers(room, plan, 2)];
    const lookups = room.worker<HttpLoader>('load/http.ts');
    for (const stack of [ours, bare, ours, bare]) {
      for (const place of Object.values(places)) await clickWhileIdle(room, stack, place, plan);
    }
    const idle = await interleave(plan.repetitions, {
      same: () => clickWhileIdle(room, ours, places.same, plan),
      bareSame: () => clickWhileIdle(room, bare, places.same, plan),
      cross: () => clickWhileIdle(room, ours, places.cross, plan),
      bareCross: () => clickWhileIdle(room, bare, places.cross, plan),
    });
    const loaded = await interleave(plan.repetitions, {
      same: () => clickUnderLoad(ours, places.same, plan, lookups),
      bareSame: () => clickUnderLoad(bare, places.same, plan, lookups),
      cross: () => clickUnderLoad(ours, places.cross, plan, lookups),
      bareCross: () => clickUnderLoad(bare, places.cross, plan, lookups),
    });
    return [
      ...rowsOf('idle, same gateway', idle.same, idle.bareSame, clickGoals.same),
      ...rowsOf('idle, other gateway', idle.cross, idle.bareCross, clickGoals.other),
      ...rowsOf('under load, same gateway', loaded.same, loaded.bareSame, clickGoals.loaded),
      ...rowsOf('under load, other gateway', loaded.cross, loaded.bareCross, clickGoals.loaded),
      ...costRows(`${call}, same gateway`, costsIn(idle.same), costsIn(idle.bareSame), callCostGoals.same),
      ...costRows(`${call}, other gateway`, costsIn(idle.cross), costsIn(idle.bareCross), callCostGoals.other),
    ];
  },
};

type IdleClicks = ClickTimes & { costs: Costs };

async function clickWhileIdle(room: CaseRoom, stack: ClickStack, server: number, plan: Plan): Promise<IdleClicks> {
  const { postgresPid, redisPid } = room;
  const { result, costs } = await costsOf({ servers: stack.pids, postgresPid, redisPid }, async () => ({
    result: await stack.softphones.ask('clickInTurn', { ...stack.clickerAt(server), count: plan.idleClicks }),
    requests: plan.idleClicks,
  }));
  return { ...result, costs };
}

async function clickUnderLoad(
  stack: ClickStack,
  server: number,
  plan: Plan,
  lookups: Worker<HttpLoader>,
): Promise<ClickTimes> {
  const { company, lookupPath } = stack;
  const { clicksPerSecond: perSecond, lookupsPerSecond: rate, connections } = load;
  const requests = company.phones.map((phone) => ({
    method: 'GET' as const,
    path: `${lookupPath}?phone=${encodeURIComponent(phone)}`,
  }));
  const headers = { 'x-service-api-key': company.apiKey };
  const url = stack.urls[server] ?? '';
  const [times] = await Promise.all([
    stack.softphones.ask('clickSteadily', { ...stack.clickerAt(server), perSecond, seconds: plan.clickSeconds }),
    lookups.ask('load', { url, headers, requests, connections, seconds: plan.clickSeconds, rate }),
  ]);
  return times;
}

const costsIn = (clicks: IdleClicks[]) => clicks.map(({ costs }) => costs);

function rowsOf(where: string, ours: ClickTimes[], bare: ClickTimes[], goal: Row['goal']): Row[] {
  const row = (what: string, percent: number, of: (times: ClickTimes) => number[]): Row => ({
    what: `${where}: ${what}, p${percent}`,
    unit: 'ms',
    readyline: ours.map((times) => percentile(of(times), percent)),
    bare: bare.map((times) => percentile(of(times), percent)),
    goal,
  });
  return [
    row('to the pop', 50, ({ toPop }) => toPop),
    row('to the pop', 99, ({ toPop }) => toPop),
    row('to the 201', 50, ({ toAnswer }) => toAnswer),
    row('to the 201', 99, ({ toAnswer }) => toAnswer),
  ];
}
