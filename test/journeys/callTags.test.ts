import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const customer = '+15551230001';
const price = { code: 'price', label: 'Price' };
const complaint = { code: 'complaint', label: 'Complaint' };

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
  company = await gateway.company({
    slug: `tags-${companies}`,
    agents: 2,
    webhookUrl: receiver.url,
    wrapUpSeconds: 600,
  });
  [ada] = company.agents as [TestAgent];
  boss = await gateway.agent(company, `boss-${companies}`, 'supervisor');
  await configure({ tags: [price, complaint] });
});

const configure = (settings: object) => gateway.as(company).patch('/api/company').send(settings).expect(200);
const draft = (id: string, body: object, who: TestAgent = ada) =>
  gateway
    .as(who)
    .put(`/api/calls/${id}/notes`)
    .send({ notes: null, ...body });
const read = async (id: string) => (await gateway.as(boss).get(`/api/calls/${id}`).expect(200)).body;
const idsOf = async (query: string, who: TestAgent = boss) =>
  (await gateway.as(who).get(`/api/calls?${query}`).expect(200)).body.calls.map(({ id }: { id: string }) => id);
const change = (id: string, body: object) => gateway.as(boss).patch(`/api/calls/${id}`).send(body);
const toldOf = (id: string) =>
  receiver.received
    .filter(({ body }) => body.event === 'disposition' && body.data['call_id'] === id)
    .map(({ body }) => body.data['tags']);

/** A call of the agent that rings. */
async function rung(softphone: Softphone): Promise<string> {
  return (await softphone.incomingCall(customer)).call.id;
}

/** One that is over, wrapped up with those tags. */
async function marked(tags: string[] | undefined, notes = 'Sent the offer'): Promise<string> {
  const softphone = await gateway.readySoftphone(ada);
  const { id } = await softphone.startCall(customer);
  await softphone.reportProgress(id, 'connected');
  await softphone.reportProgress(id, 'ended');
  await softphone.submitDisposition(id, { code: 'resolved', notes, ...(tags === undefined ? {} : { tags }) });
  softphone.close();
  return id;
}

describe('the tags of a company', () => {
  it('are set by its admin, and known to its softphones at once', async () => {
    const softphone = await gateway.readySoftphone(ada);
    expect(await softphone.readSettings()).toMatchObject({ tags: [price, complaint], free_tags: false });
    const changed = nextEvent(softphone, 'settingsChanged');
    await configure({ tags: [complaint], free_tags: true });
    await changed;
    expect(await softphone.readSettings()).toMatchObject({ tags: [complaint], free_tags: true });
    softphone.close();
    await gateway.as(boss).patch('/api/company').send({ free_tags: false }).expect(403);
    expect(
      (
        await gateway
          .as(company)
          .patch('/api/company')
          .send({ tags: [price, price] })
          .expect(400)
      ).body.errors,
    ).toMatchObject([{ path: 'tags', code: 'not_unique' }]);
    expect((await gateway.as(ada).get('/api/company').expect(200)).body).toMatchObject({
      tags: [complaint],
      free_tags: true,
    });
  });
});

