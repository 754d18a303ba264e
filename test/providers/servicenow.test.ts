import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmRequest, CrmResponse, InboundRequest, Site } from '../../src/providers/provider.ts';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { servicenow } from '../../src/providers/servicenow.ts';
import { html } from '../support/crm/fakeCrm.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';
import { ServicenowFake } from '../support/crm/servicenowFake.ts';

const api = 'https://acme.service-now.com';
const contactId = '59e788fbdb1b1200b6075200cf9619d2';
const userId = '62826bf03710200044e0bfc8bcbe5df1';
const app = { instance: 'acme', client_id: 'client', client_secret: 'secret' };
const user = { instance: 'acme', username: 'readyline', password: 'pass' };

function siteOf(
  options: Record<string, string> = {},
  facts: Record<string, string> = { phone_columns: 'phone,mobile_phone' },
): Site<never> {
  const credentials = servicenow.credentials.parse(app);
  return {
    credentials,
    addresses: servicenow.addresses(credentials),
    facts,
    options: servicenow.options.parse(options),
  } as unknown as Site<never>;
}

describe('the requests to ServiceNow', () => {
  it('ask nothing rather than for everybody, where no spelling may be asked for', () => {
    expect(servicenow.searchRequests({ ...phoneQuery('+14155551212'), written: ['a^b'] }, siteOf())).toEqual([]);
  });

  it('look for the usual spellings, in the columns that the table has', () => {
    const [[search] = []] = servicenow.searchRequests(
      phoneQuery('+14155551212'),
      siteOf({}, { phone_columns: 'mobile_phone' }),
    );
    const spellings = [
      '+14155551212',
      '14155551212',
      '4155551212',
      '(415) 555-1212',
      '+1 415 555 1212',
      '415-555-1212',
      '415.555.1212',
      '415 555 1212',
    ];
    expect(new URL(search!.url).searchParams.get('sysparm_query')).toBe(
      spellings.map((spelling) => `mobile_phone=${spelling}`).join('^OR'),
    );
  });

  it('tell of a call in the time of the world, with its mark in the short description', () => {
    const bodyOf = (object: string, differs = {}) =>
      JSON.parse(
        servicenow.logRequests.create(finishedCall(differs), crmRecord({ object, id: contactId }), siteOf(), null)!
          .body!,
      ) as Record<string, string>;
    expect(bodyOf('customer_contact', { agent: { name: 'Ada', ownerId: userId } })).toMatchObject({
      contact: contactId,
      opened_at: '2026-11-21 10:15:00',
      closed_at: '2026-11-21 10:18:07',
      assigned_to: userId,
      short_description: `Inbound call – Resolved (Readyline call ${finishedCall().id})`,
    });
    expect(bodyOf('csm_consumer')).toMatchObject({ consumer: contactId });
    expect(bodyOf('sys_user')).toMatchObject({ opened_for: contactId });
    const long =
      bodyOf('customer_contact', { disposition: { code: 'x', label: '😀'.repeat(200), externalValue: null } })
        .short_description ?? '';
    expect(long.length).toBeLessThanOrEqual(160);
    expect(long.endsWith(`… (Readyline call ${finishedCall().id})`)).toBe(true);
    expect(long).not.toMatch(/\p{Surrogate}/u);
  });

  it('carry name and password where there is no client', () => {
    const credentials = servicenow.credentials.parse(user);
    expect(servicenow.authentication({ ...siteOf(), credentials })).toEqual({
      kind: 'fixed',
      headers: { authorization: `Basic ${Buffer.from('readyline:pass').toString('base64')}` },
    });
    expect(servicenow.credentials.safeParse({ ...user, ...app }).success).toBe(false);
  });

  it.each(['evil.example.com', 'acme.service-now.com.evil.example', 'acme.service-now.com@evil.example', '127.0.0.1'])(
    'go nowhere else: %s is refused',
    (instance) => {
      expect(servicenow.credentials.safeParse({ ...app, instance }).success).toBe(false);
    },
  );

  it.each(['phone^ORactive=true', 'Phone', '', 'phone,,mobile', 'sys_id=1', 'a.b'])(
    'take no part of a query from the options: %j is refused',
    (phone_columns) => {
      expect(servicenow.options.safeParse({ phone_columns }).success).toBe(false);
    },
  );
});

