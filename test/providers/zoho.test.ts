import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmRequest, CrmResponse, InboundRequest, Site } from '../../src/providers/provider.ts';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { zoho } from '../../src/providers/zoho.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';
import { ZohoFake } from '../support/crm/zohoFake.ts';

const api = 'https://www.zohoapis.eu';
const login = 'https://accounts.zoho.eu';
const typed = { region: 'eu', client_id: '1000.APP', client_secret: 's&=', refresh_token: '1000.r' };
const maria = {
  name: 'Maria Silva',
  email: 'maria.silva@example.com',
  phone: '+1 415-555-1212',
  mobile: '(415) 555-1213',
  openTickets: 2,
  accountNumber: 'A-100',
};
const contactId = '6493490000001291001';

type Credentials = z.output<typeof zoho.credentials>;

function siteOf(differs: Partial<Site<Credentials>> = {}): Site<Credentials> {
  const credentials = zoho.credentials.parse(typed);
  return {
    credentials,
    addresses: zoho.addresses(credentials),
    facts: { organization: '20081234567' },
    options: zoho.options.parse({}),
    ...differs,
  } as Site<Credentials>;
}

const createdBy = (call = finishedCall(), record = crmRecord({ object: 'Contacts', id: contactId })) =>
  (JSON.parse(zoho.logRequests.create(call, record, siteOf(), null)?.body ?? '') as { data: [Record<string, unknown>] })
    .data[0];

describe('the requests to Zoho CRM', () => {
  it('for tokens carry everything in the body, and nothing in the address', () => {
    const authentication = zoho.authentication(siteOf());
    if (authentication.kind !== 'token') throw new Error('Expected a token.');
    const ask = { redirectUri: 'https://gateway.example.com/callback', code: 'c&1', codeVerifier: 'v' };
    for (const request of [
      authentication.tokenRequest(null),
      authentication.tokenRequest('r2'),
      zoho.authorization!.codeRequest(siteOf(), ask),
    ]) {
      expect(request.url).toBe(`${login}/oauth/v2/token`);
      expect(new URLSearchParams(request.body).get('client_secret')).toBe('s&=');
    }
    const token = { accessToken: '1000.t', expiresInSeconds: 3600, refreshToken: null, api: null };
    expect(authentication.headers(token)).toEqual({ authorization: 'Zoho-oauthtoken 1000.t' });
  });

  it('ask contacts and leads for the international number, then for the national one', () => {
    const asked = zoho
      .searchRequests(phoneQuery('+14155551212'), siteOf())
      .map((group) => group.map(({ url }) => new URL(url)));
    expect(
      asked.map((group) => group.map(({ pathname, searchParams }) => [pathname, searchParams.get('phone')])),
    ).toEqual([
      [
        ['/crm/v8/Contacts/search', '+14155551212'],
        ['/crm/v8/Leads/search', '+14155551212'],
      ],
      [
        ['/crm/v8/Contacts/search', '4155551212'],
        ['/crm/v8/Leads/search', '4155551212'],
      ],
    ]);
    expect(asked[0]?.[0]?.search).toContain('phone=%2B14155551212');
  });

  it.each([
    [0, '00:00'],
    [59, '00:59'],
    [183, '03:03'],
    [3_600, '60:00'],
    [36_061, '601:01'],
  ])('write %i seconds as %s', (durationSeconds, text) => {
    expect(createdBy(finishedCall({ durationSeconds }))).toMatchObject({
      Call_Duration: text,
      Call_Start_Time: '2026-11-21T10:15:00+00:00',
    });
  });

  it('tell the kind of a call, and whose it is', () => {
    expect(createdBy()).toMatchObject({ Call_Type: 'Inbound', Who_Id: { id: contactId } });
    expect(createdBy()).not.toHaveProperty('Outbound_Call_Status');
    const missed = createdBy(finishedCall({ answeredAt: null, endReason: 'missed', durationSeconds: 0 }));
    expect(missed).toMatchObject({ Call_Type: 'Missed' });
    expect(missed).not.toHaveProperty('Call_Duration');
    const passedOn = {
      endReason: 'canceled',
      endDetail: 'passed_on',
      transferredTo: '1002',
      disposition: null,
    } as const;
    const passed = createdBy(finishedCall({ answeredAt: null, durationSeconds: 0, ...passedOn }));
    expect(passed).toMatchObject({ Call_Type: 'Inbound' });
    expect(JSON.stringify(passed)).toContain('Inbound call – Passed on');
    expect(JSON.stringify(passed)).toContain('Result: Passed on to 1002');
    const outbound = finishedCall({
      direction: 'outbound',
      answeredAt: null,
      endReason: 'no_answer',
      durationSeconds: 0,
    });
    expect(createdBy(outbound)).toMatchObject({
      Call_Type: 'Outbound',
      Call_Duration: '00:00',
      Outbound_Call_Status: 'Completed',
    });
    const lead = createdBy(finishedCall(), crmRecord({ object: 'Leads', id: '7' }));
    expect(lead).toMatchObject({ What_Id: { id: '7' }, $se_module: 'Leads' });
    expect(lead).not.toHaveProperty('Who_Id');
    expect(
      createdBy(finishedCall({ disposition: { code: 'ok', label: 'Fine', externalValue: 'Interested' } })),
    ).toMatchObject({ Call_Result: 'Interested' });
  });
});

