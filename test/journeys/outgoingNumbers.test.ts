import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../support/webhooks/webhookReceiver.ts';

const customer = '+15551230001';
const [sales, support, main] = ['+4930111', '+4930222', '+4930333'];

let gateway: Gateway;
let company: TestCompany;
let receiver: WebhookReceiver;
let teamId: string;

beforeAll(async () => {
  [gateway, receiver] = await Promise.all([startGateway('memory'), startWebhookReceiver()]);
  company = await gateway.company({ slug: 'outgoing', agents: 3, webhookUrl: receiver.url, wrapUpSeconds: 0 });
  const members = { code: 'support', name: 'Support', agent_ids: [company.agents[1]?.id] };
  teamId = (await gateway.as(company).post('/api/teams').send(members).expect(201)).body.id;
});
beforeEach(() => offer([]));
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const offer = (outgoing_numbers: object[]) =>
  gateway.as(company).patch('/api/company').send({ outgoing_numbers }).expect(200);
const number = (phone_number: string, more: { agent_ids?: unknown[]; team_ids?: unknown[] } = {}) => ({
  name: phone_number,
  phone_number,
  ...more,
});
/** By team, agent and everybody: the most particular one last, so that the order alone does not decide. */
const everybodys = () => [
  number(main),
  number(support, { team_ids: [teamId] }),
  number(sales, { agent_ids: [company.agents[0]?.id] }),
];

/** The softphone of an agent, alone, Ready. */
async function withSoftphone<T>(index: number, work: (softphone: Softphone) => Promise<T>): Promise<T> {
  const softphone = gateway.softphone(company.agents[index]!);
  await softphone.connect();
  await softphone.setReady();
  try {
    return await work(softphone);
  } finally {
    if (softphone.call !== null && softphone.call.state !== 'ended')
      await softphone.reportProgress(softphone.call.id, 'ended');
    await softphone.signOut();
  }
}

const click = (body: object) =>
  gateway.api
    .post('/api/integrations/cti/click-to-dial')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: customer, ...body });

describe('the number that a customer sees', () => {
  it.each([
    ['of whose it is', 0, sales],
    ['else of the team', 1, support],
    ['else of everybody', 2, main],
  ])('is the agent’s, %s: by hand, by a click, in the settings and in the record', async (_whose, index, seen) => {
    await offer(everybodys());
    await withSoftphone(index, async (softphone) => {
      expect(await softphone.readSettings()).toMatchObject({
        outgoing_numbers: [main, support, sales].map((phone_number) => ({ name: phone_number, phone_number })),
        outgoing_number: seen,
      });
      expect(await softphone.startCall(customer)).toMatchObject({ caller_id: seen });
    });
    await withSoftphone(index, async (softphone) => {
      const offers: unknown[] = [];
      softphone.on('dial', (dial) => offers.push(dial));
      const { body } = await click({}).expect(201);
      await eventually(() => expect(offers).toMatchObject([{ call_id: body.call_id, caller_id: seen }]));
      const { body: call } = await gateway.as(company).get(`/api/calls/${body.call_id}`).expect(200);
      expect(call).toMatchObject({ caller_id: seen });
      const isStart = ({ body: { event, data } }: ReceivedWebhook) =>
        event === 'call_started' && data['call_id'] === call.id;
      const [started] = await receiver.waitFor(isStart);
      expect(started?.body.data).toMatchObject({ caller_id: seen });
    });
  });

  it('is the one that a click, or the agent, asks for, in any spelling', async () => {
    await offer(everybodys());
    await withSoftphone(2, async (softphone) => {
      const { body } = await click({ caller_id: '+49 30 222' }).expect(201);
      await eventually(() => expect(softphone.call).toMatchObject({ id: body.call_id, caller_id: support }));
    });
    await withSoftphone(2, async (softphone) => {
      expect(await softphone.startCall(customer, { callerId: sales })).toMatchObject({ caller_id: sales });
    });
  });

  it('is refused where it is none of the company’s, and nothing is dialed', async () => {
    await offer(everybodys());
    const stranger = await gateway.company({ slug: 'stranger' });
    await gateway
      .as(stranger)
      .patch('/api/company')
      .send({ outgoing_numbers: [number('+4930999')] })
      .expect(200);
    await withSoftphone(2, async (softphone) => {
      for (const caller_id of ['+4930999', 'no number', customer]) {
        const { body } = await click({ caller_id }).expect(400);
        expect(body.errors).toMatchObject([{ path: 'caller_id', code: 'not_outgoing' }]);
      }
      await expect(softphone.startCall(customer, { callerId: '+4930999' })).rejects.toMatchObject({
        code: 'invalid_request',
      });
      expect(softphone.agent).toMatchObject({ state: 'ready', call_id: null });
    });
  });

  it('is left to the PBX where the company has none, or none of this agent', async () => {
    await withSoftphone(2, async (softphone) => {
      expect(await softphone.startCall(customer)).toMatchObject({ caller_id: null });
    });
    await offer([number(sales, { agent_ids: [company.agents[0]?.id] })]);
    await withSoftphone(2, async (softphone) => {
      expect(await softphone.readSettings()).toMatchObject({ outgoing_number: null });
      expect(await softphone.startCall(customer)).toMatchObject({ caller_id: null });
    });
  });

  it('goes with whoever leaves the team, at once', async () => {
    await offer(everybodys());
    await gateway.as(company).patch(`/api/teams/${teamId}`).send({ agent_ids: [] }).expect(200);
    await withSoftphone(1, async (softphone) => {
      expect(await softphone.startCall(customer)).toMatchObject({ caller_id: main });
    });
  });

  it('is in the export of the calls', async () => {
    const { text } = await gateway.as(company).get('/api/crm/exports/calls.csv').expect(200);
    const [headings = '', ...rows] = text.trim().split('\r\n');
    const column = headings.split(',').indexOf('caller_id');
    expect(rows.map((row) => row.split(',')[column])).toContain(`'${sales}`);
  });
});
