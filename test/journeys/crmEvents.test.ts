import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookEvent } from '../../src/contract/vocabulary.ts';
import { webhookData } from '../../src/contract/webhooks.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

type CrmEvent = Extract<WebhookEvent, 'contact_changed' | 'deal_moved' | 'task_due'>;
const crmEvents: CrmEvent[] = ['contact_changed', 'deal_moved', 'task_due'];

describe('the events of the built-in CRM', () => {
  let gateway: Gateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let ada: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    companies += 1;
    company = await gateway.company({ slug: `crm-events-${companies}`, agents: 1, webhookUrl: receiver.url });
    ada = company.agents[0]!;
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  const admin = () => gateway.as(company);
  const agent = () => gateway.as(ada);
  const choose = (webhook_events: WebhookEvent[] | null) =>
    admin().put('/api/integrations').send({ webhook_events }).expect(200);
  const createContact = async (body: object = {}) =>
    (
      await agent()
        .post('/api/crm/contacts')
        .send({ name: 'Grace', ...body })
        .expect(201)
    ).body;
  const createPipeline = async () =>
    (
      await admin()
        .post('/api/crm/pipelines')
        .send({ name: 'Sales', stages: [{ name: 'New' }, { name: 'Offer sent' }] })
        .expect(201)
    ).body;
  const createTask = async () =>
    (
      await agent()
        .post('/api/crm/tasks')
        .send({ title: 'Call', due_at: new Date(Date.now() + 300).toISOString() })
        .expect(201)
    ).body;
  const read = async (path: string) => (await admin().get(path).expect(200)).body;
  const logged = async (): Promise<{ event: string; call_id: string | null; sequence: number | null }[]> =>
    (await read('/api/integrations/webhook-deliveries')).deliveries;
  /** The `data` of the first `count` webhooks of an event, as the contract has it. */
  async function arrived(event: CrmEvent, count: number) {
    const webhooks = await receiver.waitFor(
      ({ body }) => body.event === event && body.company_id === company.id,
      count,
    );
    return webhooks.map(({ body }) => webhookData[event].parse(body.data));
  }

  it('are nothing that a company gets without asking', async () => {
    const { id } = await createContact();
    await agent().patch(`/api/crm/contacts/${id}`).send({ tier: 'gold' }).expect(200);
    const { stages } = await createPipeline();
    const { body: deal } = await agent()
      .post('/api/crm/deals')
      .send({ name: '50 licences', contact_id: id })
      .expect(201);
    await agent().patch(`/api/crm/deals/${deal.id}`).send({ stage_id: stages[1].id }).expect(200);
    const task = await createTask();
    await eventually(async () => expect((await read(`/api/crm/tasks/${task.id}`)).fired_at).not.toBeNull());
    expect(await logged()).toEqual([]);
  });

  it('are among those that an admin can choose, and none of the usual ones', async () => {
    const { webhook_events: catalog } = await read('/api/integrations');
    expect(catalog.filter(({ id }: { id: CrmEvent }) => crmEvents.includes(id))).toMatchObject(
      crmEvents.map((id) => ({ id, is_default: false })),
    );
  });

  it('tell of a contact that is made, changed and merged, as it is afterwards, and by whom', async () => {
    await choose(['contact_changed']);
    const kept = await createContact({ tags: ['navy'] });
    await agent().patch(`/api/crm/contacts/${kept.id}`).send({ tier: 'gold' }).expect(200);
    // Nothing is different: nothing is told.
    await agent().patch(`/api/crm/contacts/${kept.id}`).send({ tier: 'gold' }).expect(200);
    await agent().post('/api/crm/activities').send({ contact_id: kept.id, text: 'A note' }).expect(201);
    const other = (
      await gateway.api
        .post('/api/crm/contacts')
        .set('X-Service-Api-Key', company.key)
        .send({ name: 'Grace H.' })
        .expect(201)
    ).body;
    const merged = (
      await admin()
        .post(`/api/crm/contacts/${kept.id}/merge`)
        .send({ contact_id: other.id, version: 2, other_version: 1 })
        .expect(200)
    ).body;
    const by = { id: ada.id, agent_code: ada.agentCode };
    const told = await arrived('contact_changed', 4);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        { contact_id: kept.id, change: 'created', merged_contact_id: null, agent: by, contact: kept },
        {
          contact_id: kept.id,
          change: 'edited',
          merged_contact_id: null,
          agent: by,
          contact: expect.objectContaining({ tier: 'gold', version: 2 }),
        },
        { contact_id: other.id, change: 'created', merged_contact_id: null, agent: null, contact: other },
        {
          contact_id: kept.id,
          change: 'merged',
          merged_contact_id: other.id,
          agent: expect.objectContaining({ agent_code: 'admin' }),
          contact: merged,
        },
      ]),
    );
    const log = await logged();
    expect(log).toHaveLength(4);
    for (const { call_id, sequence } of log) expect([call_id, sequence]).toEqual([null, null]);
  });

  it('tell of a person who was erased by the former id alone; what was told of them before is gone', async () => {
    await choose(['contact_changed', 'deal_moved']);
    const { id } = await createContact();
    await createPipeline();
    await agent().post('/api/crm/deals').send({ name: '50 licences', contact_id: id }).expect(201);
    await arrived('contact_changed', 1);
    await arrived('deal_moved', 1);
    const { body } = await admin().post(`/api/crm/contacts/${id}/erase`).send({ version: 1 }).expect(200);
    expect(body.erased.webhook_deliveries).toBe(2);
    const [, told] = await arrived('contact_changed', 2);
    expect(told).toEqual({
      contact_id: id,
      change: 'erased',
      merged_contact_id: null,
      agent: expect.objectContaining({ agent_code: 'admin' }),
      contact: null,
    });
    expect(await logged()).toMatchObject([{ event: 'contact_changed' }]);
  });

  it('tell of a deal that is made and moved, and not of its other changes or of a move that is refused', async () => {
    await choose(['deal_moved']);
    const { id: contactId } = await createContact();
    const { stages } = await createPipeline();
    const [first, second] = stages.map(({ id, name }: { id: string; name: string }) => ({ id, name }));
    const { body: made } = await agent()
      .post('/api/crm/deals')
      .send({ name: '50 licences', contact_id: contactId })
      .expect(201);
    await agent().patch(`/api/crm/deals/${made.id}`).send({ name: '60 licences' }).expect(200);
    await agent().patch(`/api/crm/deals/${made.id}`).send({ stage_id: second.id, version: 1 }).expect(409);
    const { body: moved } = await agent()
      .patch(`/api/crm/deals/${made.id}`)
      .send({ stage_id: second.id, version: 2 })
      .expect(200);
    const about = { deal_id: made.id, contact_id: contactId, agent: { id: ada.id, agent_code: ada.agentCode } };
    const told = await arrived('deal_moved', 2);
    expect(told).toEqual(
      expect.arrayContaining([
        { ...about, from: null, to: first, deal: made },
        { ...about, from: first, to: second, deal: moved },
      ]),
    );
    expect(await logged()).toHaveLength(2);
  });

  it('tell of a task once, when it falls due', async () => {
    await choose(['task_due']);
    const { id } = await createTask();
    const [told] = await arrived('task_due', 1);
    expect(told).toMatchObject({ task_id: id, task: { id, title: 'Call', fired_at: expect.any(String) } });
    expect(await logged()).toHaveLength(1);
  });
});
