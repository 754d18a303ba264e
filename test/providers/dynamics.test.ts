import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamics } from '../../src/providers/dynamics.ts';
import type { CrmRequest, CrmResponse, InboundRequest, Site } from '../../src/providers/provider.ts';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { DynamicsFake } from '../support/crm/dynamicsFake.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

const api = 'https://acme.crm4.dynamics.com';
const contactId = 'cdcfa450-cb0c-4a11-a813-000d3a1b1223';
const userId = 'aaaaaaaa-2222-4333-8444-555555555555';
const facts = { user: '11111111-2222-4333-8444-555555555555', organization: '4ef5b371-0f9f-4711-8122-000d3aa2331c' };
const given = {
  organization_url: 'acme.crm4.dynamics.com',
  tenant_id: 'acme.onmicrosoft.com',
  client_id: 'app',
  client_secret: 'secret',
};

function siteOf(options: Record<string, string> = {}): Site<never> {
  const credentials = dynamics.credentials.parse(given);
  return {
    credentials,
    addresses: dynamics.addresses(credentials),
    facts,
    options: dynamics.options.parse(options),
  } as unknown as Site<never>;
}

describe('the requests to Dynamics', () => {
  it('for a token ask the organization’s directory, for the rights at its own address', () => {
    const authentication = dynamics.authentication(siteOf());
    const request = authentication.kind === 'token' ? authentication.tokenRequest(null) : null;
    expect(request?.url).toBe('https://login.microsoftonline.com/acme.onmicrosoft.com/oauth2/v2.0/token');
    expect(new URLSearchParams(request?.body).get('scope')).toBe(`${api}/.default`);
  });

  it('name another row for another call', () => {
    const idOf = (id: string) => dynamics.logRequests.parseCreated(answer(204, ''), finishedCall({ id }));
    expect(idOf('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set([idOf('a'), idOf('b'), idOf('a notes')]).size).toBe(3);
  });

  it('look for the usual spellings first, then for the last four digits', () => {
    const filters = dynamics
      .searchRequests(phoneQuery('+14155551212'), siteOf())
      .map(([request]) => new URL(request!.url).searchParams.get('$filter'));
    expect(filters).toHaveLength(2);
    expect(filters[0]).toContain(
      `statecode eq 0 and (telephone1 eq '+14155551212' or telephone1 eq '14155551212' or ` +
        `telephone1 eq '4155551212' or telephone1 eq '(415) 555-1212'`,
    );
    expect(filters[1]).toContain(`contains(mobilephone,'1212') or contains(mobilephone,'12 12')`);
  });

  it('tell of a call in whole minutes, with both parties in the places of its direction', () => {
    const record = crmRecord({ object: 'contact', id: contactId });
    const bodyOf = (differs: Parameters<typeof finishedCall>[0]) =>
      JSON.parse(dynamics.logRequests.create(finishedCall(differs), record, siteOf(), null)!.body!) as Record<
        string,
        unknown
      >;
    const [contact, user] = [
      { 'partyid_contact@odata.bind': `/contacts(${contactId})` },
      { 'partyid_systemuser@odata.bind': `/systemusers(${facts.user})` },
    ];
    expect(bodyOf({})).toMatchObject({
      subject: 'Inbound call – Resolved',
      phonenumber: '+14155551212',
      directioncode: false,
      actualdurationminutes: 4,
      phonecall_activity_parties: [
        { participationtypemask: 1, ...contact },
        { participationtypemask: 2, ...user },
      ],
    });
    expect(bodyOf({ direction: 'outbound', agent: { name: 'Ada', ownerId: userId } })).toMatchObject({
      phonenumber: '+18005550100',
      directioncode: true,
      'ownerid@odata.bind': `/systemusers(${userId})`,
      phonecall_activity_parties: [
        { participationtypemask: 2, ...contact },
        { participationtypemask: 1, 'partyid_systemuser@odata.bind': `/systemusers(${userId})` },
      ],
    });
    expect(dynamics.logRequests.create(finishedCall(), null, siteOf(), null)).toBeNull();
  });

  it('close a call that came in as received, another as made', () => {
    const closed = (direction: 'inbound' | 'outbound') =>
      dynamics.logRequests.finish!(contactId, finishedCall({ direction }), null, siteOf()).body;
    expect([closed('inbound'), closed('outbound')]).toEqual([
      '{"statecode":1,"statuscode":4}',
      '{"statecode":1,"statuscode":2}',
    ]);
  });

  it('keep the mark of a call whose notes are too long', () => {
    const call = finishedCall({ notes: '😀'.repeat(3_000) });
    const { description } = JSON.parse(
      dynamics.logRequests.create(call, crmRecord({ object: 'contact', id: contactId }), siteOf(), null)!.body!,
    ) as { description: string };
    expect(description.length).toBeLessThanOrEqual(2_000);
    expect(description.endsWith(`\nReadyline call ${call.id}`)).toBe(true);
    expect(description).not.toMatch(/\p{Surrogate}/u);
  });

  it.each(['acme', 'https://acme.crm.dynamics.com/', 'ACME.crm4.dynamics.com/main.aspx?appid=1'])(
    'go to the environment that an admin gives as %s',
    (organization_url) => {
      const credentials = dynamics.credentials.parse({ ...given, organization_url });
      expect(dynamics.addresses(credentials).api).toMatch(/^https:\/\/acme\.crm4?\.dynamics\.com$/);
    },
  );

  it.each([
    ['organization_url', 'evil.example.com'],
    ['organization_url', 'acme.crm.dynamics.com.evil.example'],
    ['organization_url', 'acme.crm.dynamics.com@evil.example'],
    ['organization_url', '169.254.169.254'],
    ['tenant_id', '../common'],
    ['tenant_id', 'a/b'],
    ['tenant_id', ''],
  ])('go nowhere else: %s %j is refused', (name, input) => {
    expect(dynamics.credentials.safeParse({ ...given, [name]: input }).success).toBe(false);
  });
});

describe('the answers of Dynamics', () => {
  const contact = {
    '@odata.etag': 'W/"4372108"',
    contactid: contactId.toUpperCase(),
    fullname: 'Maria Silva',
    emailaddress1: 'maria@example.com',
    telephone1: '(415) 555-1212',
    telephone2: null,
    mobilephone: '+1 415 555 1313',
    jobtitle: 'Buyer',
    parentcustomerid_account: {
      name: 'Northwind',
      accountnumber: 'N-1',
      accountcategorycode: 1,
      'accountcategorycode@OData.Community.Display.V1.FormattedValue': 'Preferred Customer',
    },
  };

  it('of a search become records', () => {
    const found = dynamics.parseSearch(
      answer(200, {
        '@odata.context': 'x',
        value: [contact, { contactid: contactId, parentcustomerid_account: null }],
      }),
      siteOf(),
      {} as CrmRequest,
    );
    expect(found[0]).toEqual({
      object: 'contact',
      id: contactId,
      name: 'Maria Silva',
      email: 'maria@example.com',
      phones: ['(415) 555-1212', '+1 415 555 1313'],
      accountNumber: 'N-1',
      tier: 'Preferred Customer',
      details: { company: 'Northwind', title: 'Buyer' },
      url: null,
    });
    expect(found[1]).toMatchObject({ name: null, phones: [], accountNumber: null, tier: null, details: {} });
  });

  it('lead to the record, in the app that was chosen', () => {
    const record = crmRecord({ object: 'contact', id: contactId });
    expect(dynamics.recordUrl(record, siteOf())).toBe(
      `${api}/main.aspx?pagetype=entityrecord&etn=contact&id=%7B${contactId}%7D`,
    );
    expect(dynamics.recordUrl(record, siteOf({ app_id: facts.user }))).toContain(`?appid=${facts.user}&pagetype=`);
    expect(dynamics.options.safeParse({ app_id: 'x&y' }).success).toBe(false);
  });

  it.each([
    '',
    '[]',
    'null',
    '<html>',
    '{}',
    '{"value":[{}]}',
    '{"value":[{"contactid":"1) or (2"}]}',
    '"'.repeat(1_000_000),
    '['.repeat(100_000),
  ])('that are none are said to be unreadable, such as %.20j', (body) => {
    expect(() => dynamics.parseSearch(answer(200, body), siteOf(), {} as CrmRequest)).toThrow(UnreadableAnswer);
  });

  const error = (code: string, message: string) => ({
    error: { code, message, '@Microsoft.PowerApps.CDS.TraceText': '' },
  });
  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, { value: [] }), null],
    ['success without a body', answer(204, ''), null],
    [
      'a wrong secret',
      answer(401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret.' }),
      { kind: 'unauthorized', message: 'invalid_client: AADSTS7000215: Invalid client secret.' },
    ],
    [
      'another directory',
      answer(400, { error: 'invalid_request', error_description: 'AADSTS90002: Tenant not found.' }),
      expect.objectContaining({ kind: 'unauthorized' }),
    ],
    [
      'a log-in that is down',
      answer(503, { error: 'temporarily_unavailable', error_description: 'AADSTS90033' }),
      expect.objectContaining({ kind: 'unavailable' }),
    ],
    ['an ended token', answer(401, ''), { kind: 'unauthorized', message: 'HTTP 401' }],
    [
      'a user who is not in the environment',
      answer(403, error('0x80072560', 'The user is not a member of the organization.')),
      expect.objectContaining({ kind: 'forbidden', permission: null }),
    ],
    [
      'a missing privilege',
      answer(403, error('0x80040220', 'Principal user (Id=1) is missing prvReadContact privilege (Id=2)')),
      expect.objectContaining({ kind: 'forbidden', permission: 'prvReadContact' }),
    ],
    [
      'a repeat',
      answer(412, error('0x80040237', 'A record with matching key values already exists.')),
      expect.objectContaining({ kind: 'exists' }),
    ],
    [
      'a row that is closed',
      answer(400, error('0x80040203', 'The object cannot be updated because it is read-only.')),
      expect.objectContaining({ kind: 'exists' }),
    ],
    [
      'an unknown property',
      answer(400, error('0x80048d19', "The property 'foo' does not exist on type 'x'")),
      expect.objectContaining({ kind: 'invalid', field: 'foo' }),
    ],
    [
      'a missing row',
      answer(404, error('0x80040217', 'Does Not Exist')),
      expect.objectContaining({ kind: 'not_found' }),
    ],
    [
      'too many requests',
      answer(429, error('0x80072322', 'Number of requests exceeded'), { 'retry-after': '17' }),
      { kind: 'rate_limited', message: '0x80072322: Number of requests exceeded', retryAfterMs: 17_000 },
    ],
    [
      'a page with success',
      answer(200, '<!DOCTYPE html><html>Sign in</html>'),
      expect.objectContaining({ kind: 'unavailable' }),
    ],
    ['a page of a proxy', answer(502, '<html>Bad gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'words without end',
      answer(500, error('0x1', 'a '.repeat(400_000))),
      expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(/^.{500}$/) as string }),
    ],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(dynamics.classify(response)).toEqual(failure);
  });
});

