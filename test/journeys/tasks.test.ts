import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Services } from '../../src/usecases/services.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const hour = 3_600_000;

describe('tasks and callbacks', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  let boss: TestAgent;
  let numbers = 0;
  /** Of nobody so far. */
  let phone: string;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    numbers += 1;
    phone = `+4930130${String(numbers).padStart(4, '0')}`;
    company = await gateway.company({ slug: `tasks-${numbers}`, agents: 2, wrapUpSeconds: 3_600 });
    [ada, grace] = [company.agents[0]!, company.agents[1]!];
    boss = await gateway.agent(company, 'boss', 'supervisor');
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const contact = async (body: object = {}) =>
    (
      await admin()
        .post('/api/crm/contacts')
        .send({ name: 'Grace Hopper', phones: [{ phone_number: phone }], ...body })
        .expect(201)
    ).body;
  const tasksOf = async (who: TestAgent | TestCompany, query = '') =>
    (await gateway.as(who).get(`/api/crm/tasks?${query}`).expect(200)).body.tasks;
  const create = async (who: TestAgent | TestCompany, body: object) =>
    (await gateway.as(who).post('/api/crm/tasks').send(body).expect(201)).body;
  const change = (who: TestAgent | TestCompany, id: string, body: object) =>
    gateway.as(who).patch(`/api/crm/tasks/${id}`).send(body);
  /** A call of the agent that has ended. */
  async function endedCall(agent: TestAgent, number = phone): Promise<string> {
    const softphone = await gateway.readySoftphone(agent);
    const { id } = await softphone.startCall(number);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    softphone.close();
    return id;
  }
  const wrapUp = (who: TestAgent, callId: string, body: object) =>
    gateway.as(who).post(`/api/calls/${callId}/disposition`).send(body);
  const due = '2031-03-01T15:00:00.000Z';

  it('are handed over to colleagues found by parts of names, accents and case aside, or by codes; to nobody who left, no machine, and nobody of another company', async () => {
    const [jose, gone, machine] = [
      await gateway.agent(company, 'jr-7', 'agent'),
      await gateway.agent(company, 'gone', 'agent'),
      await gateway.agent(company, 'machine', 'dialer'),
    ];
    const stranger = await gateway.company({ slug: `strangers-${numbers}`, agents: 1 });
    const named = (who: TestAgent, owner: TestCompany, change: object) =>
      gateway.as(owner).patch(`/api/agents/${who.id}`).send(change).expect(200);
    await named(jose, company, { name: 'José Ruiz-Łukasik' });
    await named(gone, company, { name: 'José Gone', active: false });
    await named(machine, company, { name: 'José Machine' });
    await named(stranger.agents[0]!, stranger, { name: 'José Stranger' });
    const found = async (query: string) =>
      (await gateway.as(ada).get(`/api/colleagues?${query}`).expect(200)).body.colleagues;
    for (const typed of ['jose', 'JOSÉ', 'luka', 'ruiz jo', 'jr-7']) {
      expect(await found(`q=${encodeURIComponent(typed)}`), typed).toEqual([
        {
          id: jose.id,
          name: 'José Ruiz-Łukasik',
          agent_code: 'jr-7',
          state: 'offline',
          since: null,
          extension: jose.id,
        },
      ]);
    }
    expect(await found('q=nobody%20at%20all')).toEqual([]);
    expect(
      (await found('limit=50'))
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name.startsWith('José')),
    ).toEqual(['José Ruiz-Łukasik']);
    expect(await found('limit=2')).toHaveLength(2);
    await gateway.as(ada).get('/api/colleagues?limit=51').expect(400);
    const task = await create(ada, { title: 'Send the offer', due_at: due });
    await change(ada, task.id, { assignee_id: jose.id, version: task.version }).expect(200);
    expect(await tasksOf(jose, 'assignee=me')).toMatchObject([{ id: task.id }]);
    expect(await tasksOf(ada, 'assignee=me')).toEqual([]);
  });

  describe('a callback that is due', () => {
    const past = '2020-01-01T10:00:00Z';
    const openOf = async (who: TestAgent) => (await tasksOf(who)).map(({ title }: { title: string | null }) => title);

    it('is done once the customer was called and the call wrapped up: of that agent or nobody, by the number or the contact, and as often as it is submitted', async () => {
      const { id: contactId } = await contact();
      await create(ada, { kind: 'callback', title: 'by number', phone_number: phone, due_at: past });
      await create(ada, { kind: 'callback', title: 'by contact', contact_id: contactId, due_at: past });
      await create(ada, { kind: 'callback', title: 'anyone’s', phone_number: phone, due_at: past, assignee_id: null });
      await create(ada, { kind: 'callback', title: 'to come', phone_number: phone, due_at: due });
      await create(ada, { kind: 'callback', title: 'of another', phone_number: '+4930139999', due_at: past });
      await create(ada, { kind: 'task', title: 'a task', contact_id: contactId, due_at: past });
      await create(grace, { kind: 'callback', title: 'a colleague’s', phone_number: phone, due_at: past });
      const callId = await endedCall(ada);
      await wrapUp(ada, callId, { code: 'resolved' }).expect(200);
      await wrapUp(ada, callId, { code: 'resolved' }).expect(200);
      expect((await openOf(ada)).toSorted()).toEqual(['a task', 'of another', 'to come']);
      expect(await openOf(grace)).toEqual(['a colleague’s']);
      expect((await tasksOf(ada, 'state=done')).length).toBe(3);
    });

    it('stays where nobody was reached, and goes where another time was set, on every screen', async () => {
      const softphone = await gateway.readySoftphone(ada);
      const closed = nextEvent(softphone, 'taskClosed');
      const { id } = await create(ada, { kind: 'callback', title: 'first', phone_number: phone, due_at: past });
      await eventually(() => expect(softphone.dueTasks).toMatchObject([{ id }]));
      const unanswered = async () => {
        const call = await softphone.startCall(phone);
        await softphone.reportProgress(call.id, 'ended', { end_reason: 'no_answer' });
        return call.id;
      };
      await wrapUp(ada, await unanswered(), { code: 'follow_up' }).expect(200);
      expect(await openOf(ada)).toEqual(['first']);
      await wrapUp(ada, await unanswered(), { code: 'callback', callback_at: due }).expect(200);
      expect(await tasksOf(ada)).toMatchObject([{ due_at: due }]);
      expect(await closed).toEqual([id]);
      softphone.close();
    });
  });

  describe('a callback that is set in wrap-up', () => {
    it('becomes a task of the agent at that time, in the zone in which it was chosen, with whom to call and why', async () => {
      const { id: contactId } = await contact({ time_zone: 'America/New_York' });
      const callId = await endedCall(ada);
      await wrapUp(ada, callId, {
        code: 'callback',
        notes: 'Wants an offer',
        callback_at: '2031-03-01T16:00:00+01:00',
        callback_time_zone: 'Europe/Berlin',
      }).expect(200);
      expect(await tasksOf(ada, 'assignee=me')).toEqual([
        {
          id: expect.any(String),
          kind: 'callback',
          title: null,
          notes: 'Wants an offer',
          phone_number: phone,
          call_id: callId,
          state: 'open',
          fired_at: null,
          skips: [],
          version: 1,
          contact: { id: contactId, name: 'Grace Hopper', time_zone: 'America/New_York', do_not_call: false },
          due_at: due,
          due_local: '2031-03-01T16:00:00',
          time_zone: 'Europe/Berlin',
          assignee: { id: ada.id, name: 'Agent a100' },
          created_at: expect.any(String),
          updated_at: expect.any(String),
        },
      ]);
      expect(await tasksOf(grace)).toEqual([]);
    });

    it('is in the zone of the contact where nobody says which, else in UTC', async () => {
      const callId = await endedCall(ada);
      await wrapUp(ada, callId, { code: 'callback', callback_at: due }).expect(200);
      expect(await tasksOf(ada)).toMatchObject([{ time_zone: 'UTC', contact: null }]);
      // Whoever has the number by then is shown.
      await contact({ time_zone: 'Asia/Tokyo' });
      expect(await tasksOf(ada)).toMatchObject([{ time_zone: 'UTC', contact: { name: 'Grace Hopper' } }]);
      await wrapUp(grace, await endedCall(grace), { code: 'callback', callback_at: due }).expect(200);
      expect(await tasksOf(grace)).toMatchObject([{ time_zone: 'Asia/Tokyo', due_local: '2031-03-02T00:00:00' }]);
    });

    it('is anyone’s where the company says so', async () => {
      await admin().patch('/api/company').send({ callback_assignee: 'anyone' }).expect(200);
      await wrapUp(ada, await endedCall(ada), { code: 'follow_up', callback_at: due }).expect(200);
      expect(await tasksOf(grace, 'assignee=anyone')).toMatchObject([{ assignee: null, phone_number: phone }]);
    });

    it('is one, however often it is submitted', async () => {
      const callId = await endedCall(ada);
      const body = { code: 'callback', callback_at: due };
      const answers = await Promise.all(Array.from({ length: 6 }, () => wrapUp(ada, callId, body)));
      expect(answers.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
      await wrapUp(ada, callId, { ...body, callback_at: '2031-03-02T15:00:00Z' }).expect(409);
      expect(await tasksOf(ada)).toMatchObject([{ due_at: due }]);
    });

    it('needs a time: without one nothing is wrapped up, and nothing set', async () => {
      const callId = await endedCall(ada);
      const refused = await wrapUp(ada, callId, { code: 'callback' }).expect(400);
      expect(refused.body).toMatchObject({
        cause: { code: 'callback_time_needed' },
        errors: [{ path: 'callback_at', code: 'required' }],
      });
      expect((await admin().get(`/api/calls/${callId}`).expect(200)).body.disposition).toBeNull();
      expect(await tasksOf(company)).toEqual([]);
    });
  });

  it('are set by hand for a contact, by the clock on its wall', async () => {
    const { id } = await contact({ time_zone: 'Europe/Berlin' });
    const skipped = await create(ada, { contact_id: id, due_at: '2031-03-30T02:30', notes: 'Early bird' });
    expect(skipped).toMatchObject({
      kind: 'callback',
      phone_number: phone,
      due_at: '2031-03-30T01:30:00.000Z',
      due_local: '2031-03-30T03:30:00',
      time_zone: 'Europe/Berlin',
      assignee: { id: ada.id },
    });
    const twice = await create(ada, { contact_id: id, due_at: '2031-10-26T02:30' });
    expect(twice).toMatchObject({ due_at: '2031-10-26T00:30:00.000Z', due_local: '2031-10-26T02:30:00' });
    const later = (
      await change(ada, twice.id, { due_at: '2031-10-26T03:30', time_zone: 'America/New_York' }).expect(200)
    ).body;
    expect(later).toMatchObject({ due_at: '2031-10-26T07:30:00.000Z', version: 2 });
    expect(await tasksOf(ada, `contact=${id}`)).toEqual([skipped, later]);
    const lacking = await gateway
      .as(ada)
      .post('/api/crm/tasks')
      .send({ title: 'Somewhere', due_at: '2031-10-26T03:30' })
      .expect(400);
    expect(lacking.body.errors).toMatchObject([{ path: 'time_zone', code: 'required' }]);
    await gateway.as(ada).post('/api/crm/tasks').send({ kind: 'callback', title: 'Nobody', due_at: due }).expect(400);
  });

  it('are snoozed, done, canceled and opened again, each from the version that was read', async () => {
    const { id } = await create(ada, { title: 'Send the offer', due_at: '2020-01-01T10:00:00Z' });
    const before = Date.now();
    const snoozed = (await change(ada, id, { snooze_minutes: 30, version: 1 }).expect(200)).body;
    expect(Date.parse(snoozed.due_at) - before).toBeGreaterThan(0.49 * hour);
    const stale = await change(boss, id, { state: 'canceled', version: 1 }).expect(409);
    expect(stale.body.cause).toEqual({ code: 'changed_meanwhile', params: { version: 2 } });
    await gateway.as(ada).patch(`/api/crm/tasks/${id}`).set('If-Match', '"2"').send({ state: 'done' }).expect(200);
    expect(await tasksOf(ada)).toEqual([]);
    expect(await tasksOf(ada, 'state=done')).toMatchObject([{ id, state: 'done', version: 3 }]);
    expect((await change(ada, id, { state: 'open' }).expect(200)).body).toMatchObject({ state: 'open', version: 4 });
  });

  it('are handed over by whoever has them, and by supervisors; an agent sees no colleague’s', async () => {
    const { id } = await create(ada, { title: 'Send the offer', due_at: due });
    await change(grace, id, { assignee_id: grace.id }).expect(404);
    await change(ada, id, { assignee_id: grace.id }).expect(200);
    expect(await tasksOf(ada)).toEqual([]);
    await gateway.as(ada).get(`/api/crm/tasks/${id}`).expect(404);
    expect(await tasksOf(boss, `assignee=${grace.id}`)).toMatchObject([{ id, assignee: { id: grace.id } }]);
    await change(boss, id, { assignee_id: null }).expect(200);
    expect(await tasksOf(ada, 'assignee=anyone')).toMatchObject([{ id }]);
    const stranger = await gateway.company({ slug: `stranger-of-${numbers}`, agents: 1 });
    const refused = await change(boss, id, { assignee_id: stranger.agents[0]!.id }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'assignee_id', code: 'not_of_company' }]);
  });

  it('of nobody belong to the first of many who take them', async () => {
    const { id } = await create(boss, { contact_id: (await contact()).id, due_at: due, assignee_id: null });
    const agents = [ada, grace, ...(await Promise.all(['b1', 'b2', 'b3'].map((code) => gateway.agent(company, code))))];
    const answers = await Promise.all(agents.map((agent) => gateway.as(agent).post(`/api/crm/tasks/${id}/take`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404]);
    const winner = answers.find(({ status }) => status === 200)!.body.assignee.id;
    expect(await tasksOf(boss)).toMatchObject([{ id, assignee: { id: winner }, version: 2 }]);
    expect((await gateway.as(boss).post(`/api/crm/tasks/${id}/take`).expect(409)).body.cause).toMatchObject({
      code: 'task_taken',
    });
  });

  it('are listed in the order in which they are due, a page at a time, with how many are overdue', async () => {
    const times = ['2031-01-03', '2020-01-01', '2031-01-01', '2020-01-02', '2031-01-02'].map(
      (day) => `${day}T10:00:00.000Z`,
    );
    for (const due_at of times) await create(ada, { title: 'Something', due_at });
    const listed: string[] = [];
    let cursor = '';
    for (let pages = 0; pages < 3; pages += 1) {
      const { body } = await gateway.as(ada).get(`/api/crm/tasks?limit=2${cursor}`).expect(200);
      listed.push(...body.tasks.map(({ due_at }: { due_at: string }) => due_at));
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(listed).toEqual(times.toSorted());
    const overdue = (await gateway.as(boss).get('/api/crm/tasks?overdue=true&limit=1').expect(200)).body;
    expect(overdue).toMatchObject({ total: 2, tasks: [{ due_at: '2020-01-01T10:00:00.000Z' }] });
    expect(await tasksOf(boss, 'due_from=2031-01-02T00:00:00Z&due_until=2031-01-03T00:00:00Z')).toHaveLength(1);
  });

  it('under one Idempotency-Key are one', async () => {
    const set = () =>
      gateway
        .as(ada)
        .post('/api/crm/tasks')
        .set('Idempotency-Key', 'once')
        .send({ title: 'Send the offer', due_at: due });
    const first = await set().expect(201);
    const again = await set().expect(201);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replay']).toBe('true');
    expect(await tasksOf(ada)).toHaveLength(1);
  });

  describe('a contact who does not want to be called', () => {
    const activities = async (id: string) =>
      (await admin().get(`/api/crm/activities?contact=${id}`).expect(200)).body.activities;
    const click = (body: object = {}) => gateway.click(company, { phone_number: phone, agent_id: ada.id, ...body });

    it('is dialed by no click, and nobody hears of it', async () => {
      const { id } = await contact({ do_not_call: true });
      const other = await contact({ phones: [], do_not_call: true });
      const softphone = await gateway.readySoftphone(ada);
      const told: string[] = [];
      softphone.on('pop', () => told.push('pop'));
      softphone.on('dial', () => told.push('dial'));
      softphone.on('agent', () => told.push('state'));
      const before = await activities(id);
      expect((await click().expect(409)).body).toMatchObject({ code: 'do_not_call' });
      // By its number, whomever the click names; and by its id, whatever the number.
      await click({ contact_id: other.id }).expect(409);
      await click({ phone_number: '+493099999999', contact_id: other.id }).expect(409);
      await click({ fallback: 'any' }).expect(409);
      expect(told).toEqual([]);
      expect(await activities(id)).toEqual(before);
      expect((await admin().get('/api/calls').expect(200)).body.calls).toEqual([]);
      expect((await admin().get(`/api/agents/${ada.id}/state`).expect(200)).body.state).toBe('ready');
      await click({ phone_number: '+493088888888' }).expect(201);
      await eventually(() => expect(told).toContain('dial'));
      softphone.close();
    });

    it('is dialed by no softphone by hand', async () => {
      await contact({ do_not_call: true });
      const softphone = await gateway.readySoftphone(ada);
      await expect(softphone.startCall(phone)).rejects.toMatchObject({ code: 'do_not_call' });
      expect((await admin().get('/api/calls').expect(200)).body.calls).toEqual([]);
      softphone.close();
    });

    it('is dialed where a supervisor says so, which stands on the timeline', async () => {
      const { id } = await contact({ do_not_call: true });
      const softphone = await gateway.readySoftphone(ada);
      const override = { phone_number: phone, agent_id: ada.id, override_do_not_call: true };
      expect((await click({ override_do_not_call: true }).expect(403)).body.code).toBe('role_required');
      await gateway.as(ada).post('/api/integrations/cti/click-to-dial').send(override).expect(403);
      expect(await activities(id)).toHaveLength(1);
      await gateway.as(boss).post('/api/integrations/cti/click-to-dial').send(override).expect(201);
      const entries = await activities(id);
      expect(entries.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual([
        'call',
        'created',
        'do_not_call_overridden',
      ]);
      expect(entries.find(({ kind }: { kind: string }) => kind === 'do_not_call_overridden').by).toMatchObject({
        id: boss.id,
      });
      softphone.close();
    });
  });
});

describe('a task that is due', () => {
  const clock = createLeapingClock();
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  let numbers = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory', { clock });
  });
  beforeEach(async () => {
    numbers += 1;
    company = await gateway.company({ slug: `due-${numbers}`, agents: 2 });
    [ada, grace] = [company.agents[0]!, company.agents[1]!];
  });
  afterAll(() => gateway.close());

  const minutes = (count: number) => count * 60_000;
  const inMinutes = (count: number) => new Date(clock.now() + minutes(count)).toISOString();
  const create = async (body: object, who: TestAgent | TestCompany = ada) =>
    (
      await gateway
        .as(who)
        .post('/api/crm/tasks')
        .send({ title: 'Call Grace', phone_number: '+493012345678', ...body })
        .expect(201)
    ).body;
  const change = (who: TestAgent | TestCompany, id: string, body: object) =>
    gateway.as(who).patch(`/api/crm/tasks/${id}`).send(body).expect(200);
  /** A softphone, with what it is told. */
  async function listening(agent: TestAgent) {
    const softphone = gateway.softphone(agent);
    const told: string[] = [];
    softphone.on('taskDue', ({ id, version }) => told.push(`due ${id} ${version}`));
    softphone.on('taskClosed', (id) => told.push(`closed ${id}`));
    await softphone.connect();
    await softphone.setReady();
    return { softphone, told };
  }

  it('pops at its time, and not before, at the softphone of whoever has it', async () => {
    const [mine, colleagues] = [await listening(ada), await listening(grace)];
    const { id } = await create({ due_at: inMinutes(10) });
    await clock.advance(minutes(9));
    expect(mine.told).toEqual([]);
    await clock.advance(minutes(1));
    await eventually(() => expect(mine.told).toEqual([`due ${id} 1`]));
    expect(mine.softphone.dueTasks).toMatchObject([
      { id, title: 'Call Grace', phone_number: '+493012345678', fired_at: expect.any(String) },
    ]);
    await clock.advance(minutes(2));
    expect([mine.told, colleagues.told]).toEqual([[`due ${id} 1`], []]);
  });

  it('is told to an agent who was away when it comes back', async () => {
    const { id } = await create({ due_at: inMinutes(5) });
    await clock.advance(minutes(6));
    const back = await listening(ada);
    await eventually(() => expect(back.told).toEqual([`due ${id} 1`]));
    expect((await listening(grace)).told).toEqual([]);
  });

  it('pops again when it was snoozed, and leaves the screen when it is done', async () => {
    const { softphone, told } = await listening(ada);
    const { id } = await create({ due_at: inMinutes(1) });
    await clock.advance(minutes(1));
    await eventually(() => expect(told).toEqual([`due ${id} 1`]));
    await change(ada, id, { snooze_minutes: 10 });
    await eventually(() => expect(told.slice(1)).toEqual([`closed ${id}`]));
    await clock.advance(minutes(10));
    await eventually(() => expect(told.slice(2)).toEqual([`due ${id} 2`]));
    await change(ada, id, { state: 'done' });
    await eventually(() => expect(told.slice(3)).toEqual([`closed ${id}`]));
    expect(softphone.dueTasks).toEqual([]);
  });

  it('moves to the screen of the agent to whom it is handed over', async () => {
    const [mine, colleagues] = [await listening(ada), await listening(grace)];
    const { id } = await create({ due_at: inMinutes(1) });
    await clock.advance(minutes(1));
    await eventually(() => expect(mine.told).toHaveLength(1));
    await change(company, id, { assignee_id: grace.id });
    await eventually(() => expect(colleagues.told).toEqual([`due ${id} 2`]));
    await eventually(() => expect(mine.told.slice(1)).toEqual([`closed ${id}`]));
  });

  it('of nobody pops everywhere, and leaves every screen but that of the agent who takes it', async () => {
    const [mine, colleagues] = [await listening(ada), await listening(grace)];
    const { id } = await create({ due_at: inMinutes(1), assignee_id: null }, company);
    await clock.advance(minutes(1));
    await eventually(() => expect([mine.told, colleagues.told]).toEqual([[`due ${id} 1`], [`due ${id} 1`]]));
    await gateway.as(grace).post(`/api/crm/tasks/${id}/take`).expect(200);
    await eventually(() => expect(mine.told.slice(1)).toEqual([`closed ${id}`]));
    await eventually(() =>
      expect(colleagues.softphone.dueTasks).toMatchObject([{ id, version: 2, assignee: { id: grace.id } }]),
    );
    const dialed = await gateway
      .as(grace)
      .post('/api/integrations/cti/click-to-dial')
      .send({ phone_number: '+493012345678' })
      .expect(201);
    expect(dialed.body.agent.id).toBe(grace.id);
  });

  it('of nobody about a colleague’s contact pops at that colleague’s alone, where agents see only their own', async () => {
    await gateway.as(company).patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    const { body } = await gateway
      .as(company)
      .post('/api/crm/contacts')
      .send({ name: 'Hidden', owner_id: grace.id, phones: [{ phone_number: '+493087654321' }] })
      .expect(201);
    const [mine, colleagues] = [await listening(ada), await listening(grace)];
    const { id } = await create(
      { due_at: inMinutes(1), assignee_id: null, contact_id: body.id, phone_number: '+493087654321' },
      company,
    );
    await clock.advance(minutes(1));
    await eventually(() => expect(colleagues.told).toEqual([`due ${id} 1`]));
    expect(mine.told).toEqual([]);
    await gateway.as(ada).get(`/api/crm/tasks/${id}`).expect(404);
  });
});

describe('a company without contacts', () => {
  it('pays no statement for them when it dials', async () => {
    const dialed = async (withContact: boolean): Promise<string[]> => {
      const asked: string[] = [];
      const wrap = (services: Services): Services => {
        const told = <Port extends object>(port: Port): Port =>
          Object.fromEntries(
            Object.entries(port).map(([name, ask]) => [
              name,
              (...given: unknown[]) => (asked.push(name), (ask as (...given: unknown[]) => unknown)(...given)),
            ]),
          ) as Port;
        return { ...services, contacts: told(services.contacts), doNotDial: told(services.doNotDial) };
      };
      const gateway = await startGateway('memory', { wrap });
      try {
        const company = await gateway.company({ slug: 'frugal', agents: 1 });
        if (withContact) await gateway.as(company).post('/api/crm/contacts').send({ name: 'Somebody' }).expect(201);
        await gateway.readySoftphone(company.agents[0]!);
        asked.length = 0;
        await gateway.click(company, { phone_number: '+493012345678' }).expect(201);
        return asked;
      } finally {
        await gateway.close();
      }
    };
    const [without, withOne] = [await dialed(false), await dialed(true)];
    expect(without).toEqual([]);
    expect(withOne).toEqual(['ban']);
  });
});
