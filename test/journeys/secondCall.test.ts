import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import type { Softphone } from '../../src/client/softphone.ts';
import { ringTtlMs } from '../../src/domain/presence.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase, type TestDatabase } from '../support/stores/postgres.ts';
import { redisUrl } from '../support/stores/redis.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const [ada, grace] = ['+15551230001', '+15551230002'];
const wrapUpSeconds = 30;

/** A company whose agents are shown a second call, and one of them with a Ready softphone. */
async function seat(gateway: Gateway, slug: string, webhookUrl?: string) {
  const company = await gateway.company({ slug, agents: 1, wrapUpSeconds, ...(webhookUrl && { webhookUrl }) });
  await gateway.as(company).patch('/api/company').send({ call_waiting: true }).expect(200);
  const [agent] = company.agents as [TestAgent];
  return { company, agent, softphone: await gateway.readySoftphone(agent) };
}

async function answered(softphone: Softphone, phone: string): Promise<string> {
  const { call } = await softphone.incomingCall(phone);
  await softphone.reportProgress(call.id, 'connected');
  return call.id;
}

/** The agent talks to Ada, and Grace calls. */
async function ringsBeside(softphone: Softphone): Promise<[first: string, second: string]> {
  const first = await answered(softphone, ada);
  const { call } = await softphone.incomingCall(grace);
  await eventually(() => softphone.agent?.second_call_id === call.id);
  return [first, call.id];
}

/** The agent has put Ada on hold for Grace. */
async function onBoth(softphone: Softphone): Promise<[first: string, second: string]> {
  const [first, second] = await ringsBeside(softphone);
  await softphone.reportProgress(first, 'held');
  await softphone.reportProgress(second, 'connected');
  return [first, second];
}

