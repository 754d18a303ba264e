import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../contracts/stores/openStores.ts';
import { importRoom } from '../support/crm/importRoom.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

describe('a person who is erased', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let receiver: WebhookReceiver;
  let companies = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory');
    receiver = await startWebhookReceiver();
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({
      slug: `erase-${companies}`,
      agents: 1,
      webhookUrl: receiver.url,
      wrapUpSeconds: 3_600,
    });
    agent = company.agents[0] ?? expect.fail();
    await admin().put('/api/integrations').send({ mode: 'hybrid' }).expect(200);
  });
  afterAll(async () => {
    await gateway.close();
    await receiver.close();
  });

  const phone = '+493012000071';
  const admin = () => gateway.as(company);
  const { importFile, read, rows, undo, upload } = importRoom(
    () => gateway,
    () => company,
  );
  const create = async (body: object) => (await admin().post('/api/crm/contacts').send(body).expect(201)).body;
  const grace = {
    name: 'Grace Hopper',
    phones: [{ phone_number: phone }],
    emails: [{ email: 'grace@example.com' }],
    notes: 'Likes clocks',
  };
  const erase = (id: string, version: number) => admin().post(`/api/crm/contacts/${id}/erase`).send({ version });
  const audit = async (query = '') => (await admin().get(`/api/crm/audit${query}`).expect(200)).body.entries;

  it('is gone by its id and the former one, with its tasks; a stale version erases nothing', async () => {
    const kept = await create(grace);
    const other = await create({ name: 'Hopper' });
    const { body: merged } = await admin()
      .post(`/api/crm/contacts/${kept.id}/merge`)
      .send({ contact_id: other.id, version: 1, other_version: 1 })
      .expect(200);
    const task = (
      await admin()
        .post('/api/crm/tasks')
        .send({ title: 'Offer', due_at: '2030-01-01T10:00:00.000Z', contact_id: kept.id })
        .expect(201)
    ).body;
    const stale = await erase(kept.id, 1).expect(409);
    expect(stale.body.cause).toEqual({ code: 'changed_meanwhile', params: { version: merged.version } });
    await admin().get(`/api/crm/contacts/${kept.id}`).expect(200);
    expect(await audit()).toMatchObject([{ kind: 'contact_merged' }]);
    const { body } = await erase(kept.id, merged.version).expect(200);
    expect(body).toMatchObject({
      contact_id: kept.id,
      phones: 1,
      emails: 1,
      erased: { tasks: 1, timeline_entries: 3 },
    });
    for (const path of [`contacts/${kept.id}`, `contacts/${other.id}`, `tasks/${task.id}`])
      await admin().get(`/api/crm/${path}`).expect(404);
    expect((await admin().get('/api/crm/search').query({ q: 'Grace' }).expect(200)).body.contacts).toEqual([]);
    await erase(kept.id, merged.version).expect(404);
  });

  it('leaves calls that are figures alone, no webhook, no pushed record and no deal by its name', async () => {
    const contact = await create(grace);
    const pipeline = (
      await admin()
        .post('/api/crm/pipelines')
        .send({ name: 'Sales', stages: [{ name: 'New' }] })
        .expect(201)
    ).body;
    const deal = (
      await admin()
        .post('/api/crm/deals')
        .send({
          name: 'Offer for Grace Hopper',
          stage_id: pipeline.stages[0].id,
          contact_id: contact.id,
          value: '100',
          currency: 'EUR',
        })
        .expect(201)
    ).body;
    await admin()
      .post('/api/integrations/inbound')
      .send({ phone_number: phone, data: { name: 'Grace Hopper' } })
      .expect(200);
    const softphone = await gateway.readySoftphone(agent);
    const { id } = await softphone.startCall(phone);
    const onCall = await erase(contact.id, 1).expect(409);
    expect(onCall.body.cause).toEqual({ code: 'contact_on_call' });
    expect(await audit()).toEqual([]);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved', notes: 'Grace likes clocks' });

    // Somebody else's call, which was handed on to the person.
    await admin()
      .put('/api/integrations')
      .send({ webhook_events: ['call_started', 'call_answered', 'disposition', 'call_transferred'] })
      .expect(200);
    const { id: othersId } = await softphone.startCall('+493012000099');
    await softphone.reportProgress(othersId, 'connected');
    await softphone.reportProgress(othersId, 'ended', { end_reason: 'transferred', transferred_to: phone });
    await softphone.submitDisposition(othersId, { code: 'other' });

    const { body } = await erase(contact.id, 1).expect(200);
    const others = (await admin().get(`/api/calls/${othersId}`).expect(200)).body;
    expect(others).toMatchObject({ phone: '+493012000099', end_reason: 'transferred', transferred_to: null });
    const kept = (await admin().get('/api/integrations/webhook-deliveries').expect(200)).body.deliveries;
    expect(
      new Set(kept.map(({ call_id, event }: { call_id: string; event: string }) => `${call_id} ${event}`)),
    ).toEqual(new Set([`${othersId} call_started`, `${othersId} call_answered`, `${othersId} disposition`]));
    expect(body.erased).toMatchObject({ calls: 1, pushed_records: 1, deals: 1 });
    expect(body.erased.webhook_deliveries).toBeGreaterThan(2);
    const call = (await admin().get(`/api/calls/${id}`).expect(200)).body;
    expect(call).toMatchObject({
      state: 'ended',
      agent_id: agent.id,
      phone: null,
      customer_name: null,
      screen_pop: null,
      disposition: { code: 'resolved', notes: null },
    });
    await admin()
      .get(`/api/integrations/lookup?phone=${encodeURIComponent(phone)}`)
      .expect(404);
    expect((await admin().get(`/api/crm/deals/${deal.id}`).expect(200)).body).toMatchObject({
      name: '–',
      contact: null,
      value: '100',
    });
    const told = await audit('?kind=contact_erased');
    expect(told).toMatchObject([{ contact_id: contact.id, other_id: null, erased: body.erased }]);
    expect(JSON.stringify(told)).not.toMatch(/Grace|30120000|example/);
  });

  it('is nobody in what a telephony platform told of a call that waits', async () => {
    const contact = await create(grace);
    const { body } = await admin().post('/api/integrations/cti/connections').send({ connector: 'push' }).expect(201);
    const tell = (told: object) =>
      gateway.api
        .post(new URL(body.url, gateway.url).pathname)
        .send({ callId: 'c-1', direction: 'in', ...told })
        .expect(200);
    await tell({ event: 'newCall', from: '030 12000071', to: 'support' });
    await erase(contact.id, 1).expect(200);
    await tell({ event: 'answer', user: agent.agentCode });
    const { calls } = (await admin().get('/api/calls').expect(200)).body;
    expect(calls).toMatchObject([{ state: 'connected', phone: null, caller: null, queue: null }]);
    await tell({ event: 'hangup', cause: 'normalClearing' });
  });

  it('is not brought back by an import, which says so and counts it; by hand the same person may be made anew', async () => {
    const file = `name,phone,email\nGrace Hopper,${phone},\nGrace,,GRACE@example.com\nAda,+493012000072,\n`;
    const first = await importFile(file);
    const [made, mailed] = await rows(first.id);
    const { body } = await erase(made.contact_id, 1).expect(200);
    await erase(mailed.contact_id, 1).expect(200);
    expect(body.erased.import_rows).toBe(1);
    expect(JSON.stringify(await rows(first.id))).not.toMatch(/Grace|12000071/);
    const again = await importFile(file);
    expect(again.counts).toMatchObject({ created: 0, refused: 2, unchanged: 1 });
    expect(await rows(again.id, '?outcome=refused')).toMatchObject([
      { row: 2, reason: { code: 'was_erased' } },
      { row: 3, reason: { code: 'was_erased' } },
    ]);
    const undone = await undo(first.id);
    expect(undone.counts).toMatchObject({ created: 3, undone: 1, left: 0 });
    await admin().get(`/api/crm/imports/${first.id}/refused.csv`).expect(200);
    expect((await read(first.id)).state).toBe('undone');

    // Known by an id of another system alone; and of a file that is not run yet, by its column.
    const listed = `external id,name\n'=EXT-1,Grace Hopper\n`;
    const staged = await upload(`name,external id\nGrace Hopper,=EXT-1\n=EXT-1,EXT-2\n`).expect(201);
    const [known] = await rows((await importFile(listed)).id);
    const { body: erasedById } = await erase(known.contact_id, 1).expect(200);
    expect(erasedById).toMatchObject({ phones: 0, emails: 0, external_ids: 1, erased: { import_rows: 2 } });
    expect((await rows(staged.body.id)).map(({ cells }: { cells: string[] }) => cells)).toEqual([
      [],
      ['=EXT-1', 'EXT-2'],
    ]);
    const byId = await importFile(listed);
    expect(await rows(byId.id)).toMatchObject([{ outcome: 'refused', reason: { code: 'was_erased' } }]);
    await importFile('external id,name\ngrace@example.com,Whose id looks like an address\n');
    expect(
      (await admin().get('/api/crm/contacts').query({ external_id: 'grace@example.com' }).expect(200)).body.contacts,
    ).toHaveLength(1);

    // However it is written, what was said of the row, and what is kept of the file beside its rows.
    const others =
      `A list of ours\n${phone};Grace <GRACE@example.com>;J\xfcrgen\n` +
      `+493012000073;mailto:grace@example.com;J\xf6rg\n+493012000074 ::: ${phone};;K\xe4the\n`;
    const kept = (await upload(Buffer.from(others, 'latin1')).expect(201)).body;
    expect(JSON.stringify(kept)).toMatch(/Jürgen.*GRACE|GRACE.*Jürgen/);
    const both = await create({
      name: 'Grace',
      emails: [{ email: 'grace@example.com' }],
      phones: [{ phone_number: phone }],
    });
    await erase(both.id, 1).expect(200);
    expect(JSON.stringify([await read(kept.id), await rows(kept.id)])).not.toMatch(/grace|J.rgen|12000071/i);

    const anew = await create(grace);
    expect((await importFile(file)).counts).toMatchObject({ created: 1, updated: 0 });
    expect((await admin().get(`/api/crm/contacts/${anew.id}`).expect(200)).body.name).toBe('Grace Hopper');
  });
});

