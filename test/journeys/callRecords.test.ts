import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { eventually } from '../support/time/waiting.ts';

const customer = '+15551230001';
const other = '+15551230002';
const recording = 'https://pbx.example.com/recordings/4711.mp3';

let gateway: Gateway;
let receiver: WebhookReceiver;
let company: TestCompany;
let ada: TestAgent;
let boss: TestAgent;
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
  company = await gateway.company({ slug: `records-${companies}`, agents: 2, webhookUrl: receiver.url });
  [ada] = company.agents as [TestAgent];
  boss = await gateway.agent(company, `boss-${companies}`, 'supervisor');
});

/** A call that the agent made by hand, from beginning to end; its id. */
async function called(phone: string, { agent = ada, wasAnswered = true } = {}): Promise<string> {
  const softphone = await gateway.readySoftphone(agent);
  const call = await softphone.startCall(phone);
  if (wasAnswered) await softphone.reportProgress(call.id, 'connected');
  await softphone.reportProgress(call.id, 'ended', wasAnswered ? {} : { end_reason: 'busy' });
  if (wasAnswered) await softphone.submitDisposition(call.id, { code: 'resolved', notes: 'Sent the offer' });
  softphone.close();
  return call.id;
}

const list = async (query: string, who: TestAgent = boss) =>
  (await gateway.as(who).get(`/api/calls?${query}`).expect(200)).body;
const idsOf = async (query: string) => (await list(query)).calls.map(({ id }: { id: string }) => id);
const read = async (id: string) => (await gateway.as(boss).get(`/api/calls/${id}`).expect(200)).body;
const correctionsOf = async (id: string) =>
  (await gateway.as(boss).get(`/api/calls/${id}/corrections`).expect(200)).body.corrections;
const change = (id: string, body: object, who: TestAgent = boss) =>
  gateway.as(who).patch(`/api/calls/${id}`).send(body);

describe('the list of calls', () => {
  it('is narrowed by result, disposition, number, agent and time, and tells whose the calls are', async () => {
    const first = await called(customer);
    const second = await called(other, { wasAnswered: false });
    const between = (await read(second)).created_at;
    const third = await called(customer, { agent: company.agents[1]! });
    const at = (time: string) => encodeURIComponent(time);
    expect(await idsOf('')).toEqual([third, second, first]);
    expect(await idsOf('end_reason=busy')).toEqual([second]);
    expect(await idsOf('disposition=resolved')).toEqual([third, first]);
    expect(await idsOf(`phone=${encodeURIComponent(customer)}&agent_id=${ada.id}`)).toEqual([first]);
    expect(await idsOf(`since=${at((await read(first)).created_at)}&until=${at(between)}`)).toEqual([first]);
    expect(await idsOf(`since=${at(between)}`)).toEqual([third, second]);
    expect(await idsOf(`until=${at(between)}&disposition=resolved`)).toEqual([first]);
    expect(await idsOf(`since=${at('2090-01-01T00:00:00Z')}`)).toEqual([]);
    expect(await idsOf(`until=${at('2020-01-01T00:00:00+01:00')}`)).toEqual([]);
    const { agents } = await list('end_reason=completed');
    expect(agents).toHaveLength(2);
    expect(agents).toContainEqual({ id: ada.id, name: expect.any(String), agent_code: ada.agentCode });
    // Page after page as well.
    const { next_cursor: cursor } = await list('disposition=resolved&limit=1');
    expect(await idsOf(`disposition=resolved&limit=1&cursor=${cursor}`)).toEqual([first]);
  });

  it('is had as CSV by the same filters, by supervisors', async () => {
    const id = await called(customer);
    await called(other, { wasAnswered: false });
    await change(id, { recording_url: recording }).expect(200);
    const { text } = await gateway.as(boss).get('/api/crm/exports/calls.csv?disposition=resolved').expect(200);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('Sent the offer');
    expect(lines[1]).toContain(recording);
    await gateway.as(ada).get('/api/crm/exports/calls.csv').expect(403);
    expect((await gateway.as(boss).get('/api/crm/exports/calls.csv?phone=anonymous').expect(400)).body).toMatchObject({
      code: 'invalid_phone',
    });
  });
});

