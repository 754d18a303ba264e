import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportedQuality } from '../../src/contract/calls.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const quality = { mos: 4.21, mos_median: 4.31, mos_worst: 2.1, rtt_ms: 80, jitter_ms: 7, loss_percent: 0.4 };

let clock: ManualClock;
let gateway: Gateway;
let company: TestCompany;
let boss: TestAgent;
let softphone: Softphone;

beforeAll(async () => {
  clock = createManualClock(Date.now());
  gateway = await startGateway('memory', { clock });
  company = await gateway.company({ slug: 'course', agents: 1, wrapUpSeconds: 0 });
  boss = await gateway.agent(company, 'boss', 'supervisor');
  softphone = await gateway.readySoftphone(company.agents[0]!);
});
afterAll(() => gateway.close());

const read = async (id: string) => (await gateway.as(boss).get(`/api/calls/${id}`).expect(200)).body;

async function talking(): Promise<string> {
  const { id } = await softphone.startCall('+15551230001');
  await softphone.reportProgress(id, 'connected');
  return id;
}

describe('the time on hold', () => {
  it('is summed over all holds, that which lasts told as since when, and stands in the call, the CSV and the report', async () => {
    const id = await talking();
    const report = async (state: 'connected' | 'held' | 'ended', seconds: number) => {
      await clock.leap(seconds * 1_000);
      return softphone.reportProgress(id, state);
    };
    const heldAt = new Date(clock.now() + 20_000).toISOString();
    expect(await report('held', 20)).toMatchObject({ held_at: heldAt, hold_seconds: 0 });
    // The answer may have been lost.
    expect(await report('held', 5)).toMatchObject({ held_at: heldAt, hold_seconds: 0 });
    expect(await report('connected', 7)).toMatchObject({ held_at: null, hold_seconds: 12 });
    await report('held', 60);
    // Hung up from the hold.
    expect(await report('ended', 30)).toMatchObject({ held_at: null, hold_seconds: 42, duration_seconds: 122 });
    expect(await read(id)).toMatchObject({ state: 'ended', held_at: null, hold_seconds: 42, quality: null });
    const { text } = await gateway.as(boss).get('/api/crm/exports/calls.csv').expect(200);
    const [head = '', line = ''] = text.trim().split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('hold_seconds')]).toBe('42');
    const { body } = await gateway
      .as(boss)
      .get(`/api/reports/calls?since=${new Date(clock.now() - 3_600_000).toISOString()}`)
      .expect(200);
    expect(body.total).toMatchObject({ calls: 1, hold_seconds: 42, mos: null });
  });

  it('of a softphone that was lost while it held counts up to the end', async () => {
    const id = await talking();
    await clock.leap(10_000);
    await softphone.reportProgress(id, 'held');
    await clock.leap(15_000);
    await softphone.reportProgress(id, 'ended', { end_reason: 'failed' });
    expect(await read(id)).toMatchObject({ end_reason: 'failed', hold_seconds: 15 });
  });
});

describe('the quality of a call', () => {
  it('is kept as the softphone measured it, without a way there and back that nobody told', async () => {
    const first = await talking();
    expect(await softphone.reportProgress(first, 'ended', { quality })).toMatchObject({ quality });
    // The same again changes nothing.
    await softphone.reportProgress(first, 'ended', { quality: { ...quality, mos: 1 } });
    expect(await read(first)).toMatchObject({ quality });
    const second = await talking();
    const { rtt_ms: _, mos_median: __, mos_worst: ___, ...without } = quality;
    await softphone.reportProgress(second, 'ended', { quality: { ...without, mos: 3.21 } });
    expect(await read(second)).toMatchObject({
      quality: { ...without, mos: 3.21, mos_median: null, mos_worst: null, rtt_ms: null },
    });
    await clock.leap(1_000);
    const { body } = await gateway
      .as(boss)
      .get(`/api/reports/calls?since=${new Date(clock.now() - 3_600_000).toISOString()}`)
      .expect(200);
    // Where no middle one was told, the average stands in for it.
    expect(body.total).toMatchObject({ mos: 3.71, mos_median: 3.76, mos_worst: 2.1 });
  });

  it.each([{ mos_worst: 0.9 }, { mos_median: 5.1 }, { mos_worst: '3' }])(
    'has no moment that there cannot be: %j',
    (moment) => expect(reportedQuality.safeParse({ ...quality, ...moment }).success).toBe(false),
  );

  it.each<[string, 'held' | 'ended', object]>([
    ['comes while the call lasts', 'held', quality],
    ['is better than there is', 'ended', { ...quality, mos: 6 }],
    ['has lost more than all', 'ended', { ...quality, loss_percent: 101 }],
    ['has a negative delay', 'ended', { ...quality, rtt_ms: -1 }],
    ['has not what it is estimated from', 'ended', { mos: 4 }],
    ['says more', 'ended', { ...quality, codec: 'x' }],
  ])('is refused that %s, and the call goes on', async (_, state, told) => {
    const id = await talking();
    await expect(softphone.reportProgress(id, state, { quality: told as typeof quality })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await read(id)).toMatchObject({ state: 'connected', quality: null });
    await softphone.reportProgress(id, 'ended');
  });
});

