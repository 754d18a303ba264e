import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

const [grace, ada] = ['+4930130001', '+4930130002'];
const premium = '+49900123456';

let gateway: Gateway;
let company: TestCompany;
let agent: TestAgent;
let boss: TestAgent;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory');
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `list-${companies}`, agents: 1 });
  [agent] = company.agents as [TestAgent];
  boss = await gateway.agent(company, 'boss', 'supervisor');
});
afterAll(() => gateway.close());

const admin = () => gateway.as(company);
const add = async (number: string, note?: string) =>
  (await admin().post('/api/do-not-dial').send({ number, note }).expect(201)).body;
const listed = async (query = '', of = company) =>
  (await gateway.as(of).get(`/api/do-not-dial?${query}`).expect(200)).body;
const numbers = async (query = '') => (await listed(query)).entries.map(({ number }: { number: string }) => number);
const callsOf = async () => (await admin().get('/api/calls').expect(200)).body.calls;
const click = (body: object = {}) => gateway.click(company, { phone_number: grace, agent_id: agent.id, ...body });
const importFile = (file: string | Buffer, type = 'text/csv') =>
  admin().post('/api/do-not-dial/import').set('Content-Type', type).send(file);

describe('a number on the do-not-dial list of a company', () => {
  it('is dialed by no click, by nobody by hand and by no callback, and nobody hears of it', async () => {
    // Whose numbers these would be is not known yet.
    await admin().post('/api/do-not-dial').send({ number: '030 130001' }).expect(400);
    await admin().put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    await add('030 130001', 'by letter');
    const softphone = await gateway.readySoftphone(agent);
    const told: string[] = [];
    for (const event of ['pop', 'dial', 'agent', 'call'] as const) softphone.on(event, () => told.push(event));
    const refusal = { code: 'do_not_call', cause: { code: 'on_do_not_dial_list' } };
    expect((await click().expect(409)).body).toMatchObject(refusal);
    expect((await click({ agent_id: undefined }).expect(409)).body).toMatchObject(refusal);
    // As an agent calls back from Ready.
    expect(
      (await gateway.as(agent).post('/api/integrations/cti/click-to-dial').send({ phone_number: grace }).expect(409))
        .body,
    ).toMatchObject(refusal);
    await expect(softphone.startCall(grace)).rejects.toMatchObject({
      code: 'do_not_call',
      refusal: { cause: { code: 'on_do_not_dial_list' } },
    });
    expect(told).toEqual([]);
    expect(await callsOf()).toEqual([]);
    expect((await admin().get(`/api/agents/${agent.id}/state`).expect(200)).body.state).toBe('ready');
    await click({ phone_number: ada }).expect(201);
    await eventually(() => expect(told).toContain('dial'));
    softphone.close();
  });

  it('may be the beginning of many', async () => {
    await add('+49 900*', 'Premium rate');
    const softphone = await gateway.readySoftphone(agent);
    await click({ phone_number: premium }).expect(409);
    await click({ phone_number: '+4989900123456' }).expect(201);
    softphone.close();
  });

  it('is dialed when a supervisor says so, which stands on the call, and on the timeline of whose number it is', async () => {
    await add(grace);
    const contact = (
      await admin()
        .post('/api/crm/contacts')
        .send({ name: 'Grace Hopper', phones: [{ phone_number: grace }], do_not_call: true })
        .expect(201)
    ).body;
    const softphone = await gateway.readySoftphone(agent);
    const override = { phone_number: grace, agent_id: agent.id, override_do_not_call: true };
    expect((await click(override).expect(403)).body.code).toBe('role_required');
    await gateway.as(agent).post('/api/integrations/cti/click-to-dial').send(override).expect(403);
    expect(await callsOf()).toEqual([]);
    const { body } = await gateway.as(boss).post('/api/integrations/cti/click-to-dial').send(override).expect(201);
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body.do_not_call_override_by).toBe(boss.id);
    const { activities } = (await admin().get(`/api/crm/activities?contact=${contact.id}`).expect(200)).body;
    expect(activities).toContainEqual(
      expect.objectContaining({ kind: 'do_not_call_overridden', by: { id: boss.id, name: 'Agent boss' } }),
    );
    softphone.close();
    // By hand too, where nobody has the number.
    await add(ada);
    const own = await gateway.readySoftphone(boss);
    const { id } = await own.startCall(ada, { overrideDoNotCall: true });
    expect((await callsOf()).find((call: { id: string }) => call.id === id)).toMatchObject({
      phone: ada,
      do_not_call_override_by: boss.id,
    });
    own.close();
  });

  it('is told apart from a contact who does not want to be called', async () => {
    await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Grace Hopper', phones: [{ phone_number: grace }], do_not_call: true })
      .expect(201);
    expect((await click().expect(409)).body).not.toHaveProperty('cause');
    await add(grace);
    expect((await click().expect(409)).body.cause).toEqual({ code: 'on_do_not_dial_list' });
  });

  it('is told of to a softphone that is to hand a call on to it, however it is written', async () => {
    await admin().put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    const mayDial = (phone: string, who = agent) =>
      gateway.as(who).get(`/api/me/may-dial?phone=${encodeURIComponent(phone)}`);
    expect((await mayDial('030 130001').expect(200)).body).toEqual({ phone_number: grace });
    await add(grace);
    for (const who of [agent, boss]) {
      expect((await mayDial('030 130001', who).expect(409)).body).toMatchObject({
        code: 'do_not_call',
        cause: { code: 'on_do_not_dial_list' },
      });
    }
    expect((await mayDial('anonymous').expect(400)).body.code).toBe('invalid_phone');
  });

  it('is another company’s business there', async () => {
    await add(grace);
    const strangers = await gateway.company({ slug: `strangers-${companies}`, agents: 1 });
    const softphone = await gateway.readySoftphone(strangers.agents[0]!);
    expect((await listed('', strangers)).entries).toEqual([]);
    const [{ id }] = (await listed()).entries;
    await gateway.as(strangers).delete(`/api/do-not-dial/${id}`).expect(404);
    await gateway.click(strangers, { phone_number: grace }).expect(201);
    softphone.close();
  });

  it('may be dialed again once it is taken off', async () => {
    const { id } = await add(grace);
    await click().expect(409);
    await admin().delete(`/api/do-not-dial/${id}`).expect(204);
    await admin().delete(`/api/do-not-dial/${id}`).expect(404);
    const softphone = await gateway.readySoftphone(agent);
    await click().expect(201);
    softphone.close();
  });
});

