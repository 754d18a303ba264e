import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import type { DeliveryDetail, DeliveryView } from '../../src/contract/deliveries.ts';
import { webhookData } from '../../src/contract/webhooks.ts';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually, passTime } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const phone_number = '+15551230001';
const callEvents = ['cti_click_to_dial', 'call_started', 'call_answered', 'call_ended', 'disposition'];
const usual = ['call_started', 'call_answered', 'disposition', 'cti_click_to_dial', 'integration_test'];

describe('the events of a company’s webhook', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let companies = 0;
  let recording = gate();

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    receiver = await startWebhookReceiver();
    gateway = await startGateway('memory', {
      clock,
      wrap: (services) => ({
        ...services,
        calls: { ...services.calls, create: (...args) => recording.pass(() => services.calls.create(...args)) },
      }),
    });
  });
  beforeEach(async () => {
    recording = gate();
    companies += 1;
    company = await gateway.company({ slug: `ended-${companies}`, agents: 1, webhookUrl: receiver.url });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    softphone = await gateway.readySoftphone(agent);
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  const put = (body: object) => gateway.as(company).put('/api/integrations').send(body);
  const choose = (webhook_events: string[] | null) => put({ webhook_events }).expect(200);
  const log = async (query: object = {}): Promise<DeliveryView[]> => {
    const { body } = await gateway.as(company).get('/api/integrations/webhook-deliveries').query(query).expect(200);
    return body.deliveries.toReversed();
  };
  const eventsOf = async (call_id: string) => (await log({ call_id })).map(({ event, sequence }) => [event, sequence]);
  const bodyOf = async (call_id: string) => {
    const [{ id } = { id: '' }, ...more] = await log({ call_id, event: 'call_ended' });
    expect(more).toEqual([]);
    const { body } = await gateway.as(company).get(`/api/integrations/webhook-deliveries/${id}`).expect(200);
    return webhookData.call_ended.parse((body as { body: DeliveryDetail['body'] }).body['data']);
  };
  const clicked = async (): Promise<string> => {
    const dialing = nextEvent(softphone, 'dial');
    await gateway.click(company, { phone_number, external_id: 'C-7' }).expect(201);
    return (await dialing)[0].call_id;
  };
  const rung = async (): Promise<string> => (await softphone.incomingCall(phone_number)).call.id;
  const stateOf = async (id: string) => (await gateway.as(company).get(`/api/calls/${id}`).expect(200)).body.state;
  const ended = (id: string) => eventually(async () => (await stateOf(id)) === 'ended');

  it('are those of the interface unless it chooses, and the catalog says what there is to choose from', async () => {
    const { body } = await gateway.as(company).get('/api/integrations').expect(200);
    expect(body.integration.webhook_events.toSorted()).toEqual(usual.toSorted());
    expect(body.webhook_events.filter((one: { is_default: boolean }) => !one.is_default)).toEqual(
      ['call_transferred', 'call_ended', 'contact_changed', 'deal_moved', 'task_due', 'report_ready'].map((id) => ({
        id,
        name: expect.any(String),
        is_default: false,
      })),
    );
    const id = await clicked();
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved' });
    expect(await eventsOf(id)).toEqual([
      ['cti_click_to_dial', 1],
      ['call_started', 2],
      ['call_answered', 3],
      ['disposition', 4],
    ]);
  });

  it('are what it chose from the next one on, shown in its settings, and the usual ones again by null', async () => {
    const saved = await choose(['disposition', 'call_ended', 'disposition']);
    expect(saved.body.integration.webhook_events).toEqual(['call_ended', 'disposition', 'integration_test']);
    await put({ mode: 'push' }).expect(200);
    const read = async () =>
      (await gateway.as(company).get('/api/integrations').expect(200)).body.integration.webhook_events;
    expect(await read()).toEqual(['call_ended', 'disposition', 'integration_test']);
    await choose(null);
    expect((await read()).toSorted()).toEqual(usual.toSorted());
    for (const wrong of [['call_transfered'], 'call_ended', [7], Array.from({ length: 51 }, () => 'disposition')]) {
      expect((await put({ webhook_events: wrong }).expect(400)).body.errors[0].path).toMatch(/^webhook_events/);
    }
  });

  it('are numbered without a gap, also where it leaves some out', async () => {
    await choose(['call_started', 'call_ended', 'disposition']);
    const id = await clicked();
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved' });
    expect(await eventsOf(id)).toEqual([
      ['call_started', 1],
      ['call_ended', 2],
      ['disposition', 3],
    ]);
    const received = await receiver.waitFor(({ body }) => body.data['call_id'] === id, 3);
    expect(received.map(({ body }) => body.event)).toEqual(['call_started', 'call_ended', 'disposition']);
  });

  it('may be none but the test, which is sent to whoever asks for it', async () => {
    await choose([]);
    const id = await clicked();
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'other' });
    expect(await log()).toEqual([]);
    const tested = await gateway.as(company).post('/api/integrations/test-webhook').expect(200);
    expect(tested.body.outcome).toBe('success');
  });

  const hungUp = { end_reason: 'completed', ended_by: 'customer' } as const;
  it.each<[string, () => Promise<string>, (id: string) => Promise<unknown>, object]>([
    [
      'answered and hung up',
      clicked,
      async (id) => {
        await softphone.reportProgress(id, 'connected');
        await clock.advance(65_000);
        await softphone.reportProgress(id, 'ended', hungUp);
      },
      { ...hungUp, direction: 'outbound', duration_seconds: 65, answered_at: expect.any(String), external_id: 'C-7' },
    ],
    [
      'busy',
      clicked,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'busy', sip_code: 486 }),
      { end_reason: 'busy' },
    ],
    [
      'refused by the network',
      clicked,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'failed' }),
      { end_reason: 'failed' },
    ],
    [
      'dialed by hand and given up',
      async () => (await softphone.startCall(phone_number)).id,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'canceled' }),
      { end_reason: 'canceled', ended_by: 'agent' },
    ],
    [
      'declined',
      rung,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'rejected' }),
      { end_reason: 'rejected', ended_by: 'agent' },
    ],
    [
      'given up by the caller',
      rung,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'canceled' }),
      { end_reason: 'canceled', ended_by: 'customer' },
    ],
    [
      'taken by another telephone',
      rung,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'canceled', end_detail: 'answered_elsewhere' }),
      { end_reason: 'canceled', ended_by: null, end_detail: 'answered_elsewhere' },
    ],
    [
      'passed on to another telephone',
      rung,
      (id) =>
        softphone.reportProgress(id, 'ended', {
          end_reason: 'canceled',
          end_detail: 'passed_on',
          transferred_to: '+1 (555) 123-0009',
        }),
      { end_reason: 'canceled', ended_by: 'agent', end_detail: 'passed_on', transferred_to: '+15551230009' },
    ],
    [
      'not answered',
      rung,
      (id) => softphone.reportProgress(id, 'ended', { end_reason: 'no_answer' }),
      { end_reason: 'no_answer' },
    ],
    [
      'ringing for too long',
      rung,
      (id) => passTime(clock, 120_000, async () => (await stateOf(id)) === 'ended'),
      { end_reason: 'missed', ended_by: 'system', end_detail: 'ring_lapsed' },
    ],
    [
      'on a softphone that vanished',
      clicked,
      async (id) => {
        softphone.close();
        await passTime(clock, 300_000, async () => (await stateOf(id)) === 'ended');
      },
      { end_reason: 'failed', ended_by: 'system', end_detail: 'softphone_lost' },
    ],
    [
      'ended by a supervisor who frees the agent',
      clicked,
      () => gateway.as(company).put(`/api/agents/${agent.id}/state`).send({ state: 'ready', force: true }).expect(200),
      { end_reason: 'failed', ended_by: 'system', end_detail: 'freed_by_supervisor' },
    ],
  ])('tell once that a call has ended that was %s', async (_, begin, end, expected) => {
    await choose(callEvents);
    const id = await begin();
    await end(id);
    await ended(id);
    // A repeated report changes nothing.
    await softphone.reportProgress(id, 'ended').catch(() => undefined);
    const unanswered = { answered_at: null, duration_seconds: 0 };
    expect(await bodyOf(id)).toMatchObject({
      call_id: id,
      phone: phone_number,
      ...unanswered,
      code: null,
      label: null,
      callback_at: null,
      ...expected,
    });
    const told = await eventsOf(id);
    expect(told.map(([, sequence]) => sequence)).toEqual(told.map((_one, place) => place + 1));
    expect(told.at(-1)?.[0]).toBe('call_ended');
  });

  it('tell nothing of a click that was refused since it could not be recorded in time', async () => {
    await choose(['call_ended']);
    recording.shut();
    const clicking = gateway.click(company, { phone_number }).then((response) => response);
    await recording.reached();
    await passTime(clock, 6_000, () => softphone.agent?.state === 'ready');
    expect((await clicking).body.code).toMatch(/^(?:dependency_unavailable|outcome_unknown)$/);
    recording.open();
    const active = async () =>
      (await gateway.as(company).get('/api/calls').expect(200)).body.calls as { state: string }[];
    await eventually(async () => (await active()).every(({ state }) => state === 'ended'));
    // Whatever the late record sets off has been done when the next click is served.
    const id = await clicked();
    await softphone.reportProgress(id, 'ended');
    expect((await log()).map(({ call_id }) => call_id)).toEqual([id]);
  });
});