describe('the answers of ServiceNow', () => {
  const row = {
    sys_id: contactId,
    name: 'Maria Silva',
    first_name: 'Maria',
    email: 'maria@example.com',
    phone: '(415) 555-1212',
    mobile_phone: '',
    'account.number': 'ACCT0010001',
    'account.name': 'Boxeo',
    title: '',
    vip: 'true',
  };
  const search = (body: unknown, site = siteOf()) => servicenow.parseSearch(answer(200, body), site, {} as CrmRequest);

  it('of a search become records', () => {
    expect(search({ result: [row] })).toEqual([
      {
        object: 'customer_contact',
        id: contactId,
        name: 'Maria Silva',
        email: 'maria@example.com',
        phones: ['(415) 555-1212'],
        accountNumber: 'ACCT0010001',
        tier: 'VIP',
        details: { company: 'Boxeo' },
        url: null,
      },
    ]);
    expect(search({ result: [{ ...row, vip: 'false' }] }, siteOf({ contact_table: 'sys_user' }))).toMatchObject([
      { object: 'sys_user', tier: null },
    ]);
  });

  it('are read with display values, too', () => {
    const wrapped = Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, { value, display_value: `Shown ${value}` }]),
    );
    expect(search({ result: [wrapped] })).toMatchObject([
      { id: contactId, name: 'Maria Silva', phones: ['(415) 555-1212'] },
    ]);
  });

  it('lead to the record of its table', () => {
    const url = (object: string) => servicenow.recordUrl(crmRecord({ object, id: contactId }), siteOf());
    expect(url('csm_consumer')).toBe(`${api}/nav_to.do?uri=%2Fcsm_consumer.do%3Fsys_id%3D${contactId}`);
    expect(url('task')).toContain('%2Fcustomer_contact.do');
  });

  it('tell which of the columns with numbers there are', () => {
    const check = (result: unknown, phone_columns: string) =>
      servicenow.parseCheck(answer(200, { result }), siteOf({ phone_columns }));
    expect(check([{ sys_id: contactId, phone: '' }], 'phone,telefone')).toEqual({
      account: 'Client client at acme.service-now.com, numbers in phone of customer_contact',
      facts: { phone_columns: 'phone' },
    });
    expect(check([], 'phone,mobile_phone').facts).toEqual({ phone_columns: 'phone,mobile_phone' });
    expect(() => check([{ sys_id: contactId }], 'telefone')).toThrow(
      'Expected one of the columns telefone in customer_contact.',
    );
  });

  it.each([
    '',
    '[]',
    'null',
    '<html>',
    '{}',
    '{"result":[{"name":"x"}]}',
    '{"result":[{"sys_id":"a^b"}]}',
    '"'.repeat(1_000_000),
    '['.repeat(100_000),
  ])('that are none are said to be unreadable, such as %.20j', (body) => {
    expect(() => search(body)).toThrow(UnreadableAnswer);
  });

  const error = (message: string, detail: string | null = null) => ({ error: { message, detail }, status: 'failure' });
  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, { result: [] }), null],
    [
      'a refused log-in',
      answer(401, { error: 'server_error', error_description: 'access_denied' }),
      { kind: 'unauthorized', message: 'access_denied: server_error' },
    ],
    [
      'no log-in',
      answer(401, error('User Not Authenticated', 'Required to provide Auth information')),
      { kind: 'unauthorized', message: 'User Not Authenticated: Required to provide Auth information' },
    ],
    [
      'a missing role',
      answer(403, error('User Not Authorized', 'Failed API level ACL Validation')),
      expect.objectContaining({ kind: 'forbidden' }),
    ],
    [
      'a missing record',
      answer(404, error('No Record found', "Record doesn't exist or ACL restricts the record retrieval")),
      expect.objectContaining({ kind: 'not_found' }),
    ],
    [
      'a missing table',
      answer(400, error('Invalid table customer_contact')),
      { kind: 'invalid', message: 'Invalid table customer_contact', field: null },
    ],
    [
      'too many requests',
      answer(429, error('Rate limit exceeded'), { 'retry-after': '40' }),
      { kind: 'rate_limited', message: 'Rate limit exceeded', retryAfterMs: 40_000 },
    ],
    [
      'a failure with success',
      answer(200, error('Operation Failed', 'not allowed')),
      { kind: 'invalid', message: 'Operation Failed: not allowed', field: null },
    ],
    [
      'a failure in the result',
      answer(200, { result: { status: 'FAILURE', message: 'no agent' } }),
      { kind: 'invalid', message: 'no agent', field: null },
    ],
    [
      'a failure without words',
      answer(200, { result: { status: 'FAILURE' } }),
      { kind: 'invalid', message: 'ServiceNow told of a failure without a reason.', field: null },
    ],
    ['a success in the result', answer(200, { result: { status: 'SUCCESS' } }), null],
    [
      'an instance that sleeps',
      answer(200, '<html><body>Instance Hibernating page</body></html>', { 'content-type': 'text/html' }),
      expect.objectContaining({ kind: 'unavailable' }),
    ],
    ['a page of a proxy', answer(502, '<html>Bad gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'words without end',
      answer(500, error('a '.repeat(400_000))),
      expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(/^.{500}$/) as string }),
    ],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(servicenow.classify(response)).toEqual(failure);
  });
});