describe('the regions of Zoho', () => {
  it.each([
    ['us', 'https://www.zohoapis.com', 'https://accounts.zoho.com', 'https://crm.zoho.com'],
    ['au', 'https://www.zohoapis.com.au', 'https://accounts.zoho.com.au', 'https://crm.zoho.com.au'],
    ['ca', 'https://www.zohoapis.ca', 'https://accounts.zohocloud.ca', 'https://crm.zohocloud.ca'],
  ])('have addresses of their own: %s', (region, ...addresses) => {
    expect(Object.values(zoho.addresses(zoho.credentials.parse({ ...typed, region })))).toEqual(addresses);
  });

  it('are those that Zoho has, and the first one where none is chosen', () => {
    expect(zoho.credentials.safeParse({ ...typed, region: 'example.com' }).success).toBe(false);
    expect(zoho.credentials.parse({ client_id: 'a', client_secret: 'b' })).toMatchObject({ region: 'us' });
  });

  it('may be told by the answer with a token, and nothing else may', () => {
    const told = (api_domain: unknown, addresses = siteOf().addresses) => {
      const authentication = zoho.authentication(siteOf({ addresses }));
      if (authentication.kind !== 'token') throw new Error('Expected a token.');
      return authentication.parseToken(answer(200, { access_token: 't', expires_in: 3600, api_domain })).api;
    };
    expect(told('https://www.zohoapis.in')).toBe('https://www.zohoapis.in');
    expect([
      told('https://www.zohoapis.example.com'),
      told('http://www.zohoapis.eu'),
      told('https://www.zohoapis.eu/'),
      told(null),
    ]).toEqual([null, null, null, null]);
    expect(told('https://www.zohoapis.eu', { api: 'http://127.0.0.1:1', login: '', app: '' })).toBeNull();
  });
});

