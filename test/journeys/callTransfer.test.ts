import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { webhookData } from '../../src/contract/webhooks.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const customer = '+15551230001';
const handedOn = { end_reason: 'transferred', ended_by: 'agent' } as const;

let gateway: Gateway;
let receiver: WebhookReceiver;
let company: TestCompany;
let ada: TestAgent;
let boss: TestAgent;
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
  company = await gateway.company({ slug: `transfer-${companies}`, agents: 1, webhookUrl: receiver.url });
  [ada] = company.agents as [TestAgent];
  boss = await gateway.agent(company, `boss-${companies}`, 'supervisor');
  softphone = await gateway.readySoftphone(ada);
});

const choose = (webhook_events: string[]) =>
  gateway.as(company).put('/api/integrations').send({ webhook_events }).expect(200);
const read = async (id: string) => (await gateway.as(boss).get(`/api/calls/${id}`).expect(200)).body;
const told = (id: string) => receiver.received.map(({ body }) => body).filter(({ data }) => data['call_id'] === id);
const csv = async () =>
  (await gateway.as(boss).get('/api/crm/exports/calls.csv?end_reason=transferred').expect(200)).text
    .trim()
    .split('\r\n');

async function talking(): Promise<string> {
  const { id } = await softphone.startCall(customer);
  await softphone.reportProgress(id, 'connected');
  return id;
}

describe('a call that is handed on', () => {
  it.each([
    ['+1 (555) 123-0009', '+15551230009'],
    ['1001', '1001'],
    [undefined, null],
  ])('ends as transferred to %s, is told once to who asked for it, and is wrapped up', async (dialed, known) => {
    await choose(['call_transferred', 'call_ended', 'disposition']);
    const id = await talking();
    await softphone.reportProgress(id, 'held');
    const end = { ...handedOn, ...(dialed === undefined ? {} : { transferred_to: dialed }) };
    const ended = await softphone.reportProgress(id, 'ended', end);
    expect(ended).toMatchObject({ state: 'ended', ...handedOn, transferred_to: known });
    // The answer may have been lost: the same again changes nothing.
    await softphone.reportProgress(id, 'ended', {
      ...end,
      ...(dialed === undefined ? {} : { transferred_to: '1002' }),
    });
    expect(await read(id)).toMatchObject({ ...handedOn, transferred_to: known });
    await eventually(() => expect(softphone.agent?.state).toBe('wrap_up'));
    await softphone.submitDisposition(id, { code: 'resolved' });
    await eventually(() =>
      expect(told(id).map(({ event }) => event)).toEqual(['call_transferred', 'call_ended', 'disposition']),
    );
    const [transfer, end_] = told(id);
    expect(webhookData.call_transferred.parse(transfer?.data)).toMatchObject({
      sequence: 1,
      phone: customer,
      transferred_to: known,
    });
    const to = known === null ? {} : { transferred_to: known };
    expect(end_?.data).toMatchObject({ sequence: 2, ...handedOn, end_detail: null, ...to });
    expect(await read(id)).toMatchObject({ ...handedOn, transferred_to: known, disposition: { code: 'resolved' } });
  });

  it('is not told to a company that did not ask for it', async () => {
    const id = await talking();
    await softphone.reportProgress(id, 'ended', { ...handedOn, transferred_to: '1001' });
    await softphone.submitDisposition(id, { code: 'resolved' });
    await eventually(() =>
      expect(told(id).map(({ event }) => event)).toEqual(['call_started', 'call_answered', 'disposition']),
    );
    expect(told(id).map(({ data }) => data['sequence'])).toEqual([1, 2, 3]);
  });

  it('is found by its result, stands in the CSV, and keeps no number of whom an erased customer was handed on to', async () => {
    const id = await talking();
    await softphone.reportProgress(id, 'ended', { ...handedOn, transferred_to: '+1 555 123 0009' });
    await softphone.submitDisposition(id, { code: 'resolved' });
    const other = await talking();
    await softphone.reportProgress(other, 'ended');
    const { body } = await gateway.as(boss).get('/api/calls?end_reason=transferred').expect(200);
    expect(body.calls).toMatchObject([{ id, transferred_to: '+15551230009' }]);
    const [head = '', ...lines] = await csv();
    expect(lines).toHaveLength(1);
    expect(lines[0]?.split(',')[head.split(',').indexOf('transferred_to')]).toContain('+15551230009');
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
    expect(await read(id)).toMatchObject({ phone: null, end_reason: 'transferred', transferred_to: null });
    expect((await csv())[1]).not.toContain('0009');
  });
});

describe('a report of a transfer', () => {
  it('is refused of a call that nobody has answered, which goes on', async () => {
    const dialed = await softphone.startCall(customer);
    await expect(
      softphone.reportProgress(dialed.id, 'ended', { ...handedOn, transferred_to: '1001' }),
    ).rejects.toMatchObject({ code: 'conflict' });
    await softphone.reportProgress(dialed.id, 'ringing');
    await expect(softphone.reportProgress(dialed.id, 'ended', handedOn)).rejects.toMatchObject({ code: 'conflict' });
    expect(await read(dialed.id)).toMatchObject({
      state: 'ringing',
      end_reason: null,
      transferred_to: null,
      ended_at: null,
    });
    expect(softphone.agent?.state).toBe('on_call');
  });

  it.each<[string, 'connected' | 'held' | 'ended', object]>([
    ['names somebody for another end', 'ended', { end_reason: 'completed', transferred_to: '1001' }],
    ['names somebody and no end reason', 'ended', { transferred_to: '1001' }],
    ['names somebody while the call lasts', 'held', { end_reason: 'transferred', transferred_to: '1001' }],
    ['names nobody at all', 'ended', { ...handedOn, transferred_to: '' }],
    ['names too much', 'ended', { ...handedOn, transferred_to: '1'.repeat(65) }],
    ['names no text', 'ended', { ...handedOn, transferred_to: 1001 }],
  ])('is refused that %s', async (_, state, details) => {
    const id = await talking();
    await expect(softphone.reportProgress(id, state, details)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/^transferred_to: /),
    });
    expect(await read(id)).toMatchObject({ state: 'connected', end_reason: null, transferred_to: null });
  });
});
