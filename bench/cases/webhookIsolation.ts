import { setTimeout as delay } from 'node:timers/promises';
import { failuresToPause } from '../../src/domain/endpointHealth.ts';
import { hangingPath } from '../load/receiverPaths.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { addWaiting, someDeliveries } from '../room/deliveries.ts';
import { openEventStream, type Travel } from '../room/eventStream.ts';
import { withCaseRoom, type CaseRoom } from '../room/room.ts';
import { openWebhookScene } from '../room/webhookStacks.ts';
import { isolationGoal } from './case.ts';

/** Milliseconds from an event to its first attempt, at the endpoints that answer. */
type Waits = { undisturbed: number[]; hanging: number[]; paused: number[] };

const lookEveryMs = 100;
/** Ten attempts, one after the other, that last 15 s each; and some more. */
const patienceMs = 300_000;

/** What endpoints that never answer, with much waiting for them, do to those that do. */
export async function webhookIsolation(room: CaseRoom, plan: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hung of plan.hung) {
    room.say(`  ${hung} of ${hung + plan.eventEndpoints} endpoints hang`);
    const waits = await withCaseRoom(room, (fresh) => watch(fresh, plan, hung));
    rows.push(...rowsOf(hung, plan.hungDeliveries, waits));
  }
  return rows;
}

async function watch(room: CaseRoom, plan: Plan, hung: number): Promise<Waits> {
  const scene = await openWebhookScene(room);
  const stream = await openEventStream(scene, plan);
  await stream.run(plan.warmUpSeconds);
  const undisturbed = await stream.run(plan.pausedSeconds);
  const hanging = await scene.endpoints({ count: hung, path: hangingPath });
  const companyIds = hanging.map(({ companyId }) => companyId);
  await room.pool.query('UPDATE webhook_endpoint SET consecutive_failures = $2 WHERE company_id = ANY($1)', [
    companyIds,
    plan.hungFailures,
  ]);
  await addWaiting(room, someDeliveries(hanging, plan.hungDeliveries));
  const begunAt = Date.now();
  const streaming = stream.run(Number.POSITIVE_INFINITY);
  const openedAt = await Promise.race([
    breakersOpen(room, companyIds),
    streaming.then(() => Promise.reject(new Error('it ended'))),
  ]);
  await delay(plan.pausedSeconds * 1000);
  await stream.stop();
  const travels = await streaming;
  // What waits for them must not meet the next gateway.
  await room.pool.query('DELETE FROM company WHERE id = ANY($1)', [companyIds]);
  room.say(`    all breakers open after ${((openedAt - begunAt) / 1000).toFixed(1)} s`);
  return {
    undisturbed: undisturbed.map(waitOf),
    hanging: travels.filter(({ writtenAt }) => writtenAt < openedAt).map(waitOf),
    paused: travels.filter(({ writtenAt }) => writtenAt >= openedAt).map(waitOf),
  };
}

function waitOf({ writtenAt, arrivedAt }: Travel): number {
  return arrivedAt - writtenAt;
}

/** Resolves when every one of them has failed often enough. @returns when. Unix time, ms */
async function breakersOpen({ pool }: CaseRoom, companyIds: readonly string[]): Promise<number> {
  for (const giveUpAt = Date.now() + patienceMs; Date.now() < giveUpAt; await delay(lookEveryMs)) {
    const { rows } = await pool.query<{ open: boolean }>(
      'SELECT bool_and(consecutive_failures >= $2) AS open FROM webhook_endpoint WHERE company_id = ANY($1)',
      [companyIds, failuresToPause],
    );
    if (rows[0]?.open === true) return Date.now();
  }
  throw new Error('the breakers did not open');
}

function rowsOf(hung: number, deliveries: number, { undisturbed, hanging, paused }: Waits): Row[] {
  const who = hung === 1 ? '1 endpoint' : `${hung} endpoints`;
  const waiting = deliveries.toLocaleString('en-US');
  const rows = (when: string, waits: number[]): Row[] => {
    const row = (figure: string, value: number, goal: Row['goal']): Row => ({
      what: `${when}: the others’ first attempt, ${figure}`,
      unit: 'ms',
      readyline: [value],
      bare: null,
      goal,
    });
    return [
      row('p50', percentile(waits, 50), null),
      row('p99', percentile(waits, 99), isolationGoal),
      row('longest', percentile(waits, 100), null),
    ];
  };
  return [
    ...rows(`before ${who} hang`, undisturbed),
    ...rows(`${who} with ${waiting} waiting hang`, hanging),
    ...rows(`${who} with ${waiting} waiting paused`, paused),
  ];
}