describe('notices of ServiceNow', () => {
  const notice = (body: unknown, headers: Record<string, string> = {}): InboundRequest => ({
    method: 'POST',
    url: 'https://gateway.example.com/api/integrations/inbound/servicenow/abc',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    receivedAt: 0,
  });
  const parse = (body: unknown) => servicenow.parseInbound(notice(body), siteOf());
  const record = {
    sys_id: contactId,
    name: 'Maria Silva',
    phone: '+14155551212',
    account: { number: 'ACCT0010001' },
    vip: false,
    sys_mod_count: 4,
  };

  it('carry the issued secret', () => {
    expect(servicenow.verify(notice({}, { 'x-readyline-secret': 's1' }), 's1')).toBe('ok');
    expect(servicenow.verify(notice({}, { 'x-readyline-secret': 's2' }), 's1')).toBe('mismatch');
    expect(servicenow.verify(notice({}), 's1')).toBe('missing');
    expect(servicenow.verify(notice({}), null)).toBe('ok');
  });

  it('are records, or name one', () => {
    const reference = { object: 'customer_contact', id: contactId };
    expect(parse({ table: 'customer_contact', operation: 'update', record })).toMatchObject([
      {
        kind: 'record',
        key: `${contactId} 4 update`,
        record: { ...reference, name: 'Maria Silva', accountNumber: 'ACCT0010001', tier: null },
      },
    ]);
    expect(
      parse({
        result: {
          sys_id: { value: contactId, display_value: 'x' },
          name: { value: 'Maria' },
          phone: { value: '+14155551212' },
        },
      }),
    ).toMatchObject([{ kind: 'record', key: null, record: { ...reference, phones: ['+14155551212'] } }]);
    expect(parse({ table: 'csm_consumer', operation: 'insert', record: { sys_id: contactId } })).toEqual([
      { kind: 'reference', reference: { object: 'csm_consumer', id: contactId }, key: null },
    ]);
    expect(parse({ table: 'customer_contact', operation: 'delete', record })).toEqual([
      { kind: 'deleted', reference, key: `${contactId} 4 delete` },
    ]);
    expect(
      ['incident', 'constructor', '__proto__'].flatMap((name) => parse({ table: name, operation: 'update', record })),
    ).toEqual([{ kind: 'ignored' }, { kind: 'ignored' }, { kind: 'ignored' }]);
  });

  it.each([
    '',
    '"text"',
    '[]',
    '{}',
    '7',
    '{"record":{"sys_id":"a^ORb"}}',
    'x'.repeat(1_048_576),
    '[{'.repeat(300_000),
  ])('that are nothing of ServiceNow’s are unreadable: %.20j', (junk) => {
    expect(() => parse(junk)).toThrow(UnreadableAnswer);
  });
});