describe('a call', () => {
  it('keeps what was entered last, also where a device that was asleep tells later of what was entered before', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const id = await rung(softphone);
    const [earlier, later] = ['2026-01-01T10:00:00.000Z', '2026-01-01T10:05:00.000Z'];
    await draft(id, { notes: 'There', entered_at: later }).expect(204);
    expect((await draft(id, { notes: 'Here', entered_at: earlier }).expect(409)).body).toMatchObject({
      cause: { code: 'entered_later' },
    });
    expect(await read(id)).toMatchObject({ notes_draft: 'There', draft_at: later });
    // The same again, as after an answer that was lost.
    await draft(id, { notes: 'There', entered_at: later }).expect(204);
    // Who does not say when, or has a clock that is ahead, tells of now.
    await draft(id, { notes: 'Ahead', entered_at: '2090-01-01T00:00:00.000Z' }).expect(204);
    await draft(id, { notes: 'Now' }).expect(204);
    expect(await read(id)).toMatchObject({ notes_draft: 'Now' });
    softphone.close();
  });

  it('is marked while it rings, keeps that and what else is chosen over every change of it and on every device, and is wrapped up with it', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const id = await rung(softphone);
    await draft(id, { notes: 'Asks for', tags: ['price'] }).expect(204);
    expect(await read(id)).toMatchObject({ state: 'ringing', notes_draft: 'Asks for', tags: [price] });
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'held');
    // What is left out stays as it is.
    await draft(id, { notes: 'Asks for a list', code: 'callback', callback_at: '2090-01-01T11:00:00+01:00' }).expect(
      204,
    );
    const chosen = {
      notes_draft: 'Asks for a list',
      tags: [price],
      code_draft: 'callback',
      callback_at_draft: '2090-01-01T10:00:00.000Z',
    };
    expect(await read(id)).toMatchObject(chosen);
    softphone.close();
    const elsewhere = gateway.softphone(ada);
    expect((await elsewhere.connect()).call).toMatchObject({ id, ...chosen });
    await draft(id, { tags: ['price', 'complaint'], code: null, callback_at: null }).expect(204);
    await elsewhere.reportProgress(id, 'connected');
    await elsewhere.reportProgress(id, 'ended');
    expect(await read(id)).toMatchObject({
      state: 'ended',
      notes_draft: null,
      tags: [price, complaint],
      code_draft: null,
      callback_at_draft: null,
    });
    await draft(id, { code: 'resolved' }).expect(204);
    await elsewhere.submitDisposition(id, { code: 'resolved' });
    expect(await read(id)).toMatchObject({
      tags: [price, complaint],
      code_draft: null,
      disposition: { code: 'resolved' },
    });
    await eventually(() => expect(toldOf(id)).toEqual([[price, complaint]]));
    expect((await draft(id, { tags: [] }).expect(409)).body).toMatchObject({ cause: { code: 'wrapped_up_already' } });
    // The same again is answered the same; other tags are another disposition.
    await elsewhere.submitDisposition(id, { code: 'resolved', tags: ['price', 'complaint'] });
    await expect(elsewhere.submitDisposition(id, { code: 'resolved', tags: [] })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await read(id)).toMatchObject({ tags: [price, complaint] });
    elsewhere.close();
  });

  it('takes those that are submitted in place of those before, and none of a company that has no such tag', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const id = await rung(softphone);
    await draft(id, { tags: ['complaint'] }).expect(204);
    for (const body of [
      { tags: ['nobodys'] },
      { tags: ['price', 'In a hurry'] },
      { code: 'nobodys' },
      { tags: Array(21).fill('price') },
      { tags: ['x'.repeat(61)] },
      { tags: ['two\nlines'] },
      { callback_at: 'tomorrow' },
    ]) {
      expect((await draft(id, { notes: 'Mine', ...body }).expect(400)).body.code).toBe('invalid_request');
    }
    expect((await draft(id, { tags: ['nobodys'] }).expect(400)).body).toMatchObject({
      cause: { code: 'unknown_tag' },
      errors: [{ path: 'tags' }],
    });
    expect(await read(id)).toMatchObject({ notes_draft: null, tags: [complaint] });
    await draft(id, { tags: ['price'] }, company.agents[1]!).expect(404);
    const stranger = await gateway.company({ slug: `strangers-${companies}`, agents: 1 });
    await draft(id, { tags: ['price'] }, stranger.agents[0]!).expect(403);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await expect(softphone.submitDisposition(id, { code: 'resolved', tags: ['nobodys'] })).rejects.toMatchObject({
      code: 'invalid_request',
      refusal: { cause: { code: 'unknown_tag' } },
    });
    expect(await read(id)).toMatchObject({ disposition: null, tags: [complaint] });
    await softphone.submitDisposition(id, { code: 'resolved', tags: ['Price'] });
    expect(await read(id)).toMatchObject({ tags: [price] });
    softphone.close();
  });

  it('keeps a tag that the company has given up meanwhile, and may be wrapped up with it', async () => {
    const softphone = await gateway.readySoftphone(ada);
    const id = await rung(softphone);
    await draft(id, { tags: ['complaint'] }).expect(204);
    await configure({ tags: [] });
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved', tags: ['complaint'] });
    expect(await read(id)).toMatchObject({ tags: [complaint] });
    softphone.close();
  });

  it('is found by its tags, whoever worded them, and stands with them in the CSV and on its contact’s timeline', async () => {
    await configure({ free_tags: true });
    const { body: contact } = await gateway
      .as(company)
      .post('/api/crm/contacts')
      .send({ phones: [{ phone_number: customer }], name: 'Grace' })
      .expect(201);
    const first = await marked(['price', '=In a Hurry']);
    const second = await marked(['complaint', 'price']);
    const none = await marked(undefined);
    expect(await idsOf('tag=price')).toEqual([second, first]);
    expect(await idsOf('tag=complaint&disposition=resolved')).toEqual([second]);
    expect(await idsOf(`tag=${encodeURIComponent('=IN a hurry')}`)).toEqual([first]);
    expect(await idsOf('tag=nobodys')).toEqual([]);
    expect(await idsOf('')).toEqual([none, second, first]);
    expect(await idsOf('tag=price', company.agents[1]!)).toEqual([]);
    await gateway
      .as(boss)
      .get(`/api/calls?tag=${'x'.repeat(61)}`)
      .expect(400);
    const { text } = await gateway.as(boss).get('/api/crm/exports/calls.csv?tag=price').expect(200);
    const [headers, ...lines] = text.trim().split('\r\n');
    // No field before it holds a comma.
    const at = headers?.split(',').indexOf('tags') ?? -1;
    expect(at).toBeGreaterThan(0);
    // A table program is to read words, and no formula.
    expect(lines.map((line: string) => line.split(',')[at])).toEqual(['"Complaint; Price"', '"Price; =In a Hurry"']);
    const { activities } = (await gateway.as(ada).get(`/api/crm/activities?contact=${contact.id}`).expect(200)).body;
    expect(
      activities.flatMap(({ call }: { call: { tags: unknown } | null }) => (call === null ? [] : [call.tags])),
    ).toEqual([[], [complaint, price], [price, { code: null, label: '=In a Hurry' }]]);
  });

  it('loses the words of its agent, and keeps the company’s tags, when its customer is erased; its history too', async () => {
    await configure({ free_tags: true });
    const id = await marked(['Grace is angry', 'price']);
    await change(id, { disposition: { code: 'resolved', tags: ['complaint', 'Grace is very angry'] } }).expect(200);
    const admin = gateway.as(company);
    const { body: contact } = await admin
      .post('/api/crm/contacts')
      .send({ phones: [{ phone_number: customer }], name: 'Grace' })
      .expect(201);
    await admin.post(`/api/crm/contacts/${contact.id}/erase`).send({ version: contact.version }).expect(200);
    expect(await read(id)).toMatchObject({ phone: null, tags: [complaint] });
    const { corrections } = (await gateway.as(boss).get(`/api/calls/${id}/corrections`).expect(200)).body;
    expect(corrections).toMatchObject([
      { before: { notes: null, tags: [price] }, after: { notes: null, tags: [complaint] } },
    ]);
  });
});