describe('a recording', () => {
  it('is attached by the PBX with the company’s key, replaced and taken away, whatever becomes of the call meanwhile', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const call = await softphone.startCall(customer);
    const attach = (url: string | null) =>
      gateway.api.patch(`/api/calls/${call.id}`).set('X-Service-Api-Key', company.key).send({ recording_url: url });
    expect((await attach(recording).expect(200)).body).toMatchObject({ recording_url: recording, state: 'dialing' });
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended');
    softphone.close();
    expect(await read(call.id)).toMatchObject({ recording_url: recording, state: 'ended' });
    await attach(null).expect(200);
    expect(await read(call.id)).toMatchObject({ recording_url: null });
    for (const url of ['javascript:alert(1)', 'pbx', 'file:///etc/passwd'])
      expect((await attach(url).expect(400)).body.errors).toMatchObject([{ path: 'recording_url' }]);
    await gateway.as(ada).patch(`/api/calls/${call.id}`).send({ recording_url: recording }).expect(403);
    expect(await read(call.id)).toMatchObject({ recording_url: null });
  });
});

describe('notes', () => {
  const note = (id: string, notes: string | null, who: TestAgent = ada) =>
    gateway.as(who).put(`/api/calls/${id}/notes`).send({ notes });

  it('are kept from the first ring, on every device, until the call is wrapped up; the wrap-up says which stay', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const { call } = await softphone.incomingCall(customer);
    await note(call.id, 'Asks for').expect(204);
    await softphone.reportProgress(call.id, 'connected');
    await note(call.id, 'Asks for the price list').expect(204);
    expect(await read(call.id)).toMatchObject({
      state: 'connected',
      notes_draft: 'Asks for the price list',
      disposition: null,
    });
    softphone.close();
    const elsewhere = gateway.softphone(ada);
    expect((await elsewhere.connect()).call).toMatchObject({ id: call.id, notes_draft: 'Asks for the price list' });
    await elsewhere.reportProgress(call.id, 'ended');
    await note(call.id, ' ').expect(204);
    expect(await read(call.id)).toMatchObject({ notes_draft: null });
    await note(call.id, 'Once more').expect(204);
    await elsewhere.submitDisposition(call.id, { code: 'resolved', notes: 'Sent the price list' });
    expect(await read(call.id)).toMatchObject({ notes_draft: null, disposition: { notes: 'Sent the price list' } });
    expect((await note(call.id, 'Too late').expect(409)).body).toMatchObject({ cause: { code: 'wrapped_up_already' } });
    expect(await read(call.id)).toMatchObject({ notes_draft: null, disposition: { notes: 'Sent the price list' } });
    elsewhere.close();
  });

  it('are of the call’s agent and who supervises, and go with an erased customer', async () => {
    const id = await called(customer, { wasAnswered: false });
    await note(id, 'Grace was busy').expect(204);
    await note(id, 'Mine', company.agents[1]!).expect(404);
    await note(id, 'x'.repeat(10_001)).expect(400);
    expect(await read(id)).toMatchObject({ notes_draft: 'Grace was busy' });
    const { body: contact } = await gateway
      .as(company)
      .post('/api/crm/contacts')
      .send({ phones: [{ phone_number: customer }], name: 'Grace' })
      .expect(201);
    await gateway
      .as(company)
      .post(`/api/crm/contacts/${contact.id}/erase`)
      .send({ version: contact.version })
      .expect(200);
    expect(await read(id)).toMatchObject({ notes_draft: null });
  });
});

