import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { dnsOf } from '../adapters/hostileUrls.ts';
import { gate } from '../support/gate.ts';
import { startGateway, type Gateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manualClock.ts';
import { startNeverAccepting } from '../support/neverAccepting.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { eventually } from '../support/time.ts';
import { WebhookRoom } from '../support/webhookRoom.ts';

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
      lookup: dnsOf({ 'inside.example': ['10.0.0.1'] }),
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
    return (await pool.query(`SELECT ${columns} FROM webhook_endpoint WHERE company_id = $1`, [room.company.id])).rows[0];
  };
  const well = { consecutive_failures: 0, failing_since: null, paused_until: null, disabled_reason: null };

  /** By any endpoint, whether they are written down yet or not. */
  const attemptsMade = async () => {
    const { text } = await gateway.api.get('/metrics');
    return Number(/webhook_attempt_duration_seconds_count\{outcome="dead"\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  it('does not tell apart what is closed, dropped, refused or unknown: not by the answer, not by the time it takes', async () => {
    const dropped = await startNeverAccepting();
    const urls = [
      `http://127.0.0.1:${await freePort()}/hook`,
      `http://127.0.0.1:${dropped.port}/hook`,
      'http://10.0.0.1/hook',
      'https://inside.example/hook',
      'https://nobody.example/hook',
    ];
    const answers: unknown[] = [];
    const tests: Promise<unknown>[] = [];
    for (const [at, url] of urls.entries()) {
      const company = await gateway.company({ slug: `unreachable-${at}`, webhookUrl: room.receiver.url });
      await set(company.id, 'url = $2', [url]);
      const test = gateway.api.post(path).set('authorization', `Bearer ${company.adminToken}`);
      tests.push(test.then(({ body }) => answers.push(body)));
    }
    await eventually(async () => (await attemptsMade()) === urls.length);
    await clock.advance(5_499);
    // By the time that another answer has come, theirs would have.
    await room.list();
    expect(answers).toEqual([]);
    await clock.advance(1);
    await Promise.all(tests);
    expect(answers).toEqual(urls.map(() => ({ outcome: 'fail', detail: 'The endpoint could not be reached.' })));
    const { rows } = await pool.query('SELECT error, latency_ms FROM webhook_attempt');
    expect(rows).toEqual(urls.map(() => ({ error: 'The endpoint could not be reached.', latency_ms: 5_500 })));
    await dropped.close();
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
    expect((await room.list()).deliveries).toMatchObject([{ event: 'integration_test', state: 'delivered', attempts: 1 }]);
  });
});
