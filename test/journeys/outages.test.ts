import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedisServer, type RedisServer } from '../../demo/cluster/redisServer.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/adapters/postgres/embedded/embeddedPostgres.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { createDatabase } from '../support/stores/postgres.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually, passTime } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { deliveryIdOf, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const phone_number = '+15551230001';
const secrets = { jwtSecret: Buffer.alloc(32, 1), encryptionKey: Buffer.alloc(32, 2) };

describe('a gateway whose Redis goes away', () => {
  let redis: RedisServer;
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;

  beforeAll(async () => {
    redis = await startRedisServer();
    gateway = await startGateway('redis', { config: { redisUrl: redis.url, logLevel: 'silent' } });
    company = await gateway.company({ slug: 'redis-away', agents: 2, wrapUpSeconds: 0 });
    const [first] = company.agents;
    if (first === undefined) throw new Error('the company has agents');
    agent = first;
    softphone = await gateway.readySoftphone(agent, { ackTimeoutMs: 5_000 });
  });
  afterAll(async () => {
    await gateway.close();
    await redis.stop();
  });

  const click = () => gateway.click(company, { phone_number, agent_code: agent.agentCode });
  const health = () => gateway.api.get('/api/health');
  const end = async (callId: string) => void (await softphone.reportProgress(callId, 'ended'));

  it('answers clicks with 503 while it stands still, and costs no agent Ready for what it does late', async () => {
    // Redis knows the scripts by now, and will run them as soon as it can.
    await end((await click().expect(201)).body.call_id);
    const states: string[] = [];
    softphone.on('agent', ({ state }) => states.push(state));
    redis.pause();
    const refused = await Promise.all([click(), click(), click()]);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [503, 'dependency_unavailable']),
    );
    expect(refused.every(({ headers }) => Number(headers['retry-after']) > 0)).toBe(true);
    expect(await health()).toMatchObject({ status: 503, body: { checks: { presence: 'down', database: 'ok' } } });
    expect((await gateway.api.get('/api/health/live')).status).toBe(200);
    redis.resume();
    await eventually(async () => (await health()).status === 200);
    await eventually(async () => {
      const answer = await click();
      if (answer.status === 201) await end(answer.body.call_id);
      return answer.status === 201;
    });
    expect(states).not.toContain('not_ready');
  });

  it('refuses at once while it is gone; restarted without data, agents are as they were and calls go on', async () => {
    const other = company.agents[1];
    if (other === undefined) throw new Error('the company has two agents');
    await softphone.setReady();
    const talking = await gateway.readySoftphone(other);
    const dialing = nextEvent(talking, 'dial');
    await gateway.click(company, { phone_number, agent_code: other.agentCode }).expect(201);
    const [{ call_id: callId }] = await dialing;

    await redis.kill('SIGKILL');
    await redis.stop();
    const away = await click();
    // In the words of an outage, for softphones too: it is no fault of the gateway.
    await expect(softphone.setNotReady('meal')).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect([away.status, away.body.code]).toEqual([503, 'dependency_unavailable']);
    redis = await startRedisServer({ port: redis.port });
    await eventually(async () => (await health()).status === 200);
    expect(softphone.agent).toMatchObject({ state: 'ready', connection: 'connected' });
    const clicked = await click();
    expect(clicked.status).toBe(201);
    await end(clicked.body.call_id);
    expect(talking.agent).toMatchObject({ state: 'on_call', call_id: callId });
    await talking.reportProgress(callId, 'ended');
    await inState(talking, 'ready');
    expect((await health()).status).toBe(200);
  });

  it('lets a softphone that comes meanwhile in by itself as soon as it is back', async () => {
    const line = await openBreakableLine(gateway.url);
    const late = gateway.softphone(agent, { url: line.url });
    await late.connect();
    await late.setReady();
    await redis.kill('SIGKILL');
    await redis.stop();
    line.cut();
    await eventually(() => late.line === 'reconnecting');
    line.mend();
    redis = await startRedisServer({ port: redis.port });
    await eventually(() => late.line === 'connected' && late.agent?.state === 'ready');
    expect((await click()).status).toBe(201);
    await line.close();
  });

  it('delivers what was committed before, also what has not been tried yet', async () => {
    const room = await WebhookRoom.open(gateway, { now: () => Date.now(), after: () => () => {} }, 'redis-away-hooks');
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 204));
    const callId = await room.answeredClick();
    await room.arrived(callId);
    await redis.kill('SIGKILL');
    await redis.stop();
    await eventually(async () => (await health()).body.checks.presence === 'down');
    expect(room.received(callId)).toHaveLength(1);
    answer.open();
    const arrived = await room.arrived(callId, 3);
    expect(arrived.map(({ body }) => body.data['sequence'])).toEqual([1, 2, 3]);
    expect(await room.settled(deliveryIdOf(arrived[2]), 1)).toMatchObject({ state: 'delivered' });
    expect((await health()).body.checks.presence).toBe('down');
    await room.close();
  });
});

