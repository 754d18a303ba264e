import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { v7 as newId } from 'uuid';
import type { Softphone, SoftphoneOptions } from '../../src/client/softphone.ts';
import { gate, type Gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createLeapingClock, type LeapingClock } from '../support/time/leapingClock.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';
/**
 * When a click without a call to record is answered;
 * when its record is given up, and its caller answered at the latest.
 */
const deadlineMs = 5_000;
const givenUpMs = 5_600;
const answeredMs = 6_000;
/** A softphone has so long to acknowledge. */
const acknowledgeMs = 2_000;
/** So long a click waits for the gateway of the softphone to say that it has heard. */
const receiptMs = 700;

describe('a click that is refused', () => {
  let clock: LeapingClock;
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let database: pg.Client;
  let dials: string[];
  let shown: string[];
  let companies = 0;

  beforeAll(async () => {
    clock = createLeapingClock();
    gateways = await startGateways(2, { clock });
    [one, two] = [gateways.at(0), gateways.at(1)];
    database = new pg.Client({ connectionString: gateways.config.databaseUrl ?? '' });
    await database.connect();
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({
      slug: `refused-${companies}`,
      agents: 1,
      wrapUpSeconds: 0,
      webhookUrl: 'http://127.0.0.1:9/hook',
    });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    [dials, shown] = [[], []];
  });
  afterEach(async () => {
    await database.query('ROLLBACK');
    gateways.endMeddling();
    for (const { api } of gateways.all) await eventually(async () => (await api.get('/api/health')).status === 200);
  });
  afterAll(async () => {
    await database.end();
    await gateways.close();
  });

  const shut = (): Gate => {
    const closed = gate();
    closed.shut();
    return closed;
  };
  /** Clicks at the first gateway. */
  const click = (headers = {}, body = {}) =>
    one.click(company, { phone_number, ...body }, headers).then((answer) => answer);
  const softphoneAt = async (gateway: MeddledGateway, options: Partial<SoftphoneOptions> = {}): Promise<Softphone> => {
    const softphone = await gateway.readySoftphone(agent, options);
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    softphone.on('pop', ({ call_id }) => shown.push(call_id));
    return softphone;
  };
  /** What is durable of the company. */
  const recorded = async () => {
    const of = async (table: string) =>
      (await database.query(`SELECT FROM ${table} WHERE company_id = $1`, [company.id])).rowCount;
    return { calls: await of('call'), events: await of('webhook_delivery') };
  };
  const nothing = { calls: 0, events: 0 };
  const waiting = 'SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))';
  const lockCalls = () => database.query('BEGIN; LOCK TABLE call IN SHARE MODE');
  const somebodyWaits = () => eventually(async () => (await database.query(waiting)).rowCount !== 0);
  /** Nobody is on the call, and the next click works as ever. */
  const expectFree = async (softphone: Softphone) => {
    await eventually(() => softphone.agent?.call_id === null && softphone.pop === null);
    await softphone.setReady();
    const dialing = nextEvent(softphone, 'dial');
    await eventually(async () => {
      const { status, body } = await click();
      if (status !== 201) return false;
      await dialing;
      await softphone.reportProgress(body.call_id, 'ended');
      return true;
    });
  };
  const at = { 'the same gateway': () => one, 'another gateway': () => two };

  describe.each(Object.entries(at))('whose softphone is at %s', (_, where) => {
    it('because the table was locked leaves no call and no event when it is free again, and its key neither', async () => {
      const softphone = await softphoneAt(where());
      await lockCalls();
      const key = { 'Idempotency-Key': newId() };
      const clicking = click(key);
      await somebodyWaits();
      await clock.advance(givenUpMs);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
      await inState(softphone, 'ready');
      await database.query('ROLLBACK');
      await eventually(async () => (await database.query(waiting)).rowCount === 0);
      expect(await recorded()).toEqual(nothing);
      expect(dials).toEqual([]);
      const again = await click(key);
      expect(again.status).toBe(201);
      await eventually(() => dials.length > 0);
      expect(dials).toEqual([again.body.call_id]);
      await softphone.reportProgress(again.body.call_id, 'ended');
    });

    it('while its gateway cannot reach Redis is not dialed by whoever looks later, and its agent is free', async () => {
      const softphone = await softphoneAt(where());
      await lockCalls();
      const clicking = click();
      await somebodyWaits();
      one.meddling.toRedis.cut();
      await clock.advance(givenUpMs);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
      await database.query('ROLLBACK');
      if (where() === two) await eventually(() => softphone.agent?.state === 'ready' && softphone.pop === null);
      one.meddling.toRedis.mend();
      await eventually(() => softphone.agent?.state === 'ready' && softphone.pop === null);
      expect([await recorded(), dials]).toEqual([nothing, []]);
      await expectFree(softphone);
    });

    it('since both stores went away before anything was sent is not dialed, and its agent is free when they are back', async () => {
      const softphone = await softphoneAt(where());
      const recording = (one.meddling.gates.recordCall = shut());
      const clicking = click();
      await recording.reached();
      one.meddling.toRedis.cut();
      one.meddling.toPostgres.cut();
      await eventually(async () => (await one.api.get('/api/health')).body.checks.database === 'down');
      recording.open();
      await clock.advance(answeredMs);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
      one.meddling.toRedis.mend();
      one.meddling.toPostgres.mend();
      await eventually(() => softphone.agent?.state === 'ready' && softphone.pop === null);
      expect([await recorded(), dials]).toEqual([nothing, []]);
    });

    it('with outcome_unknown tells under its key what became of it: the call was recorded, and is dialed once', async () => {
      const softphone = await softphoneAt(where());
      const key = { 'Idempotency-Key': newId() };
      await lockCalls();
      const clicking = click(key);
      await somebodyWaits();
      // The commit is made, and nobody at that gateway hears of it.
      one.meddling.toPostgres.holdAnswers();
      await database.query('ROLLBACK');
      await eventually(async () => (await recorded()).calls === 1);
      await clock.advance(givenUpMs);
      await clock.advance(answeredMs - givenUpMs);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'outcome_unknown']);
      if (where() === one) one.meddling.toPostgres.release();
      await eventually(() => dials.length > 0);
      const told = await two.click(company, { phone_number }, key);
      expect([told.status, told.headers['idempotent-replay'], told.body.call_id]).toEqual([201, 'true', dials[0]]);
      one.meddling.toPostgres.release();
      await softphone.reportProgress(told.body.call_id, 'connected');
      await softphone.reportProgress(told.body.call_id, 'ended');
      await inState(softphone, 'ready');
      expect(dials).toHaveLength(1);
      expect(await recorded()).toMatchObject({ calls: 1 });
    });

    it('with outcome_unknown is tried anew under its key when the record never came', async () => {
      const softphone = await softphoneAt(where());
      const key = { 'Idempotency-Key': newId() };
      await lockCalls();
      const clicking = click(key);
      await somebodyWaits();
      one.meddling.toPostgres.cut();
      await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted
          AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
      );
      await database.query('ROLLBACK');
      await clock.advance(givenUpMs);
      await clock.advance(answeredMs - givenUpMs);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'outcome_unknown']);
      // The first gateway holds the key until it reaches the database again.
      expect((await two.click(company, { phone_number }, key)).body.code).toBe('idempotency_in_progress');
      one.meddling.toPostgres.mend();
      await eventually(() => softphone.agent?.state === 'ready' && softphone.pop === null);
      let again = await two.click(company, { phone_number }, key);
      await eventually(async () => (again = await two.click(company, { phone_number }, key)).status === 201);
      await eventually(() => dials.length > 0);
      expect(dials).toEqual([again.body.call_id]);
      await softphone.reportProgress(again.body.call_id, 'ended');
    });
  });

  it('because the gateway of the softphone looked too slowly is never shown there', async () => {
    const softphone = await softphoneAt(two);
    const looked = (two.meddling.gates.found = shut());
    const clicking = click({}, { agent_id: agent.id });
    await looked.reached();
    const askedAt = Date.now();
    two.meddling.toRedis.hold();
    await clock.advance(receiptMs);
    expect((await clicking).body.code).toBe('agent_not_ready');
    two.meddling.toRedis.release();
    // By the clock of the store, which no test moves.
    await eventually(() => Date.now() >= askedAt + receiptMs);
    looked.open();
    two.meddling.gates.found = gate();
    await expectFree(softphone);
    expect(new Set(shown)).toEqual(new Set(dials));
  });

  it('because its own gateway looked too slowly is never shown, and is answered in time', async () => {
    const softphone = await softphoneAt(one);
    const looked = (one.meddling.gates.found = shut());
    const clicking = click({}, { agent_id: agent.id });
    await looked.reached();
    const askedAt = Date.now();
    await clock.advance(deadlineMs);
    expect((await clicking).status).toBe(503);
    await eventually(() => Date.now() >= askedAt + receiptMs);
    looked.open();
    one.meddling.gates.found = gate();
    await expectFree(softphone);
    expect(new Set(shown)).toEqual(new Set(dials));
  });

  it.each([
    ['rescind the offer', { acceptOffer: () => new Promise<boolean>(() => {}) }, acknowledgeMs],
    ['confirm it', {}, 0],
  ])(
    'is answered at its deadline while Redis takes its time to %s, and its agent is free afterwards',
    async (_, options, after) => {
      const softphone = await softphoneAt(two, options);
      const { commit } = one.meddling.gates;
      const stalled = shut();
      const clicking = click({ 'Idempotency-Key': newId() }, { agent_id: agent.id });
      one.meddling.gates.commit = stalled;
      if (after > 0) {
        await eventually(() => shown.length === 1);
        await clock.advance(after);
      }
      await stalled.reached();
      await clock.advance(deadlineMs - after);
      const { status, body } = await clicking;
      expect([status, body.code]).toEqual([503, 'dependency_unavailable']);
      stalled.open();
      one.meddling.gates.commit = commit;
      await eventually(() => softphone.pop === null && softphone.agent?.call_id === null);
      expect([await recorded(), dials]).toEqual([nothing, []]);
    },
  );

  it('is answered at its deadline while the database does not set its key free', async () => {
    one.meddling.gates.freeKey = shut();
    const clicking = click({ 'Idempotency-Key': newId() });
    await one.meddling.gates.freeKey.reached();
    await clock.advance(1_000);
    expect((await clicking).body.code).toBe('no_ready_agent');
  });

  it('is answered at its deadline while the database does not say who clicks', async () => {
    one.meddling.toPostgres.hold();
    // Of a company that the gateway does not remember.
    const headers = { 'X-Service-Api-Key': 'rk_unknown_00000000000000000000' };
    const clicking = click(headers);
    await eventually(async () => (await one.api.get('/api/health/live')).status === 200);
    await clock.advance(deadlineMs);
    expect((await clicking).body.code).toBe('dependency_unavailable');
  });

  it('is refused for its own reason though its key cannot be set free, which is tried again', async () => {
    one.meddling.gates.freeKey.fail(new Error('the database ended the connection'));
    const key = { 'Idempotency-Key': newId() };
    expect((await click(key)).body.code).toBe('no_ready_agent');
    expect((await click(key)).body.code).toBe('idempotency_in_progress');
    one.meddling.gates.freeKey = gate();
    await eventually(async () => (await click(key)).body.code === 'no_ready_agent');
  });

  it('by an outage is counted among the clicks', async () => {
    const failed = async () => {
      const { text } = await one.api.get('/metrics');
      return Number(/readyline_click_to_dial_duration_seconds_count\{outcome="failed"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await failed();
    one.meddling.gates.claim.fail(Object.assign(new Error('Connection is closed'), { code: 'ECONNRESET' }));
    const softphone = await softphoneAt(two);
    expect((await click()).body.code).toBe('dependency_unavailable');
    expect(await failed()).toBe(before + 1);
    softphone.close();
  });
});
