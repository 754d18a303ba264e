import { afterAll, beforeAll, expect, it } from 'vitest';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const clock = createLeapingClock();
const minute = 60_000;
let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
  company = await gateway.company({ slug: 'outbound', agents: 2, wrapUpSeconds: 3_600 });
  ada = company.agents[0]!;
});
afterAll(() => gateway.close());

/** 2,000 people, every fifth of Ada's; of one the number cannot be read, one comes twice. */
function customers(): string {
  const rows = Array.from({ length: 2_000 }, (_, n) => {
    const who = n === 11 ? 10 : n;
    const phone = n === 7 ? 'ask reception' : `+49301${String(who).padStart(6, '0')}`;
    return `Customer ${who},${phone},${n % 5 === 0 ? ada.agentCode : ''},Europe/Berlin`;
  });
  return `Name,Phone,Owner,Time zone\n${rows.join('\n')}\n`;
}

it('an agent’s day: customers are imported, called, called back at their time, their deals moved, and the day is told', async () => {
  const admin = gateway.as(company);
  const agent = gateway.as(ada);
  const { importFile } = importRoom(
    () => gateway,
    () => company,
  );
  await admin.put('/api/integrations').send({ mode: 'builtin' }).expect(200);
  const pipeline = (
    await admin
      .post('/api/crm/pipelines')
      .send({ name: 'Sales', stages: [{ name: 'New' }, { name: 'Offer' }, { name: 'Won', outcome: 'won' }] })
      .expect(201)
  ).body;

  const imported = await importFile(customers());
  expect(imported).toMatchObject({ state: 'done', rows: 2_000, counts: { created: 1_998, refused: 1, duplicate: 1 } });

  const mine: { id: string; name: string; phones: { phone_number: string }[] }[] = (
    await agent.get(`/api/crm/contacts?owner=${ada.id}&limit=200`).expect(200)
  ).body.contacts;
  expect([mine.length, mine[1]?.name]).toEqual([200, 'Customer 5']);
  const customer = mine[1]!;
  const deal = (
    await agent
      .post('/api/crm/deals')
      .send({
        name: 'Contract',
        stage_id: pipeline.stages[0].id,
        contact_id: customer.id,
        value: '1250.50',
        currency: 'EUR',
      })
      .expect(201)
  ).body;

  const softphone = await gateway.readySoftphone(ada);
  const dial = async () => {
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await agent
      .post('/api/integrations/cti/click-to-dial')
      .send({ phone_number: customer.phones[0]!.phone_number, contact_id: customer.id })
      .expect(201);
    expect(body.screen_pop).toMatchObject({ name: 'Customer 5', contact_id: customer.id });
    expect((await dialing)[0].call_id).toBe(body.call_id);
    await softphone.reportProgress(body.call_id, 'connected');
    await softphone.reportProgress(body.call_id, 'ended');
    return body.call_id as string;
  };
  const first = await dial();
  const at = new Date(Math.ceil(clock.now() / minute) * minute + 90 * minute);
  await softphone.submitDisposition(first, { code: 'callback', callback_at: at.toISOString(), notes: 'In a meeting' });
  await inState(softphone, 'ready');

  await clock.advance(89 * minute);
  expect(softphone.dueTasks).toEqual([]);
  await clock.advance(2 * minute);
  await eventually(() =>
    expect(softphone.dueTasks).toMatchObject([
      { contact: { id: customer.id }, call_id: first, notes: 'In a meeting', time_zone: 'Europe/Berlin' },
    ]),
  );
  const [task] = softphone.dueTasks;
  const second = await dial();
  const known = (await agent.get(`/api/crm/contacts/${customer.id}/summary`).expect(200)).body;
  expect(known).toMatchObject({
    recent_calls: [{ id: second }, { id: first, call: { disposition: { notes: 'In a meeting' } } }],
    open_tasks: [{ id: task?.id }],
  });
  await softphone.submitDisposition(second, { code: 'resolved', notes: 'Signs today' });
  await agent
    .patch(`/api/crm/tasks/${task?.id ?? ''}`)
    .send({ state: 'done', version: task?.version })
    .expect(200);
  await eventually(() => expect(softphone.dueTasks).toEqual([]));

  await agent
    .patch(`/api/crm/deals/${deal.id}`)
    .send({ stage_id: pipeline.stages[2].id, version: deal.version })
    .expect(200);
  const { stages } = (await agent.get(`/api/crm/pipelines/${pipeline.id}/board`).expect(200)).body;
  expect(stages.map(({ count }: { count: number }) => count)).toEqual([0, 0, 1]);
  const { activities } = (await agent.get(`/api/crm/activities?contact=${customer.id}`).expect(200)).body;
  expect(activities.map(({ kind }: { kind: string }) => kind)).toEqual([
    'deal_moved',
    'call',
    'call',
    'deal_created',
    'imported',
  ]);
  const report = (await admin.get('/api/crm/exports/calls.csv').expect(200)).text.trim().split('\r\n');
  expect(report).toHaveLength(3);
  expect(report[1]).toContain('Signs today');
  expect(report[2]).toContain('In a meeting');
  softphone.close();
});
