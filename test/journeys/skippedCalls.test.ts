import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defaultSkipReasons } from '../../src/contract/vocabulary.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const phone = '+15551230001';
const clock = createLeapingClock();

let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `skips-${companies}`, agents: 2 });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
});
afterAll(() => gateway.close());

const admin = () => gateway.as(company);
const create = async (who: TestAgent | TestCompany, body: object = {}) =>
  (
    await gateway
      .as(who)
      .post('/api/crm/tasks')
      .send({ phone_number: phone, due_at: new Date(clock.now() - 60_000).toISOString(), ...body })
      .expect(201)
  ).body;
const skip = (who: TestAgent, id: string, body: object) => gateway.as(who).post(`/api/crm/tasks/${id}/skip`).send(body);
const minutesFromNow = (at: string) => Math.round((Date.parse(at) - clock.now()) / 60_000);

it('a call that is skipped is due again when its reason says, which stands on the task and on the timeline of whoever was to be called', async () => {
  const contact = (
    await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Grace Hopper', phones: [{ phone_number: phone }] })
      .expect(201)
  ).body;
  const task = await create(ada);
  expect(task.skips).toEqual([]);
  const { body } = await skip(ada, task.id, {
    reason: 'not_now',
    notes: ' Their office is closed ',
    version: 1,
  }).expect(200);
  const by = { id: ada.id, name: 'Agent a100' };
  expect(body).toMatchObject({
    state: 'open',
    version: 2,
    assignee: { id: ada.id },
    skips: [{ by, code: 'not_now', label: 'Not now', notes: 'Their office is closed' }],
  });
  expect(minutesFromNow(body.due_at)).toBe(60);
  expect((await gateway.as(ada).get(`/api/crm/tasks/${task.id}`).expect(200)).body).toEqual(body);
  const { activities } = (await admin().get(`/api/crm/activities?contact=${contact.id}`).expect(200)).body;
  expect(activities[0]).toMatchObject({ kind: 'dial_skipped', by, text: 'Not now: Their office is closed' });
  expect((await skip(ada, task.id, { reason: 'settled' }).expect(200)).body).toMatchObject({
    state: 'canceled',
    skips: [{ code: 'not_now' }, { code: 'settled', notes: null }],
  });
  expect((await skip(ada, task.id, { reason: 'settled' }).expect(409)).body.cause.code).toBe('task_closed');
});

it('leaves the softphone, and comes back when it is due', async () => {
  const softphone = gateway.softphone(ada);
  await softphone.connect();
  const due: string[] = [];
  softphone.on('taskDue', ({ id, version }) => due.push(`${id} ${String(version)}`));
  softphone.on('taskClosed', (id) => due.push(`${id} closed`));
  const task = await create(ada);
  await eventually(() => expect(due).toEqual([`${task.id} 1`]));
  await skip(ada, task.id, { reason: 'not_now' }).expect(200);
  await eventually(() => expect(due).toEqual([`${task.id} 1`, `${task.id} closed`]));
  clock.jump(61 * 60_000);
  await eventually(() => expect(due.at(-1)).toBe(`${task.id} 2`));
  softphone.close();
});

it('is refused with a reason that the company has not, at another version, and of a colleague’s; nothing is noted then', async () => {
  const task = await create(ada);
  expect((await skip(ada, task.id, { reason: 'lunch' }).expect(400)).body).toMatchObject({
    errors: [{ path: 'reason', code: 'unknown_reason' }],
  });
  expect((await skip(ada, task.id, { reason: 'not_now', version: 7 }).expect(409)).body.cause.code).toBe(
    'changed_meanwhile',
  );
  await skip(ben, task.id, { reason: 'not_now' }).expect(404);
  expect((await gateway.as(ada).get(`/api/crm/tasks/${task.id}`).expect(200)).body).toMatchObject({
    state: 'open',
    due_at: task.due_at,
    version: 1,
    skips: [],
  });
});

it('of nobody’s, it stays nobody’s, and one of several at once is noted at a time', async () => {
  const task = await create(company, { assignee_id: null });
  const answers = await Promise.all([ada, ben].map((who) => skip(who, task.id, { reason: 'wrong_hour' })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { body } = await admin().get(`/api/crm/tasks/${task.id}`).expect(200);
  expect(body).toMatchObject({ assignee: null, version: 3 });
  expect(body.skips).toHaveLength(2);
  for (let more = 0; more < 25; more += 1)
    await skip(ada, task.id, { reason: 'not_now', notes: String(more) }).expect(200);
  const { skips } = (await admin().get(`/api/crm/tasks/${task.id}`).expect(200)).body;
  expect([skips.length, skips.at(-1).notes, skips[0].notes]).toEqual([20, '24', '5']);
});

it('the reasons, and whether calls are looked at first, are the company’s choice, which softphones are told of', async () => {
  const softphone = await gateway.readySoftphone(ada);
  expect(await softphone.readSettings()).toMatchObject({ preview_dial: false, skip_reasons: defaultSkipReasons });
  const told = new Promise<void>((resolve) => softphone.on('settingsChanged', resolve));
  const skip_reasons = [{ code: 'lunch', label: 'Lunch', again_minutes: 45 }];
  await admin().patch('/api/company').send({ preview_dial: true, skip_reasons }).expect(200);
  await told;
  expect(await softphone.readSettings()).toMatchObject({ preview_dial: true, skip_reasons });
  const task = await create(ada);
  expect(minutesFromNow((await skip(ada, task.id, { reason: 'lunch' }).expect(200)).body.due_at)).toBe(45);
  // A click of the CRM dials at once all the same: its 201 says that it does.
  await gateway.click(company, { phone_number: phone, agent_id: ada.id }).expect(201);
  softphone.close();
});
