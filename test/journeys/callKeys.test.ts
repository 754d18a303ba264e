import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const customer = '+15551230001';
const recording_url = 'https://pbx.example.com/recordings/4711.mp3';

let gateway: Gateway;
let receiver: WebhookReceiver;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let softphone: Softphone;
let companies = 0;

beforeAll(async () => {
  [gateway, receiver] = await Promise.all([startGateway('memory'), startWebhookReceiver()]);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `keys-${companies}`, agents: 2, webhookUrl: receiver.url });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
  softphone = await gateway.readySoftphone(ada);
});

const byKey = (key: string, { key: of }: TestCompany = company) =>
  gateway.api.get(`/api/calls?sip_call_id=${encodeURIComponent(key)}`).set('X-Service-Api-Key', of);
const found = async (key: string, of?: TestCompany) => (await byKey(key, of).expect(200)).body.calls;
const record = (key: string, { key: of }: TestCompany = company) =>
  gateway.api
    .patch(`/api/calls?sip_call_id=${encodeURIComponent(key)}`)
    .set('X-Service-Api-Key', of)
    .send({ recording_url });

describe('SIP’s Call-ID of a call', () => {
  it('is what was told of it first, and finds it for the PBX, in its events and in the exported file', async () => {
    const key = '3848276298220188511@pbx.example.com;"<a>/{b}?';
    const { id } = await softphone.startCall(customer);
    expect(await softphone.reportProgress(id, 'ringing', { sip_call_id: key })).toMatchObject({ sip_call_id: key });
    // A page that was reloaded has another one.
    await softphone.reportProgress(id, 'connected', { sip_call_id: 'another' });
    await softphone.reportProgress(id, 'ended');
    expect(await found(key)).toMatchObject([{ id, sip_call_id: key, phone: customer }]);
    expect(await found('another')).toEqual([]);
    const events = (await receiver.waitFor(({ body }) => body.data['call_id'] === id, 2)).map(({ body }) => body);
    expect(events.map(({ event, data }) => [event, data['sip_call_id']])).toEqual([
      ['call_started', undefined],
      ['call_answered', key],
    ]);
    const { text } = await gateway.as(company).get(`/api/crm/exports/calls.csv?sip_call_id=${encodeURIComponent(key)}`);
    const [headings = '', line = '', ...more] = text.trim().split('\r\n');
    expect(headings.split(',')).toContain('sip_call_id');
    expect(more).toEqual([]);
    expect(line).toContain('3848276298220188511@pbx.example.com');
  });

  it('finds it also where the PBX writes a plus as it is', async () => {
    const { id } = await softphone.startCall(customer);
    await softphone.reportProgress(id, 'ringing', { sip_call_id: 'a+b@pbx' });
    const { body } = await gateway.as(company).get('/api/calls?sip_call_id=a+b@pbx').expect(200);
    expect(body.calls).toMatchObject([{ id, sip_call_id: 'a+b@pbx' }]);
    await softphone.reportProgress(id, 'ended');
  });

  it('is of the call that rings, and of one that was turned away', async () => {
    const { call } = await softphone.incomingCall(customer, 'Grace', { sip_call_id: 'rings' });
    expect(call).toMatchObject({ sip_call_id: 'rings', state: 'ringing' });
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportTurnedAway('+15551230002', undefined, { sip_call_id: 'turned-away' });
    expect(await found('rings')).toMatchObject([{ id: call.id, state: 'connected' }]);
    expect(await found('turned-away')).toMatchObject([{ phone: '+15551230002', end_reason: 'missed' }]);
  });

  it.each(['', 'two\twords', 'line\nbreak', 'x'.repeat(256), 'Schlüssel'])(
    'is left out where it is none, and no call is lost for it: %j',
    async (sip_call_id) => {
      const { call } = await softphone.incomingCall(customer, undefined, { sip_call_id });
      expect(call).toMatchObject({ sip_call_id: null, phone: customer });
      expect(await softphone.reportProgress(call.id, 'connected', { sip_call_id })).toMatchObject({
        sip_call_id: null,
        state: 'connected',
      });
      const refused = await byKey(sip_call_id).expect(400);
      expect(refused.body.errors).toMatchObject([{ path: 'sip_call_id', code: 'not_a_sip_call_id' }]);
    },
  );

  it('goes with the person who is erased', async () => {
    const { call } = await softphone.incomingCall(customer, undefined, { sip_call_id: 'personal' });
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'rejected' });
    expect(await found('personal')).toHaveLength(1);
    const admin = gateway.as(company);
    const person = { phones: [{ phone_number: customer }], name: 'Grace' };
    const { body: contact } = await admin.post('/api/crm/contacts').send(person).expect(201);
    await admin.post(`/api/crm/contacts/${contact.id}/erase`).send({ version: contact.version }).expect(200);
    expect(await found('personal')).toEqual([]);
  });

  it('is a key of one company alone', async () => {
    const stranger = await gateway.company({ slug: `keys-stranger-${companies}`, agents: 1 });
    const { call } = await softphone.incomingCall(customer, undefined, { sip_call_id: 'ours' });
    expect(await found('ours', stranger)).toEqual([]);
    expect((await record('ours', stranger).expect(404)).body).toMatchObject({ code: 'not_found' });
    await gateway.as(ada).patch('/api/calls?sip_call_id=ours').send({ recording_url }).expect(403);
    expect(await found('ours')).toMatchObject([{ id: call.id, recording_url: null }]);
  });
});

