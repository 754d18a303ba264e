import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { bareDeliveryTable } from '../bare/tables.ts';
import { thinkingMs, thinkingPath } from '../load/receiverPaths.ts';
import { costsOf, type Costs } from '../measure/costs.ts';
import { interleave } from '../measure/interleave.ts';
import { cpuMs } from '../measure/processCosts.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { addWaiting, allSettled, mustBeDelivered, someDeliveries, type BenchDelivery } from '../room/deliveries.ts';
import type { BenchEndpoint } from '../room/endpoints.ts';
import { mustHaveArrivedOnce, type WebhookScene } from '../room/webhookStacks.ts';
import { webhookGoals } from './case.ts';

/** `receiverUs`: processor time of the receiver per delivery. */
type Sent = { perSecond: number; costs: Costs; receiverUs: number };
type Load = { what: string; endpoints: BenchEndpoint[]; atATime: number };

/** A process sends no more at a time. */
const mostAtATime = 256;
const patienceMs = 120_000;

/**
 * Many deliveries that fall due at one moment, beside loops that POST the same ones with as many requests at a time:
 * one that keeps nothing, and one that writes them before and marks them behind.
 */
export async function webhookThroughput(scene: WebhookScene, plan: Plan): Promise<Row[]> {
  const rows: Row[] = [];
  await scene.room.pool.query(bareDeliveryTable);
  for (const { endpoints: count, maxInFlight, thinks = false } of plan.webhookLoads) {
    const who = count === 1 ? '1 endpoint' : `${count.toLocaleString('en-US')} endpoints`;
    const what = `${who}, ${maxInFlight} at a time each${thinks ? `, which take ${thinkingMs} ms` : ''}`;
    scene.room.say(`  ${what}`);
    const endpoints = await scene.endpoints({ count, path: thinks ? thinkingPath : '/hooks', maxInFlight });
    const load = { what, endpoints, atATime: Math.min(count * maxInFlight, mostAtATime) };
    for (const warmUp of [sendOurs, sendBarely, sendKept]) await warmUp(scene, load, plan.deliveries);
    const { readyline, bare, kept } = await interleave(plan.repetitions, {
      readyline: () => sendOurs(scene, load, plan.deliveries),
      bare: () => sendBarely(scene, load, plan.deliveries),
      kept: () => sendKept(scene, load, plan.deliveries),
    });
    rows.push(...rowsOf(load, readyline, bare, kept));
  }
  return rows;
}

async function sendOurs(scene: WebhookScene, { endpoints }: Load, count: number): Promise<Sent> {
  const { room, receiver } = scene;
  const deliveries = someDeliveries(endpoints, count);
  // As autovacuum does; it must not come in the middle of one measurement and not of the next.
  await room.pool.query('VACUUM (ANALYZE) webhook_delivery, webhook_attempt, webhook_endpoint');
  await receiver.ask('forget', null);
  await addWaiting(room, deliveries);
  const sent = await measure(scene, [scene.gateway.pid], deliveries, async () => {
    await receiver.ask('arrived', { count, patienceMs });
    await allSettled(
      room,
      endpoints.map(({ companyId }) => companyId),
      patienceMs,
    );
  });
  await mustBeDelivered(
    room,
    deliveries.map(({ id }) => id),
  );
  await mustBeSigned(scene, endpoints);
  return sent;
}

async function sendBarely(scene: WebhookScene, load: Load, count: number): Promise<Sent> {
  return sendFrom(scene, load, count, (atATime) => scene.bare.ask('sendAll', { atATime }));
}

async function sendKept(scene: WebhookScene, load: Load, count: number): Promise<Sent> {
  const { databaseUrl } = scene.room;
  return sendFrom(scene, load, count, (atATime) => scene.bare.ask('sendKept', { atATime, databaseUrl }));
}

async function sendFrom(
  scene: WebhookScene,
  { endpoints, atATime }: Load,
  count: number,
  send: (atATime: number) => Promise<void>,
): Promise<Sent> {
  const { bare, receiver } = scene;
  const deliveries = someDeliveries(endpoints, count);
  await bare.ask('take', deliveries);
  await receiver.ask('forget', null);
  return measure(scene, [bare.pid], deliveries, () => send(atATime));
}

/** From the first to the last arrival; processor time until all is done. */
async function measure(
  { room, receiver }: WebhookScene,
  servers: number[],
  deliveries: readonly BenchDelivery[],
  send: () => Promise<void>,
): Promise<Sent> {
  const { postgresPid, redisPid } = room;
  const requests = deliveries.length;
  const receiverBefore = cpuMs(receiver.pid);
  const { costs } = await costsOf({ servers, postgresPid, redisPid }, async () => ({ result: await send(), requests }));
  const receiverUs = ((cpuMs(receiver.pid) - receiverBefore) * 1000) / requests;
  const arrivals = await receiver.ask('arrivals', null);
  mustHaveArrivedOnce(arrivals, deliveries);
  const inOrder = arrivals.at.toSorted();
  const tookMs = (inOrder.at(-1) ?? Number.NaN) - (inOrder[0] ?? Number.NaN);
  return { perSecond: ((requests - 1) * 1000) / tookMs, costs, receiverUs };
}

/** Throws unless the latest one verifies in both forms. */
async function mustBeSigned({ receiver }: WebhookScene, endpoints: readonly BenchEndpoint[]): Promise<void> {
  const { path, headers, body } = await receiver.ask('latest', null);
  const secret = endpoints.find((endpoint) => endpoint.path === path)?.secret ?? '';
  new Webhook(secret).verify(body, headers);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (headers['x-service-signature'] !== signature) throw new Error('a delivery bears a wrong signature');
}

function rowsOf({ what }: Load, ours: Sent[], bare: Sent[], kept: Sent[]): Row[] {
  const row = (figure: string, unit: string, goal: Row['goal'], of: (sent: Sent) => number, beside = bare): Row => ({
    what: `${what}: ${figure}`,
    unit,
    readyline: ours.map(of),
    bare: beside.map(of),
    goal,
  });
  const postgres = row('processor time per delivery, PostgreSQL', 'µs', null, ({ costs }) => costs.postgresUs, kept);
  const perSecond = (sent: Sent) => sent.perSecond;
  return [
    row('deliveries; a loop that keeps nothing', '/s', webhookGoals.unkept, perSecond),
    row('deliveries; a loop that writes and marks 500 at a time', '/s', webhookGoals.kept, perSecond, kept),
    row('processor time per delivery, sender', 'µs', null, ({ costs }) => costs.serverUs),
    postgres,
    row('processor time per delivery, receiver', 'µs', null, ({ receiverUs }) => receiverUs),
  ];
}