describe('a gateway whose external database goes away', () => {
  let dataDir: string;
  let database: EmbeddedPostgres;
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;

  const startDatabase = async () => {
    database = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-outage-'));
    await startDatabase();
    receiver = await startWebhookReceiver();
    gateway = await startGateway('memory', { config: { databaseUrl: database.url, logLevel: 'silent', ...secrets } });
    company = await gateway.company({ slug: 'database-away', agents: 1, wrapUpSeconds: 0, webhookUrl: receiver.url });
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('lives on, refuses with 503, and works again when it is back, with its agents as they were', async () => {
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(agent);
    await database.stop();
    const refused = await gateway.click(company, { phone_number });
    expect([refused.status, refused.body.code]).toEqual([503, 'dependency_unavailable']);
    await eventually(async () => (await gateway.api.get('/api/health')).body.checks.webhooks === 'down');
    expect(await gateway.api.get('/api/health')).toMatchObject({
      status: 503,
      body: { checks: { database: 'down', presence: 'ok' } },
    });
    expect((await gateway.api.get('/api/health/live')).status).toBe(200);
    const popped: string[] = [];
    softphone.on('pop', (pop) => popped.push(pop.call_id));

    await startDatabase();
    await eventually(async () => (await gateway.api.get('/api/health')).status === 200);
    await inState(softphone, 'ready');
    const clicked = await gateway.click(company, { phone_number });
    expect(clicked.status).toBe(201);
    expect(popped).toEqual([clicked.body.call_id]);
    const webhooks = await receiver.waitFor(() => true, 2);
    expect(webhooks.map(({ body }) => body.data['call_id'])).toEqual([clicked.body.call_id, clicked.body.call_id]);
  });
});

describe('a call whose gateway was killed', () => {
  it('ends as failed after the grace when its softphone never returns', async () => {
    const clock = createManualClock(Date.now());
    const database = await createDatabase();
    const config = { databaseUrl: database.url, ...secrets };
    const killed = await startGateway('memory', { clock, config });
    const company = await killed.company({ slug: 'widowed', agents: 1 });
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const softphone = await killed.readySoftphone(agent);
    const dialing = nextEvent(softphone, 'dial');
    await killed.click(company, { phone_number }).expect(201);
    const [{ call_id: callId }] = await dialing;
    // What a crash leaves: the durable record, and nothing of what was in memory.
    await killed.close();

    await clock.advance(1_000);
    const next = await startGateway('memory', { clock, config });
    const admin = { authorization: `Bearer ${company.adminToken}` };
    const stateOf = async () => (await next.api.get(`/api/agents/${agent.id}/state`).set(admin)).body;
    const callOf = async () => (await next.api.get(`/api/calls/${callId}`).set(admin)).body;
    expect(await stateOf()).toMatchObject({ state: 'on_call', connection: 'lost', call_id: callId });
    await clock.advance(299_000);
    expect((await callOf()).state).toBe('dialing');
    await passTime(clock, 1_000, async () => (await callOf()).state === 'ended');
    expect(await callOf()).toMatchObject({ end_reason: 'failed', ended_by: 'system', end_detail: 'softphone_lost' });
    expect(await stateOf()).toMatchObject({ state: 'offline', call_id: null });
    await next.close();
    await database.drop();
  });
});