describe('a connected ServiceNow', () => {
  let fake: ServicenowFake;
  let crm: CoreExchange<never>;
  let mariasId: string;
  let account: string;
  const find = async (e164: string, at = crm) => {
    const [[request] = []] = servicenow.searchRequests(phoneQuery(e164), at.site);
    return servicenow.parseSearch(await at.ask(request!), at.site, request!).map(({ name }) => name);
  };
  beforeAll(async () => {
    fake = await ServicenowFake.open();
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '(415) 555-1212',
      accountNumber: 'ACCT0010001',
      tier: 'VIP',
      openTickets: 2,
    });
    crm = new CoreExchange(servicenow, fake) as unknown as CoreExchange<never>;
    account = await crm.connect();
  });
  afterAll(() => fake.close());

  it('knows by itself what its client may do', async () => {
    expect(account).toBe('Client client-1 at acme.service-now.com, numbers in phone, mobile_phone of customer_contact');
    for (const { request } of servicenow.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ kind: 'answer' });
  });

  it('finds people by the spellings of their numbers, everybody who shares one, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: null, mobile: '+442079460018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '020 7946 0018' });
    expect(await find('+14155551212')).toEqual(['Maria Silva']);
    expect(await find('+442079460018')).toEqual(['Jon Roe', 'Joan Roe']);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('brings strangers where a column does not exist, with the numbers that give them away; connecting leaves such a column out', async () => {
    const mistyped = new CoreExchange(servicenow, fake, fake.credentials, { phone_columns: 'telefone' });
    expect(await find('+14155550000', mistyped as unknown as CoreExchange<never>)).toHaveLength(3);
    await expect(mistyped.connect()).rejects.toThrow('Expected one of the columns telefone in customer_contact.');
    const half = new CoreExchange(servicenow, fake, fake.credentials, { phone_columns: 'telefone,phone' });
    await half.connect();
    expect(await find('+14155550000', half as unknown as CoreExchange<never>)).toEqual([]);
  });

  it('reads a contact, counts its open cases, and finds the owner', async () => {
    const reference = { object: 'customer_contact', id: mariasId };
    const record = servicenow.parseRecord(
      await crm.ask(servicenow.readRequest(reference, crm.site)!),
      reference,
      crm.site,
    );
    expect(record).toMatchObject({
      id: mariasId,
      email: 'maria@example.com',
      accountNumber: 'ACCT0010001',
      tier: 'VIP',
      details: { company: 'Boxeo' },
    });
    expect(servicenow.parseTickets(await crm.ask(servicenow.ticketsRequest(reference, crm.site)!))).toBe(2);
    expect(
      await crm.send(servicenow.readRequest({ object: 'customer_contact', id: contactId }, crm.site)!),
    ).toMatchObject({ trouble: { kind: 'not_found' } });
    const owner = async (email: string) =>
      servicenow.parseOwner(await crm.ask(servicenow.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('x^ORactive=true')]).toEqual([userId, null]);
  });

  it('knows employees by name and password', async () => {
    const employees = new CoreExchange(servicenow, fake, fake.userCredentials, { contact_table: 'sys_user' });
    fake.addTo('sys_user', { name: 'Emil Employee', email: null, phone: '+4930123456', openTickets: 1 });
    expect(await employees.connect()).toBe(
      'User readyline at acme.service-now.com, numbers in phone, mobile_phone of sys_user',
    );
    expect(await find('+4930123456', employees as unknown as CoreExchange<never>)).toEqual(['Emil Employee']);
  });

  it('gets a new token when the old one has ended', async () => {
    fake.expireTokens();
    expect(await crm.ask(servicenow.checkRequest(crm.site))).toMatchObject({ status: 200 });
  });

  it('logs a call once though the connection broke after it was written', async () => {
    // The fake writes the time of its own clock into its rows.
    const call = finishedCall({
      startedAt: new Date(),
      endedAt: new Date(),
      agent: { name: 'Ada Byron', ownerId: userId },
    });
    const record = crmRecord({ object: 'customer_contact', id: mariasId });
    const { find: findCall, parseFound, create, parseCreated, update } = servicenow.logRequests;
    const look = async () => parseFound(await crm.ask(findCall!(call, record, crm.site, null)), call);
    await crm.ask(create({ ...call, id: `${call.id}2` }, record, crm.site, null)!);
    expect(await look()).toBeNull();
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(create(call, record, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'no_answer', isUnknown: true },
    });
    const id = await look();
    expect(id).toBe(fake.logged[1]?.id);
    expect(fake.logged[1]).toMatchObject({
      personId: mariasId,
      fields: { assigned_to: userId, direction: 'inbound', state: 'closed_complete' },
    });
    await crm.ask(update!(id!, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!);
    expect(fake.logged).toHaveLength(2);
    expect(fake.logged[1]?.text).toContain('Wants a copy by post.');
    expect(parseCreated(await crm.ask(create({ ...call, id: 'third' }, null, crm.site, null)!), call)).toBe(
      fake.logged[2]?.id,
    );
  });

  it('says what was refused, though the status said success, and how long to wait', async () => {
    fake.failNext({ kind: 'answer', answer: fake.refusedEntry() });
    expect(await crm.send(servicenow.logRequests.create(finishedCall(), null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', message: 'Operation Failed: State closed_complete is not allowed' },
    });
    fake.failNext({ kind: 'answer', answer: html(200, 'Your instance is hibernating') });
    expect(await crm.send(servicenow.checkRequest(crm.site))).toMatchObject({ trouble: { kind: 'unavailable' } });
    fake.failNext({ kind: 'answer', answer: fake.tooMany() });
    expect(await crm.send(servicenow.checkRequest(crm.site))).toMatchObject({
      trouble: { kind: 'rate_limited', retryAfterMs: 40_000 },
    });
  });

  it('sends notices that verify', () => {
    const sent = fake.notice(mariasId, fake.noticeSecret);
    const request = { ...sent, url: '', body: Buffer.from(sent.body), receivedAt: 0 };
    expect([servicenow.verify(request, fake.noticeSecret), servicenow.verify(request, 'another')]).toEqual([
      'ok',
      'mismatch',
    ]);
    expect(servicenow.parseInbound(request, crm.site)).toMatchObject([
      {
        kind: 'record',
        record: { id: mariasId, name: 'Maria Silva', phones: ['(415) 555-1212'], accountNumber: 'ACCT0010001' },
      },
    ]);
  });

  it('says what its client may not do, and refuses another', async () => {
    fake.forbid('pull');
    fake.forbid('write_back');
    for (const { request } of servicenow.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'forbidden' } });
    const wrong = new CoreExchange(servicenow, fake, fake.wrongCredentials);
    expect(await wrong.send(servicenow.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    const stranger = new CoreExchange(servicenow, fake, { ...fake.userCredentials, password: 'wrong' });
    expect(await stranger.send(servicenow.checkRequest(stranger.site))).toMatchObject({
      trouble: { kind: 'unauthorized' },
    });
  });
});