describe('a correction', () => {
  it('changes how a call was wrapped up, is told to the webhook, and stays in the history with what it was', async () => {
    const id = await called(customer);
    const { body } = await change(id, { disposition: { code: 'not_interested', notes: 'No money' } }).expect(200);
    const submitted = body.disposition.submitted_at;
    expect(body.disposition).toMatchObject({ code: 'not_interested', notes: 'No money' });
    await change(id, { disposition: { code: 'resolved' } }).expect(200);
    expect((await read(id)).disposition).toMatchObject({
      code: 'resolved',
      notes: 'No money',
      submitted_at: submitted,
    });
    // The same again changes nothing.
    await change(id, { disposition: { code: 'resolved' } }).expect(200);
    expect(await correctionsOf(id)).toMatchObject([
      { by: { id: boss.id }, before: { code: 'not_interested', notes: 'No money' }, after: { code: 'resolved' } },
      {
        by: { id: boss.id },
        before: { code: 'resolved', notes: 'Sent the offer' },
        after: { code: 'not_interested', notes: 'No money' },
      },
    ]);
    const told = () =>
      receiver.received
        .filter(({ body: message }) => message.data['call_id'] === id && message.event === 'disposition')
        .map(({ body: message }) => message.data['code']);
    await eventually(() => expect(told()).toEqual(['resolved', 'not_interested', 'resolved']));
  });

  it('is one supervisor’s after the other’s, and none is lost', async () => {
    const id = await called(customer);
    const codes = ['not_interested', 'wrong_number', 'no_answer', 'not_interested', 'wrong_number'];
    const answers = await Promise.all(codes.map((code) => change(id, { disposition: { code } })));
    expect(answers.map(({ status }) => status)).toEqual(codes.map(() => 200));
    const history = (await correctionsOf(id)).toReversed();
    expect(history[0].before.code).toBe('resolved');
    for (const [place, { before }] of history.entries()) {
      if (place > 0) expect(before).toEqual(history[place - 1].after);
    }
    expect(history.at(-1).after.code).toBe((await read(id)).disposition.code);
  });

  it('is refused for a call that lasts, a code that nobody has, and one that needs a time; nothing was changed and nobody told', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const call = await softphone.startCall(customer);
    expect(
      (await change(call.id, { disposition: { code: 'resolved' }, recording_url: recording }).expect(409)).body,
    ).toMatchObject({ cause: { code: 'call_not_ended' } });
    await softphone.reportProgress(call.id, 'connected');
    await softphone.reportProgress(call.id, 'ended');
    softphone.close();
    expect((await change(call.id, { disposition: { code: 'nobodys' } }).expect(400)).body).toMatchObject({
      cause: { code: 'unknown_disposition' },
    });
    expect((await change(call.id, { disposition: { code: 'callback' } }).expect(400)).body).toMatchObject({
      cause: { code: 'callback_time_needed' },
    });
    expect(await read(call.id)).toMatchObject({ disposition: null, recording_url: null });
    expect(await correctionsOf(call.id)).toEqual([]);
    await change(call.id, { disposition: { code: 'resolved' } }, ada).expect(403);
    await gateway.as(ada).get(`/api/calls/${call.id}/corrections`).expect(403);
    // A call that was never wrapped up is, by that.
    await change(call.id, { disposition: { code: 'resolved' } }).expect(200);
    expect(await correctionsOf(call.id)).toMatchObject([{ before: null, after: { code: 'resolved', notes: null } }]);
  });

  it('is nothing for another company', async () => {
    const id = await called(customer);
    const stranger = await gateway.company({ slug: `strangers-${companies}`, agents: 1 });
    await gateway.as(stranger).patch(`/api/calls/${id}`).send({ recording_url: recording }).expect(403);
    await gateway.as(stranger).get(`/api/calls/${id}/corrections`).expect(403);
    expect(await read(id)).toMatchObject({ recording_url: null });
  });

  it('keeps its codes, and loses its words, when the customer is erased', async () => {
    const id = await called(customer);
    await change(id, {
      disposition: { code: 'not_interested', notes: 'Grace has no money' },
      recording_url: recording,
    }).expect(200);
    const admin = gateway.as(company);
    const { body: contact } = await admin
      .post('/api/crm/contacts')
      .send({ phones: [{ phone_number: customer }], name: 'Grace' })
      .expect(201);
    await admin.post(`/api/crm/contacts/${contact.id}/erase`).send({ version: contact.version }).expect(200);
    expect(await read(id)).toMatchObject({
      phone: null,
      recording_url: null,
      disposition: { code: 'not_interested', notes: null },
    });
    const history = JSON.stringify(await correctionsOf(id));
    expect(history).toContain('not_interested');
    expect(history).not.toMatch(/Grace|offer/);
  });
});