describe('the number that the customer called, and where they waited', () => {
  it('is of the call, its pop, its events and the exported file, and of the call that a colleague takes over', async () => {
    const popped = nextEvent(softphone, 'pop');
    const { call } = await softphone.incomingCall(customer, undefined, {
      dialed_number: '"Sales" <sip:+4930123456@pbx>',
      queue: 'Support',
    });
    const dialed_number = '+4930123456';
    const queue = 'Support';
    expect(call).toMatchObject({ dialed_number, queue, source: null });
    expect((await popped)[0]).toMatchObject({ call_id: call.id, dialed_number, queue });
    await softphone.reportProgress(call.id, 'connected');
    await gateway
      .as(company)
      .put('/api/telephony')
      .send({ mode: 'sip', sip_wss_url: 'wss://pbx.example/ws' })
      .expect(200);
    for (const [place, { id }] of [ada, ben].entries()) {
      const account = { sip_user: String(1001 + place), sip_secret: 'secret' };
      await gateway.as(company).patch(`/api/agents/${id}`).send(account).expect(200);
    }
    const colleague = await gateway.readySoftphone(ben, { acceptTransfer: () => true });
    const handed = await softphone.startTransfer(call.id, { agentId: ben.id });
    await softphone.reportProgress(call.id, 'ended', { end_reason: 'transferred' });
    const events = await receiver.waitFor(
      ({ body }) => [call.id, handed.call_id].includes(String(body.data['call_id'])),
      3,
    );
    expect(events.map(({ body }) => body.data['dialed_number'])).toEqual([dialed_number, dialed_number, dialed_number]);
    expect(events.map(({ body }) => body.data['queue'])).toEqual([queue, queue, queue]);
    const pop = `/api/integrations/cti/pop?phone=${encodeURIComponent(customer)}&call=${handed.call_id}`;
    expect((await gateway.as(ben).get(pop).expect(200)).body.call).toMatchObject({ queue });
    const { text } = await gateway.as(company).get('/api/crm/exports/calls.csv').expect(200);
    expect(text).toContain('dialed_number');
    expect(text.split(dialed_number)).toHaveLength(3);
    colleague.close();
  });

  it.each([
    ['an extension', '8001', '8001'],
    ['a name', 'sales', 'sales'],
    ['two lines', 'Sales\r\nGermany', 'Sales Germany'],
    ['too much', 'x'.repeat(200), 'x'.repeat(64)],
    ['far too much', 'x'.repeat(257), null],
    ['nothing', '', null],
    ['what is withheld', 'anonymous', null],
  ])('is kept as the network told it where it is %s', async (_, dialed_number, kept) => {
    expect((await softphone.incomingCall(customer, undefined, { dialed_number })).call).toMatchObject({
      dialed_number: kept,
      phone: customer,
    });
  });

  it.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(201)],
    ['two lines', 'Support\r\nNight'],
  ])('loses no call where the network calls a queue %s', async (_, queue) => {
    expect((await softphone.incomingCall(customer, undefined, { queue })).call).toMatchObject({
      queue: null,
      phone: customer,
    });
  });

  it('is told of who was turned away, and unknown where the network does not tell', async () => {
    const { call } = await softphone.incomingCall(customer);
    await softphone.reportProgress(call.id, 'connected');
    const missed = await softphone.reportTurnedAway('+15551230002', undefined, {
      dialed_number: '8001',
      queue: 'Night',
    });
    expect([call.dialed_number, missed.dialed_number]).toEqual([null, '8001']);
    expect([call.queue, missed.queue]).toEqual([null, 'Night']);
  });
});

