import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../demo/cluster/gatewayProcess.ts';
import type { App } from '../../src/app.ts';
import { gate } from '../support/time/gate.ts';
import { Gateway } from '../support/gateway/gateway.ts';
import { spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { eventually } from '../support/time/waiting.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

/** Longer than a delivery is lent to a gateway, and than the first retries wait. */
const tenMinutes = 600_000;
const machine = { now: () => Date.now(), after: () => () => {} };

/** The deliveries' looks of both gateways are over several times in this time of the database's. */
const someLooksSeconds = 3;

describe("two gateways whose machines' clocks are 20 minutes apart", () => {
  let directory: string;
  let database: TestDatabase;
  let sql: pg.Client;
  let processes: GatewayProcess[];
  let behind: Gateway;
  let ahead: Gateway;
  let rooms = 0;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'readyline-skew-'));
    database = await createDatabase();
    sql = new pg.Client({ connectionString: database.url });
    await sql.connect();
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: await redisUrl(),
      JWT_SECRET: randomBytes(32).toString('base64'),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'loopback',
    };
    processes = await Promise.all(
      [-tenMinutes, tenMinutes].map((clockAheadMs) => spawnGateway(directory, { env, clockAheadMs })),
    );
    const open = async (running: GatewayProcess) => {
      const app: App = {
        demo: null,
        hasEarlierDemo: false,
        listen: () => Promise.reject(new Error('the gateway listens already')),
        close: async () => void (await running.kill('SIGTERM')),
      };
      return new Gateway(app, await running.url(), async () => {});
    };
    const [slow, fast] = processes;
    if (slow === undefined || fast === undefined) throw new Error('there are two gateways');
    [behind, ahead] = [await open(slow), await open(fast)];
  });
  afterAll(async () => {
    await Promise.all([behind.close(), ahead.close()]);
    await sql.end();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  /** A company whose softphone is connected to one of the gateways; both deliver its webhooks. */
  const roomAt = (gateway: Gateway) => WebhookRoom.open(gateway, machine, `skew-${(rooms += 1)}`);
  const later = async (statement: string, values: unknown[]) => (await sql.query(statement, values)).rows[0];
  const passLooks = async () => {
    const from = await later('SELECT clock_timestamp() AS at', []);
    await eventually(async () => {
      const row = await later('SELECT clock_timestamp() > $1::timestamptz + make_interval(secs => $2) AS over', [
        from.at,
        someLooksSeconds,
      ]);
      return row.over;
    });
  };

  it.each([
    ['behind', () => behind],
    ['ahead', () => ahead],
  ])('send a webhook once, though its receiver takes long, with the call at the one that is %s', async (_, gateway) => {
    const room = await roomAt(gateway());
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 204));
    const callId = await room.call();
    const [webhook] = await room.arrived(callId);
    await passLooks();
    answer.open();
    expect(await room.settled(deliveryIdOf(webhook), 1)).toMatchObject({ state: 'delivered', attempts: 1 });
    expect(room.received(callId)).toHaveLength(1);
    await room.close();
  });

  it.each([
    ['behind', () => behind],
    ['ahead', () => ahead],
  ])('try again when it is time, and not before, with the call at the one that is %s', async (_, gateway) => {
    const room = await roomAt(gateway());
    room.receiver.answerWith(() => 500);
    const callId = await room.call();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    await room.settled(id, 1);
    const dueIn = `SELECT extract(epoch FROM due_at - clock_timestamp())::float8 AS seconds
      FROM webhook_delivery WHERE id = $1`;
    const { seconds } = await later(dueIn, [id]);
    // The first retry comes after seconds, not after the minutes that lie between the machines.
    expect(Math.abs(seconds)).toBeLessThan(120);
    await sql.query(`UPDATE webhook_delivery SET due_at = clock_timestamp() + interval '1 minute' WHERE id = $1`, [id]);
    await passLooks();
    expect(room.received(callId)).toHaveLength(1);
    room.receiver.answerWith(() => 204);
    await sql.query('UPDATE webhook_delivery SET due_at = clock_timestamp() WHERE id = $1', [id]);
    expect(await room.settled(id, 2)).toMatchObject({ state: 'delivered', attempts: 2 });
    await room.close();
  });

  it("take each other's tokens, which last 8 hours at both", async () => {
    const password = 'a-password-of-the-tests';
    const company = await behind.company({ slug: 'skew-tokens' });
    const asAdmin = (token: string) => ({ authorization: `Bearer ${token}` });
    const login = { email: `admin@${company.slug}.example`, password };
    const tokens = [await behind.logIn(login), await ahead.logIn(login)];
    for (const token of tokens) {
      for (const gateway of [behind, ahead]) await gateway.api.get('/api/company').set(asAdmin(token)).expect(200);
    }
    const [early, late] = tokens.map(
      (token) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).exp,
    );
    expect(Math.abs(late - early)).toBeLessThan(60);
  });

  it('date calls in the order in which they were made', async () => {
    const [first, second] = [await roomAt(ahead), await roomAt(behind)];
    const calls: { room: WebhookRoom; id: string }[] = [];
    for (const room of [first, second, first, second]) calls.push({ room, id: await room.call() });
    const times: number[] = [];
    for (const { room, id } of calls) {
      const { created_at, ended_at } = (await room.get(`/api/calls/${id}`)).body;
      times.push(Date.parse(created_at), Date.parse(ended_at));
    }
    // Two clocks that follow one server agree to the measurement's doubt.
    const doubtMs = 50;
    for (const [at, time] of times.entries()) expect(time).toBeGreaterThanOrEqual((times[at - 1] ?? 0) - doubtMs);
    await Promise.all([first.close(), second.close()]);
  });
});
