import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

type Contact = { id: string; version: number };
type Suggestion = { id: string; score: number; reasons: string[]; contacts: Contact[] };

describe('contacts that are probably one person', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let count = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory');
  });
  beforeEach(async () => {
    count += 1;
    company = await gateway.company({ slug: `duplicates-${count}`, agents: 1 });
  });
  afterAll(() => gateway.close());

  const admin = () => gateway.as(company);
  const create = async (body: object): Promise<Contact> =>
    (await admin().post('/api/crm/contacts').send(body).expect(201)).body;
  const organisation = async (name: string): Promise<string> =>
    (await admin().post('/api/crm/organisations').send({ name }).expect(201)).body.id;
  const merge = (kept: Contact, other: Contact) =>
    admin()
      .post(`/api/crm/contacts/${kept.id}/merge`)
      .send({ contact_id: other.id, version: kept.version, other_version: other.version })
      .expect(200);
  const dismiss = (id: string) => admin().delete(`/api/crm/duplicates/${id}`);

  /** What is suggested once all contacts have been compared. */
  async function suggested(query = ''): Promise<Suggestion[]> {
    let found: Suggestion[] = [];
    await eventually(async () => {
      const { body } = await admin().get(`/api/crm/duplicates${query}`).expect(200);
      found = body.duplicates;
      return body.comparing === false;
    });
    return found;
  }
  const pairsOf = (suggestions: Suggestion[]) =>
    suggestions.map(({ reasons, contacts }) => [reasons, contacts.map(({ id }) => id)]);

  it('are suggested with what speaks for it, those first for which most does', async () => {
    const navy = await organisation('Navy');
    const grace = await create({
      name: 'Grace Hopper',
      organisation_id: navy,
      emails: [{ email: 'Grace@Example.com' }],
      phones: [{ phone_number: '+493012345670' }],
    });
    const again = await create({ name: 'HOPPER, Gräce', emails: [{ email: 'grace@example.com' }] });
    const slip = await create({ name: 'Grace Hoper', organisation_id: navy });
    const abroad = await create({ phones: [{ phone_number: '+433012345670' }] });
    await create({ name: 'Ada Lovelace', organisation_id: navy, phones: [{ phone_number: '+493012345999' }] });
    const found = await suggested();
    expect(found.map(({ score, reasons, contacts }) => [score, reasons, contacts.map(({ id }) => id)])).toEqual([
      [80, ['email', 'name'], [grace.id, again.id]],
      [40, ['phone'], [grace.id, abroad.id]],
      [30, ['similar_name', 'organisation'], [grace.id, slip.id]],
    ]);
    expect(found[0]?.contacts).toEqual([grace, again]);
  });

  it('are one whom the other system knows by one record', async () => {
    await admin().put('/api/integrations').send({ mode: 'hybrid' }).expect(200);
    await admin()
      .post('/api/integrations/inbound')
      .send({ phone_number: '+493012345671', external_id: 'C-9', data: { name: 'Grace' } })
      .expect(200);
    const called = await create({ phones: [{ phone_number: '+493012345671' }] });
    const imported = await create({ name: 'Grace Hopper', external_id: 'C-9' });
    expect(pairsOf(await suggested())).toEqual([[['record'], [called.id, imported.id]]]);
  });

  it('are not those who share what many have: a name, an address of a team', async () => {
    const surnames = ['Abel', 'Bauer', 'Conrad', 'Dietz', 'Ernst', 'Fuchs', 'Graf', 'Hahn'];
    for (const surname of surnames) await create({ name: `Anna ${surname}`, emails: [{ email: 'info@example.com' }] });
    for (const surname of surnames) {
      await create({
        name: 'Anna Schmidt',
        phones: [{ phone_number: `+4930123456${String(surnames.indexOf(surname))}0` }],
      });
    }
    // Those of the first four, who could have been one person by then.
    const ofFour = 6;
    expect((await suggested()).filter(({ reasons }) => reasons.includes('email')).length).toBeLessThanOrEqual(ofFour);
    expect((await suggested()).filter(({ reasons }) => reasons.includes('name')).length).toBeLessThanOrEqual(ofFour);
    const [one, other] = [await organisation('One'), await organisation('Other')];
    await create({ name: 'Alan Turing', organisation_id: one });
    await create({ name: 'Alan Turing', organisation_id: other });
    await create({ name: 'Alan' });
    await create({ name: 'Alan' });
    expect((await suggested()).filter(({ contacts }) => JSON.stringify(contacts).includes('Alan'))).toEqual([]);
  });

  it('follow what is changed: a pair that comes, and one that goes', async () => {
    const grace = await create({ name: 'Grace Hopper' });
    const ada = await create({ name: 'Ada Lovelace', emails: [{ email: 'grace@example.com' }] });
    expect(await suggested()).toEqual([]);
    await admin()
      .patch(`/api/crm/contacts/${grace.id}`)
      .send({ emails: [{ email: 'grace@example.com' }] })
      .expect(200);
    expect(pairsOf(await suggested())).toEqual([[['email'], [grace.id, ada.id]]]);
    await admin().patch(`/api/crm/contacts/${ada.id}`).send({ emails: [] }).expect(200);
    expect(await suggested()).toEqual([]);
  });

  it('stay two once somebody has said so, also after they are changed, and of whatever one of them went into', async () => {
    const [one, two] = [await create({ name: 'Grace Hopper' }), await create({ name: 'Grace Hopper' })];
    const [first] = await suggested();
    await dismiss(first?.id ?? '').expect(204);
    await dismiss(first?.id ?? '').expect(404);
    expect(await suggested()).toEqual([]);
    await admin().patch(`/api/crm/contacts/${one.id}`).send({ name: 'Grace B. Hopper' }).expect(200);
    const back = (await admin().patch(`/api/crm/contacts/${one.id}`).send({ name: 'Grace Hopper' }).expect(200)).body;
    expect(await suggested()).toEqual([]);
    const three = await create({ name: 'Grace Hopper' });
    expect(pairsOf(await suggested())).toHaveLength(2);
    await merge(three, back);
    expect(await suggested()).toEqual([]);
    expect((await admin().get(`/api/crm/contacts/${two.id}`).expect(200)).body.name).toBe('Grace Hopper');
  });

  it('are no more suggested when they were merged', async () => {
    const [one, two] = [await create({ name: 'Grace Hopper' }), await create({ name: 'Grace Hopper' })];
    expect(await suggested()).toHaveLength(1);
    await merge(one, two);
    expect(await suggested()).toEqual([]);
  });

  it('are listed page by page, each pair once, although others go meanwhile', async () => {
    for (let index = 0; index < 7; index += 1) {
      const emails = [{ email: `person${String(index)}@example.com` }];
      await create({ emails });
      await create({ emails });
    }
    const all = await suggested();
    const first = (await admin().get('/api/crm/duplicates?limit=3').expect(200)).body;
    await dismiss(first.duplicates[2].id).expect(204);
    const second = (await admin().get(`/api/crm/duplicates?limit=3&cursor=${first.next_cursor}`).expect(200)).body;
    const third = (await admin().get(`/api/crm/duplicates?limit=3&cursor=${second.next_cursor}`).expect(200)).body;
    expect([first, second, third].flatMap(({ duplicates }) => duplicates.map(({ id }: Suggestion) => id))).toEqual(
      all.map(({ id }) => id),
    );
    expect(third.next_cursor).toBeNull();
    await admin().get('/api/crm/duplicates?cursor=nonsense').expect(400);
  });
});
