import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

describe('searching the built-in CRM as somebody types', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let grace: TestAgent;
  const ids = new Map<string, string>();

  const search = async (q: string, token = company.adminToken) =>
    (await gateway.api.get('/api/crm/search').query({ q }).set('Authorization', `Bearer ${token}`).expect(200)).body;
  const names = async (q: string, token?: string) =>
    (await search(q, token)).contacts.map(({ name }: { name: string }) => name);

  beforeAll(async () => {
    gateway = await startGateway('memory');
    company = await gateway.company({ slug: 'search', agents: 2 });
    [ada, grace] = [company.agents[0]!, company.agents[1]!];
    const admin = gateway.as(company);
    await admin.put('/api/integrations').send({ default_country: 'DE' }).expect(200);
    const navy = (await admin.post('/api/crm/organisations').send({ name: 'Navy Computing' }).expect(201)).body;
    const people = [
      { name: 'Jörg Müller', phones: [{ phone_number: '+493012345678' }], emails: [{ email: 'j.mueller@example.de' }] },
      {
        name: 'Grace Hopper',
        organisation_id: navy.id,
        owner_id: grace.id,
        phones: [{ phone_number: '+15551230042' }],
      },
      { name: 'Margrace Field' },
      { name: 'Søren Łukaszewicz', phones: [{ phone_number: '+33628112233' }] },
      { name: 'Иван Петров' },
      { name: "Conan O'Brien-Smith" },
      { phones: [{ phone_number: '+4915112345999' }] },
    ];
    for (const person of people) {
      const { body } = await admin.post('/api/crm/contacts').send(person).expect(201);
      ids.set(person.name ?? 'nameless', body.id);
    }
  });
  afterAll(() => gateway.close());

  it.each([
    ['jörg', 'Jörg Müller'],
    ['JORG MULLER', 'Jörg Müller'],
    ['muller j', 'Jörg Müller'],
    ['üll', 'Jörg Müller'],
    ['soren', 'Søren Łukaszewicz'],
    ['lukasz', 'Søren Łukaszewicz'],
    ['петр', 'Иван Петров'],
    ['obrien', "Conan O'Brien-Smith"],
    ["o'brien smi", "Conan O'Brien-Smith"],
    ['mueller@example', 'Jörg Müller'],
    ['hopper navy', 'Grace Hopper'],
    ['computing', 'Grace Hopper'],
  ])('finds by %j', async (typed, name) => {
    expect((await search(typed)).contacts).toMatchObject([{ id: ids.get(name), name, approximate: false }]);
  });

  it.each([
    ['Grcae', 'Grace Hopper', 'two letters changed over'],
    ['Hoper', 'Grace Hopper', 'one missing'],
    ['Mulller', 'Jörg Müller', 'one too many'],
    ['Lukaszawicz', 'Søren Łukaszewicz', 'one wrong'],
    ['Lukaszaw', 'Søren Łukaszewicz', 'one wrong in a beginning'],
    ['Navy Hoper', 'Grace Hopper', 'in one of the words'],
  ])('finds by %j %s: %s', async (typed, name) => {
    expect((await search(typed)).contacts).toMatchObject([
      { name, matched: expect.arrayContaining(['name']), approximate: true },
    ]);
  });

  it('puts names that begin so before those with such a part', async () => {
    expect(await names('grace')).toEqual(['Grace Hopper', 'Margrace Field']);
  });

  it.each([
    '030 1234',
    '030/123-45',
    '+49 30 123',
    '0049 30 1234',
    '4930123',
    '5678',
    '345678',
    '2345678',
    '(030) 12345678',
  ])('finds a number by %j', async (typed) => {
    expect((await search(typed)).contacts).toMatchObject([
      { id: ids.get('Jörg Müller'), phone_number: '+493012345678', matched: ['phone'] },
    ]);
  });

  it('finds numbers of other countries, and who is known by a number alone', async () => {
    expect(await names('+33 6 28')).toEqual(['Søren Łukaszewicz']);
    for (const typed of ['+33 (0)6 28', '06 28 11 22 33', '0628112233', '06 28', '(0)6 28 11'])
      expect([typed, await names(typed)]).toEqual([typed, ['Søren Łukaszewicz']]);
    expect((await search('5999')).contacts).toMatchObject([
      { id: ids.get('nameless'), name: null, phone_number: '+4915112345999' },
    ]);
  });

  it('tells what matched, and organisations beside', async () => {
    expect(await search('navy')).toMatchObject({
      contacts: [{ matched: ['organisation'] }],
      organisations: [{ name: 'Navy Computing' }],
    });
    expect((await search('mueller')).contacts).toMatchObject([{ matched: ['email'], email: 'j.mueller@example.de' }]);
  });

  it('finds nothing for nothing, signs and what is nowhere', async () => {
    for (const typed of ['', '  ', '%', '_', '\\', "'", '+', '12', 'zzzz', '🙂', '%a%', '\u0000x\u0000y']) {
      const found = await search(typed);
      expect([typed, ...found.contacts]).toEqual([typed]);
    }
  });

  it('shows an agent only what the company lets it see', async () => {
    const admin = gateway.as(company);
    await admin.patch('/api/company').send({ contact_scope: 'own' }).expect(200);
    for (const typed of ['hopper', 'grace h', 'Hoper', '0042', '+1555', 'navy'])
      expect([typed, await names(typed, ada.token)]).toEqual([typed, []]);
    expect(await names('hopper', grace.token)).toEqual(['Grace Hopper']);
    expect(await names('jorg', ada.token)).toEqual(['Jörg Müller']);
    await admin.patch('/api/company').send({ contact_scope: 'company' }).expect(200);
  });

  it('is of one company, and answers its own system by its key', async () => {
    const stranger = await gateway.company({ slug: 'search-stranger' });
    expect(await names('grace', stranger.adminToken)).toEqual([]);
    const { body } = await gateway.api
      .get('/api/crm/search')
      .query({ q: 'hopper' })
      .set('X-Service-Api-Key', company.key)
      .expect(200);
    expect(body.contacts).toHaveLength(1);
  });

  it('follows what is changed: name, address, organisation and its name', async () => {
    const admin = gateway.as(company);
    const { body } = await admin.post('/api/crm/contacts').send({ name: 'Before' }).expect(201);
    const change = (more: object) => admin.patch(`/api/crm/contacts/${body.id}`).send(more).expect(200);
    await change({ name: 'Afterwards', emails: [{ email: 'mailed@example.com' }] });
    expect([await names('before'), await names('afterw'), await names('mailed')]).toEqual([
      [],
      ['Afterwards'],
      ['Afterwards'],
    ]);
    const organisation = (await admin.post('/api/crm/organisations').send({ name: 'Zebra' }).expect(201)).body;
    await change({ organisation_id: organisation.id, emails: [] });
    expect([await names('zebra'), await names('mailed')]).toEqual([['Afterwards'], []]);
    await admin.patch(`/api/crm/organisations/${organisation.id}`).send({ name: 'Quagga' }).expect(200);
    expect([await names('zebra'), await names('quagga')]).toEqual([[], ['Afterwards']]);
    expect((await search('quag')).organisations).toEqual([{ id: organisation.id, name: 'Quagga' }]);
  });
});