describe('a second call', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let companies = 0;

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    [gateway, receiver] = await Promise.all([startGateway('memory', { clock }), startWebhookReceiver()]);
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });
  beforeEach(async () => {
    ({ company, agent, softphone } = await seat(gateway, `second-${(companies += 1)}`, receiver.url));
  });

  const state = async () => (await gateway.as(company).get(`/api/agents/${agent.id}/state`).expect(200)).body;
  const recorded = async (id: string) => (await gateway.as(company).get(`/api/calls/${id}`).expect(200)).body;
  const isIn = (wanted: string, callId: string | null) => () =>
    softphone.agent?.state === wanted && softphone.agent.call_id === callId;

  it('is shown beside the first with its customer, answered, and each is wrapped up and told of', async () => {
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number: grace, data: { name: 'Grace Hopper' } })
      .expect(200);
    const first = await answered(softphone, ada);
    const { call, screen_pop: pop } = await softphone.incomingCall(grace);
    const second = call.id;
    expect(pop).toMatchObject({ name: 'Grace Hopper' });
    expect(softphone.pop).toMatchObject({ call_id: second, screen_pop: { name: 'Grace Hopper' } });
    await eventually(() => softphone.secondCall?.id === second);
    expect(softphone.call).toMatchObject({ id: first, state: 'connected' });
    expect(await state()).toMatchObject({ state: 'on_call', call_id: first, second_call_id: second });
    const live = (await gateway.as(company).get('/api/calls?state=ringing').expect(200)).body.calls;
    expect(live).toMatchObject([{ id: second }]);

    await softphone.reportProgress(first, 'held');
    await softphone.reportProgress(second, 'connected');
    expect([(await recorded(first)).state, (await recorded(second)).state]).toEqual(['held', 'connected']);
    // Nobody else rings beside two, and no click dials.
    await expect(softphone.incomingCall('+15551230003')).rejects.toMatchObject({ code: 'conflict' });
    const click = await gateway.click(company, { phone_number: ada, agent_id: agent.id });
    expect([click.status, click.body.code]).toEqual([503, 'agent_not_ready']);

    await softphone.reportProgress(first, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    await eventually(isIn('on_call', second));
    expect([softphone.call?.id, softphone.secondCall]).toEqual([second, null]);
    await softphone.reportProgress(second, 'ended', { end_reason: 'completed', ended_by: 'agent' });
    await eventually(isIn('wrap_up', second));
    expect(softphone.call?.id).toBe(second);
    await softphone.submitDisposition(second, { code: 'resolved' });
    await eventually(isIn('wrap_up', first));
    expect(softphone.call?.id).toBe(first);
    expect(Date.parse(softphone.agent?.wrap_up_ends_at ?? '')).toBe(clock.now() + wrapUpSeconds * 1000);
    await softphone.submitDisposition(first, { code: 'resolved' });
    await eventually(isIn('ready', null));

    const told = (id: string) =>
      receiver.received.filter(({ body }) => body.data['call_id'] === id).map(({ body }) => body.event);
    for (const id of [first, second]) {
      await eventually(() => expect(told(id)).toEqual(['call_started', 'call_answered', 'disposition']));
    }
  });

  it('that ends before the first leaves the agent on that, and is wrapped up after it', async () => {
    const [first, second] = await onBoth(softphone);
    await softphone.reportProgress(second, 'ended');
    await eventually(() => softphone.agent?.second_call_id === null);
    await softphone.reportProgress(first, 'connected');
    await softphone.reportProgress(first, 'ended');
    await eventually(isIn('wrap_up', first));
    const seen: (string | null)[][] = [];
    softphone.on('agent', ({ call_id: call, state: to }) => seen.push([to, call]));
    await passTime(clock, 2 * wrapUpSeconds * 1000, isIn('ready', null));
    expect(seen).toEqual([
      ['wrap_up', second],
      ['ready', null],
    ]);
  });

  it('may ring on when the first ends, and is then the call', async () => {
    const [first, second] = await ringsBeside(softphone);
    await softphone.reportProgress(first, 'ended');
    await eventually(isIn('reserved', second));
    await softphone.reportProgress(second, 'connected');
    await eventually(isIn('on_call', second));
    await softphone.reportProgress(second, 'ended');
    await eventually(isIn('wrap_up', second));
    await softphone.submitDisposition(second, { code: 'resolved' });
    await eventually(isIn('wrap_up', first));
  });

  it.each([
    ['declined', { end_reason: 'rejected', ended_by: 'agent' }],
    ['given up', { end_reason: 'canceled', ended_by: 'customer' }],
  ] as const)('that is %s counts as missed, and the agent talks on', async (_, end) => {
    const [first, second] = await ringsBeside(softphone);
    await softphone.reportProgress(second, 'ended', end);
    expect(await state()).toMatchObject({ state: 'on_call', call_id: first, second_call_id: null });
    expect((await gateway.as(agent).get('/api/calls?result=missed').expect(200)).body.calls).toMatchObject([
      { id: second },
    ]);
    // There is room for the next one.
    await softphone.incomingCall(grace);
  });

  it('whose ring nobody ended expires', async () => {
    const [first, second] = await ringsBeside(softphone);
    await passTime(clock, ringTtlMs, async () => (await recorded(second)).state === 'ended');
    expect(await recorded(second)).toMatchObject({ end_reason: 'missed', end_detail: 'ring_lapsed' });
    await eventually(async () => (await state()).second_call_id === null);
    expect(await state()).toMatchObject({ state: 'on_call', call_id: first });
    expect(await recorded(first)).toMatchObject({ state: 'connected' });
  });

  it('is refused where the company turns such calls away, and leaves no trace', async () => {
    await gateway.as(company).patch('/api/company').send({ call_waiting: false }).expect(200);
    const first = await answered(softphone, ada);
    await expect(softphone.incomingCall(grace)).rejects.toMatchObject({ code: 'conflict' });
    expect(await state()).toMatchObject({ state: 'on_call', call_id: first, second_call_id: null });
    expect((await gateway.as(company).get('/api/calls').expect(200)).body.calls).toHaveLength(1);
    expect(softphone.call?.id).toBe(first);
  });

  it('is there with the first when the page comes back', async () => {
    const [first, second] = await onBoth(softphone);
    softphone.close();
    const again = gateway.softphone(agent, { session: softphone.session! });
    const snapshot = await again.connect();
    expect(snapshot).toMatchObject({
      agent: { state: 'on_call', call_id: first, second_call_id: second },
      call: { id: first, state: 'held' },
      second_call: { id: second, state: 'connected' },
    });
    expect([again.call?.id, again.secondCall?.id]).toEqual([first, second]);
    await again.reportProgress(second, 'ended');
    await again.reportProgress(first, 'ended');
  });

  it('ends with the first when a supervisor frees the agent, when its page is closed, and when its softphone is lost', async () => {
    const bothEnded = async (calls: string[], detail: string) => {
      for (const id of calls)
        await eventually(async () => expect(await recorded(id)).toMatchObject({ state: 'ended', end_detail: detail }));
    };
    const freed = await onBoth(softphone);
    const force = (more: object) =>
      gateway
        .as(company)
        .put(`/api/agents/${agent.id}/state`)
        .send({ state: 'ready', force: true, ...more });
    // Only of the one that the supervisor has seen.
    expect((await force({ call_id: freed[0] }).expect(409)).body.code).toBe('conflict');
    await force({ call_id: freed[0], second_call_id: freed[1] }).expect(200);
    await bothEnded(freed, 'freed_by_supervisor');
    await eventually(isIn('ready', null));

    const left = await onBoth(softphone);
    for (const id of left.toReversed())
      await gateway.as(agent).post(`/api/calls/${id}/left`).send({ session: softphone.session }).expect(204);
    await bothEnded(left, 'softphone_lost');
    await eventually(isIn('wrap_up', left[0]));
    await softphone.submitDisposition(left[0], { code: 'resolved' });
    await eventually(isIn('wrap_up', left[1]));
    await softphone.submitDisposition(left[1], { code: 'resolved' });
    await eventually(isIn('ready', null));

    const lost = await onBoth(softphone);
    softphone.close();
    await eventually(async () => (await state()).connection === 'reconnecting');
    await passTime(clock, 30_000, async () => (await state()).connection === 'lost');
    await passTime(clock, 300_000, async () => (await state()).state === 'offline');
    await bothEnded(lost, 'softphone_lost');
  });
});