describe('notices of Dynamics', () => {
  const notice = (body: unknown, headers: Record<string, string> = {}): InboundRequest => ({
    method: 'POST',
    url: 'https://gateway.example.com/api/integrations/inbound/dynamics/abc',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    receivedAt: 0,
  });
  const parse = (body: unknown) => dynamics.parseInbound(notice(body), siteOf());
  const attributes = [
    { key: 'fullname', value: 'James Glynn' },
    { key: 'telephone1', value: '+14155551212' },
    { key: 'modifiedon', value: '/Date(1506384247000)/' },
  ];
  const context = (differs: Record<string, unknown>) => ({
    MessageName: 'Update',
    PrimaryEntityName: 'contact',
    PrimaryEntityId: contactId,
    OrganizationId: facts.organization,
    CorrelationId: 'c1',
    OperationCreatedOn: '/Date(1506409448000-0700)/',
    InputParameters: [{ key: 'Target', value: { LogicalName: 'contact', Id: contactId, Attributes: attributes } }],
    PostEntityImages: [],
    ...differs,
  });
  const reference = { object: 'contact', id: contactId };
  const keyOf = (message: string) => `c1 ${message} ${contactId} /Date(1506409448000-0700)/`;

  it('carry the issued secret', () => {
    expect(dynamics.verify(notice({}, { 'x-readyline-secret': 's1' }), 's1')).toBe('ok');
    expect(dynamics.verify(notice({}, { 'x-readyline-secret': 's2' }), 's1')).toBe('mismatch');
    expect(dynamics.verify(notice({}), 's1')).toBe('missing');
    expect(dynamics.verify(notice({}), null)).toBe('ok');
  });

  it('of a new contact carry it; of a changed or a large one they name it', () => {
    expect(parse(context({ MessageName: 'Create' }))).toMatchObject([
      {
        kind: 'record',
        key: keyOf('Create'),
        record: { id: contactId, name: 'James Glynn', phones: ['+14155551212'] },
      },
    ]);
    expect(parse(context({}))).toEqual([{ kind: 'reference', reference, key: keyOf('Update') }]);
    expect(parse(context({ MessageName: 'Create', InputParameters: undefined }))).toEqual([
      { kind: 'reference', reference, key: keyOf('Create') },
    ]);
    expect(parse(context({ MessageName: 'Delete' }))).toEqual([{ kind: 'deleted', reference, key: keyOf('Delete') }]);
    expect(parse(context({ PrimaryEntityName: 'account' }))).toEqual([{ kind: 'ignored' }]);
  });

  it('of a flow are the contact itself', () => {
    expect(parse({ contactid: contactId, fullname: 'Maria Silva', mobilephone: '+14155551212' })).toMatchObject([
      { kind: 'record', record: { name: 'Maria Silva' }, key: null },
    ]);
  });

  it('of another organization are refused', () => {
    expect(() => parse(context({ OrganizationId: facts.user }))).toThrow(
      'Expected a notice of the connected organization.',
    );
  });

  it.each([
    '',
    '"text"',
    '[]',
    '{}',
    '7',
    '{"MessageName":"Update","PrimaryEntityName":"contact","PrimaryEntityId":"1) or (2"}',
    'x'.repeat(1_048_576),
    '[{'.repeat(300_000),
  ])('that are nothing of Dynamics’s are unreadable: %.20j', (junk) => {
    expect(() => parse(junk)).toThrow(UnreadableAnswer);
  });
});

