import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { webhookLimits } from '../../src/usecases/integrations/endpointRequest.ts';
import { type Gateway, startGateway } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { gate } from '../support/time/gate.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { dnsOf } from '../support/webhooks/hostileUrls.ts';
import { startNeverAccepting } from '../support/webhooks/neverAccepting.ts';
import { WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const path = '/api/integrations/test-webhook';

describe('a test of the webhook', () => {
  let clock: ManualClock;
  let database: TestDatabase;
  let pool: pg.Pool;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms: WebhookRoom[] = [];

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    database = await createDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    gateway = await startGateway('memory', {
      clock,
      resolveHost: dnsOf({ 'inside.example': ['10.0.0.1'] }),
      config: { databaseUrl: database.url },
    });
  });
  beforeEach(async () => {
    room = await WebhookRoom.open(gateway, clock, `tests-${rooms.length}`);
    rooms.push(room);
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(rooms.map((one) => one.close()));
    await pool.end();
    await database.drop();
  });

  /** Changes columns of an endpoint. */
  const set = (companyId: string, columns: string, values: unknown[] = []) =>
    pool.query(`UPDATE webhook_endpoint SET ${columns} WHERE company_id = $1`, [companyId, ...values]);
  const health = async () => {
    const columns = 'consecutive_failures, failing_since, paused_until, disabled_reason';
    return (await pool.query(`SELECT ${columns} FROM webhook_endpoint WHERE company_id = $1`, [room.company.id]))
      .rows[0];
  };
  const well = { consecutive_failures: 0, failing_since: null, paused_until: null, disabled_reason: null };

  it('tells exactly why nothing arrived, in its answer and in the log alike', async () => {
    const dropped = await startNeverAccepting();
    const closed = await freePort();
    const reasons: [string, string | RegExp, object][] = [
      [
        `http://127.0.0.1:${closed}/hook`,
        `127.0.0.1 port ${closed} refused the connection: nothing listens there.`,
        { code: 'connect_refused', params: { host: '127.0.0.1', port: closed } },
      ],
      [
        `http://127.0.0.1:${dropped.port}/hook`,
        /^127\.0\.0\.1 port \d+ did not accept a connection within 5 s: the host is down, or a firewall/,
        { code: 'connect_timeout', params: { host: '127.0.0.1', port: dropped.port, seconds: 5 } },
      ],
      [
        'http://10.0.0.1/hook',
        'The webhook URL names a host that is a private address, and webhooks go to public ones only.',
        { code: 'host_not_public', params: { host: '10.0.0.1' } },
      ],
      [
        'https://inside.example/hook',
        'The host name inside.example resolves to a private address, and webhooks go to public ones only.',
        { code: 'host_not_public', params: { host: 'inside.example' } },
      ],
      [
        'https://nobody.example/hook',
        'The host name nobody.example could not be resolved.',
        { code: 'dns_failed', params: { host: 'nobody.example' } },
      ],
    ];
    await Promise.all(
      reasons.map(async ([url, reason, cause], at) => {
        const company = await gateway.company({ slug: `unreachable-${at}`, webhookUrl: room.receiver.url });
        await set(company.id, 'url = $2', [url]);
        const { body } = await gateway.as(company).post(path);
        expect(body).toEqual({
          outcome: 'fail',
          latency_ms: expect.any(Number),
          detail: typeof reason === 'string' ? reason : expect.stringMatching(reason),
          cause,
        });
        const logged = `SELECT a.error, a.latency_ms FROM webhook_attempt a
          JOIN webhook_delivery d ON d.id = a.delivery_id WHERE d.company_id = $1`;
        expect((await pool.query(logged, [company.id])).rows).toEqual([
          { error: body.detail, latency_ms: body.latency_ms },
        ]);
      }),
    );
    await dropped.close();
  });

  it('is made at most 20 times in ten minutes, and so often may the URL change: a company cannot map a network by it', async () => {
    const { tests, urlChanges } = webhookLimits;
    const statuses: number[] = [];
    for (let made = 0; made < tests.limit; made++) statuses.push((await room.post(path)).status);
    expect(statuses).toEqual(Array<number>(tests.limit).fill(200));
    const received = room.receiver.received.length;
    const refused = await room.post(path);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(tests.windowSeconds);
    expect(room.receiver.received).toHaveLength(received);

    const asAdmin = await room.asAdmin();
    const save = (webhook_url: string) => gateway.api.put('/api/integrations').set(asAdmin).send({ webhook_url });
    const { url } = room.receiver;
    expect((await save(url)).status).toBe(200);
    // The first was set when the company was made.
    for (let changed = 1; changed < urlChanges.limit; changed++)
      expect((await save(`${url}/${changed}`)).status).toBe(200);
    for (const answer of [
      await save(`${url}/one-more`),
      await gateway.api.post('/api/integrations/connect').set(asAdmin).send({ webhook_url: url }),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
    }
    const last = `${url}/${urlChanges.limit - 1}`;
    expect((await save(last)).body.integration.webhook_url).toBe(last);

    const other = await gateway.company({ slug: 'another-of-the-tests', webhookUrl: url });
    expect((await gateway.as(other).post(path)).body.outcome).toBe('success');
  });

  it('that succeeds makes the endpoint well, and what waited for the breaker goes out', async () => {
    const until = new Date(clock.now() + 600_000);
    await set(room.company.id, 'consecutive_failures = 12, failing_since = $2, paused_until = $2', [until]);
    const callId = await room.call();
    expect((await room.post(path)).body.outcome).toBe('success');
    await room.arrived(callId);
    expect(await health()).toEqual(well);
  });

  it.each([500, 410])('that is answered with %d counts for nothing', async (status) => {
    const since = new Date(clock.now());
    await set(room.company.id, 'consecutive_failures = 9, failing_since = $2', [since]);
    room.receiver.answerWith(() => status);
    expect((await room.post(path)).body).toMatchObject({ outcome: 'fail', status_code: status });
    expect(await health()).toEqual({ ...well, consecutive_failures: 9, failing_since: since });
  });

  it('reaches an endpoint that is disabled, and leaves it so', async () => {
    const disabled = { consecutive_failures: 40, disabled_reason: 'failing' };
    await set(room.company.id, 'consecutive_failures = 40, disabled_at = now(), disabled_reason = $2', ['failing']);
    expect((await room.post(path)).body).toMatchObject({ outcome: 'success', status_code: 204 });
    expect(await health()).toEqual({ ...well, ...disabled });
  });

  it('runs alone, and is not sent again', async () => {
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 204));
    const test = room.post(path).then(({ body }) => body);
    await answer.reached();
    const second = await room.post(path);
    expect([second.status, second.body.code]).toEqual([409, 'conflict']);
    answer.open();
    expect(await test).toMatchObject({ outcome: 'success' });
    const [delivery] = (await room.list()).deliveries;
    const again = await room.post(`/api/integrations/webhook-deliveries/${delivery?.id}/redeliver`);
    expect([again.status, again.body.code]).toEqual([409, 'conflict']);
    expect(room.receiver.received).toHaveLength(1);
  });

  it('is made once, however long the answer takes', async () => {
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 204));
    const test = room.post(path).then(({ body }) => body);
    await answer.reached();
    await clock.advance(14_000);
    await room.list();
    answer.open();
    expect(await test).toMatchObject({ outcome: 'success' });
    expect(room.receiver.received).toHaveLength(1);
    expect((await room.list()).deliveries).toMatchObject([
      { event: 'integration_test', state: 'delivered', attempts: 1 },
    ]);
  });
});