describe('two calls of a softphone whose gateway loses what it knows', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('go on when it starts again: the softphone finds both', async () => {
    const config = { databaseUrl: database.url, jwtSecret: Buffer.alloc(32, 1) };
    const before = await startGateway('memory', { config });
    const { agent, softphone } = await seat(before, 'restarted');
    const [first, second] = await onBoth(softphone);
    softphone.close();
    await before.close();
    const gateway = await startGateway('memory', { config });
    const again = gateway.softphone(agent);
    expect(await again.connect()).toMatchObject({
      call: { id: first, state: 'held' },
      second_call: { id: second, state: 'connected' },
    });
    await again.reportProgress(first, 'ended');
    await eventually(() => again.agent?.call_id === second);
    await gateway.close();
  });

  it('go on when Redis loses its data: no line breaks', async () => {
    const url = await redisUrl();
    const redis = new Redis(url);
    const gateway = await startGateway('redis', { config: { redisUrl: url, databaseUrl: database.url } });
    const { agent, company, softphone } = await seat(gateway, 'flushed');
    const [first, second] = await onBoth(softphone);
    await softphone.reportProgress(second, 'held');
    await redis.flushdb();
    await eventually(async () =>
      expect((await gateway.as(company).get(`/api/agents/${agent.id}/state`)).body).toMatchObject({
        state: 'on_call',
        call_id: first,
        second_call_id: second,
      }),
    );
    await softphone.reportProgress(second, 'ended');
    await softphone.reportProgress(first, 'ended');
    await eventually(() => softphone.agent?.state === 'wrap_up');
    await gateway.close();
    redis.disconnect();
  });
});
