import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Counters } from '../../src/ports/counters.ts';
import { type Gateway, startGateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { dnsOf, hostileNames, hostileUrls } from '../support/webhooks/hostileUrls.ts';
import { listenEverywhere } from '../support/webhooks/listeners.ts';

const deliveries = '/api/integrations/webhook-deliveries';

describe('a gateway that faces the internet', () => {
  let clock: ManualClock;
  let database: TestDatabase;
  let pool: pg.Pool;
  let gateway: Gateway;
  let company: TestCompany;
  /** What `rebinding.example` leads to from now on, one answer after the other. */
  const answers: string[][] = [];

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    database = await createDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
    gateway = await startGateway('memory', {
      clock,
      resolveHost: (name) =>
        name === 'rebinding.example' ? dnsOf({ [name]: answers.shift() ?? [] })(name) : hostileNames(name),
      config: { webhookNetworks: 'public', databaseUrl: database.url },
      wrap: (services) => ({ ...services, counters: uncounted }),
    });
    company = await gateway.company({ slug: 'hostile', webhookUrl: 'https://crm.example/hook' });
  });
  afterAll(async () => {
    await gateway.close();
    await pool.end();
    await database.drop();
  });

  const save = (webhook_url: string) => gateway.as(company).put('/api/integrations').send({ webhook_url });
  const read = async (path: string) => (await gateway.as(company).get(path).expect(200)).body;

  /** As a URL comes in that was saved under another policy, or before its host was known for what it is. */
  const smuggleIn = async (url: string) => {
    await pool.query('DELETE FROM webhook_delivery');
    await pool.query(
      `UPDATE webhook_endpoint
       SET url = $1, consecutive_failures = 0, failing_since = NULL, paused_until = NULL, disabled_at = NULL`,
      [url],
    );
  };

  const test = async (): Promise<{ outcome: string; detail?: string }> =>
    (await gateway.as(company).post('/api/integrations/test-webhook').expect(200)).body;

  /**
   * Has the delivery of the latest test made again by the dispatcher, as a call's;
   * resolves with what the log says of that.
   */
  const deliver = async (): Promise<{ status_code: number | null; error: string | null }> => {
    const [delivery] = (await read(deliveries)).deliveries;
    await pool.query(`UPDATE webhook_delivery SET event = 'call_started' WHERE id = $1`, [delivery.id]);
    await gateway.as(company).post(`${deliveries}/${delivery.id}/redeliver`).expect(200);
    let detail = await read(`${deliveries}/${delivery.id}`);
    await eventually(async () => {
      detail = await read(`${deliveries}/${delivery.id}`);
      return detail.attempts === 1 && detail.state === 'pending';
    });
    return detail.log.at(-1);
  };

  it('refuses each hostile URL when it is saved, and connects to none', async () => {
    const { port, connections } = await listenEverywhere();
    for (const url of hostileUrls(port)) {
      const { status, body } = await save(url);
      expect([status, body.code, body.errors?.[0]?.path], url).toEqual([400, 'invalid_request', 'webhook_url']);
    }
    expect((await read('/api/integrations')).integration.webhook_url).toBe('https://crm.example/hook');
    expect(connections()).toBe(0);
  });

  it('connects to none when it is tested or delivered to either, and says why', async () => {
    const { port, connections } = await listenEverywhere();
    for (const url of hostileUrls(port)) {
      await smuggleIn(url);
      const { outcome, detail } = await test();
      expect([outcome, detail], url).toEqual(['fail', expect.stringMatching(/^(The webhook URL|The host name) /)]);
      expect(await deliver(), url).toMatchObject({ status_code: null, error: detail });
    }
    expect(connections()).toBe(0);
  });

  it('does not follow a name inside that was outside when it was saved', async () => {
    const { port, connections } = await listenEverywhere();
    const url = `https://rebinding.example:${port}/hook`;
    for (const inside of [['127.0.0.1'], ['93.184.215.14', '::1'], ['2606:2800:21f::1', '::ffff:127.0.0.1']]) {
      answers.push(['93.184.215.14'], inside, inside);
      await pool.query('DELETE FROM webhook_delivery');
      expect((await save(url)).status).toBe(200);
      const { detail } = await test();
      expect((await deliver()).error).toBe(detail);
      expect(detail).toMatch(
        /^The host name rebinding\.example resolves to .* address, and webhooks go to public ones only\.$/,
      );
    }
    expect([answers, connections()]).toEqual([[], 0]);
  });
});

/** Counters under which no limit is ever reached: for tests that do many times what is limited in rate. */
const uncounted: Counters = {
  add: async () => ({ points: 0, endsInMs: 0 }),
  read: async () => null,
  clear: async () => undefined,
  takePlace: async () => 0,
  putOff: async () => undefined,
  putOffUntil: async () => null,
};
