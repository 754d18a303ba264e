import type { CountryCode } from 'libphonenumber-js';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { importRoom } from '../support/crm/importRoom.ts';
import { platforms } from '../support/cti/platforms.ts';
import { type Gateway, startGateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createDatabase } from '../support/stores/postgres.ts';

describe('a customer’s number', () => {
  let crm: HubspotFake;
  let gateway: Gateway;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let rows: pg.Client;
  let company: TestCompany;
  let companies = 0;

  beforeAll(async () => {
    // Every company of this file has the same account: there a second passes with every search.
    let now = 0;
    crm = await HubspotFake.open(() => (now += 1_000));
    database = await createDatabase();
    gateway = await startGateway('memory', {
      config: { databaseUrl: database.url, crmBaseUrls: new Map([['hubspot', crm.url]]) },
    });
    rows = new pg.Client({ connectionString: database.url });
    await rows.connect();
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `numbers-${companies}`, agents: 3, wrapUpSeconds: 0 });
  });
  afterAll(async () => {
    await rows.end();
    await gateway.close();
    await database.drop();
    await crm.close();
  });

  const admin = () => gateway.as(company);
  const { contacts, importFile } = importRoom(
    () => gateway,
    () => company,
  );
  const withKey = (method: 'delete' | 'get' | 'post', path: string) =>
    gateway.api[method](path).set('X-Service-Api-Key', company.key);
  const push = (phone_number: string) =>
    withKey('post', '/api/integrations/inbound').send({ phone_number, data: { name: 'Grace Hopper' } });
  const lookUp = (phone: string) => withKey('get', '/api/integrations/lookup').query({ phone });
  const liveIn = (default_country: string) => admin().put('/api/integrations').send({ default_country }).expect(200);

  it('reads digits that could have lost their zero or their plus as the company says, and says so', async () => {
    await liveIn('DE');
    const [zero, plus] = ['+49442079460018', '+442079460018'];
    const read = async () => {
      const [ada] = company.agents;
      const softphone = await gateway.readySoftphone(ada!);
      const { body: pushed } = await push('442079460018').expect(200);
      const lines = ['+4930120001', '442079460018']
        .map((phone_number) => JSON.stringify({ phone_number, data: {} }))
        .join('\n');
      const { body: bulk } = await withKey('post', '/api/integrations/inbound/bulk')
        .set('content-type', 'application/x-ndjson')
        .send(lines)
        .expect(200);
      expect(bulk).toMatchObject({ accepted: 2, read_otherwise: [{ line: 2 }] });
      const { body: clicked } = await withKey('post', '/api/integrations/cti/click-to-dial')
        .send({ phone_number: '442079460018' })
        .expect(201);
      await softphone.reportProgress(clicked.call_id, 'ended');
      await softphone.submitDisposition(clicked.call_id, { code: 'resolved' });
      softphone.close();
      const one = await importFile(`Name,Phone\nGrace,442079460018\nAda,+4930120001\n`);
      expect(one.counts).toMatchObject({ created: 2, with_remarks: 1 });
      const [row] = (await admin().get(`/api/crm/imports/${one.id}/rows?with_remarks=true`).expect(200)).body.rows;
      const [contact] = await contacts();
      await admin().post(`/api/crm/imports/${one.id}/undo`).expect(202);
      return [
        pushed,
        bulk.read_otherwise[0],
        clicked,
        ...row.remarks.map(({ params }: { params: { phone: string; otherwise: string } }) => ({
          phone_number: params.phone,
          read_otherwise: params.otherwise,
        })),
        { phone_number: contact.phones[0].phone_number },
      ].map(({ phone_number, read_otherwise }) => [phone_number, read_otherwise]);
    };
    expect(await read()).toEqual([
      [zero, plus],
      [zero, plus],
      [zero, plus],
      [zero, plus],
      [zero, undefined],
    ]);
    await admin().put('/api/integrations').send({ bare_digits: 'international' }).expect(200);
    expect(await read()).toEqual([
      [plus, zero],
      [plus, zero],
      [plus, zero],
      [plus, zero],
      [plus, undefined],
    ]);
    // What can be one thing alone is that.
    expect((await push('4930120001').expect(200)).body).toEqual({ ok: true, phone_number: '+4930120001' });
  });

  /** Spellings of one number, in the company of that country. */
  it.each<[string, CountryCode, string, string[]]>([
    ['Italy', 'DE', '+390612345678', ['+39 (0)6 1234 5678', '0039 06 12345678', '+39 06/1234 5678']],
    [
      'Germany',
      'DE',
      '+491713920001',
      ['+49 0171 3920001', '+49(0)171/3920001', '0171-3920001', '１７１３９２０００１', '\u202a0049 171 3920001\u202c'],
    ],
    [
      'Britain, from Australia',
      'AU',
      '+442079460018',
      ['0011 44 20 7946 0018', '+44 ( 0 ) 20 7946 0018', '+44.020.7946.0018'],
    ],
    ['Britain, from Hong Kong', 'HK', '+442079460018', ['001 44 20 7946 0018', '+44 (020) 7946 0018']],
    ['Britain', 'GB', '+447700900123', ['07700 900123', '+44 07700 900123', '0044 7700 900 123', '(07700) 900-123']],
    [
      'the United States',
      'US',
      '+12025550112',
      ['(202) 555-0112 x12', '+1 202 555 0112, ext 12', '202-555-0112 #12', '1-202-555-0112', '202.555.0112'],
    ],
    ['Mexico', 'MX', '+525512345678', ['+52 1 55 1234 5678', '55 1234 5678', '+525512345678']],
    ['Brazil', 'BR', '+5511981234567', ['(11) 98123-4567', '+55 011 98123-4567']],
    ['Brazil, without the ninth digit', 'BR', '+5521981234568', ['21 8123-4568', '+55 (021) 8123-4568']],
    ['Argentina', 'AR', '+5491123456789', ['+54 9 11 2345-6789', '+54 (0)9 11 2345-6789', '11 15-2345-6789']],
    ['Russia', 'RU', '+79123456789', ['8 (912) 345-67-89', '+7 912 345 67 89', '810 7 912 345 67 89']],
    ['Hungary', 'HU', '+36201234567', ['06 20 123 4567', '+36 (06) 20 123 4567', '0036 20/123-4567']],
    ['France', 'FR', '+33612345678', ['06.12.34.56.78', '+33 (0)6 12 34 56 78', '0033 6 12 34 56 78']],
    ['Spain', 'ES', '+34612345678', ['612 34 56 78', '+34 612-345-678', '0034612345678']],
    ['Switzerland, from Liechtenstein', 'LI', '+41446681800', ['0041 44 668 18 00', '+41 (0)44 668 18 00']],
    ['Austria', 'AT', '+43123456789', ['01/23456789', '+43 (0) 1 23 45 67 89', '0043-1-23456789']],
    ['India', 'IN', '+918123456789', ['081234 56789', '+91-081234-56789', '0091 81234 56789']],
    ['Japan', 'JP', '+81312345678', ['０３－１２３４－５６７８', '+81 (0)3-1234-5678', '010 81 3 1234 5678']],
    ['Egypt, in its own digits', 'EG', '+201001234567', ['٠١٠٠١٢٣٤٥٦٧', '+٢٠ ١٠٠ ١٢٣ ٤٥٦٧']],
    ['Iran, in its own digits', 'IR', '+989123456789', ['۰۹۱۲۳۴۵۶۷۸۹', '+۹۸ (۰)۹۱۲ ۳۴۵ ۶۷۸۹']],
    ['Israel', 'IL', '+972501234567', ['050-123-4567', '+972 (0)50 123 4567', '00 972 50 1234567']],
    ['South Korea', 'KR', '+821012345678', ['010-1234-5678', '+82 (0)10 1234 5678']],
    ['Poland', 'PL', '+48512345678', ['512 345 678', '+48 512−345−678', '0048 512 345 678']],
  ])('of %s is one, however it is written and wherever it comes in', async (_, country, right, spellings) => {
    await liveIn(country);
    await push(right).expect(200);
    const [ada, ben, chiara] = company.agents;
    if (ada === undefined || ben === undefined || chiara === undefined) throw new Error('the company has three agents');
    const [softphone, rings] = [await gateway.readySoftphone(ada), await gateway.readySoftphone(ben)];
    const { body: platform } = await admin()
      .post('/api/integrations/cti/connections')
      .send({ connector: 'genesys' })
      .expect(201);
    const sends = platforms.find(({ connector, ringing }) => connector === 'genesys' && ringing !== null);
    const read: Record<string, string[]> = {};
    for (const [index, written] of spellings.entries()) {
      const pushed = await push(written).expect(200);
      const looked = await lookUp(written).expect(200);
      const clicked = await withKey('post', '/api/integrations/cti/click-to-dial')
        .send({ phone_number: written, agent_code: ada.agentCode })
        .expect(201);
      await softphone.reportProgress(clicked.body.call_id, 'ended');
      await softphone.submitDisposition(clicked.body.call_id, { code: 'resolved' });
      const { body: listed } = await admin().get('/api/calls').query({ phone: written, limit: 1 }).expect(200);
      const rung = await rings.incomingCall(`"Grace" <sip:${encodeURIComponent(written)};cpc=ordinary@10.0.0.1>`);
      await rings.reportProgress(rung.call.id, 'ended');
      const sent = sends!.sign(
        sends!.ringing!({ callId: `c-${index}`, agent: chiara.agentCode, customer: written, at: Date.now() }),
        platform.secret ?? '',
      );
      await gateway.api.post(new URL(platform.url, gateway.url).pathname).set(sent.headers).send(sent.body).expect(200);
      const { body: told } = await admin().get('/api/calls').query({ limit: 1 }).expect(200);
      const one = await importFile(`Name;Phone\nGrace ${index};"${written}"\n`, { default_country: country });
      expect(one.counts).toMatchObject({ created: 1, refused: 0 });
      read[written] = [
        pushed.body.phone_number,
        looked.body.screen_pop.phone,
        clicked.body.phone_number,
        listed.calls[0]?.phone,
        rung.call.phone,
        told.calls[0]?.phone,
        (await contacts()).find(({ name }: { name: string }) => name === `Grace ${index}`).phones[0].phone_number,
      ];
      crm.addPerson({ name: `of ${country} ${written}`, email: null, phone: written, openTickets: 0 });
    }
    for (const each of [softphone, rings]) each.close();
    expect(read).toEqual(
      Object.fromEntries(spellings.map((written) => [written, Array.from({ length: 7 }, () => right)])),
    );
    crm.country = country;
    await admin()
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: { access_token: crm.accessToken } })
      .expect(200);
    await admin().put('/api/integrations').send({ mode: 'pull' }).expect(200);
    await withKey('delete', '/api/integrations/inbound').query({ phone: right }).expect(204);
    const { body: pop } = await lookUp(right).expect(200);
    expect(pop.screen_pop.candidates.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(spellings.map((written) => `of ${country} ${written}`)),
    );
  });

  it('that a spreadsheet made a number of has no other digit for it', async () => {
    await liveIn('DE');
    expect((await push('1713920001.0').expect(200)).body.phone_number).toBe('+491713920001');
    expect((await importFile('Name;Phone\nGrace;1713920001.0\n')).counts).toMatchObject({ created: 1, refused: 0 });
    expect((await contacts())[0].phones[0].phone_number).toBe('+491713920001');
  });

  it.each([
    ['two numbers', '+1 202 555 0110/0111', 'phone_several'],
    ['what a spreadsheet has rounded', '2.0256E+10', 'phone_rounded'],
    ['a withheld one', '266696687', 'phone_withheld'],
    ['a withheld one in an address', 'sip:anonymous@anonymous.invalid', 'phone_withheld'],
  ])('is not %s: nothing is kept, looked up or dialed, and it is said why', async (_, written, code) => {
    await liveIn('US');
    const [ada] = company.agents;
    if (ada === undefined) throw new Error('the company has an agent');
    const softphone = await gateway.readySoftphone(ada);
    const click = withKey('post', '/api/integrations/cti/click-to-dial').send({ phone_number: written });
    for (const asked of [push(written), click])
      expect((await asked.expect(400)).body.errors).toMatchObject([{ path: 'phone_number', code }]);
    await lookUp(written).expect(400);
    expect((await admin().get('/api/calls').expect(200)).body.calls).toEqual([]);
    softphone.close();
  });

  it.each(['266696687', 'sip:+266696687@10.0.0.1', '"Anonymous" <sip:anonymous@anonymous.invalid>', 'Restricted'])(
    'that is withheld as %s is nobody’s: the call rings without number and name',
    async (told) => {
      const [ada] = company.agents;
      if (ada === undefined) throw new Error('the company has an agent');
      const softphone = await gateway.readySoftphone(ada);
      expect((await softphone.incomingCall(told)).call).toMatchObject({ phone: null, caller: null });
      softphone.close();
    },
  );

  it('that a carrier tells without its plus pops the customer', async () => {
    await liveIn('DE');
    await push('0171 3920001').expect(200);
    const [ada] = company.agents;
    if (ada === undefined) throw new Error('the company has an agent');
    const softphone = await gateway.readySoftphone(ada);
    expect((await softphone.incomingCall('491713920001')).call).toMatchObject({
      phone: '+491713920001',
      customer_name: 'Grace Hopper',
    });
    softphone.close();
    expect((await lookUp('491713920001').expect(200)).body.screen_pop.name).toBe('Grace Hopper');
  });

  it('of a record of the CRM is found with its extension, its trunk zero and its former spelling', async () => {
    await admin()
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: { access_token: crm.accessToken } })
      .expect(200);
    await liveIn('US');
    const people = [
      ['(415) 555-2671 x12', '+14155552671'],
      ['+52 1 55 8765 4321', '+525587654321'],
    ] as const;
    for (const [written, asked] of people) {
      crm.addPerson({ name: `of ${written}`, email: null, phone: written, openTickets: 0 });
      expect((await lookUp(asked).expect(200)).body.screen_pop.name).toBe(`of ${written}`);
    }
  });

  it.each([
    ['Mexico', '+525512345678', '+5215512345678'],
    ['Brazil', '+5511981234567', '+551181234567'],
    ['Argentina', '+541123456789', '+5491123456789'],
  ])(
    'of %s finds its calls under either spelling, however it was kept, and no others',
    async (_country, current, former) => {
      const [ada] = company.agents;
      const softphone = await gateway.readySoftphone(ada!);
      const called: string[] = [];
      for (const number of [current, former, '+525512345679']) {
        const { id } = await softphone.startCall(number);
        await softphone.reportProgress(id, 'ended');
        called.push(id);
      }
      softphone.close();
      // As a gateway kept it that did not know of the new spelling.
      await rows.query('UPDATE call SET phone = $1 WHERE id = $2', [former, called[1]]);
      for (const asked of [current, former, former.replace(/^(\+\d\d)/, '$1 ')]) {
        const { body } = await admin().get('/api/calls').query({ phone: asked }).expect(200);
        expect(body.calls.map(({ id }: { id: string }) => id)).toEqual(called.slice(0, 2).toReversed());
      }
    },
  );

  it('of Argentina is found, forgotten and not dialed with and without the 9 of mobile numbers', async () => {
    await push('+54 11 2345 6789').expect(200);
    expect((await lookUp('+5491123456789').expect(200)).body.screen_pop.name).toBe('Grace Hopper');
    await admin().post('/api/do-not-dial').send({ number: '+5491123456789' }).expect(201);
    await withKey('post', '/api/integrations/cti/click-to-dial').send({ phone_number: '+541123456789' }).expect(409);
    await withKey('delete', '/api/integrations/inbound').query({ phone: '+5491123456789' }).expect(204);
    await lookUp('+541123456789').expect(404);
  });

  it('keeps the extension beside it', async () => {
    await liveIn('US');
    const { body } = await admin()
      .post('/api/crm/contacts')
      .send({ name: 'Grace', phones: [{ phone_number: '(202) 555-0112 x12', label: 'work' }] })
      .expect(201);
    expect(body.phones).toMatchObject([{ phone_number: '+12025550112', label: 'work, ext. 12' }]);
  });

  it('that a platform tells without its plus is the customer’s', async () => {
    await liveIn('DE');
    await push('0171 3920001').expect(200);
    const sends = platforms.find(({ connector, ringing }) => connector === 'genesys' && ringing !== null);
    const [ada] = company.agents;
    if (sends?.ringing == null || ada === undefined) throw new Error('there is such a platform');
    const { body } = await admin()
      .post('/api/integrations/cti/connections')
      .send({ connector: sends.connector })
      .expect(201);
    const sent = sends.sign(
      sends.ringing({ callId: 'c-1', agent: ada.agentCode, customer: 'tel:491713920001', at: Date.now() }),
      body.secret ?? '',
    );
    await gateway.api.post(new URL(body.url, gateway.url).pathname).set(sent.headers).send(sent.body).expect(200);
    expect((await admin().get('/api/calls').expect(200)).body.calls).toMatchObject([
      { phone: '+491713920001', customer_name: 'Grace Hopper' },
    ]);
  });
});