describe('the list itself', () => {
  it('holds each number once, whoever adds it, with what was noted last', async () => {
    const first = await add(grace, 'by letter');
    expect(first).toMatchObject({ number: grace, note: 'by letter', added_by: { name: 'Administrator' } });
    // By the CRM, which knows of no note.
    const again = await gateway.api
      .post('/api/do-not-dial')
      .set('X-Service-Api-Key', company.key)
      .send({ number: `00${grace.slice(1)}` })
      .expect(201);
    expect(again.body).toEqual(first);
    expect((await add(grace, 'by phone')).note).toBe('by phone');
    const own = await gateway.api
      .post('/api/do-not-dial')
      .set('X-Service-Api-Key', company.key)
      .send({ number: ada })
      .expect(201);
    expect(own.body).toMatchObject({ number: ada, added_by: null });
    expect(await numbers()).toEqual([grace, ada]);
    await gateway.as(boss).post('/api/do-not-dial').send({ number: '+15550001111' }).expect(403);
    expect((await admin().post('/api/do-not-dial').send({ number: '0*' }).expect(400)).body).toMatchObject({
      code: 'invalid_phone',
      errors: [{ path: 'number', code: 'not_a_beginning' }],
    });
  });

  it('is read a page at a time, and by what keeps a number from being dialed', async () => {
    const many = ['+12025550101', '+12025550102', '+12025550103', '+1202*', '+49900*', '+498990012345'];
    for (const number of many) await add(number);
    const paged: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages === 0 || cursor !== null; pages += 1) {
      const page: { entries: { number: string }[]; next_cursor: string | null } = await listed(
        `limit=2${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      paged.push(...page.entries.map(({ number }) => number));
      cursor = page.next_cursor;
    }
    expect(paged.toSorted()).toEqual(many.toSorted());
    expect(new Set(paged).size).toBe(many.length);
    // What covers it, and what begins so.
    expect((await numbers(`q=${encodeURIComponent('+1 (202) 555-0101')}`)).toSorted()).toEqual(
      ['+1202*', '+12025550101'].toSorted(),
    );
    expect(await numbers(`q=${encodeURIComponent('+49 900 1')}`)).toEqual(['+49900*']);
    expect(await numbers('q=%2B4989')).toEqual(['+498990012345']);
    expect(await numbers('q=Grace')).toEqual([]);
    await admin().get('/api/do-not-dial?cursor=nonsense').expect(400);
  });

  it('is brought as a file with any usual header, or none, and can be taken out and brought back', async () => {
    await admin().put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    await add('+4930130009');
    const file =
      'Name;Telefonnummer;Bemerkung\r\nGrace;030/130001;"per Brief; 2026"\r\nAda;+49 30 130002;\r\n' +
      'Nobody;keine;\r\nBoth;+4930130009;neu\r\nAgain;0049 30 130001;\r\n;0900*;Mehrwert\r\n';
    const { body } = await importFile(Buffer.from(file, 'latin1')).expect(200);
    expect(body).toEqual({
      added: 3,
      known: 2,
      refused: 1,
      errors: [{ row: 4, message: expect.any(String), code: 'phone_without_digits' }],
    });
    expect(await numbers()).toEqual(['+4930130001', '+4930130002', '+4930130009', '+49900*']);
    expect((await listed('q=%2B4930130001')).entries).toMatchObject([
      { note: 'per Brief; 2026', added_by: { name: 'Administrator' } },
    ]);
    const csv = Buffer.from(
      await (
        await fetch(`${gateway.url}/api/do-not-dial.csv`, {
          headers: { authorization: `Bearer ${company.adminToken}` },
        })
      ).arrayBuffer(),
    ).toString('utf8');
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      '\ufeffnumber,note,added_at,added_by',
      expect.stringMatching(/^'\+4930130001,"per Brief; 2026",\d{4}-.*Z,admin$/),
    ]);
    expect((await importFile(csv).expect(200)).body).toEqual({ added: 0, known: 4, refused: 0, errors: [] });
    // A column of numbers alone.
    expect((await importFile('+4930130010\n+4930130011\n').expect(200)).body).toMatchObject({ added: 2 });
  });

  it('takes 6,000 rows of one file, and counts those that are told by their first hundred', async () => {
    const rows = Array.from({ length: 6_000 }, (_, n) => (n % 40 === 0 ? 'nobody' : `+4930${2_000_000 + n}`));
    const { body } = await importFile(`number\n${rows.join('\n')}\n`).expect(200);
    expect(body).toMatchObject({ added: 5_850, known: 0, refused: 150 });
    expect(body.errors).toHaveLength(100);
    await click({ phone_number: '+49302000001' }).expect(409);
  });

  it.each([
    ['is empty', '', 400, { code: 'invalid_request', cause: { code: 'file_empty' } }],
    [
      'has a quote that is never closed',
      `number\n${grace}\n"${ada}\n`,
      400,
      { code: 'invalid_request', cause: { code: 'file_quote_not_closed' } },
    ],
    [
      'is no text',
      Buffer.from([0x6e, 0x0a, 0x00, 0x00, 0x01]),
      400,
      { code: 'invalid_request', cause: { code: 'file_not_text' } },
    ],
    [
      'is too large',
      `number\n${grace}\n${' '.repeat(8 * 1024 * 1024)}\n`,
      413,
      { code: 'payload_too_large', cause: { code: 'file_too_large', params: { max: 8 * 1024 * 1024 } } },
    ],
  ])('adds nothing of a file that %s', async (_what, file, status, refusal) => {
    const answer = await importFile(file).expect(status);
    expect(answer.body).toMatchObject(refusal);
    expect(await numbers()).toEqual([]);
  });

  it('adds nothing of a file that breaks off, and takes the next', async () => {
    const answer = await new Promise<string>((resolve) => {
      const body = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`number\n${grace}\n`));
          controller.error(new Error('the sender is gone'));
        },
      });
      fetch(`${gateway.url}/api/do-not-dial/import`, {
        method: 'POST',
        headers: { authorization: `Bearer ${company.adminToken}`, 'content-type': 'text/csv' },
        body,
        duplex: 'half',
      } as RequestInit).then(
        () => resolve('answered'),
        () => resolve('broken'),
      );
    });
    expect(answer).toBe('broken');
    await eventually(async () => (await importFile(`number\n${ada}\n`)).status === 200);
    expect(await numbers()).toEqual([ada]);
  });

  it('is found by those who erase a person to say nothing of them any more, and still keeps the number from being dialed', async () => {
    await add(grace, 'Grace asked us by letter');
    const contact = (
      await admin()
        .post('/api/crm/contacts')
        .send({ name: 'Grace Hopper', phones: [{ phone_number: grace }] })
        .expect(201)
    ).body;
    await admin().post(`/api/crm/contacts/${contact.id}/erase`).send({ version: contact.version }).expect(200);
    expect((await listed()).entries).toMatchObject([{ number: grace, note: null }]);
    await click().expect(409);
  });
});
