import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../demo/cluster/topology.ts';
import { leasesKey } from '../../src/adapters/redis/keys.ts';
import { type Gateway, platformToken, reach } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { eventually } from '../support/time/waiting.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

/** The default of an integration. */
const maxInFlight = 4;
const calls = 24;
const systemClock = { now: () => Date.now(), after: () => () => {} };

describe('webhooks whose gateway is killed while another one runs', () => {
  let database: TestDatabase;
  let cluster: Cluster;
  let room: WebhookRoom;
  let survivor: Gateway;
  let callIds: string[];
  let inFlight: string[];
  let held: string[];
  /** How many webhooks had arrived when it was killed. */
  let sent: number;

  beforeAll(async () => {
    database = await createDatabase();
    const env = { PLATFORM_TOKEN: platformToken };
    const redis = await redisUrl();
    cluster = await startCluster({ gateways: 1, balancer: false, databaseUrl: database.url, redisUrl: redis, env });
    const [first] = cluster.gateways;
    if (first === undefined) throw new Error('the cluster has a gateway');
    const firstId = await onlyGatewayIn(redis);
    const second = await cluster.addGateway({ env });
    room = await WebhookRoom.open(reach(first), systemClock, 'killed-sender');
    // All of them fall due at once.
    await room.save({ webhook_enabled: false });
    callIds = [];
    for (let made = 0; made < calls; made += 1) callIds.push(await room.call());
    const answers: (() => void)[] = [];
    room.receiver.answerWith(() => new Promise((resolve) => answers.push(() => resolve(204))));
    await room.post('/api/integrations/webhook-deliveries/recover', {
      since: new Date(Date.now() - 600_000).toISOString(),
    });
    // An endpoint that answers promptly soon has more of its deliveries in the gateway's memory.
    await eventually(() => answers.length === maxInFlight);
    answers.shift()?.();
    await eventually(() => answers.length === maxInFlight);
    inFlight = room.receiver.received.slice(-maxInFlight).map(deliveryIdOf);
    await eventually(async () => (await waitingIn(database)).length === calls - 1);
    const waiting = await waitingIn(database);
    held = waiting.map(({ id }) => id);
    sent = room.receiver.received.length;
    room.receiver.answerWith(() => 204);
    const [doomed, other] = waiting[0]?.holder === firstId ? [first, second] : [second, first];
    survivor = reach(other);
    await doomed.kill('SIGKILL');
  });
  afterAll(async () => {
    await cluster.stop();
    await room.close();
    await database.drop();
  });

  it('are all sent by the other one as soon as it has noticed, not only when their leases end', async () => {
    expect(held.length).toBeGreaterThan(maxInFlight);
    const again = new Set((await room.receiver.waitFor(() => true, sent + held.length)).slice(sent).map(deliveryIdOf));
    expect(held.filter((id) => !again.has(id))).toEqual([]);
    await eventually(async () => (await list('delivered')).length === calls);
    expect(new Set(room.receiver.received.map(({ body }) => body.data['call_id']))).toEqual(new Set(callIds));
  });

  it('come twice, under one id, if they were in flight, and once if they only waited in its memory', () => {
    const counts = new Map<string, number>();
    for (const webhook of room.receiver.received)
      counts.set(deliveryIdOf(webhook), (counts.get(deliveryIdOf(webhook)) ?? 0) + 1);
    expect(
      [...counts]
        .filter(([, count]) => count === 2)
        .map(([id]) => id)
        .toSorted(),
    ).toEqual(inFlight.toSorted());
    expect([...counts].filter(([, count]) => count === 1)).toHaveLength(calls - maxInFlight);
  });

  it('are in the log with the one attempt whose end is known', async () => {
    for (const id of inFlight) {
      const { state, attempts, log } = (await ask(`/api/integrations/webhook-deliveries/${id}`)).body;
      expect([state, attempts, log.length, log[0].status_code]).toEqual(['delivered', 1, 1, 204]);
    }
  });

  async function ask(path: string) {
    return survivor.api
      .get(path)
      .set(await room.asAdmin())
      .expect(200);
  }
  async function list(state: string): Promise<unknown[]> {
    return (await ask(`/api/integrations/webhook-deliveries?state=${state}&limit=100`)).body.deliveries;
  }
});

/** The deliveries that wait, each with the gateway that serves its endpoint. */
async function waitingIn({ url }: TestDatabase): Promise<{ id: string; holder: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const waiting =
      "SELECT id, holder FROM webhook_delivery JOIN webhook_endpoint USING (company_id) WHERE state = 'pending'";
    return (await client.query<{ id: string; holder: string }>(waiting)).rows;
  } finally {
    await client.end();
  }
}

async function onlyGatewayIn(url: string): Promise<string | undefined> {
  const redis = new Redis(url);
  try {
    return (await redis.zrange(leasesKey, '0', '-1'))[0];
  } finally {
    redis.disconnect();
  }
}