describe('a person who is erased after a number was changed', () => {
  let gateway: Gateway;
  let company: TestCompany;
  const { importFile } = importRoom(
    () => gateway,
    () => company,
  );
  const admin = () => gateway.as(company);
  const create = async (body: object) => (await admin().post('/api/crm/contacts').send(body).expect(201)).body;
  const [former, taken, now] = ['+493012000081', '+493012000082', '+493012000083'];
  const notesOf = async (id: string) => (await admin().get(`/api/calls/${id}`).expect(200)).body;

  beforeAll(async () => {
    gateway = await startGateway('memory');
    company = await gateway.company({ slug: 'erase-former', agents: 1 });
    await admin().put('/api/integrations').send({ mode: 'hybrid' }).expect(200);
  });
  afterAll(() => gateway.close());

  it('is gone from the calls, records, tasks and files of the number of before, unless another contact has it now', async () => {
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const call = async (phone: string, notes: string) => {
      const { id } = await softphone.startCall(phone);
      await softphone.reportProgress(id, 'connected');
      await softphone.reportProgress(id, 'ended');
      await softphone.submitDisposition(id, { code: 'callback', notes, callback_at: '2030-01-01T10:00:00.000Z' });
      return id;
    };
    const numbers = (...phones: string[]) =>
      phones.map((phone_number, at) => ({ phone_number, label: at === 0 ? 'work, mobile' : null, primary: at === 1 }));
    const before = await call(former, 'From before the contact');
    const contact = await create({
      name: 'Grace Hopper',
      phones: numbers(former, taken),
      emails: [{ email: 'grace@example.com' }],
      external_id: 'G-1',
    });
    const popped = await call(taken, 'Grace likes clocks');
    await admin()
      .post('/api/integrations/inbound')
      .send({ phone_number: former, data: { name: 'Grace' } })
      .expect(200);
    const changed = (
      await admin()
        .patch(`/api/crm/contacts/${contact.id}`)
        .send({ phones: numbers(now), emails: [], external_id: null })
        .expect(200)
    ).body;
    const ada = await create({ name: 'Ada', phones: numbers(taken) });
    const adas = await call(taken, 'Ada likes engines');

    const { body } = await admin()
      .post(`/api/crm/contacts/${contact.id}/erase`)
      .send({ version: changed.version })
      .expect(200);
    expect(body).toMatchObject({
      phones: 2,
      emails: 1,
      external_ids: 1,
      erased: { calls: 2, pushed_records: 1, tasks: 2 },
    });
    for (const id of [before, popped]) {
      expect(await notesOf(id)).toMatchObject({
        phone: null,
        customer_name: null,
        screen_pop: null,
        disposition: { notes: null },
      });
    }
    expect(await notesOf(adas)).toMatchObject({
      phone: taken,
      customer_name: 'Ada',
      disposition: { notes: 'Ada likes engines' },
    });
    expect((await admin().get('/api/crm/tasks').query({ contact: ada.id }).expect(200)).body.tasks).toHaveLength(1);
    await admin().get('/api/integrations/lookup').query({ phone: former }).expect(404);
    const { counts } = await importFile(
      `name,phone,email,external id\nGrace,${former},,\nGrace,${now},,\nGrace,,grace@example.com,\nGrace,,,G-1\n` +
        `Ada,${taken},,\n`,
    );
    expect(counts).toMatchObject({ refused: 4, unchanged: 1 });
    softphone.close();
  });

  it('is not written anew by a wrap-up, notes, a recording or a correction that come later', async () => {
    const contact = await create({ name: 'Grace Hopper', phones: [{ phone_number: former }] });
    const softphone = await gateway.readySoftphone(company.agents[0]!, {});
    const { id } = await softphone.startCall(former);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    expect(
      (await admin().post(`/api/crm/contacts/${contact.id}/erase`).send({ version: 1 }).expect(200)).body.erased.calls,
    ).toBe(1);
    await gateway.as(company.agents[0]!).put(`/api/calls/${id}/notes`).send({ notes: 'Grace' }).expect(204);
    await admin()
      .patch(`/api/calls/${id}`)
      .send({ recording_url: 'https://pbx.example.com/493012000081.wav' })
      .expect(200);
    expect(await notesOf(id)).toMatchObject({ notes_draft: null, recording_url: null });
    await softphone.submitDisposition(id, {
      code: 'callback',
      notes: 'Grace wants a call',
      callback_at: '2030-01-01T10:00:00.000Z',
    });
    await admin()
      .patch(`/api/calls/${id}`)
      .send({ disposition: { code: 'resolved', notes: 'Grace again' } })
      .expect(200);
    expect(await notesOf(id)).toMatchObject({
      phone: null,
      disposition: { code: 'resolved', notes: null, callback_at: null },
    });
    expect(JSON.stringify((await admin().get(`/api/calls/${id}/corrections`).expect(200)).body)).not.toContain('Grace');
    expect(
      (await admin().get('/api/crm/tasks').expect(200)).body.tasks.filter(
        ({ call_id }: { call_id: string }) => call_id === id,
      ),
    ).toEqual([]);
    expect(softphone.agent?.state).toBe('ready');
    softphone.close();
  });
});

