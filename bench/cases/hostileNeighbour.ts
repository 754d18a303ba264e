import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Attack, Hostile } from '../load/hostile.ts';
import type { ClickTimes } from '../load/softphones.ts';
import { interleave } from '../measure/interleave.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { startGateways, type ClickStack } from '../room/clickStacks.ts';
import { prepareAttacks } from '../room/hostileCompany.ts';
import type { CaseRoom } from '../room/room.ts';
import type { Worker } from '../worker.ts';
import { type BenchCase, neighbourGoal } from './case.ts';

/**
 * What a company's clicks cost while another one attacks the gateway that has its softphones and is asked,
 * beside the same without an attack. Each click has to be answered 201.
 */
export const hostileNeighbourCase: BenchCase = {
  name: 'hostileNeighbour',
  async run(room, plan) {
    const hostile = room.worker<Hostile>('load/hostile.ts');
    const crm = await hostile.ask('playCrm', null);
    const stack = await startGateways(room, plan, 2, {
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback',
      CRM_BASE_URLS: JSON.stringify({ custom: crm }),
    });
    const [url = ''] = stack.urls;
    const attacks = await prepareAttacks(room, url, plan);
    await undisturbed(stack, plan);
    const contenders = Object.fromEntries(
      attacks.map((attack) => [attack.name, () => attacked(room, stack, plan, { hostile, attack, url })]),
    );
    const { none = [], ...times } = await interleave<string, ClickTimes>(plan.repetitions, {
      none: async () => {
        await untilCalm(room.pool);
        return undisturbed(stack, plan);
      },
      [computing]: async () =>
        (await Promise.all([undisturbed(stack, plan), hostile.ask('compute', { seconds: plan.hostileSeconds })]))[0],
      ...contenders,
    });
    return Object.entries(times).map(([name, during]) => rowOf(name, during, none));
  },
};

/** No attack: what a busy core costs by itself. */
const computing = 'no attack, and another process that computes';

function undisturbed(
  { softphones, clickerAt }: ClickStack,
  { hostileClicksPerSecond: perSecond, hostileSeconds: seconds }: Plan,
): Promise<ClickTimes> {
  return softphones.ask('clickSteadily', { ...clickerAt(0), perSecond, seconds });
}

async function attacked(
  { say, pool }: CaseRoom,
  stack: ClickStack,
  plan: Plan,
  { hostile, attack, url }: { hostile: Worker<Hostile>; attack: Attack; url: string },
): Promise<ClickTimes> {
  await untilCalm(pool);
  const [times, answers] = await Promise.all([
    undisturbed(stack, plan),
    hostile.ask('attack', { ...attack, url, seconds: plan.hostileSeconds }),
  ]);
  const told = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
  say(`  ${attack.name}: answered ${told.join(', ')}; clicks p99 ${percentile(times.toAnswer, 99).toFixed(0)} ms`);
  return times;
}

/** What an attack leaves behind, such as an import that goes on, is not held against what is measured next. */
async function untilCalm(pool: Pool): Promise<void> {
  for (let calmMs = 0; calmMs < 500; calmMs += 50) {
    await delay(50);
    const { rows } = await pool.query(
      `SELECT FROM pg_stat_activity
      WHERE state = 'active' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    );
    if (rows.length > 0) calmMs = 0;
  }
}

/** The second slowest of a hundred clicks. */
function rowOf(name: string, during: ClickTimes[], none: ClickTimes[]): Row {
  const of = (all: ClickTimes[]) => all.map(({ toAnswer }) => percentile(toAnswer, 99));
  return {
    what: name,
    unit: 'ms',
    readyline: of(during),
    bare: of(none),
    goal: name === computing ? null : neighbourGoal,
  };
}
