import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

const bearer = ({ token }: { token: string }) => ({ Authorization: `Bearer ${token}` });

describe('the contacts of the built-in CRM', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let stranger: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  let numbers = 0;
  /** Of nobody so far. */
  let phone: string;

  beforeAll(async () => {
    gateway = await startGateway('memory');
    stranger = await gateway.company({ slug: 'stranger', agents: 1 });
  });
  beforeEach(async () => {
    numbers += 1;
    phone = `+4930120${String(numbers).padStart(4, '0')}`;
    company = await gateway.company({ slug: `contacts-${numbers}`, agents: 2, wrapUpSeconds: 3_600 });
    [ada, grace] = [company.agents[0]!, company.agents[1]!];
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const create = (body: object) => admin().post('/api/crm/contacts').send(body);
  const read = (id: string) => admin().get(`/api/crm/contacts/${id}`);
  const timeline = async (id: string, query = '') =>
    (await admin().get(`/api/crm/activities?contact=${id}${query}`).expect(200)).body;
  const lookUp = (number = phone) =>
    gateway.api.get('/api/integrations/lookup').query({ phone: number }).set('X-Service-Api-Key', company.key);
  const useMode = (mode: string) => admin().put('/api/integrations').send({ mode }).expect(200);
  /** A call from dial to wrap-up. */
  async function call(number = phone): Promise<string> {
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall(number);
    await softphone.reportProgress(id, 'connected');
    await softphone.reportProgress(id, 'ended');
    await softphone.submitDisposition(id, { code: 'resolved', notes: 'Likes the blue one' });
    softphone.close();
    return id;
  }

  it('that is made of an unknown caller names the call that lasts, at the softphone and on every page, and the calls of the day before it', async () => {
    await useMode('builtin');
    const earlier = await call();
    const softphone = await gateway.readySoftphone(ada);
    const { id } = (await softphone.incomingCall(phone)).call;
    await softphone.reportProgress(id, 'connected');
    expect(softphone.pop?.screen_pop.name).toBeUndefined();
    const named = nextEvent(softphone, 'popChanged');
    const { body: contact } = await create({ name: 'Grace Hopper', phones: [{ phone_number: phone }] }).expect(201);
    expect(await named).toMatchObject([
      { call_id: id, found: true, screen_pop: { name: 'Grace Hopper', contact_id: contact.id } },
    ]);
    expect(softphone.call).toMatchObject({ id, state: 'connected', customer_name: 'Grace Hopper' });
    const names = async () =>
      (await admin().get('/api/calls').expect(200)).body.calls.map(
        (one: { id: string; customer_name: string | null }) => [one.id, one.customer_name],
      );
    expect(await names()).toEqual([
      [id, 'Grace Hopper'],
      [earlier, 'Grace Hopper'],
    ]);
    // Who is known keeps the name that popped.
    await admin().patch(`/api/crm/contacts/${contact.id}`).send({ name: 'Rear Admiral', version: 1 }).expect(200);
    expect((await names())[1]).toEqual([earlier, 'Grace Hopper']);
    softphone.close();
  });

  it('that gets the number of a caller during the call names it as well; in a company of another CRM alone nobody does', async () => {
    await useMode('hybrid');
    const softphone = await gateway.readySoftphone(ada);
    const { id } = (await softphone.incomingCall(phone)).call;
    const { body: contact } = await create({ name: 'Grace Hopper', phones: [] }).expect(201);
    await admin()
      .patch(`/api/crm/contacts/${contact.id}`)
      .send({ phones: [{ phone_number: phone }], version: 1 })
      .expect(200);
    expect((await admin().get(`/api/calls/${id}`).expect(200)).body.customer_name).toBe('Grace Hopper');
    await softphone.reportProgress(id, 'ended', { end_reason: 'missed' });
    await useMode('push');
    const other = (await softphone.incomingCall('+493012999999')).call.id;
    await create({ name: 'Ada', phones: [{ phone_number: '+493012999999' }] }).expect(201);
    expect((await admin().get(`/api/calls/${other}`).expect(200)).body.customer_name).toBeNull();
    softphone.close();
  });

  it('may be a phone number alone, in any spelling', async () => {
    await admin().put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    const { body } = await create({ phones: [{ phone_number: phone.replace('+49', '0') }] }).expect(201);
    expect(body).toMatchObject({
      name: null,
      phones: [{ phone_number: phone, label: null, primary: true }],
      version: 1,
    });
    expect((await read(body.id).expect(200)).body).toEqual(body);
  });

  it('is somebody: a name, a number or an address', async () => {
    expect((await create({ tags: ['lead'], phones: [] }).expect(400)).body.errors).toEqual([
      { path: 'name', message: expect.any(String), code: 'nobody' },
    ]);
  });

  it('is not made twice by accident: whoever has the number and the same name, or none, is named, and nothing is changed', async () => {
    const { body: first } = await create({
      name: 'Grace Hopper',
      external_id: 'C-1',
      phones: [{ phone_number: phone }],
    }).expect(201);
    const phones = [{ phone_number: '+493012100001' }, { phone_number: phone }];
    for (const same of [{ name: 'hopper, grace' }, {}]) {
      const refused = await create({ ...same, phones }).expect(409);
      expect(refused.body.errors).toMatchObject([
        { path: 'phones', code: 'phone_taken', params: { contact_id: first.id } },
      ]);
    }
    expect((await admin().get('/api/crm/contacts').expect(200)).body.contacts).toEqual([first]);
    // Another id, or a word of whoever knows, tells two apart who have one name.
    await create({ name: 'Grace Hopper', external_id: 'C-2', phones }).expect(201);
    await create({ name: 'Grace Hopper', phones, shared: true }).expect(201);
  });

  it('is made once by many who save the same person at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ name: 'Grace', phones: [{ phone_number: phone }] })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(7).fill(409)]);
    const [winner] = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body.errors[0].params).toEqual({ contact_id: winner });
  });

  it('gets all of its numbers or none, in whatever order it is saved twice at once', async () => {
    const list = (given: string[]) => given.map((phone_number) => ({ phone_number }));
    for (let round = 10; round < 40; round += 1) {
      const own = Array.from({ length: 20 }, (_, n) => `+493012${numbers}${round}${n + 10}`);
      const answers = await Promise.all([
        create({ name: 'Grace', phones: list(own) }),
        create({ phones: list(own.toReversed()) }),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    }
  });

  it('may be given the number of another, and both be given the other’s at one moment', async () => {
    const [one, other] = [phone, phone.replace('+4930120', '+4930121')];
    const made = await Promise.all(
      [one, other].map((phone_number) => create({ phones: [{ phone_number }] }).expect(201)),
    );
    const [a, b] = made.map(({ body }) => body);
    const change = (id: string, phone_number: string) =>
      admin()
        .patch(`/api/crm/contacts/${id}`)
        .send({ phones: [{ phone_number }] });
    for (let round = 0; round < 10; round += 1) {
      const numbers = round % 2 === 0 ? [other, one] : [one, other];
      const answers = await Promise.all([change(a.id, numbers[0]!), change(b.id, numbers[1]!)]);
      expect(answers.map(({ body }) => body.phones[0].phone_number)).toEqual(numbers);
    }
    // The last round gave both their own back.
    expect((await change(a.id, other).expect(200)).body.phones).toEqual([
      { phone_number: other, label: null, primary: true, shared_with: [{ id: b.id, name: null }] },
    ]);
  });

  it('is made once, however often it is asked for under one key', async () => {
    const ask = (body: object, key = 'same') => create(body).set('Idempotency-Key', key);
    const first = await ask({ name: 'Grace', phones: [{ phone_number: phone }] }).expect(201);
    const again = await ask({ name: 'Grace', phones: [{ phone_number: phone }] }).expect(201);
    expect([again.body, again.headers['idempotent-replay']]).toEqual([first.body, 'true']);
    await ask({ name: 'Another' }).expect(422);
    // A refusal is not remembered.
    await ask({ phones: [{ phone_number: phone }] }, 'taken').expect(409);
    await admin().patch(`/api/crm/contacts/${first.body.id}`).send({ phones: [] }).expect(200);
    await ask({ phones: [{ phone_number: phone }] }, 'taken').expect(201);
  });

  it('is changed field by field; its timeline tells what was, what is and who did it', async () => {
    const { body } = await create({
      name: 'Grace',
      tier: 'gold',
      phones: [{ phone_number: phone, label: 'work' }],
    }).expect(201);
    const changed = await gateway.api
      .patch(`/api/crm/contacts/${body.id}`)
      .set(bearer(ada))
      .send({ tier: null, tags: ['vip'] })
      .expect(200);
    expect(changed.body).toMatchObject({ name: 'Grace', tier: null, tags: ['vip'], phones: body.phones, version: 2 });
    await admin()
      .patch(`/api/crm/contacts/${body.id}`)
      .send({ tags: ['vip'] })
      .expect(200);
    expect((await timeline(body.id)).activities).toMatchObject([
      {
        kind: 'edited',
        by: { id: ada.id },
        edits: [
          { field: 'tags', before: null, after: 'vip' },
          { field: 'tier', before: 'gold', after: null },
        ],
      },
      { kind: 'created' },
    ]);
  });

  it('is not changed by whoever has read an older version', async () => {
    const { body } = await create({ name: 'Grace' }).expect(201);
    const change = (tier: string, version: string) =>
      admin().patch(`/api/crm/contacts/${body.id}`).set('If-Match', version).send({ tier });
    await change('gold', '"1"').expect(200);
    expect((await change('silver', '"1"').expect(409)).body.cause).toEqual({
      code: 'changed_meanwhile',
      params: { version: 2 },
    });
    expect((await read(body.id).expect(200)).body.tier).toBe('gold');
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        admin()
          .patch(`/api/crm/contacts/${body.id}`)
          .send({ tags: [`t${n}`] })
          .expect(200),
      ),
    );
    expect((await read(body.id).expect(200)).body.version).toBe(8);
  });

  it('gives its number back, for another contact', async () => {
    const { body } = await create({
      name: 'Grace',
      phones: [{ phone_number: phone }, { phone_number: '+493012200001', primary: true }],
    }).expect(201);
    const moved = await admin()
      .patch(`/api/crm/contacts/${body.id}`)
      .send({ phones: [{ phone_number: '+493012200001' }] })
      .expect(200);
    expect(moved.body.phones).toEqual([{ phone_number: '+493012200001', label: null, primary: true }]);
    await create({ name: 'Other', phones: [{ phone_number: phone }] }).expect(201);
  });

  it('takes values that fit the company’s own fields, and no others', async () => {
    const kinds = {
      text: ['blue', 7],
      number: [7, 'seven'],
      money: ['12.50 EUR', '12,50 €'],
      date: ['2026-02-28', '2026-02-30'],
      link: ['https://a.example/x', 'javascript:alert(1)'],
      choice: ['pro', 'other'],
    };
    for (const kind of Object.keys(kinds)) {
      const choices = kind === 'choice' ? { choices: ['basic', 'pro'] } : {};
      await admin()
        .post('/api/crm/fields')
        .send({ key: `a_${kind}`, label: kind, kind, ...choices })
        .expect(201);
    }
    const good = Object.fromEntries(Object.entries(kinds).map(([kind, [value]]) => [`a_${kind}`, value]));
    const { body } = await create({ name: 'Grace', fields: good }).expect(201);
    expect(body.fields).toEqual(good);
    for (const [kind, [, bad]] of Object.entries(kinds)) {
      const refused = await admin()
        .patch(`/api/crm/contacts/${body.id}`)
        .send({ fields: { [`a_${kind}`]: bad } })
        .expect(400);
      expect(refused.body.errors).toMatchObject([{ path: `fields.a_${kind}`, code: 'not_of_field', params: { kind } }]);
    }
    expect((await create({ name: 'X', fields: { nothing: 'x' } }).expect(400)).body.errors).toMatchObject([
      { path: 'fields.nothing', code: 'unknown_field' },
    ]);
    const cleared = await admin()
      .patch(`/api/crm/contacts/${body.id}`)
      .send({ fields: { a_text: null } })
      .expect(200);
    expect(Object.keys(cleared.body.fields)).toHaveLength(5);
  });

  it('shows every call of its numbers, those from before it was made too, in the order of time', async () => {
    const before = await call();
    const { body } = await create({ name: 'Grace', phones: [{ phone_number: phone }] }).expect(201);
    const after = await call();
    await admin().post('/api/crm/activities').send({ contact_id: body.id, text: 'Prefers the afternoon' }).expect(201);
    const all = (await timeline(body.id)).activities;
    expect(all.map(({ kind, id }: { kind: string; id: string }) => (kind === 'call' ? id : kind))).toEqual([
      'note',
      after,
      'created',
      before,
    ]);
    expect(all[1]).toMatchObject({
      by: { id: ada.id },
      call: {
        direction: 'outbound',
        phone_number: phone,
        end_reason: 'completed',
        talk_seconds: expect.any(Number),
        disposition: { code: 'resolved', notes: 'Likes the blue one' },
      },
    });
    const first = await timeline(body.id, '&limit=3');
    const rest = await timeline(body.id, `&limit=3&cursor=${first.next_cursor}`);
    expect([...first.activities, ...rest.activities]).toEqual(all);
    expect(rest.next_cursor).toBeNull();
  });

  it('shows calls with other numbers whose click named it, or one that went into it, each once', async () => {
    const { body: kept } = await create({ name: 'Grace', phones: [{ phone_number: phone }] }).expect(201);
    const { body: other } = await create({ name: 'G. Hopper' }).expect(201);
    const softphone = await gateway.readySoftphone(ada);
    const clicked = async (number: string, contact_id: string) => {
      const { body } = await gateway.click(company, { phone_number: number, contact_id }).expect(201);
      await softphone.reportProgress(body.call_id, 'ended');
      await softphone.submitDisposition(body.call_id, { code: 'other' });
      return body.call_id as string;
    };
    const calls = [
      await clicked('+493012300011', kept.id),
      await clicked(phone, kept.id),
      await clicked('+493012300012', other.id),
    ];
    await admin()
      .post(`/api/crm/contacts/${kept.id}/merge`)
      .send({ contact_id: other.id, version: 1, other_version: 1 })
      .expect(200);
    const listed = (await timeline(kept.id)).activities
      .filter(({ kind }: { kind: string }) => kind === 'call')
      .map(({ id }: { id: string }) => id);
    expect(listed).toEqual(calls.toReversed());
    const { body } = await admin().get(`/api/crm/contacts/${kept.id}/summary`).expect(200);
    expect(body.recent_calls.map(({ id }: { id: string }) => id)).toEqual(calls.toReversed());
    softphone.close();
  });

  it('shows an agent all of them, or only its own and those of nobody, as the company chooses', async () => {
    const [own, foreign, free] = await Promise.all([
      create({ name: 'Of Ada', owner_id: ada.id, phones: [{ phone_number: phone }] }),
      create({ name: 'Of Grace', owner_id: grace.id }),
      create({ name: 'Of nobody' }),
    ]);
    const asAda = (path: string) => gateway.api.get(path).set(bearer(ada));
    const names = async () =>
      (await asAda('/api/crm/contacts').expect(200)).body.contacts.map(({ name }: { name: string }) => name).toSorted();
    expect(await names()).toEqual(['Of Ada', 'Of Grace', 'Of nobody']);
    await admin().patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    expect(await names()).toEqual(['Of Ada', 'Of nobody']);
    await asAda(`/api/crm/contacts/${own.body.id}`).expect(200);
    await asAda(`/api/crm/contacts/${free.body.id}`).expect(200);
    const id = foreign.body.id;
    const unseen = [
      () => asAda(`/api/crm/contacts/${id}`),
      () => asAda(`/api/crm/activities?contact=${id}`),
      () => gateway.api.patch(`/api/crm/contacts/${id}`).set(bearer(ada)).send({ tier: 'gold' }),
      () => gateway.api.post('/api/crm/activities').set(bearer(ada)).send({ contact_id: id, text: 'mine?' }),
    ];
    for (const ask of unseen) expect((await ask().expect(404)).body.code).toBe('not_found');
    expect((await read(id).expect(200)).body.version).toBe(1);
    expect((await timeline(id)).activities).toHaveLength(1);
  });

  it('tells whoever speaks with it of its last calls, open tasks and open deals, whoever looks after it', async () => {
    await admin().patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    const { body } = await create({ name: 'Of Grace', owner_id: grace.id, phones: [{ phone_number: phone }] }).expect(
      201,
    );
    const { body: task } = await admin()
      .post('/api/crm/tasks')
      .send({ contact_id: body.id, due_at: '2030-01-01T10:00:00Z', assignee_id: grace.id })
      .expect(201);
    const stages = [{ name: 'New' }, { name: 'Lost', outcome: 'lost' }];
    const { body: pipeline } = await admin().post('/api/crm/pipelines').send({ name: 'Sales', stages }).expect(201);
    const [open, lost] = await Promise.all(
      pipeline.stages.map((stage: { id: string }) =>
        admin()
          .post('/api/crm/deals')
          .send({ name: '50 licences', stage_id: stage.id, contact_id: body.id, owner_id: grace.id })
          .expect(201),
      ),
    );
    expect(lost.body.stage.outcome).toBe('lost');
    const calls = [await call(), await call(), await call(), await call()];
    const summary = () => gateway.api.get(`/api/crm/contacts/${body.id}/summary`).set(bearer(ada));
    await summary().expect(404);
    const softphone = await gateway.readySoftphone(ada);
    const { id } = await softphone.startCall(phone);
    const told = (await summary().expect(200)).body;
    expect(told.recent_calls.map((each: { id: string }) => each.id)).toEqual(calls.slice(1).toReversed());
    expect(told).toMatchObject({
      contact_id: body.id,
      recent_calls: [{ call: { disposition: { notes: 'Likes the blue one' } } }, {}, {}],
      open_tasks: [{ id: task.id, assignee: { id: grace.id } }],
    });
    expect(told.open_deals).toEqual([open.body]);
    await softphone.reportProgress(id, 'ended');
    await summary().expect(404);
    softphone.close();
  });

  it('is unknown to every other company', async () => {
    const { body } = await create({ name: 'Grace', phones: [{ phone_number: phone }] }).expect(201);
    const theirs = gateway.as(stranger);
    for (const path of [`/api/crm/contacts/${body.id}`, `/api/crm/activities?contact=${body.id}`])
      await theirs.get(path).expect(404);
    await theirs.patch(`/api/crm/contacts/${body.id}`).send({ name: 'Stolen' }).expect(404);
    await theirs.post('/api/crm/activities').send({ contact_id: body.id, text: 'x' }).expect(404);
    expect(
      (await theirs.post('/api/crm/contacts').send({ name: 'X', owner_id: ada.id }).expect(400)).body.errors,
    ).toMatchObject([{ path: 'owner_id', code: 'not_of_company' }]);
    await theirs
      .post('/api/crm/contacts')
      .send({ name: 'Own', phones: [{ phone_number: phone }] })
      .expect(201);
    expect((await read(body.id).expect(200)).body).toEqual(body);
  });

  it('is found by number, address, owner, organisation, tag and the id elsewhere', async () => {
    const organisation = (await admin().post('/api/crm/organisations').send({ name: 'Navy' }).expect(201)).body;
    const one = {
      name: 'Grace',
      phones: [{ phone_number: phone }],
      emails: [{ email: 'Grace@Example.com' }],
      owner_id: ada.id,
      organisation_id: organisation.id,
      tags: ['vip'],
      external_id: 'C-1',
    };
    const { body } = await create(one).expect(201);
    await create({ name: 'Other', emails: [{ email: 'other@example.com' }] }).expect(201);
    const filters = {
      phone,
      email: 'grace@example.com',
      owner: ada.id,
      organisation: organisation.id,
      tag: 'vip',
      external_id: 'C-1',
    };
    for (const [name, value] of Object.entries(filters)) {
      expect(
        (
          await admin()
            .get('/api/crm/contacts')
            .query({ [name]: value })
            .expect(200)
        ).body.contacts,
      ).toEqual([body]);
    }
    expect((await admin().get('/api/crm/contacts').query(filters).expect(200)).body.contacts).toEqual([body]);
  });

  describe('on the screen pop', () => {
    const person = () => ({
      name: 'Grace Hopper',
      tier: 'gold',
      phones: [{ phone_number: phone }],
      emails: [{ email: 'grace@example.com' }],
      notes: 'Prefers mail',
    });
    const pushCustomer = (data: object) =>
      gateway.api
        .post('/api/integrations/inbound')
        .set('X-Service-Api-Key', company.key)
        .send({ phone_number: phone, data })
        .expect(200);

    it('in mode “builtin” it is all there is: what was pushed is not looked at', async () => {
      await useMode('builtin');
      const { body } = await create(person()).expect(201);
      await pushCustomer({ name: 'Pushed' });
      expect((await lookUp().expect(200)).body.screen_pop).toEqual({
        phone,
        name: 'Grace Hopper',
        email: 'grace@example.com',
        vip_tier: 'gold',
        crm: { notes: 'Prefers mail' },
        contact_id: body.id,
      });
      await lookUp('+493012300001').expect(404);
    });

    it('in mode “hybrid” what was pushed lies over it, field by field, and what a click brings over both', async () => {
      await useMode('hybrid');
      const { body } = await create(person()).expect(201);
      await pushCustomer({ name: 'G. Hopper', plan: 'pro', notes: null });
      const layered = {
        phone,
        name: 'G. Hopper',
        email: 'grace@example.com',
        vip_tier: 'gold',
        crm: { notes: 'Prefers mail', name: 'G. Hopper', plan: 'pro' },
        contact_id: body.id,
      };
      expect((await lookUp().expect(200)).body.screen_pop).toEqual(layered);
      const softphone = await gateway.readySoftphone(ada);
      const popped = nextEvent(softphone, 'pop', () => true);
      await gateway.click(company, { phone_number: phone, screen_pop: { vip_tier: 'platinum' } }).expect(201);
      expect((await popped)[0]).toMatchObject({ found: true, screen_pop: { ...layered, vip_tier: 'platinum' } });
      softphone.close();
    });

    it('shows the company’s own fields in their order behind what every contact has, and none that are not to be shown', async () => {
      await useMode('builtin');
      const field = (key: string, more: object = {}) =>
        admin()
          .post('/api/crm/fields')
          .send({ key, label: `The ${key}`, kind: 'text', ...more });
      for (const key of ['notes', 'tags', 'organisation', 'do_not_call', 'name', 'vip_tier']) {
        expect((await field(key).expect(400)).body.errors).toMatchObject([{ path: 'key', code: 'standard_field' }]);
      }
      for (const key of ['2', '10_1'])
        expect((await field(key).expect(400)).body.errors).toMatchObject([{ path: 'key', code: 'no_letter' }]);
      for (const [position, key] of ['zeta', 'f10', 'f2', 'alpha'].entries())
        await field(key, { position }).expect(201);
      await field('secret', { on_pop: false }).expect(201);
      const fields = { alpha: 'a', f2: '2', f10: '10', zeta: 'z', secret: 'no' };
      await create({ ...person(), do_not_call: true, fields }).expect(201);
      const { crm } = (await lookUp().expect(200)).body.screen_pop;
      expect(Object.entries(crm)).toEqual(
        Object.entries({ do_not_call: true, notes: 'Prefers mail', zeta: 'z', f10: '10', f2: '2', alpha: 'a' }),
      );
    });

    it('is the contact that the click names, whatever number is dialed', async () => {
      await useMode('builtin');
      const { body } = await create(person()).expect(201);
      const softphone = await gateway.readySoftphone(ada);
      const clicked = await gateway.click(company, { phone_number: '+493012300002', contact_id: body.id }).expect(201);
      expect(clicked.body.screen_pop).toMatchObject({
        name: 'Grace Hopper',
        contact_id: body.id,
        phone: '+493012300002',
      });
      softphone.close();
    });

    it('in mode “push” it is not looked for', async () => {
      await create(person()).expect(201);
      await lookUp().expect(404);
    });
  });
});
