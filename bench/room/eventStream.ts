import type { Dials, RecordedEvent } from '../load/dials.ts';
import { instantToUnix } from '../measure/instant.ts';
import type { Plan } from '../plan.ts';
import type { BenchEndpoint } from './endpoints.ts';
import { mustHaveArrivedOnce, type WebhookScene } from './webhookStacks.ts';

/** Companies whose agents dial by hand, which writes events that go to their endpoints. */
export interface EventStream {
  readonly endpoints: readonly BenchEndpoint[];
  readonly perSecond: number;
  /**
   * Dials for so long, or until `stop`, and waits until all has arrived. Throws unless every event arrived exactly
   * once and where it belongs.
   */
  run(seconds: number): Promise<Travel[]>;
  stop(): Promise<void>;
}

/** One event that arrived. Milliseconds of Unix time. */
export type Travel = {
  /** Just before the statement that writes it. */
  writtenAt: number;
  /** When the softphone heard that its change is recorded, events and all. The webhook may be faster. */
  recordedAt: number;
  arrivedAt: number;
};

/** Of each call. */
const events = 3;
const patienceMs = 60_000;

/** Companies, each with an endpoint and one agent. */
export async function openEventStream(
  scene: WebhookScene,
  { eventEndpoints, callsPerSecond }: Plan,
): Promise<EventStream> {
  const endpoints = await scene.endpoints({ count: eventEndpoints, path: '/hooks' });
  const dials = scene.room.worker<Dials>('load/dials.ts');
  await dials.ask('connect', { url: scene.gateway.url, tokens: endpoints.map(({ token }) => token) });
  return {
    endpoints,
    perSecond: callsPerSecond * events,
    async run(seconds) {
      await scene.receiver.ask('forget', null);
      return travelsOf(scene, endpoints, await dials.ask('dial', { callsPerSecond, seconds }));
    },
    stop: () => dials.ask('stop', null),
  };
}

async function travelsOf(
  { room, receiver }: WebhookScene,
  endpoints: readonly BenchEndpoint[],
  recorded: readonly RecordedEvent[],
): Promise<Travel[]> {
  await receiver.ask('arrived', { count: recorded.length, patienceMs });
  const arrivals = await receiver.ask('arrivals', null);
  const { rows } = await room.pool.query<{ id: string; companyId: string; event: string; writtenAt: Date }>(
    `SELECT id, company_id AS "companyId", call_id || '/' || sequence AS event, created_at AS "writtenAt"
    FROM webhook_delivery WHERE call_id = ANY($1)`,
    [[...new Set(recorded.map(({ callId }) => callId))]],
  );
  const pathOf = new Map(endpoints.map(({ companyId, path }) => [companyId as string, path]));
  mustHaveArrivedOnce(
    arrivals,
    rows.map(({ id, companyId }) => ({ id, path: pathOf.get(companyId) ?? '' })),
  );
  const toUnix = instantToUnix();
  const arrivedAt = new Map(arrivals.ids.map((id, index) => [id, (arrivals.at[index] ?? Number.NaN) + toUnix]));
  const recordedAt = new Map(recorded.map(({ callId, sequence, at }) => [`${callId}/${sequence}`, at + toUnix]));
  return rows.map(({ id, event, writtenAt }) => ({
    writtenAt: writtenAt.getTime(),
    recordedAt: recordedAt.get(event) ?? Number.NaN,
    arrivedAt: arrivedAt.get(id) ?? Number.NaN,
  }));
}
