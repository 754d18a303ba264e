import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openStores } from '../contracts/stores/openStores.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

describe('two contacts that are one person', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let count = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    count += 1;
    company = await gateway.company({ slug: `merge-${count}`, agents: 1 });
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const create = async (body: object) => (await admin().post('/api/crm/contacts').send(body).expect(201)).body;
  const read = async (id: string) => (await admin().get(`/api/crm/contacts/${id}`).expect(200)).body;
  const merge = (kept: { id: string; version: number }, other: { id: string; version: number }, more: object = {}) =>
    admin()
      .post(`/api/crm/contacts/${kept.id}/merge`)
      .send({ contact_id: other.id, version: kept.version, other_version: other.version, ...more });
  const all = async () => (await admin().get('/api/crm/contacts').expect(200)).body.contacts;

  it('become one with everything that both had, each field as it was chosen', async () => {
    const kept = await create({
      name: 'Grace',
      tier: 'gold',
      tags: ['a'],
      notes: 'Own',
      phones: [{ phone_number: '+493012000001', primary: true }],
      emails: [{ email: 'grace@example.com' }],
    });
    const other = await create({
      name: 'Grace Hopper',
      tier: 'silver',
      language: 'en',
      tags: ['a', 'b'],
      external_id: 'C-7',
      do_not_call: true,
      phones: [{ phone_number: '+493012000002', primary: true }],
      emails: [{ email: 'grace@example.com' }, { email: 'hopper@example.com' }],
    });
    await admin().post('/api/crm/activities').send({ contact_id: other.id, text: 'Prefers mail' }).expect(201);
    const task = (
      await admin()
        .post('/api/crm/tasks')
        .send({ title: 'Offer', due_at: '2030-01-01T10:00:00.000Z', contact_id: other.id })
        .expect(201)
    ).body;
    const { body } = await merge(kept, other, { take: ['name'] }).expect(200);
    expect(body).toMatchObject({
      id: kept.id,
      name: 'Grace Hopper',
      tier: 'gold',
      language: 'en',
      notes: 'Own',
      tags: ['a', 'b'],
      external_id: 'C-7',
      do_not_call: true,
      version: 2,
      phones: [
        { phone_number: '+493012000001', primary: true },
        { phone_number: '+493012000002', primary: false },
      ],
      emails: [{ email: 'grace@example.com' }, { email: 'hopper@example.com' }],
    });
    expect([await read(kept.id), await read(other.id), await all()]).toEqual([body, body, [body]]);
    const { activities } = (await admin().get(`/api/crm/activities?contact=${other.id}`).expect(200)).body;
    expect(activities.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['merged', 'note', 'created', 'created']),
    );
    expect((await admin().get(`/api/crm/tasks/${task.id}`).expect(200)).body.contact).toMatchObject({ id: kept.id });
  });

  it('the former id serves on: it is changed, noted on, called and merged as the one that stays', async () => {
    const [a, b, c] = [await create({ name: 'A' }), await create({ name: 'B' }), await create({ name: 'C' })];
    await merge(b, a).expect(200);
    const merged = (await merge(c, { id: a.id, version: 2 }).expect(200)).body;
    expect(await read(a.id)).toEqual(merged);
    await admin().patch(`/api/crm/contacts/${a.id}`).send({ tier: 'gold', version: 2 }).expect(200);
    await admin().post('/api/crm/activities').send({ contact_id: b.id, text: 'Still there' }).expect(201);
    await admin().put('/api/integrations').send({ mode: 'builtin' }).expect(200);
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const clicked = await gateway.click(company, { phone_number: '+493012000009', contact_id: a.id }).expect(201);
    expect(clicked.body.screen_pop).toMatchObject({ contact_id: c.id, name: 'C', vip_tier: 'gold' });
    softphone.close();
  });

  it('are not called by the former id where the one that stays does not want it', async () => {
    const [kept, other] = [await create({ name: 'A', do_not_call: true }), await create({ name: 'B' })];
    await merge(kept, other).expect(200);
    const softphone = await gateway.readySoftphone(company.agents[0]!);
    const refused = await gateway.click(company, { phone_number: '+493012000009', contact_id: other.id }).expect(409);
    expect(refused.body.code).toBe('do_not_call');
    softphone.close();
  });

  it('are not merged by whoever has read another version of one, nor with itself', async () => {
    const [kept, other] = [await create({ name: 'A' }), await create({ name: 'B' })];
    await merge({ ...kept, version: 2 }, other).expect(409);
    expect((await merge(kept, { ...other, version: 2 }).expect(409)).body.cause).toEqual({
      code: 'changed_meanwhile',
      params: { version: 1 },
    });
    await merge(kept, kept).expect(409);
    expect(await all()).toEqual([kept, other]);
  });

  it('lose nothing when merges cross each other, or one is changed meanwhile', async () => {
    for (let round = 0; round < 8; round += 1) {
      const number = (n: number) => `+49301300${count}${round}${n}0`;
      const [a, b, c] = [
        await create({ name: 'A', phones: [{ phone_number: number(1) }] }),
        await create({ name: 'B', phones: [{ phone_number: number(2) }] }),
        await create({ name: 'C', phones: [{ phone_number: number(3) }] }),
      ];
      const answers = await Promise.all([
        merge(a, b),
        merge(b, c),
        merge(c, a),
        admin().patch(`/api/crm/contacts/${b.id}`).send({ tier: 'gold' }),
        admin().post('/api/crm/activities').send({ contact_id: a.id, text: 'A note' }),
      ]);
      expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
      expect([answers[3].status, answers[4].status]).toEqual([200, 201]);
      const now = await Promise.all([a, b, c].map(({ id }) => read(id)));
      const distinct = [...new Map(now.map((one) => [one.id, one])).values()];
      expect(
        distinct.flatMap(({ phones }) => phones.map((each: { phone_number: string }) => each.phone_number)).toSorted(),
      ).toEqual([number(1), number(2), number(3)]);
      const merges = answers.slice(0, 3).filter(({ status }) => status === 200).length;
      expect(distinct).toHaveLength(3 - merges);
      expect((await read(b.id)).tier).toBe('gold');
      const { activities } = (await admin().get(`/api/crm/activities?contact=${a.id}`).expect(200)).body;
      expect(activities.map(({ text }: { text: string | null }) => text)).toContain('A note');
    }
  });

  it('are found as one, by whatever either was found by', async () => {
    const word = fc.stringMatching(/^[a-z]{6,10}$/);
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(word, { minLength: 4, maxLength: 4 }), fc.boolean(), async (words, takes) => {
        // Of this run alone: contacts of those before are still there.
        runs += 1;
        const [one, two, mail, other] = words.map(
          (each) => `q${String.fromCharCode(97 + (runs % 26), 97 + Math.floor(runs / 26))}${each}`,
        );
        const kept = await create({ name: one, emails: [{ email: `${mail}@x.example` }] });
        const gone = await create({ name: two, emails: [{ email: `${other}@y.example` }] });
        await merge(kept, gone, takes ? { take: ['name'] } : {}).expect(200);
        for (const typed of [takes ? two : one, mail, other]) {
          const { contacts } = (await admin().get('/api/crm/search').query({ q: typed }).expect(200)).body;
          expect(
            contacts
              .filter(({ approximate }: { approximate: boolean }) => !approximate)
              .map(({ id }: { id: string }) => id),
          ).toEqual([kept.id]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('keep every number, address, tag, note, task and deal, whoever is merged into whom', async () => {
    const stage = (
      await admin()
        .post('/api/crm/pipelines')
        .send({ name: 'Sales', stages: [{ name: 'New' }] })
        .expect(201)
    ).body.stages[0].id;
    const people = 4;
    const merges = fc.array(fc.tuple(fc.nat(people - 1), fc.nat(people - 1)), { minLength: 1, maxLength: 5 });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(merges, async (pairs) => {
        runs += 1;
        const about = (n: number) => ({
          phone: `+49301${String(runs).padStart(3, '0')}000${n}`,
          email: `p${n}@r${runs}.example`,
          tag: `t${runs}-${n}`,
          text: `About ${runs}-${n}`,
        });
        const ids: string[] = [];
        for (let n = 0; n < people; n += 1) {
          const { phone, email, tag, text } = about(n);
          const { id } = await create({ phones: [{ phone_number: phone }], emails: [{ email }], tags: [tag] });
          await admin().post('/api/crm/activities').send({ contact_id: id, text }).expect(201);
          await admin()
            .post('/api/crm/tasks')
            .send({ title: text, due_at: '2030-01-01T10:00:00.000Z', contact_id: id })
            .expect(201);
          await admin().post('/api/crm/deals').send({ name: text, stage_id: stage, contact_id: id }).expect(201);
          ids.push(id);
        }
        /** Whom each is one with, by the first of them. */
        const one = ids.map((_, n) => n);
        for (const [into, from] of pairs) {
          const [kept, gone] = await Promise.all([into, from].map((n) => read(ids[n]!)));
          await merge({ ...kept, id: ids[into]! }, { ...gone, id: ids[from]! }).expect(
            one[into] === one[from] ? 409 : 200,
          );
          const [stays, goes] = [one[into]!, one[from]!];
          for (const [n, whose] of one.entries()) if (whose === goes) one[n] = stays;
        }
        for (const [n, id] of ids.entries()) {
          const all = ids.flatMap((_, other) => (one[other] === one[n] ? [about(other)] : []));
          const contact = await read(id);
          const texts = all.map(({ text }) => text).toSorted();
          const listed = async (what: string) =>
            (await admin().get(`/api/crm/${what}?contact=${id}`).expect(200)).body[what];
          expect(contact.phones.map((each: { phone_number: string }) => each.phone_number).toSorted()).toEqual(
            all.map(({ phone }) => phone).toSorted(),
          );
          expect(contact.emails.map((each: { email: string }) => each.email).toSorted()).toEqual(
            all.map(({ email }) => email).toSorted(),
          );
          expect(contact.tags.toSorted()).toEqual(all.map(({ tag }) => tag).toSorted());
          expect(
            (await listed('activities'))
              .flatMap(({ kind, text }: { kind: string; text: string }) => (kind === 'note' ? [text] : []))
              .toSorted(),
          ).toEqual(texts);
          expect((await listed('tasks')).map(({ title }: { title: string }) => title).toSorted()).toEqual(texts);
          expect((await listed('deals')).map(({ name }: { name: string }) => name).toSorted()).toEqual(texts);
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('the tables that name a contact', () => {
  /** Theirs is the row of one contact alone, and goes with it. */
  const ofItself = ['contact_email', 'contact_search', 'contact_tag', 'contact_to_compare'];
  /** Who is another person than the one that goes is another than the one that stays: see moveDismissals. */
  const ofTwo = ['contact_duplicate'];
  /** What was said when it was written; a former id leads to the contact. */
  const asItWasSaid = ['call', 'audit_entry'];

  it('are moved by a merge, or there is a reason', async () => {
    const stores = await openStores();
    try {
      const { rows } = await stores.pool.query<{ name: string }>(
        `SELECT DISTINCT table_name AS name FROM information_schema.columns
          WHERE table_schema = 'public' AND column_name = 'contact_id' ORDER BY 1`,
      );
      const source = readFileSync(
        new URL('../../src/adapters/postgres/contacts/mergeContacts.ts', import.meta.url),
        'utf8',
      );
      const moved = [...source.matchAll(/UPDATE (\w+)\s+SET contact_id = \$2/g)].map(([, name]) => name);
      expect(rows.map(({ name }) => name)).toEqual([...moved, ...ofItself, ...ofTwo, ...asItWasSaid].toSorted());
    } finally {
      await stores.close();
    }
  });
});
