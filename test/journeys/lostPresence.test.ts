import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

describe('a presence store that loses its data under connected softphones', () => {
  let redis: Redis;
  let database: TestDatabase;
  let gateway: Gateway;
  let company: TestCompany;
  let idle: TestAgent;
  let talking: TestAgent;

  beforeAll(async () => {
    const url = await redisUrl();
    redis = new Redis(url);
    database = await createDatabase();
    gateway = await startGateway('redis', { config: { redisUrl: url, databaseUrl: database.url } });
    company = await gateway.company({ slug: 'forgetful', agents: 2, wrapUpSeconds: 0 });
    const [one, two] = company.agents;
    if (one === undefined || two === undefined) throw new Error('the company has two agents');
    [idle, talking] = [one, two];
  });
  afterAll(async () => {
    await gateway.close();
    redis.disconnect();
    await database.drop();
  });

  it('has every agent back in state and call before the next click, with no line broken', async () => {
    const talkingPhone = await gateway.readySoftphone(talking);
    const dialing = nextEvent(talkingPhone, 'dial');
    const { body } = await gateway.click(company, { phone_number: '+15551230001' }).expect(201);
    await dialing;
    await talkingPhone.reportProgress(body.call_id, 'connected');
    const idlePhone = await gateway.readySoftphone(idle);

    const lines: string[] = [];
    for (const softphone of [idlePhone, talkingPhone]) softphone.on('line', (state) => lines.push(state));
    await redis.flushdb();
    const clicked = await gateway.click(company, { phone_number: '+15551230002' });
    expect(clicked.body.agent.id).toBe(idle.id);
    const state = await gateway.as(company).get(`/api/agents/${talking.id}/state`);
    expect(state.body).toMatchObject({ state: 'on_call', call_id: body.call_id, connection: 'connected' });
    expect(lines).toEqual([]);
    await idlePhone.reportProgress(clicked.body.call_id, 'ended');
    await talkingPhone.reportProgress(body.call_id, 'ended');
    await eventually(() => talkingPhone.agent?.state === 'ready');
  });

  it('has an agent on the call that the durable record tells of, though the news of it was lost together with the data', async () => {
    const softphone = await gateway.readySoftphone(idle);
    const talkingPhone = await gateway.readySoftphone(talking);
    await talkingPhone.setNotReady('break');
    const callId = await recordedUnheard('outbound', 'click_to_dial', 'connected');
    await redis.flushdb();
    expect((await gateway.click(company, { phone_number: '+15551230004' })).body.code).toBe('no_ready_agent');
    await eventually(() => softphone.agent?.call_id === callId);
    await softphone.reportProgress(callId, 'ended');
    await eventually(() => softphone.agent?.state === 'ready');
  });

  it('has an agent whose ring was lost with the data wrap nothing up when nobody answered it', async () => {
    await gateway.as(company).patch('/api/company').send({ wrap_up_seconds: 60 }).expect(200);
    const softphone = await gateway.readySoftphone(idle);
    const callId = await recordedUnheard('inbound', 'inbound_ring', 'ringing');
    await redis.flushdb();
    await eventually(() => softphone.agent?.call_id === callId);
    await softphone.reportProgress(callId, 'ended', { end_reason: 'canceled' });
    await eventually(() => softphone.agent?.call_id === null);
    expect(softphone.agent?.state).toBe('ready');
  });

  /** A call as another gateway leaves it that recorded it and whose messages did not get through. */
  async function recordedUnheard(direction: string, trigger: string, state: string): Promise<string> {
    const sql = new pg.Client(database.url);
    await sql.connect();
    const callId = randomUUID();
    await sql.query(
      `INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at, sequence, version)
       VALUES ($1, $2, $3, $4, $5, $6, '+15551230003', now(), 2, 1)`,
      [callId, company.id, idle.id, direction, trigger, state],
    );
    await sql.end();
    return callId;
  }
});