describe('a line of the company', () => {
  const lines = (given: object[]) => gateway.as(company).patch('/api/company').send({ lines: given });

  it('is known by its number in any spelling, or by what the PBX calls it, to softphones and the pop page', async () => {
    await gateway.as(company).put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    const saved = await lines([
      { name: ' Sales Germany ', phone_number: '030 / 12 34 56' },
      { name: 'Support', phone_number: 'support' },
    ]).expect(200);
    const known = [
      { name: 'Sales Germany', phone_number: '+4930123456' },
      { name: 'Support', phone_number: 'support' },
    ];
    expect(saved.body.lines).toEqual(known);
    expect((await softphone.readSettings()).lines).toEqual(known);
    const { call } = await softphone.incomingCall(customer, undefined, { dialed_number: '+4930123456' });
    const pop = `/api/integrations/cti/pop?phone=${encodeURIComponent(customer)}&call=${call.id}`;
    expect((await gateway.as(ada).get(pop).expect(200)).body.call).toMatchObject({
      dialed_number: '+4930123456',
      line: 'Sales Germany',
    });
  });

  it('is set by admins alone, at most 100 of them, each with a name', async () => {
    await gateway.as(ada).patch('/api/company').send({ lines: [] }).expect(403);
    await lines(Array(101).fill({ name: 'Sales', phone_number: '8001' })).expect(400);
    await lines([{ name: '', phone_number: '8001' }]).expect(400);
    expect((await gateway.as(company).get('/api/company').expect(200)).body.lines).toEqual([]);
  });
});

describe('a recording', () => {
  it('is attached by SIP’s Call-ID, to the call that was answered where one INVITE rang at several telephones', async () => {
    const others = await gateway.readySoftphone(ben);
    const ring = { sip_call_id: 'forked' };
    const { call: taken } = await softphone.incomingCall(customer, undefined, ring);
    const { call: missed } = await others.incomingCall(customer, undefined, ring);
    // Nobody has answered yet.
    expect((await record('forked').expect(200)).body).toMatchObject({ id: missed.id, recording_url });
    await softphone.reportProgress(taken.id, 'connected');
    await others.reportProgress(missed.id, 'ended', { end_detail: 'answered_elsewhere' });
    expect((await record('forked').expect(200)).body).toMatchObject({ id: taken.id, recording_url });
    expect(await found('forked')).toHaveLength(2);
    expect((await record('nobodys').expect(404)).body).toMatchObject({ code: 'not_found' });
    expect(
      (await gateway.as(company).patch('/api/calls').send({ recording_url }).expect(400)).body.errors,
    ).toMatchObject([{ path: 'sip_call_id' }]);
  });
});
