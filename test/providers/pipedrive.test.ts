import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pipedrive } from '../../src/providers/pipedrive.ts';
import type { CrmResponse, InboundRequest, Site } from '../../src/providers/provider.ts';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { PipedriveFake } from '../support/crm/pipedriveFake.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

const api = 'https://api.pipedrive.com';
const maria = { name: 'Maria Silva', email: 'maria.silva@example.com', phone: '+1 415 5551212', mobile: '4155551213' };

type Credentials = z.output<typeof pipedrive.credentials>;

function siteOf(
  facts: Record<string, string> = { company: 'northwind', user: '11', logs_for_others: 'yes', call_logs: 'yes' },
): Site<Credentials> {
  const credentials = pipedrive.credentials.parse({ api_token: 'f00d' });
  return {
    credentials,
    addresses: pipedrive.addresses(credentials),
    facts,
    options: pipedrive.options.parse({}),
  } as Site<Credentials>;
}

describe('the requests to Pipedrive', () => {
  it('for tokens carry the app by HTTP Basic', () => {
    const site = {
      ...siteOf(),
      credentials: { client_id: 'client', client_secret: 's&=', refresh_token: 'r' },
    } as Site<Credentials>;
    const authentication = pipedrive.authentication(site);
    if (authentication.kind !== 'token') throw new Error('Expected a token.');
    const ask = { redirectUri: 'https://gateway.example.com/callback', code: 'c&1', codeVerifier: 'v' };
    for (const request of [
      authentication.tokenRequest(null),
      authentication.tokenRequest('refresh-2'),
      pipedrive.authorization!.codeRequest(site, ask),
    ]) {
      expect(request).toMatchObject({
        url: 'https://oauth.pipedrive.com/oauth/token',
        headers: { authorization: 'Basic Y2xpZW50OnMmPQ==' },
      });
    }
    expect(authentication.tokenRequest(null).body).toContain('refresh_token=r');
  });

  it('ask for the national digits, then for the number with its signs', () => {
    const terms = pipedrive
      .searchRequests(phoneQuery('+14155551212'), siteOf())
      .map((group) => group.map(({ url }) => new URL(url).searchParams.get('term')));
    expect(terms).toEqual([['4155551212'], ['(415) 555-1212']]);
  });

  it.each([
    ['an answered call', {}, 'connected'],
    ['a missed call', { answeredAt: null, endReason: 'missed' as const }, 'no_answer'],
    ['a busy one', { answeredAt: null, direction: 'outbound' as const, endReason: 'busy' as const }, 'busy'],
    [
      'what the admin mapped',
      { disposition: { code: 'vm', label: 'Voicemail', externalValue: 'left_voicemail' } },
      'left_voicemail',
    ],
    ['what is no outcome of Pipedrive', { disposition: { code: 'x', label: 'X', externalValue: 'x' } }, 'connected'],
  ])('tell the outcome of %s', (_which, differs, outcome) => {
    const request = pipedrive.logRequests.create(finishedCall(differs), null, siteOf(), null);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      outcome,
      start_time: '2026-11-21 10:15:00',
      end_time: '2026-11-21 10:18:07',
      duration: '183',
    });
  });

  it('name another owner of a call log only where the token’s user may', () => {
    const call = finishedCall({ agent: { name: 'Grace', ownerId: '12' } });
    const ownerAt = (logs_for_others: string) =>
      (
        JSON.parse(
          pipedrive.logRequests.create(call, null, siteOf({ user: '11', logs_for_others }), null)?.body ?? '',
        ) as { user_id?: number }
      ).user_id;
    expect([ownerAt('yes'), ownerAt('no')]).toEqual([12, undefined]);
  });
});