describe('what Zoho CRM answers', () => {
  const request: CrmRequest = { method: 'GET', url: `${api}/crm/v8/Contacts/search?phone=1` };
  const row = {
    Full_Name: 'Maria Silva',
    Email: 'maria.silva@example.com',
    Phone: null,
    Mobile: '+1 415-555-1212',
    id: contactId,
  };

  it('becomes contacts and leads', () => {
    const contact = answer(200, {
      data: [{ ...row, Account_Name: { name: 'Acme', id: '5' }, Title: 'Head of Sales', Account_No: 'A-100' }],
      info: { count: 1 },
    });
    const site = siteOf({ options: { account_number_field: 'Account_No', tier_field: '' } });
    expect(zoho.parseSearch(contact, site, request)).toEqual([
      crmRecord({
        object: 'Contacts',
        id: contactId,
        accountNumber: 'A-100',
        details: { company: 'Acme', title: 'Head of Sales' },
      }),
    ]);
    const lead = answer(200, { data: [{ ...row, Company: 'Acme', Lead_Status: 'Contacted' }] });
    expect(zoho.parseSearch(lead, siteOf(), { ...request, url: `${api}/crm/v8/Leads/search?phone=1` })).toEqual([
      crmRecord({ object: 'Leads', id: contactId, details: { company: 'Acme', lead_status: 'Contacted' } }),
    ]);
  });

  it('is empty where nobody is found', () => {
    const empty = answer(204, '');
    expect(zoho.classify(empty)).toBeNull();
    expect(zoho.parseSearch(empty, siteOf(), request)).toEqual([]);
    expect(zoho.parseRecord(empty, { object: 'Contacts', id: '1' }, siteOf())).toBeNull();
    expect(zoho.parseTickets(empty)).toBe(0);
    expect(zoho.logRequests.parseFound(empty, finishedCall())).toBeNull();
  });

  it('keeps the longest id as a text', () => {
    expect(
      zoho.parseSearch(answer(200, '{"data":[{"id":6493490000001291001000,"Phone":"1"}]}'), siteOf(), request),
    ).toMatchObject([{ id: '6493490000001291001000' }]);
  });

  it.each(['[]', '7', '{"data":[{}]}', '<html></html>', 'x'.repeat(1_048_576)])(
    'is unreadable where it is something else (%#)',
    (body) => {
      expect(() => zoho.parseSearch(answer(200, body), siteOf(), request)).toThrow(UnreadableAnswer);
    },
  );

  it('leads to the record in its region and organization', () => {
    const record = crmRecord({ object: 'Leads', id: contactId });
    expect(zoho.recordUrl(record, siteOf())).toBe(`https://crm.zoho.eu/crm/org20081234567/tab/Leads/${contactId}`);
    expect(zoho.recordUrl(record, siteOf({ facts: {} }))).toBe(`https://crm.zoho.eu/crm/tab/Leads/${contactId}`);
    expect(zoho.recordUrl({ ...record, id: 'a/../b' }, siteOf({ facts: { organization: '../x' } }))).toBe(
      'https://crm.zoho.eu/crm/tab/Leads/a%2F..%2Fb',
    );
  });

  const one = (code: string, message: string, details: unknown = {}) => ({
    data: [{ code, details, message, status: 'error' }],
  });
  const whole = (code: string, message: string, details: unknown = {}) => ({ code, details, message, status: 'error' });
  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, { data: [{ id: '1' }] }), null],
    [
      'a record that was added',
      answer(201, { data: [{ code: 'SUCCESS', details: { id: '1' }, message: 'record added', status: 'success' }] }),
      null,
    ],
    [
      'a record that was refused within 2xx',
      answer(202, one('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'Call_Start_Time' })),
      { kind: 'invalid', message: 'MANDATORY_NOT_FOUND: required field not found', field: 'Call_Start_Time' },
    ],
    [
      'the same within 400',
      answer(400, one('INVALID_DATA', 'invalid data', { api_name: 'Call_Duration', expected_data_type: 'text' })),
      { kind: 'invalid', message: 'INVALID_DATA: invalid data', field: 'Call_Duration' },
    ],
    [
      'an id that is not there',
      answer(202, one('INVALID_DATA', 'the id given seems to be invalid', { id: '1' })),
      { kind: 'not_found', message: 'INVALID_DATA: the id given seems to be invalid' },
    ],
    [
      'a double',
      answer(202, one('DUPLICATE_DATA', 'duplicate data', { api_name: 'Subject' })),
      { kind: 'invalid', message: 'DUPLICATE_DATA: duplicate data', field: 'Subject' },
    ],
    [
      'a token that has ended',
      answer(401, whole('INVALID_TOKEN', 'invalid oauth token')),
      { kind: 'unauthorized', message: 'INVALID_TOKEN: invalid oauth token' },
    ],
    [
      'a revoked login, with 200',
      answer(200, { error: 'invalid_code' }),
      { kind: 'unauthorized', message: 'invalid_code' },
    ],
    [
      'a wrong client, with 200',
      answer(200, { error: 'invalid_client' }),
      { kind: 'unauthorized', message: 'invalid_client' },
    ],
    [
      'too many tokens',
      answer(400, {
        error_description: 'You have made too many requests continuously.',
        error: 'Access Denied',
        status: 'failure',
      }),
      {
        kind: 'rate_limited',
        message: 'Access Denied: You have made too many requests continuously.',
        retryAfterMs: 600_000,
      },
    ],
    [
      'a missing scope, with 401',
      answer(401, whole('OAUTH_SCOPE_MISMATCH', 'invalid oauth scope')),
      { kind: 'forbidden', message: 'OAUTH_SCOPE_MISMATCH: invalid oauth scope', permission: null },
    ],
    [
      'a missing permission',
      answer(403, whole('NO_PERMISSION', 'permission denied', { permissions: ['Crm_Implied_Create_Calls'] })),
      { kind: 'forbidden', message: 'NO_PERMISSION: permission denied', permission: 'Crm_Implied_Create_Calls' },
    ],
    [
      'too many requests',
      answer(429, whole('TOO_MANY_REQUESTS', 'Too many requests')),
      { kind: 'rate_limited', message: 'TOO_MANY_REQUESTS: Too many requests', retryAfterMs: null },
    ],
    [
      'too many requests without a body',
      answer(429, ''),
      { kind: 'rate_limited', message: 'HTTP 429', retryAfterMs: null },
    ],
    [
      'a failure of its own',
      answer(500, whole('INTERNAL_ERROR', 'Internal Server Error')),
      { kind: 'unavailable', message: 'INTERNAL_ERROR: Internal Server Error' },
    ],
    ['a proxy’s page', answer(502, '<html>Bad Gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'a page within 200',
      answer(200, '<html>Maintenance</html>'),
      { kind: 'unavailable', message: 'HTTP 200 without JSON.' },
    ],
    [
      'a wrong address',
      answer(404, whole('INVALID_URL_PATTERN', 'Please check')),
      { kind: 'not_found', message: 'INVALID_URL_PATTERN: Please check' },
    ],
  ])('tells of %s', (_which, response, failure) => {
    expect(zoho.classify(response)).toEqual(failure);
  });
});

