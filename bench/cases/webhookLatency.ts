import { interleave } from '../measure/interleave.ts';
import { percentile } from '../measure/statistics.ts';
import type { Plan } from '../plan.ts';
import type { Row } from '../report/rows.ts';
import { someDeliveries } from '../room/deliveries.ts';
import { openEventStream, type EventStream, type Travel } from '../room/eventStream.ts';
import { mustHaveArrivedOnce, type WebhookScene } from '../room/webhookStacks.ts';

/**
 * Milliseconds, one per event. `afterAnswer`: negative where the webhook was faster than the answer to the softphone.
 */
type Latencies = { toArrival: number[]; afterAnswer: number[] };

/** How soon an event arrives while agents work at a modest rate, beside bare POSTs at the same rate. */
export async function webhookLatency(scene: WebhookScene, plan: Plan): Promise<Row[]> {
  const stream = await openEventStream(scene, plan);
  scene.room.say(`  ${stream.perSecond} events a second`);
  await stream.run(plan.warmUpSeconds);
  await postSteadily(scene, stream, plan.warmUpSeconds);
  const { readyline, bare } = await interleave(plan.repetitions, {
    readyline: async () => latenciesOf(await stream.run(plan.eventSeconds)),
    bare: async () => ({ toArrival: await postSteadily(scene, stream, plan.eventSeconds), afterAnswer: [] }),
  });
  return rowsOf(readyline, bare);
}

/** @returns from each POST's begin to its arrival. Milliseconds */
async function postSteadily(
  { bare, receiver }: WebhookScene,
  { endpoints, perSecond }: EventStream,
  seconds: number,
): Promise<number[]> {
  const messages = someDeliveries(endpoints, perSecond * seconds);
  await bare.ask('take', messages);
  await receiver.ask('forget', null);
  const sentAt = await bare.ask('sendSteadily', { perSecond });
  const arrivals = await receiver.ask('arrivals', null);
  mustHaveArrivedOnce(arrivals, messages);
  return arrivals.ids.map((id, index) => (arrivals.at[index] ?? Number.NaN) - (sentAt.get(id) ?? Number.NaN));
}

function latenciesOf(travels: readonly Travel[]): Latencies {
  return {
    toArrival: travels.map(({ writtenAt, arrivedAt }) => arrivedAt - writtenAt),
    afterAnswer: travels.map(({ recordedAt, arrivedAt }) => arrivedAt - recordedAt),
  };
}

function rowsOf(ours: Latencies[], bare: Latencies[]): Row[] {
  const unit = 'ms';
  const row = (percent: number): Row => ({
    what: `from an event written to its arrival, p${percent}; from a POST begun`,
    unit,
    readyline: ours.map(({ toArrival }) => percentile(toArrival, percent)),
    bare: bare.map(({ toArrival }) => percentile(toArrival, percent)),
    goal: null,
  });
  const afterAnswer = (percent: number): Row => ({
    what: `from the softphone’s knowing of the commit to the arrival, p${percent}`,
    unit,
    readyline: ours.map((latencies) => percentile(latencies.afterAnswer, percent)),
    bare: null,
    goal: null,
  });
  return [row(50), row(99), afterAnswer(50), afterAnswer(99)];
}