describe('what Pipedrive answers', () => {
  it('becomes records, of a search and of the person itself', () => {
    const item = {
      id: 12,
      type: 'person',
      name: 'Maria Silva',
      phones: ['+14155551212', '415 555 1213'],
      emails: ['maria.silva@example.com'],
      organization: { id: 5, name: 'Acme', address: null },
      custom_fields: [],
    };
    expect(
      pipedrive.parseSearch(answer(200, { success: true, data: { items: [{ result_score: 0.6, item }] } }), siteOf(), {
        method: 'GET',
        url: api,
      }),
    ).toEqual([
      crmRecord({
        object: 'person',
        id: '12',
        phones: ['+14155551212', '415 555 1213'],
        details: { organization: 'Acme' },
      }),
    ]);
    const key = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';
    const person = {
      id: 12,
      name: 'Maria Silva',
      phones: [
        { value: '415 555 1213', primary: false, label: 'home' },
        { value: '+14155551212', primary: true, label: 'work' },
      ],
      emails: [{ value: 'maria.silva@example.com', primary: true }],
      custom_fields: { [key]: 'A-100' },
    };
    const site = { ...siteOf(), options: { account_number_field: key, tier_field: '' } };
    expect(
      pipedrive.parseRecord(answer(200, { success: true, data: person }), { object: 'person', id: '12' }, site),
    ).toEqual(
      crmRecord({ object: 'person', id: '12', phones: ['+14155551212', '415 555 1213'], accountNumber: 'A-100' }),
    );
    expect(
      pipedrive.parseRecord(
        answer(200, { success: true, data: { ...person, is_deleted: true } }),
        { object: 'person', id: '12' },
        site,
      ),
    ).toBeNull();
  });

  it('keeps the longest id as a text', () => {
    const response = answer(
      200,
      '{"success":true,"data":{"items":[{"item":{"id":123456789012345678901,"name":"X"}}]}}',
    );
    expect(pipedrive.parseSearch(response, siteOf(), { method: 'GET', url: api })).toMatchObject([
      { id: '123456789012345678901' },
    ]);
  });

  it.each(['', '[]', '7', '{}', '{"data":[]}', '{"success":true,"data":{"items":[{}]}}', 'x'.repeat(1_048_576)])(
    'is unreadable where it is something else (%#)',
    (body) => {
      expect(() => pipedrive.parseSearch(answer(200, body), siteOf(), { method: 'GET', url: api })).toThrow(
        UnreadableAnswer,
      );
    },
  );

  it('leads to the company’s own host, and to no other', () => {
    const record = crmRecord({ object: 'person', id: '12' });
    expect(pipedrive.recordUrl(record, siteOf())).toBe('https://northwind.pipedrive.com/person/12');
    expect(pipedrive.recordUrl(record, siteOf({ company: 'evil.example/' }))).toBe(
      'https://app.pipedrive.com/person/12',
    );
    expect(pipedrive.recordUrl({ ...record, id: 'a/../b' }, siteOf())).toBe(
      'https://northwind.pipedrive.com/person/a%2F..%2Fb',
    );
  });

  it('moves requests to the company’s host only where that is Pipedrive’s, and nobody replaced the address', () => {
    const told = (api_domain: string, addresses = siteOf().addresses) => {
      const authentication = pipedrive.authentication({
        ...siteOf(),
        addresses,
        credentials: { client_id: 'a', client_secret: 'b' },
      } as Site<Credentials>);
      if (authentication.kind !== 'token') throw new Error('Expected a token.');
      return authentication.parseToken(
        answer(200, { access_token: 't', expires_in: 3599, refresh_token: 'r', api_domain }),
      ).api;
    };
    expect(told('https://northwind.pipedrive.com')).toBe('https://northwind.pipedrive.com');
    expect(told('https://northwind.pipedrive.com.example.com')).toBeNull();
    expect(told('http://northwind.pipedrive.com')).toBeNull();
    expect(told('https://a@example.com/.pipedrive.com')).toBeNull();
    expect(told('https://northwind.pipedrive.com', { api: 'http://127.0.0.1:1', login: '', app: '' })).toBeNull();
  });

  const error = (text: string, errorCode: number) => ({
    success: false,
    error: text,
    errorCode,
    error_info: 'Please check developers.pipedrive.com',
    data: null,
  });
  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, { success: true, data: [] }), null],
    ['a new activity', answer(201, { success: true, data: { id: 1 } }), null],
    [
      'a failure within 200',
      answer(200, error('No', 400)),
      { kind: 'invalid', message: 'No. Please check developers.pipedrive.com', field: null },
    ],
    [
      'a page within 200',
      answer(200, '<html></html>', { 'content-type': 'text/html' }),
      { kind: 'unavailable', message: 'HTTP 200 without JSON.' },
    ],
    [
      'a wrong token',
      answer(401, error('unauthorized access', 401)),
      { kind: 'unauthorized', message: 'unauthorized access. Please check developers.pipedrive.com' },
    ],
    [
      'a revoked login',
      answer(400, { success: false, message: 'Invalid grant: refresh_token is invalid', error: 'invalid_grant' }),
      { kind: 'unauthorized', message: 'Invalid grant: refresh_token is invalid' },
    ],
    [
      'a missing scope',
      answer(403, error('Scope and URL mismatch', 403)),
      { kind: 'forbidden', message: 'Scope and URL mismatch. Please check developers.pipedrive.com', permission: null },
    ],
    [
      'an ended plan',
      answer(402, error('Payment required', 402)),
      { kind: 'forbidden', message: 'Payment required. Please check developers.pipedrive.com', permission: null },
    ],
    [
      'the page of the network before it',
      answer(403, '<!DOCTYPE html><title>Attention</title>'),
      { kind: 'rate_limited', message: 'A page instead of an answer: too many requests.', retryAfterMs: null },
    ],
    [
      'the burst limit',
      answer(429, error('Request over limit', 429), { 'x-ratelimit-reset': '2' }),
      {
        kind: 'rate_limited',
        message: 'Request over limit. Please check developers.pipedrive.com',
        retryAfterMs: 2_000,
      },
    ],
    [
      'the daily limit',
      answer(429, error('Request over limit', 429), {
        'x-daily-ratelimit-token-remaining': '0',
        'x-ratelimit-reset': '2',
      }),
      {
        kind: 'rate_limited',
        message: 'Request over limit. Please check developers.pipedrive.com',
        retryAfterMs: 3_600_000,
      },
    ],
    [
      'a wrong field',
      answer(400, error('Validation failed: end_time must be a date', 400)),
      {
        kind: 'invalid',
        message: 'Validation failed: end_time must be a date. Please check developers.pipedrive.com',
        field: 'end_time',
      },
    ],
    [
      'somebody who is not there',
      answer(404, error('Person not found', 404)),
      { kind: 'not_found', message: 'Person not found. Please check developers.pipedrive.com' },
    ],
    [
      'an error that is an object',
      answer(400, { success: false, error: { message: 'No' } }),
      { kind: 'invalid', message: 'No', field: null },
    ],
    [
      'a failure of its own',
      answer(500, error('Internal error', 500)),
      { kind: 'unavailable', message: 'Internal error. Please check developers.pipedrive.com' },
    ],
    ['a proxy’s page', answer(502, '<html>Bad Gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'a redirect',
      answer(302, '', { location: 'http://169.254.169.254/' }),
      { kind: 'unavailable', message: 'HTTP 302' },
    ],
  ])('tells of %s', (_which, response, failure) => {
    expect(pipedrive.classify(response)).toEqual(failure);
  });
});