describe('every table', () => {
  /** Their rows hang on the contact's own and go with it. */
  const goes = [
    'contact',
    'contact_duplicate',
    'contact_email',
    'contact_phone',
    'contact_redirect',
    'contact_search',
    'contact_tag',
    'contact_to_compare',
    'webhook_attempt',
    'crm_attempt',
  ];
  const seenTo = [
    'agent_softphone',
    'call',
    'call_correction',
    'company',
    'contact_change',
    'crm_delivery',
    'deal',
    'do_not_dial',
    'heard_call',
    'idempotency_key',
    'import',
    'import_key',
    'import_row',
    'screen_pop_entry',
    'task',
    'waiting_platform_event',
    'webhook_delivery',
  ];
  /**
   * Of the audit it is the id alone; a notice is an id of the connected CRM that is about to be read.
   * Reports hold figures.
   */
  const namesNobody = [
    '_prisma_migrations',
    'agent',
    'agent_state_change',
    'audit_entry',
    'click_tally',
    'contact_field',
    'crm_connection',
    'crm_inbound',
    'cti_connection',
    'platform_agent',
    'crm_login',
    'crm_notice',
    'crm_notice_queue',
    'agent_time',
    'call_day',
    'call_quarter',
    'call_roll_up',
    'stale_call_day',
    'report_reach',
    'report_schedule',
    'report_view',
    'message',
    'message_reader',
    'pop_layout',
    'team_lead',
    'deal_move',
    'decided_call',
    'erased_number',
    'integration',
    'organisation',
    'organisation_search',
    'pipeline',
    'pipeline_stage',
    'team',
    'team_member',
    'telephony',
    'webhook_endpoint',
  ];

  it('is emptied of a person who is erased, or holds nothing of one', async () => {
    const stores = await openStores();
    try {
      const { rows } = await stores.pool.query<{ name: string }>(
        `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'
          AND table_type = 'BASE TABLE' ORDER BY 1`,
      );
      expect(rows.map(({ name }) => name).toSorted()).toEqual([...goes, ...seenTo, ...namesNobody].toSorted());
    } finally {
      await stores.close();
    }
  });
});