describe('a connected Dynamics', () => {
  let fake: DynamicsFake;
  let crm: CoreExchange<never>;
  let mariasId: string;
  let account: string;
  const find = async (e164: string) => {
    const found = [];
    for (const [request] of dynamics.searchRequests(phoneQuery(e164), crm.site)) {
      found.push(dynamics.parseSearch(await crm.ask(request!), crm.site, request!).map(({ name }) => name));
    }
    return found;
  };
  beforeAll(async () => {
    fake = await DynamicsFake.open();
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '(415) 555-1212',
      accountNumber: 'N-1',
      tier: 'Preferred Customer',
      openTickets: 2,
    });
    crm = new CoreExchange(dynamics, fake) as unknown as CoreExchange<never>;
    account = await crm.connect();
  });
  afterAll(() => fake.close());

  it('knows by itself what its user may do', async () => {
    expect(account).toBe(`Application user ${facts.user} at acme.crm4.dynamics.com`);
    for (const { request } of dynamics.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ kind: 'answer' });
    expect(crm.site.facts).toEqual(facts);
  });

  it('finds people by the spellings of their numbers, everybody who shares one, and nobody who left', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: null, mobile: '+442079460018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '020 7946 0018' });
    fake.deactivate(fake.addPerson({ name: 'Joe Roe', email: null, phone: '+442079460018' }));
    expect((await find('+14155551212'))[0]).toEqual(['Maria Silva']);
    expect((await find('+442079460018'))[0]).toEqual(['Jon Roe', 'Joan Roe']);
    expect(await find('+14155550000')).toEqual([[], []]);
  });

  it('finds odd spellings by the last four digits, with strangers, whose numbers give them away', async () => {
    fake.addPerson({ name: 'Odd', email: null, phone: '0049-(0)30-12 34 56' });
    fake.addPerson({ name: 'Stranger', email: null, phone: '+33 1 98 76 34 56' });
    expect(await find('+4930123456')).toEqual([[], ['Odd', 'Stranger']]);
  });

  it('reads a contact, counts its open cases, and finds the owner', async () => {
    const reference = { object: 'contact', id: mariasId };
    const record = dynamics.parseRecord(await crm.ask(dynamics.readRequest(reference, crm.site)!), reference, crm.site);
    expect(record).toMatchObject({
      id: mariasId,
      email: 'maria@example.com',
      accountNumber: 'N-1',
      tier: 'Preferred Customer',
    });
    expect(dynamics.parseTickets(await crm.ask(dynamics.ticketsRequest(reference, crm.site)!))).toBe(2);
    expect(await crm.send(dynamics.readRequest({ object: 'contact', id: contactId }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
    const owner = async (email: string) =>
      dynamics.parseOwner(await crm.ask(dynamics.ownerRequest!(email, crm.site)), email);
    expect([
      await owner('Ada@example.com'),
      await owner(`' or isdisabled eq false or internalemailaddress eq '`),
    ]).toEqual([userId, null]);
  });

  it('gets a new token when the old one has ended', async () => {
    fake.expireTokens();
    expect(await crm.ask(dynamics.checkRequest(crm.site))).toMatchObject({ status: 200 });
  });

  it('logs a call once though the connection broke after it was written, closes it, and adds later notes', async () => {
    const call = finishedCall({ agent: { name: 'Ada Byron', ownerId: userId } });
    const record = crmRecord({ object: 'contact', id: mariasId });
    const { find: findCall, parseFound, create, parseCreated, finish, update } = dynamics.logRequests;
    const request = create(call, record, crm.site, null)!;
    expect(await crm.send(findCall!(call, record, crm.site, null))).toMatchObject({ trouble: { kind: 'not_found' } });
    fake.failNext(
      { kind: 'reset_after_commit' },
      ({ method, path }) => method === 'POST' && path.endsWith('/phonecalls'),
    );
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'no_answer', isUnknown: true } });
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'exists' } });
    const id = parseFound(await crm.ask(findCall!(call, record, crm.site, null)), call);
    expect([id, parseCreated(answer(204, ''), call)]).toEqual([fake.logged[0]?.id, id]);
    await crm.ask(finish!(id!, call, record, crm.site));
    expect(await crm.send(finish!(id!, call, record, crm.site))).toMatchObject({ trouble: { kind: 'exists' } });
    expect(fake.logged).toMatchObject([
      { personId: mariasId, fields: { statecode: 1, statuscode: 4, 'ownerid@odata.bind': `/systemusers(${userId})` } },
    ]);
    for (const notes of ['Wants a copy.', 'Wants a copy by post.'])
      await crm.ask(update!(id!, { ...call, notes }, record, crm.site)!);
    expect([...fake.notes.values()]).toMatchObject([
      { notetext: expect.stringContaining('Wants a copy by post.') as string },
    ]);
    expect(fake.logged).toHaveLength(1);
  });

  it('closes nothing that is not there', async () => {
    expect(await crm.send(dynamics.logRequests.finish!(contactId, finishedCall(), null, crm.site))).toMatchObject({
      trouble: { kind: 'not_found' },
    });
  });

  it('says how long to wait, and what it may not do', async () => {
    fake.failNext({ kind: 'answer', answer: fake.tooMany() });
    expect(await crm.send(dynamics.checkRequest(crm.site))).toMatchObject({
      trouble: { kind: 'rate_limited', retryAfterMs: 17_000 },
    });
    fake.forbid('pull');
    fake.forbid('write_back');
    const [pull, writeBack] = dynamics.probes(crm.site);
    expect(await crm.send(pull!.request)).toMatchObject({
      trouble: { kind: 'forbidden', permission: 'prvReadContact' },
    });
    expect(await crm.send(writeBack!.request)).toMatchObject({ trouble: { kind: 'forbidden' } });
    const create = dynamics.logRequests.create(
      finishedCall({ id: 'later' }),
      crmRecord({ object: 'contact', id: mariasId }),
      crm.site,
      null,
    );
    expect(await crm.send(create!)).toMatchObject({ trouble: { kind: 'forbidden', permission: 'prvCreateActivity' } });
  });

  it('sends notices that verify', () => {
    const sent = fake.notice(mariasId, fake.noticeSecret, new Date('2026-11-21T10:00:00.000Z'));
    const request = { ...sent, url: '', body: Buffer.from(sent.body), receivedAt: 0 };
    expect([dynamics.verify(request, fake.noticeSecret), dynamics.verify(request, 'another')]).toEqual([
      'ok',
      'mismatch',
    ]);
    expect(dynamics.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'record', record: { id: mariasId, name: 'Maria Silva', phones: ['(415) 555-1212'] } },
    ]);
  });

  it('refuses another app', async () => {
    const wrong = new CoreExchange(dynamics, fake, fake.wrongCredentials);
    expect(await wrong.send(dynamics.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });
});