describe('notices of Zoho CRM', () => {
  const secret = 'c3504777-db15-4332-8286-478a1b5006bc';
  const notice = {
    server_time: 1_750_102_639_787,
    affected_values: [{ record_id: '6756839000000575405', values: { Phone: '555-555-1111' } }],
    module: 'Leads',
    ids: ['6756839000000575405', '6756839000000575406'],
    operation: 'update',
    channel_id: '1105420521999070702',
    token: secret,
  };
  const request = (body: unknown, headers: Record<string, string> = {}): InboundRequest => ({
    method: 'POST',
    url: 'https://gateway.example.com/',
    headers,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    receivedAt: 0,
  });

  it.each<[string, InboundRequest, string | null, string]>([
    ['repeat the token that Zoho was told', request(notice), secret, 'ok'],
    [
      'may carry it in the header of a workflow',
      request({ ...notice, token: undefined }, { 'x-readyline-secret': secret }),
      secret,
      'ok',
    ],
    ['are taken by their address alone where no secret was issued', request({ ...notice, token: null }), null, 'ok'],
    ['are refused with another token', request({ ...notice, token: 'another' }), secret, 'mismatch'],
    [
      'are refused with another one in the header, whatever the body says',
      request(notice, { 'x-readyline-secret': 'another' }),
      secret,
      'mismatch',
    ],
    ['are refused without a token', request({ ...notice, token: null }), secret, 'missing'],
    ['are refused with a token that is no text', request({ ...notice, token: { $ne: '' } }), secret, 'missing'],
    ['are refused where they are nothing', request('x'.repeat(1_048_576)), secret, 'missing'],
  ])('%s', (_which, given, issued, verdict) => {
    expect(zoho.verify(given, issued)).toBe(verdict);
  });

  const parse = (body: unknown) => zoho.parseInbound(request(body), siteOf());

  it('name the records that are to be read, or that are gone', () => {
    const reference = (id: string) => ({ object: 'Leads', id });
    const key = (id: string) => `1105420521999070702 1750102639787 update ${id}`;
    expect(parse(notice)).toEqual(
      notice.ids.map((id) => ({ kind: 'reference', reference: reference(id), key: key(id) })),
    );
    expect(parse({ ...notice, operation: 'delete', ids: ['1'] })).toMatchObject([
      { kind: 'deleted', reference: reference('1') },
    ]);
    expect(parse({ module: 'Contacts', ids: ['1', 1, {}, null] })).toEqual([
      { kind: 'reference', reference: { object: 'Contacts', id: '1' }, key: null },
    ]);
    expect(parse({ ...notice, module: 'Deals' })).toEqual([{ kind: 'ignored' }]);
    expect(parse({ ...notice, ids: Array.from({ length: 10_000 }, (_, index) => String(index)) })).toHaveLength(100);
  });

  it.each(['', '[]', '"text"', '{}', '{"ids":"1"}', 'x'.repeat(1_048_576), '[{'.repeat(300_000)])(
    'that are nothing of Zoho’s are unreadable (%#)',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Zoho CRM', () => {
  let fake: ZohoFake;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  let account: string;
  const find = async (e164: string) => {
    for (const group of zoho.searchRequests(phoneQuery(e164), crm.site)) {
      const found = await Promise.all(
        group.map(async (request) => zoho.parseSearch(await crm.ask(request), crm.site, request)),
      );
      if (found.flat().length > 0) return found.flat();
    }
    return [];
  };
  beforeAll(async () => {
    fake = await ZohoFake.open();
    mariasId = fake.addPerson(maria);
    crm = new CoreExchange(zoho, fake, fake.credentials, { account_number_field: 'Account_No', tier_field: 'Rating' });
    account = await crm.connect();
  });
  afterAll(() => fake.close());

  it('says who the gateway is there', () => {
    expect(account).toBe('Northwind Traders (20081234567)');
  });

  it('shows by harmless requests what its scopes allow', async () => {
    for (const { request } of zoho.probes(crm.site)) await crm.ask(request);
    expect(fake.heard.every(({ method, url }) => method === 'GET' || url.pathname === '/oauth/v2/token')).toBe(true);
  });

  it('finds contacts and leads, with and without the country code, and nobody else', async () => {
    const leadId = fake.addLead({ name: 'Jon Roe', email: null, phone: '212 555 0147', tier: 'Active' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '212-555-0147' });
    expect(await find('+14155551212')).toMatchObject([
      {
        object: 'Contacts',
        id: mariasId,
        name: 'Maria Silva',
        phones: ['+1 415-555-1212', '(415) 555-1213'],
        accountNumber: 'A-100',
      },
    ]);
    expect(await find('+14155551213')).toMatchObject([{ id: mariasId }]);
    expect(await find('+12125550147')).toMatchObject([
      { object: 'Contacts', name: 'Joan Roe' },
      { object: 'Leads', id: leadId, name: 'Jon Roe', tier: 'Active' },
    ]);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('brings a stranger whose national digits are the same, with the number that gives him away', async () => {
    fake.addPerson({ name: 'Somebody Else', email: null, phone: '2255501234' });
    expect(await find('+61255501234')).toEqual([]);
    expect(await find('+12255501234')).toMatchObject([{ phones: ['2255501234'] }]);
    expect(await find('+332255501234')).toMatchObject([{ phones: ['2255501234'] }]);
  });

  it('reads a contact, counts its open cases, and finds the owner by the whole address', async () => {
    const maria = { object: 'Contacts', id: mariasId };
    expect(zoho.parseRecord(await crm.ask(zoho.readRequest(maria, crm.site)!), maria, crm.site)).toMatchObject({
      id: mariasId,
      details: { company: 'Acme' },
    });
    expect(zoho.parseTickets(await crm.ask(zoho.ticketsRequest(maria, crm.site)!))).toBe(2);
    const nobody = { object: 'Contacts', id: '1' };
    expect(zoho.parseRecord(await crm.ask(zoho.readRequest(nobody, crm.site)!), nobody, crm.site)).toBeNull();
    expect(zoho.parseTickets(await crm.ask(zoho.ticketsRequest(nobody, crm.site)!))).toBe(0);
    expect(zoho.ticketsRequest({ object: 'Leads', id: '1' }, crm.site)).toBeNull();
    const owner = async (email: string) => zoho.parseOwner(await crm.ask(zoho.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('da@example.com')]).toEqual(['6493490000000400001', null]);
  });

  it('gets a new token when the old one has ended, and waits when there were too many', async () => {
    fake.expireTokens();
    expect(await crm.ask(zoho.checkRequest(crm.site))).toMatchObject({ status: 200 });
    fake.failNext({ kind: 'answer', answer: fake.tooManyTokens() }, ({ url }) => url.pathname === '/oauth/v2/token');
    fake.expireTokens();
    expect(await crm.send(zoho.checkRequest(crm.site))).toMatchObject({ trouble: { kind: 'rate_limited' } });
  });

  it.each(['Contacts', 'Leads'])(
    'logs a call with one of its %s once though the connection broke after it was written',
    async (object) => {
      const id = object === 'Leads' ? fake.addLead({ name: 'Jo Lead', email: null, phone: null }) : mariasId;
      const record = crmRecord({ object, id });
      const call = finishedCall({
        id: `call with one of ${object}`,
        agent: { name: 'Ada Byron', ownerId: '6493490000000400001' },
      });
      const { create, find: findCall, parseFound, parseCreated, update } = zoho.logRequests;
      const look = async (of = call) => parseFound(await crm.ask(findCall!(of, record, crm.site, null)), of);
      const before = fake.logged.length;
      expect(await look()).toBeNull();
      fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
      expect(await crm.send(create(call, record, crm.site, null)!)).toMatchObject({
        trouble: { kind: 'no_answer', isUnknown: true },
      });
      const entryId = await look();
      expect(fake.logged.slice(before)).toMatchObject([
        { id: entryId, personId: id, fields: { Call_Duration: '03:03', Call_Type: 'Inbound' } },
      ]);
      await crm.ask(update!(entryId!, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!);
      expect(fake.logged.slice(before)).toMatchObject([{ text: expect.stringContaining('Wants a copy by post.') }]);
      const other = { ...call, id: `another call with one of ${object}` };
      expect(parseCreated(await crm.ask(create(other, record, crm.site, null)!), other)).toBe(await look(other));
    },
  );

  it('logs a call of nobody it knows', async () => {
    await crm.ask(zoho.logRequests.create(finishedCall({ id: 'a call of a stranger' }), null, crm.site, null)!);
    expect(fake.logged.at(-1)).toMatchObject({ personId: null });
  });

  it('says within 2xx which field of a call is wrong', async () => {
    const call = finishedCall({ id: 'of an unknown owner', agent: { name: 'Nobody', ownerId: '1' } });
    expect(await crm.send(zoho.logRequests.create(call, null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', field: 'Owner' },
    });
    expect(await crm.send(zoho.logRequests.update!('1', call, null, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
    fake.failNext({ kind: 'answer', answer: fake.refusedEntry() });
    expect(await crm.send(zoho.logRequests.create(call, null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', field: 'Call_Start_Time' },
    });
  });

  it('sends notices that verify', () => {
    const url = 'https://gateway.example.com/api/integrations/inbound/zoho/abc';
    const at = new Date('2026-11-21T10:00:00.000Z');
    const notice = fake.notice(mariasId, fake.noticeSecret, at);
    const request = { ...notice, url, body: Buffer.from(notice.body), receivedAt: at.getTime() };
    expect(zoho.verify(request, fake.noticeSecret)).toBe('ok');
    expect(zoho.verify(request, 'another')).toBe('mismatch');
    expect(zoho.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'reference', reference: { object: 'Contacts', id: mariasId } },
    ]);
  });

  it('refuses a revoked login', async () => {
    const wrong = new CoreExchange(zoho, fake, fake.wrongCredentials);
    expect(await wrong.send(zoho.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });

  it('is logged in to by the admin’s browser, and once only by the same code', async () => {
    const redirectUri = 'https://gateway.example.com/api/integrations/crm/callback';
    const codeVerifier = 'a-verifier-that-is-long-enough-to-be-one-of-forty-three';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { authorizeUrl, codeRequest, parseCode } = zoho.authorization!;
    const site = { ...crm.site, credentials: fake.app as never };
    const redirect = await fetch(authorizeUrl(site, { redirectUri, state: 'state-1', codeChallenge }), {
      redirect: 'manual',
    });
    const back = new URL(redirect.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('state-1');
    const request = codeRequest(site, { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier });
    expect(parseCode(await crm.ask(request), fake.app as never)).toEqual(fake.credentials);
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'unauthorized', message: 'invalid_code' } });
  });

  it('says which ability its scopes do not allow', async () => {
    fake.forbid('write_back');
    const [contacts, , calls] = zoho.probes(crm.site);
    expect(await crm.send(contacts!.request)).toMatchObject({ kind: 'answer' });
    expect(await crm.send(calls!.request)).toMatchObject({ trouble: { kind: 'forbidden' } });
    fake.forbid('pull');
    expect(await crm.send(contacts!.request)).toMatchObject({ trouble: { kind: 'forbidden' } });
  });
});