describe('the steps of a call', () => {
  const steps = async (id: string, who = boss) =>
    (await gateway.as(who).get(`/api/calls/${id}/steps`).expect(200)).body.steps as Record<string, unknown>[];
  const report = async (id: string, seconds: number, state: 'connected' | 'held' | 'ended', more: object = {}) => {
    await clock.leap(seconds * 1_000);
    await softphone.reportProgress(id, state, more);
  };

  it('are told with who did them and how long they lasted, each hold too', async () => {
    const { id } = await softphone.startCall('+15551230001');
    await report(id, 3, 'connected');
    await report(id, 20, 'held');
    await report(id, 12, 'connected');
    await report(id, 5, 'held');
    await report(id, 30, 'ended', { end_reason: 'transferred', transferred_to: '200' });
    const agent = company.agents[0]!;
    expect(await steps(id, agent)).toMatchObject([
      { step: 'dialed', by: 'agent', person: null, seconds: 3 },
      { step: 'answered', by: 'customer', person: null, seconds: 20 },
      { step: 'held', by: 'agent', person: null, seconds: 12 },
      { step: 'resumed', by: 'agent', person: null, seconds: 5 },
      { step: 'held', by: 'agent', person: null, seconds: 30 },
      { step: 'transferred', by: 'agent', person: null, seconds: null },
    ]);
    const stranger = await gateway.agent(company, 'stranger');
    await gateway.as(stranger).get(`/api/calls/${id}/steps`).expect(404);
  });

  it('name the supervisor who freed the agent', async () => {
    const id = await talking();
    await clock.leap(4_000);
    await gateway
      .as(boss)
      .put(`/api/agents/${company.agents[0]!.id}/state`)
      .send({ state: 'not_ready', force: true })
      .expect(200);
    expect((await steps(id)).at(-1)).toMatchObject({
      step: 'ended',
      by: 'supervisor',
      person: { id: boss.id, name: 'Agent boss' },
    });
    await softphone.setReady();
  });

  it('are no more than are worth keeping, and the call goes on', async () => {
    const id = await talking();
    for (let n = 0; n < 105; n += 1) {
      await softphone.reportProgress(id, 'held');
      await softphone.reportProgress(id, 'connected');
    }
    await softphone.reportProgress(id, 'ended');
    const told = await steps(id);
    expect(told.filter(({ step }) => step === 'held')).toHaveLength(100);
    expect(told.at(-1)).toMatchObject({ step: 'ended' });
  });
});

describe('what was sent of a call', () => {
  it('is told to supervisors without what is in it, and to no agent', async () => {
    const receiver = await startWebhookReceiver();
    const admin = gateway.as(company);
    await admin.put('/api/integrations').send({ webhook_url: receiver.url }).expect(200);
    receiver.answerWith(({ body }) => (body.event === 'call_answered' ? 500 : 204));
    const id = await talking();
    await receiver.waitFor(({ body }) => body.event === 'call_answered');
    await eventually(async () => {
      const { deliveries } = (await gateway.as(boss).get(`/api/calls/${id}/deliveries`).expect(200)).body;
      expect(deliveries).toEqual([
        {
          id: expect.any(String),
          target: 'webhook',
          event: 'call_answered',
          state: 'pending',
          attempts: 1,
          next_attempt_at: expect.any(String),
          last_status_code: 500,
          created_at: expect.any(String),
          finished_at: null,
        },
        {
          id: expect.any(String),
          target: 'webhook',
          event: 'call_started',
          state: 'delivered',
          attempts: 1,
          next_attempt_at: null,
          last_status_code: 204,
          created_at: expect.any(String),
          finished_at: expect.any(String),
        },
      ]);
    });
    await gateway.as(company.agents[0]!).get(`/api/calls/${id}/deliveries`).expect(403);
    const strangers = await gateway.company({ slug: 'course-strangers' });
    await gateway.as(strangers).get(`/api/calls/${id}/deliveries`).expect(403);
    await softphone.reportProgress(id, 'ended');
    await admin.put('/api/integrations').send({ webhook_url: null }).expect(200);
    await receiver.close();
  });
});