describe('notices of Pipedrive', () => {
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  const request: InboundRequest = {
    method: 'POST',
    url: 'https://gateway.example.com/',
    headers: basic('readyline:s3cret:with-colon'),
    body: Buffer.from('{}'),
    receivedAt: 0,
  };

  it.each<[string, Record<string, string>, string | null, string]>([
    ['carry the password', {}, 's3cret:with-colon', 'ok'],
    ['may name any user', basic('anybody:s3cret:with-colon'), 's3cret:with-colon', 'ok'],
    [
      'may write the scheme in lower case',
      { authorization: basic('a:s3cret:with-colon').authorization.replace('Basic', 'basic') },
      's3cret:with-colon',
      'ok',
    ],
    ['are taken by their address alone where no secret was issued', { authorization: '' }, null, 'ok'],
    ['are refused with another password', basic('readyline:other'), 's3cret:with-colon', 'mismatch'],
    ['are refused without one', basic('readyline'), 'readyline2', 'mismatch'],
    ['are refused without the header', { authorization: '' }, 's3cret:with-colon', 'missing'],
    ['are refused with another scheme', { authorization: 'Bearer s3cret' }, 's3cret', 'missing'],
  ])('%s', (_which, headers, secret, verdict) => {
    expect(pipedrive.verify({ ...request, headers: { ...request.headers, ...headers } }, secret)).toBe(verdict);
  });

  const parse = (body: unknown) =>
    pipedrive.parseInbound(
      { ...request, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
      siteOf(),
    );
  const meta = { action: 'change', entity: 'person', entity_id: 12, id: '9f3c', version: '2.0' };

  it('carry the person, name one to be read, or say that one is gone', () => {
    const data = { id: 12, name: 'Maria Silva', phones: [{ value: '+14155551212', primary: true }], emails: [] };
    expect(parse({ meta, data, previous: null })).toEqual([
      {
        kind: 'record',
        record: crmRecord({ object: 'person', id: '12', phones: ['+14155551212'], email: null }),
        key: '9f3c',
      },
    ]);
    const reference = { object: 'person', id: '12' };
    expect(parse({ meta: { ...meta, entity_id: '12' }, data: { id: 12 } })).toEqual([
      { kind: 'reference', reference, key: '9f3c' },
    ]);
    expect(parse({ meta: { ...meta, action: 'delete' }, data: null })).toEqual([
      { kind: 'deleted', reference, key: '9f3c' },
    ]);
    expect(parse({ meta: { ...meta, entity: 'deal' }, data })).toEqual([{ kind: 'ignored' }]);
    expect(parse({ meta: { ...meta, entity_id: null }, data })).toEqual([{ kind: 'ignored' }]);
    expect(parse({ current: {}, meta: { action: 'updated', object: 'person', id: 12 } })).toEqual([
      { kind: 'reference', reference, key: null },
    ]);
  });

  it.each(['', '[]', '"text"', '{}', '{"meta":7}', 'x'.repeat(1_048_576), '[{'.repeat(300_000)])(
    'that are nothing of Pipedrive’s are unreadable (%#)',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Pipedrive', () => {
  let fake: PipedriveFake;
  let now = 0;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  let account: string;
  const find = async (e164: string) => {
    now += 2_000;
    for (const group of pipedrive.searchRequests(phoneQuery(e164), crm.site)) {
      const found = await Promise.all(
        group.map(async (request) => pipedrive.parseSearch(await crm.ask(request), crm.site, request)),
      );
      if (found.flat().length > 0) return found.flat();
    }
    return [];
  };
  beforeAll(async () => {
    fake = await PipedriveFake.open(() => now);
    mariasId = fake.addPerson(maria);
    crm = new CoreExchange(pipedrive, fake);
    account = await crm.connect();
  });
  afterAll(() => fake.close());

  it('says who the gateway is there', () => {
    expect(account).toBe('Northwind Traders as ada@example.com');
  });

  it('shows by harmless requests what its token allows', async () => {
    for (const { request } of pipedrive.probes(crm.site)) await crm.ask(request);
    expect(fake.heard.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('finds a person by the national digits or as people write them, everybody who shares a number, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: '(212) 555-0147' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '(212) 555-0147' });
    expect(await find('+14155551212')).toMatchObject([]);
    expect(await find('+14155551213')).toMatchObject([
      { id: mariasId, name: 'Maria Silva', phones: ['+1 415 5551212', '4155551213'] },
    ]);
    expect(await find('+12125550147')).toMatchObject([{ name: 'Jon Roe' }, { name: 'Joan Roe' }]);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('brings a stranger whose digits hold those of the caller, with the number that gives him away', async () => {
    fake.addPerson({ name: 'Somebody Else', email: null, phone: '+49 30 2255501234' });
    expect(await find('+12255501234')).toMatchObject([{ phones: ['+49 30 2255501234'] }]);
  });

  it('reads a person, and finds the owner by the whole address', async () => {
    const reference = { object: 'person', id: mariasId };
    const record = pipedrive.parseRecord(
      await crm.ask(pipedrive.readRequest(reference, crm.site)!),
      reference,
      crm.site,
    );
    expect(record).toMatchObject({ id: mariasId, email: 'maria.silva@example.com' });
    expect(await crm.send(pipedrive.readRequest({ object: 'person', id: '999' }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
    const owner = async (email: string) =>
      pipedrive.parseOwner(await crm.ask(pipedrive.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('da@example.com'), await owner('nobody@example.com')]).toEqual([
      '11',
      null,
      null,
    ]);
  });

  it('counts searches, and says how long to wait', async () => {
    now += 2_000;
    const [[request] = []] = pipedrive.searchRequests(phoneQuery('+14155551212'), crm.site);
    for (let count = 0; count < 10; count += 1) await crm.ask(request!);
    expect(await crm.send(request!)).toMatchObject({ trouble: { kind: 'rate_limited', retryAfterMs: 2_000 } });
    fake.failNext({ kind: 'answer', answer: fake.page() });
    expect(await crm.send(request!)).toMatchObject({ trouble: { kind: 'rate_limited', retryAfterMs: null } });
  });

  it.each(['yes', 'no'])(
    'logs a call once though the connection broke after it was written (call logs: %s)',
    async (call_logs) => {
      const site = { ...crm.site, facts: { ...crm.site.facts, call_logs } };
      const call = finishedCall({ id: `call with call logs: ${call_logs}`, agent: { name: 'Grace', ownerId: '12' } });
      const { create, find: findCall, parseFound, parseCreated, update } = pipedrive.logRequests;
      const record = crmRecord({ object: 'person', id: mariasId });
      const look = async () => parseFound(await crm.ask(findCall!(call, record, site, null)), call);
      const before = fake.logged.length;
      expect(await look()).toBeNull();
      fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
      expect(await crm.send(create(call, record, site, null)!)).toMatchObject({
        trouble: { kind: 'no_answer', isUnknown: true },
      });
      const id = await look();
      expect(fake.logged).toHaveLength(before + 1);
      expect(fake.logged.at(-1)).toMatchObject({ id, personId: mariasId });
      await crm.ask(update!(id!, { ...call, notes: 'Wants a copy by post.' }, record, site)!);
      expect(fake.logged).toHaveLength(before + 1);
      expect(fake.logged.at(-1)?.text).toContain('Wants a copy by post.<br>');
      // The answer and the look-up call an entry the same.
      const other = { ...call, id: `another, with call logs: ${call_logs}` };
      const created = parseCreated(await crm.ask(create(other, record, site, null)!), other);
      expect(parseFound(await crm.ask(findCall!(other, record, site, null)), other)).toBe(created);
    },
  );

  it('logs a call of nobody it knows, and finds it again', async () => {
    const call = finishedCall({ id: 'a call of a stranger' });
    const { create, find: findCall, parseFound } = pipedrive.logRequests;
    await crm.ask(create(call, null, crm.site, null)!);
    expect(fake.logged.at(-1)).toMatchObject({ personId: null });
    expect(parseFound(await crm.ask(findCall!(call, null, crm.site, null)), call)).toBe(fake.logged.at(-1)?.id);
  });

  it('logs as its own user what it may not log for others', async () => {
    fake.mayLogForOthers = false;
    const crmOfOne = new CoreExchange(pipedrive, fake);
    await crmOfOne.connect();
    const call = finishedCall({ id: 'a call of Grace', agent: { name: 'Grace', ownerId: '12' } });
    await crmOfOne.ask(pipedrive.logRequests.create(call, null, crmOfOne.site, null)!);
    expect(fake.logged.at(-1)?.fields.user_id).toBeUndefined();
    fake.mayLogForOthers = true;
  });

  it('says which field of a call is wrong', async () => {
    const call = finishedCall({ id: 'ends before it starts', endedAt: new Date('2026-11-20T00:00:00.000Z') });
    expect(await crm.send(pipedrive.logRequests.create(call, null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', field: 'end_time' },
    });
  });

  it('sends notices that verify', () => {
    const url = 'https://gateway.example.com/api/integrations/inbound/pipedrive/abc';
    const at = new Date('2026-11-21T10:00:00.000Z');
    const notice = fake.notice(mariasId, fake.noticeSecret, at);
    const request = { ...notice, url, body: Buffer.from(notice.body), receivedAt: at.getTime() };
    expect(pipedrive.verify(request, fake.noticeSecret)).toBe('ok');
    expect(pipedrive.verify(request, 'another')).toBe('mismatch');
    expect(pipedrive.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'record', record: { id: mariasId, phones: ['+1 415 5551212', '4155551213'] } },
    ]);
  });

  it('refuses another token', async () => {
    const wrong = new CoreExchange(pipedrive, fake, fake.wrongCredentials);
    expect(await wrong.send(pipedrive.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });

  it('is logged in to by the admin’s browser, and gets new tokens with the latest refresh token', async () => {
    const redirectUri = 'https://gateway.example.com/api/integrations/crm/callback';
    const codeVerifier = 'a-verifier-that-is-long-enough-to-be-one-of-forty-three';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { authorizeUrl, codeRequest, parseCode } = pipedrive.authorization!;
    const site = { ...crm.site, credentials: fake.app as never };
    const redirect = await fetch(authorizeUrl(site, { redirectUri, state: 'state-1', codeChallenge }), {
      redirect: 'manual',
    });
    const back = new URL(redirect.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('state-1');
    const request = codeRequest(site, { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier });
    const credentials = parseCode(await crm.ask(request), fake.app as never);
    expect(credentials).toEqual(fake.appCredentials);
    const app = new CoreExchange(pipedrive, fake, credentials as Record<string, string>);
    expect(await app.connect()).toBe('Northwind Traders as ada@example.com');
    fake.expireTokens();
    expect(await app.ask(pipedrive.checkRequest(app.site))).toMatchObject({ status: 200 });
    const late = new CoreExchange(pipedrive, fake, credentials as Record<string, string>);
    expect(await late.send(pipedrive.checkRequest(late.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });
});

describe('a Pipedrive whose token lacks scopes', () => {
  let fake: PipedriveFake;
  let crm: CoreExchange<Credentials>;
  beforeAll(async () => {
    fake = await PipedriveFake.open();
    crm = new CoreExchange(pipedrive, fake);
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('says so, and call logs are activities then', async () => {
    fake.forbidCallLogs();
    const [, callLogs, activities] = pipedrive.probes(crm.site);
    expect(callLogs?.fact).toBe('call_logs');
    expect(await crm.send(callLogs!.request)).toMatchObject({ trouble: { kind: 'forbidden' } });
    expect(await crm.send(activities!.request)).toMatchObject({ kind: 'answer' });
    const site = { ...crm.site, facts: { ...crm.site.facts, call_logs: 'no' } };
    await crm.ask(pipedrive.logRequests.create(finishedCall(), null, site, null)!);
    expect(fake.logged).toMatchObject([{ fields: { type: 'call', duration: '00:03', due_time: '10:15' } }]);
  });

  it('says so of searches and of activities', async () => {
    fake.forbid('pull');
    fake.forbid('write_back');
    for (const { request } of pipedrive.probes(crm.site)) {
      expect(await crm.send(request)).toMatchObject({
        trouble: { kind: 'forbidden', message: expect.stringContaining('Scope and URL mismatch') },
      });
    }
  });
});
