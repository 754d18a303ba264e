import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const phone_number = '+15551230001';

describe('a call', () => {
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let agent: TestAgent;
  let softphone: Softphone;
  let companies = 0;

  beforeAll(async () => {
    [gateway, receiver] = await Promise.all([startGateway(), startWebhookReceiver()]);
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `calls-${companies}`, agents: 1, webhookUrl: receiver.url });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
    softphone = await gateway.readySoftphone(agent);
    await gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number, data: { name: 'Grace' }, tier: 'gold' })
      .expect(200);
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  const read = async (id: string) => (await gateway.as(agent).get(`/api/calls/${id}`).expect(200)).body;
  const eventsOf = async (callId: string, count: number) =>
    (await receiver.waitFor(({ body }) => body.data['call_id'] === callId, count)).map(({ body }) => body);
  const dialed = async (): Promise<string> => {
    const dialing = nextEvent(softphone, 'dial');
    await gateway.click(company, { phone_number }).expect(201);
    return (await dialing)[0].call_id;
  };

  it('that rings in pops the caller before it is answered, and is announced as inbound', async () => {
    const popped = nextEvent(softphone, 'pop');
    const { call, found, screen_pop } = await softphone.incomingCall('+1 555 123 0001', 'G. HOPPER');
    expect(found).toBe(true);
    expect(screen_pop).toMatchObject({ name: 'Grace', vip_tier: 'gold' });
    expect((await popped)[0]).toMatchObject({ trigger: 'inbound_ring', direction: 'inbound', call_id: call.id });
    await inState(softphone, 'reserved');
    await softphone.reportProgress(call.id, 'connected');
    await inState(softphone, 'on_call');
    await softphone.reportProgress(call.id, 'ended', { ended_by: 'customer' });
    await softphone.submitDisposition(call.id, { code: 'follow_up', callback_at: '2027-01-05T09:00:00.000Z' });
    await inState(softphone, 'ready');
    expect((await eventsOf(call.id, 3)).map(({ event, data }) => [event, data['direction']])).toEqual([
      ['call_started', 'inbound'],
      ['call_answered', 'inbound'],
      ['disposition', 'inbound'],
    ]);
  });

  it('takes null for what a softphone leaves out, and a time by any clock', async () => {
    const { call } = await softphone.incomingCall('+1 555 123 0001');
    const nothing = null as unknown as undefined;
    await softphone.reportProgress(call.id, 'connected', { end_reason: nothing, ended_by: nothing, sip_code: nothing });
    await softphone.reportProgress(call.id, 'ended');
    await softphone.submitDisposition(call.id, {
      code: 'follow_up',
      notes: nothing,
      callback_at: '2027-01-05T10:30:00+01:30',
    });
    await inState(softphone, 'ready');
    expect((await eventsOf(call.id, 3)).at(-1)?.data).toMatchObject({
      notes: null,
      callback_at: '2027-01-05T09:00:00.000Z',
    });
  });

  it.each([
    ['an extension', '200', '200'],
    ['a national number without a default country', '030 123456', '030 123456'],
    ['a caller who withheld the number', 'anonymous', null],
    ['nothing at all', '', null],
    ['what is no number', 'sip:front-desk@pbx', 'sip:front-desk@pbx'],
    ['an endless name', 'x'.repeat(200), 'x'.repeat(64)],
  ])('that rings in from %s is recorded, popped, announced and wrapped up as any', async (_, told, caller) => {
    const popped = nextEvent(softphone, 'pop');
    const { call, found } = await softphone.incomingCall(told, 'Front desk');
    expect([found, call.phone, call.caller]).toEqual([false, null, caller]);
    expect((await popped)[0]).toMatchObject({
      call_id: call.id,
      phone_number: null,
      screen_pop: { name: 'Front desk' },
    });
    expect((await popped)[0].caller ?? null).toBe(caller);
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended');
    await softphone.submitDisposition(call.id, { code: 'resolved' });
    expect(await read(call.id)).toMatchObject({ phone: null, caller, disposition: { code: 'resolved' } });
    const events = await eventsOf(call.id, 3);
    expect(events.map(({ event, data }) => [event, data['phone'], data['caller']])).toEqual(
      ['call_started', 'call_answered', 'disposition'].map((event) => [event, null, caller]),
    );
    expect((await gateway.as(agent).get('/api/calls').expect(200)).body.calls[0].caller).toBe(caller);
  });

  it.each(['Anonymous', 'unknown'])('whose caller is named %s has no name', async (told) => {
    expect((await softphone.incomingCall('anonymous', told)).screen_pop).toEqual({});
  });

  it('from an unknown number shows the name that the network sent', async () => {
    const { found, screen_pop } = await softphone.incomingCall('+15559990000', 'Unknown Caller');
    expect(found).toBe(false);
    expect(screen_pop).toEqual({ name: 'Unknown Caller', phone: '+15559990000' });
  });

  it.each([
    ['no_answer', 'no_answer', 'not_ready'],
    ['missed', 'no_answer', 'not_ready'],
    ['rejected', 'rejected', 'not_ready'],
    ['canceled', null, 'ready'],
  ] as const)(
    'that rang in and ended as %s leaves the agent with the reason %s, %s',
    async (end_reason, reason, state) => {
      const { call } = await softphone.incomingCall(phone_number);
      await softphone.reportProgress(call.id, 'ended', { end_reason });
      await inState(softphone, state);
      expect(softphone.agent?.reason).toBe(reason);
      expect(await read(call.id)).toMatchObject({ state: 'ended', end_reason, answered_at: null, duration_seconds: 0 });
    },
  );

  it('that is dialed by hand from Not Ready leads back to the same reason', async () => {
    await softphone.setNotReady('training');
    const popped = nextEvent(softphone, 'pop');
    const call = await softphone.startCall('0044 20 7946 0958');
    expect(call).toMatchObject({ phone: '+442079460958', trigger: 'manual_dial', state: 'dialing' });
    expect((await popped)[0]).toMatchObject({ trigger: 'manual_dial', found: false });
    await inState(softphone, 'on_call');
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'busy', sip_code: 486 });
    await softphone.submitDisposition(call.id, { code: 'no_answer' });
    await inState(softphone, 'not_ready');
    expect(softphone.agent?.reason).toBe('training');
    expect(await read(call.id)).toMatchObject({ end_reason: 'busy', sip_code: 486, ended_by: 'customer' });
    expect((await eventsOf(call.id, 2)).map(({ event }) => event)).toEqual(['call_started', 'disposition']);
  });

  it('is held and taken back without a second answer', async () => {
    const callId = await dialed();
    for (const state of ['ringing', 'connected', 'held', 'connected', 'held'] as const) {
      expect((await softphone.reportProgress(callId, state)).state).toBe(state);
    }
    await softphone.reportProgress(callId, 'ended');
    await softphone.submitDisposition(callId, { code: 'resolved' });
    const events = await eventsOf(callId, 4);
    expect(events.map(({ event }) => event)).toEqual([
      'cti_click_to_dial',
      'call_started',
      'call_answered',
      'disposition',
    ]);
  });

  it('does not go back in time, and takes the same report twice', async () => {
    const callId = await dialed();
    await softphone.reportProgress(callId, 'connected');
    expect((await softphone.reportProgress(callId, 'connected')).state).toBe('connected');
    await expect(softphone.reportProgress(callId, 'ringing')).rejects.toMatchObject({ code: 'conflict' });
    await softphone.reportProgress(callId, 'ended');
    await expect(softphone.reportProgress(callId, 'connected')).rejects.toMatchObject({ code: 'conflict' });
    expect((await softphone.reportProgress(callId, 'ended')).state).toBe('ended');
  });

  it('is wrapped up once, after its end, with a disposition that the company has', async () => {
    const callId = await dialed();
    await expect(softphone.submitDisposition(callId, { code: 'resolved' })).rejects.toMatchObject({ code: 'conflict' });
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'ended');
    await expect(softphone.submitDisposition(callId, { code: 'unheard_of' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const wrapUp = { code: 'callback', notes: 'Tomorrow', callback_at: '2027-02-01T10:00:00.000Z' };
    const byRest = (body: object) => gateway.as(agent).post(`/api/calls/${callId}/disposition`).send(body);
    expect((await byRest(wrapUp).expect(200)).body.disposition).toMatchObject({ code: 'callback', label: 'Call back' });
    await inState(softphone, 'ready');
    await byRest(wrapUp).expect(200);
    expect((await byRest({ code: 'resolved' })).body.code).toBe('conflict');
    const disposed = (await eventsOf(callId, 4)).at(-1);
    expect(disposed).toMatchObject({ event: 'disposition', data: { code: 'callback', notes: 'Tomorrow' } });
  });

  it('is not wrapped up as a call back without a time for it, by the socket or by REST, unless the company says so', async () => {
    const callId = await dialed();
    await softphone.reportProgress(callId, 'ended', { end_reason: 'no_answer' });
    const byRest = (body: object) => gateway.as(agent).post(`/api/calls/${callId}/disposition`).send(body);
    await expect(softphone.submitDisposition(callId, { code: 'callback' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const refused = await byRest({ code: 'callback', notes: 'Tomorrow' });
    expect([refused.status, refused.body.code, refused.body.errors]).toEqual([
      400,
      'invalid_request',
      [{ path: 'callback_at', message: 'is required for callback', code: 'required' }],
    ]);
    expect(await read(callId)).toMatchObject({ disposition: null });
    const { body: before } = await gateway.as(company).get('/api/company').expect(200);
    expect(before.dispositions).toContainEqual({ code: 'callback', label: 'Call back', requires_callback_at: true });
    expect(before.dispositions).toContainEqual({ code: 'resolved', label: 'Resolved', requires_callback_at: false });
    const dispositions = [
      { code: 'callback', label: 'Call back', requires_callback_at: false },
      { code: 'visit', label: 'Visit', requires_callback_at: true },
    ];
    await gateway.as(company).patch('/api/company').send({ dispositions }).expect(200);
    expect((await byRest({ code: 'visit' })).status).toBe(400);
    await byRest({ code: 'callback' }).expect(200);
    await gateway
      .as(company)
      .patch('/api/company')
      .send({ dispositions: [{ code: 'callback', label: 'Call back' }] })
      .expect(200);
    // The answer to it may have been lost: the same again is answered the same.
    await byRest({ code: 'callback' }).expect(200);
  });

  it('belongs to its agent: others of the company and other companies cannot touch it', async () => {
    const callId = await dialed();
    const colleague = await gateway.agent(company, 'other');
    const colleaguesPhone = await gateway.readySoftphone(colleague);
    await expect(colleaguesPhone.reportProgress(callId, 'ended')).rejects.toMatchObject({ code: 'not_found' });
    expect((await gateway.as(colleague).get(`/api/calls/${callId}`)).body.code).toBe('not_found');
    const stranger = await gateway.company({ slug: `stranger-${companies}` });
    const seen = await gateway.as(stranger).get(`/api/calls/${callId}`);
    expect([seen.status, seen.body.code]).toEqual([403, 'wrong_company']);
    expect((await read(callId)).state).toBe('dialing');
  });

  it('keeps what the click said of it', async () => {
    const contact_id = '0b5bd0a6-5b0c-4f0f-9f0e-0f6f7f1d2c3b';
    const campaign_id = '6a1b4a3e-8a52-4a38-b3a9-1f0f4a1f9a10';
    const clicked = await gateway.click(company, {
      phone_number,
      contact_id,
      campaign_id,
      external_id: 'rec-9',
      metadata: { a: [1] },
    });
    const expected = { contact_id, campaign_id, external_id: 'rec-9', metadata: { a: [1] } };
    expect(await read(clicked.body.call_id)).toMatchObject(expected);
    for (const { data } of await eventsOf(clicked.body.call_id, 2)) expect(data).toMatchObject(expected);
  });
});