describe('a correction of tags', () => {
  it('is told anew, and stays in the history with what they were', async () => {
    const id = await marked(['price']);
    await change(id, { disposition: { code: 'resolved', tags: ['complaint'] } }).expect(200);
    // Without tags they stay; the same again changes nothing.
    await change(id, { disposition: { code: 'other' } }).expect(200);
    await change(id, { disposition: { code: 'other', tags: ['complaint'] } }).expect(200);
    expect(await read(id)).toMatchObject({
      tags: [complaint],
      disposition: { code: 'other', notes: 'Sent the offer' },
    });
    const { corrections } = (await gateway.as(boss).get(`/api/calls/${id}/corrections`).expect(200)).body;
    expect(corrections).toMatchObject([
      { before: { code: 'resolved', tags: [complaint] }, after: { code: 'other', tags: [complaint] } },
      { before: { code: 'resolved', tags: [price] }, after: { code: 'resolved', tags: [complaint] } },
    ]);
    await eventually(() => expect(toldOf(id)).toEqual([[price], [complaint], [complaint]]));
  });

  it('with one that the company does not have is refused, and changes nothing', async () => {
    const id = await marked(['price']);
    expect((await change(id, { disposition: { code: 'other', tags: ['nobodys'] } }).expect(400)).body).toMatchObject({
      cause: { code: 'unknown_tag' },
      errors: [{ path: 'disposition.tags' }],
    });
    expect(await read(id)).toMatchObject({ tags: [price], disposition: { code: 'resolved' } });
    expect((await gateway.as(boss).get(`/api/calls/${id}/corrections`).expect(200)).body.corrections).toEqual([]);
  });
});
