import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

/** What requests of the built-in CRM have in common, whatever they are about. */
describe('requests of the built-in CRM', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `requests-${companies}`, agents: 1 });
    agent = company.agents[0]!;
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const make = async (path: string, body: object) =>
    (await admin().post(`/api/crm/${path}`).send(body).expect(201)).body;
  const listed = async (path: string, query: object = {}) => {
    const { body } = await admin().get(`/api/crm/${path}`).query(query).expect(200);
    return (Object.values(body).find(Array.isArray) as Record<string, unknown>[]) ?? [];
  };
  const namesOf = async (path: string, query: object = {}) => (await listed(path, query)).map(({ name }) => name);

  describe('under an Idempotency-Key', () => {
    const asked: [string, () => Promise<{ path: string; body: object; other: object; list: string }>][] = [
      [
        'an organisation',
        async () => ({ path: 'organisations', body: { name: 'Navy' }, other: { name: 'Army' }, list: 'organisations' }),
      ],
      [
        'a pipeline',
        async () => ({
          path: 'pipelines',
          body: { name: 'Sales', stages: [{ name: 'New' }] },
          other: { name: 'Renewals', stages: [{ name: 'New' }] },
          list: 'pipelines',
        }),
      ],
      [
        'a note',
        async () => {
          const { id } = await make('contacts', { name: 'Grace' });
          return {
            path: 'activities',
            body: { contact_id: id, text: 'Once' },
            other: { contact_id: id, text: 'Other' },
            list: `activities?contact=${id}&kind=note`,
          };
        },
      ],
    ];
    it.each(asked)('make %s once, however many come at once, and refuse another body', async (_what, prepare) => {
      const { path, body, other, list } = await prepare();
      const post = (sent: object, key = 'once') =>
        admin().post(`/api/crm/${path}`).set('Idempotency-Key', key).send(sent);
      const first = await post(body).expect(201);
      const again = await post(body).expect(201);
      expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true']);
      await post(other).expect(422);
      const racing = await Promise.all(Array.from({ length: 5 }, () => post(other, 'twice')));
      expect(racing.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
      expect(new Set(racing.filter(({ status }) => status === 201).map((answer) => answer.body.id)).size).toBe(1);
      expect(await listed(list)).toHaveLength(2);
    });

    it('remember nothing of a note on a contact that is not there', async () => {
      const body = { contact_id: '00000000-0000-4000-8000-000000000000', text: 'Nobody' };
      for (let tries = 0; tries < 2; tries += 1)
        await admin().post('/api/crm/activities').set('Idempotency-Key', 'nobody').send(body).expect(404);
    });

    it('make an import once of the same file, also where there is room for no more', async () => {
      const upload = (file: string, key: string | null) => {
        const request = admin().post('/api/crm/imports').set('Content-Type', 'text/csv');
        if (key !== null) request.set('Idempotency-Key', key);
        return request.send(file);
      };
      const first = await upload('name,phone\nGrace,+12025550101\n', 'file').expect(201);
      for (let more = 0; more < 19; more += 1) await upload('name,phone\nGrace,+12025550101\n', null).expect(201);
      const again = await upload('name,phone\nGrace,+12025550101\n', 'file').expect(201);
      expect([again.text, again.headers['idempotent-replay']]).toEqual([first.text, 'true']);
      await upload('name,phone\nAda,+12025550102\n', 'file').expect(422);
      expect((await upload('name,phone\nAda,+12025550102\n', 'other').expect(409)).body.cause).toMatchObject({
        code: 'too_many_imports',
      });
      expect(await listed('imports', { limit: 50 })).toHaveLength(20);
      expect(await listed(`imports/${first.body.id}/rows`)).toHaveLength(1);
      await admin().delete(`/api/crm/imports/${first.body.id}`).expect(204);
      await upload('name,phone\nAda,+12025550102\n', 'other').expect(201);
    });
  });

  it('list organisations by parts of their names, and in an order, a page at a time', async () => {
    for (const name of ['Zebra Handel', 'ÄRZTE-Haus', 'Navy Computing', 'Handelsblatt'])
      await make('organisations', { name });
    expect(await namesOf('organisations')).toEqual(['Zebra Handel', 'ÄRZTE-Haus', 'Navy Computing', 'Handelsblatt']);
    expect(await namesOf('organisations', { sort: 'name' })).toEqual([
      'ÄRZTE-Haus',
      'Handelsblatt',
      'Navy Computing',
      'Zebra Handel',
    ]);
    expect(await namesOf('organisations', { sort: '-name', name: 'handel' })).toEqual(['Zebra Handel', 'Handelsblatt']);
    expect(await namesOf('organisations', { name: 'arzte haus' })).toEqual(['ÄRZTE-Haus']);
    for (const name of ['blatt zebra', '%', '_']) expect(await namesOf('organisations', { name })).toEqual([]);
    for (const sort of ['created', '-created', 'name', '-name', 'updated', '-updated']) {
      const paged: unknown[] = [];
      for (let cursor: string | undefined = undefined; ;) {
        const { body }: { body: { organisations: { name: string }[]; next_cursor: string | null } } = await admin()
          .get('/api/crm/organisations')
          .query({ sort, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
          .expect(200);
        paged.push(...body.organisations.map(({ name }) => name));
        if (body.next_cursor === null) break;
        cursor = body.next_cursor;
      }
      expect(paged).toEqual(await namesOf('organisations', { sort }));
    }
    const { next_cursor } = (await admin().get('/api/crm/organisations').query({ limit: 1 }).expect(200)).body;
    expect(
      (await admin().get('/api/crm/organisations').query({ sort: 'name', cursor: next_cursor }).expect(400)).body
        .errors,
    ).toMatchObject([{ path: 'cursor' }]);
  });

  it('list contacts by tier, language and whether they want to be called', async () => {
    await make('contacts', { name: 'Ada', tier: 'gold', language: 'de-AT' });
    await make('contacts', { name: 'Grace', tier: 'Gold', language: 'en', do_not_call: true });
    await make('contacts', { name: 'Edsger', language: 'de' });
    await make('contacts', { name: 'Deng', language: 'den' });
    expect(await namesOf('contacts', { tier: 'gold' })).toEqual(['Ada']);
    expect(await namesOf('contacts', { language: 'DE' })).toEqual(['Ada', 'Edsger']);
    expect(await namesOf('contacts', { language: 'de-at' })).toEqual(['Ada']);
    expect(await namesOf('contacts', { do_not_call: 'true' })).toEqual(['Grace']);
    expect(await namesOf('contacts', { do_not_call: 'false', language: 'de', sort: 'name' })).toEqual([
      'Ada',
      'Edsger',
    ]);
    expect(await namesOf('contacts', { do_not_call: 'true', tier: 'gold' })).toEqual([]);
  });

  it('list a timeline by kind, and tasks in an order', async () => {
    const { id } = await make('contacts', { name: 'Grace', phones: [{ phone_number: '+493012000001' }] });
    const softphone = await gateway.readySoftphone(agent);
    const call = await softphone.startCall('+493012000001');
    await softphone.reportProgress(call.id, 'ended');
    await make('activities', { contact_id: id, text: 'A note' });
    const kinds = async (kind?: string) =>
      (await listed('activities', { contact: id, ...(kind === undefined ? {} : { kind }) })).map(
        (entry) => entry['kind'],
      );
    expect(await kinds()).toEqual(['note', 'call', 'created']);
    for (const kind of ['note', 'call', 'created']) expect(await kinds(kind)).toEqual([kind]);
    expect(await kinds('merged')).toEqual([]);
    const stranger = await gateway.company({ slug: `requests-stranger-${companies}` });
    await gateway.as(stranger).get('/api/crm/activities').query({ contact: id, kind: 'merged' }).expect(404);

    for (const [title, due_at] of [
      ['Later', '2031-01-01T10:00:00Z'],
      ['Sooner', '2030-01-01T10:00:00Z'],
    ])
      await make('tasks', { title, due_at });
    const titles = async (sort: string) => {
      const pages = [];
      for (let cursor: string | undefined = undefined; ;) {
        const { body }: { body: { tasks: { title: string }[]; next_cursor: string | null } } = await admin()
          .get('/api/crm/tasks')
          .query({ sort, limit: 1, ...(cursor === undefined ? {} : { cursor }) })
          .expect(200);
        pages.push(...body.tasks.map(({ title }) => title));
        if (body.next_cursor === null) return pages;
        cursor = body.next_cursor;
      }
    };
    expect([await titles('due'), await titles('-due'), await titles('created'), await titles('-created')]).toEqual([
      ['Sooner', 'Later'],
      ['Later', 'Sooner'],
      ['Later', 'Sooner'],
      ['Sooner', 'Later'],
    ]);
    softphone.close();
  });

  it('change a field only as it was read', async () => {
    const field = await make('fields', { key: 'plan', label: 'Plan', kind: 'text' });
    expect(field.version).toBe(1);
    const change = (body: object, match?: string) => {
      const request = admin().patch('/api/crm/fields/plan');
      if (match !== undefined) request.set('If-Match', match);
      return request.send(body);
    };
    expect((await change({ label: 'Rate' }, '"1"').expect(200)).body).toMatchObject({ label: 'Rate', version: 2 });
    for (const stale of [change({ label: 'Stale' }, '"1"'), change({ label: 'Stale', version: 1 })])
      expect((await stale.expect(409)).body.cause).toEqual({ code: 'changed_meanwhile', params: { version: 2 } });
    expect((await change({ on_pop: false }).expect(200)).body).toMatchObject({
      label: 'Rate',
      on_pop: false,
      version: 3,
    });
  });

  it('answer a stale move of a deal with the deal as it is now', async () => {
    await make('pipelines', { name: 'Sales', stages: [{ name: 'New' }] });
    const deal = await make('deals', { name: 'Licences' });
    const { body: now } = await admin()
      .patch(`/api/crm/deals/${deal.id}`)
      .send({ value: '7', currency: 'EUR' })
      .expect(200);
    const { body } = await admin()
      .patch(`/api/crm/deals/${deal.id}`)
      .set('If-Match', '"1"')
      .send({ name: 'Stale' })
      .expect(409);
    expect(body).toMatchObject({ cause: { code: 'deal_changed_meanwhile' }, deal: now });
  });

  it('tell the first number and address as the primary ones where none is marked', async () => {
    const phones = [{ phone_number: '+493012000011' }, { phone_number: '+493012000012' }];
    const emails = [{ email: 'a@example.com' }, { email: 'b@example.com', primary: true }];
    const contact = await make('contacts', { name: 'Grace', phones, emails });
    expect(
      [contact.phones, contact.emails].map((list) => list.map(({ primary }: { primary: boolean }) => primary)),
    ).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('of a softphone that dials by hand name the contact, which pops and has the call on its timeline', async () => {
    await admin().put('/api/integrations').send({ mode: 'builtin' }).expect(200);
    const contact = await make('contacts', { name: 'Grace', do_not_call: true });
    const softphone = gateway.softphone(agent);
    await softphone.connect();
    await expect(softphone.startCall('+493012000099', { contactId: contact.id })).rejects.toMatchObject({
      code: 'do_not_call',
    });
    await admin().patch(`/api/crm/contacts/${contact.id}`).send({ do_not_call: false }).expect(200);
    const call = await softphone.startCall('+493012000099', { contactId: contact.id });
    expect(call).toMatchObject({ contact_id: contact.id, screen_pop: { name: 'Grace', contact_id: contact.id } });
    expect(await listed('activities', { contact: contact.id, kind: 'call' })).toMatchObject([{ id: call.id }]);
    softphone.close();
  });
});
