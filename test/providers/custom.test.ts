import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { custom } from '../../src/providers/custom.ts';
import type { FinishedCall } from '../../src/providers/finishedCall.ts';
import { type CrmResponse, type InboundRequest, type Site, UnreadableAnswer } from '../../src/providers/provider.ts';
import { CustomFake } from '../support/crm/customFake.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { requireDocumented } from '../support/crm/requestShapes.ts';
import { answer, crmRecord, finishedCall, hostileNotes, phoneQuery } from '../support/crm/samples.ts';
import { customShapes } from '../support/crm/shapes/customShapes.ts';

type Credentials = z.output<typeof custom.credentials>;

const erp = 'https://erp.example.com';
const typed = {
  lookup_url: `${erp}/v1/customers/{digits}?e164={phone}&short={national}`,
  log_url: 'https://hooks.example.com/calls/{call_id}?key=1',
  update_url: 'https://hooks.example.com/calls/{entry_id}',
  record_link: `${erp}/show/{id}`,
};

function siteOf(given: Record<string, string> = typed, options: Record<string, string> = {}): Site<Credentials> {
  const credentials = custom.credentials.parse(given);
  return { credentials, addresses: custom.addresses(credentials), facts: {}, options: custom.options.parse(options) };
}

function logged(call: FinishedCall, site = siteOf(), id = 'K-1'): unknown {
  return JSON.parse(custom.logRequests.create(call, crmRecord({ object: 'contact', id }), site, null)?.body ?? 'null');
}

describe('the requests to a company’s own system', () => {
  it('ask for the number in the forms that the template names', () => {
    const [[request] = []] = custom.searchRequests(phoneQuery('+14155551212'), siteOf());
    expect(request).toEqual({
      method: 'GET',
      url: `${erp}/v1/customers/14155551212?e164=%2B14155551212&short=4155551212`,
      headers: { accept: 'application/json' },
    });
  });

  it.each([
    hostileNotes,
    'a/../../b?c=d#e',
    '..',
    '.',
    '"}]}',
    '%2e%2e',
    '\r\nx-injected: 1',
    '\ud800 half',
    '{notes}{call_id}',
    '__proto__',
  ])('stay what they are for the id and the notes %j', (hostile) => {
    const call = finishedCall({
      id: hostile,
      notes: hostile,
      from: hostile,
      agent: { name: hostile, ownerId: hostile },
      disposition: { code: hostile, label: hostile, externalValue: hostile },
    });
    const record = crmRecord({ object: 'contact', id: hostile });
    const { create, update } = custom.logRequests;
    for (const request of [
      create(call, record, siteOf(), null)!,
      create(call, null, siteOf(), null)!,
      update!(hostile, call, record, siteOf())!,
    ]) {
      expect(request.url).toMatch(/^https:\/\/hooks\.example\.com\//);
      requireDocumented(request, customShapes);
      expect(JSON.parse(request.body ?? '')).toMatchObject({ notes: hostile, call_id: hostile, duration_seconds: 183 });
    }
    expect(new URL(custom.recordUrl(record, siteOf()) ?? '').pathname).toMatch(/^\/show\/[^/]+$/);
  });

  it('carry the body that the admin wrote, numbers and nothing as such', () => {
    const template = {
      kind: 'call',
      line: '{direction} from {from} ({duration_seconds} s)',
      seconds: '{duration_seconds}',
      when: { answered: '{answered_at}' },
      all: ['{notes}', 1, true, null],
    };
    const site = siteOf(typed, { log_body: JSON.stringify(template) });
    expect(logged(finishedCall({ answeredAt: null }), site)).toEqual({
      kind: 'call',
      line: 'inbound from +14155551212 (183 s)',
      seconds: 183,
      when: { answered: null },
      all: ['Asked for the invoice of May.', 1, true, null],
    });
  });

  it('carry the headers of the admin, and the same key for the same call', () => {
    const site = siteOf({ ...typed, header_1: 'Authorization: Bearer a:b ', header_5: 'X-Tenant:acme' });
    expect(custom.authentication(site)).toEqual({
      kind: 'fixed',
      headers: { authorization: 'Bearer a:b', 'x-tenant': 'acme' },
    });
    const request = custom.logRequests.create(finishedCall(), null, site, null);
    expect(request?.headers).toMatchObject({ 'idempotency-key': finishedCall().id });
    expect(custom.logRequests.create(finishedCall(), null, site, null)).toEqual(request);
  });

  it('are not made where there is no address for them', () => {
    const site = siteOf({ lookup_url: `${erp}/{phone}` });
    const record = crmRecord({ object: 'contact', id: '1' });
    expect(custom.logRequests.create(finishedCall(), record, site, null)).toBeNull();
    expect(custom.logRequests.update?.('1', finishedCall(), record, site)).toBeNull();
    expect(custom.recordUrl(record, site)).toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    ['http', { lookup_url: 'http://erp.example.com/{phone}' }],
    ['a placeholder in the host', { lookup_url: 'https://{phone}.example.com/' }],
    ['a user in the address', { lookup_url: 'https://a:b@example.com/{phone}' }],
    ['a fragment', { lookup_url: `${erp}/{phone}#x` }],
    ['a placeholder that there is not', { lookup_url: `${erp}/{number}` }],
    ['a link of a script', { ...typed, record_link: 'javascript:alert({id})' }],
    ['a header without a value', { ...typed, header_1: 'Authorization' }],
    ['a header that says how a request is carried', { ...typed, header_1: 'HOST: 169.254.169.254' }],
    ['two headers in one', { ...typed, header_1: 'A: b\r\nC: d' }],
    ['no lookup address', {}],
  ])('are refused for %s', (_why, given) => {
    expect(custom.credentials.safeParse(given).success).toBe(false);
  });

  it.each<[string, Record<string, string>]>([
    ['a body that is no JSON', { log_body: '{"seconds":{duration_seconds}}' }],
    ['a body that is no object', { log_body: '"{call_id}"' }],
    ['a placeholder that there is not', { log_body: '{"a":"{secret}"}' }],
    ['a path with brackets', { name_path: 'customer[0].name' }],
  ])('are refused for %s', (_why, given) => {
    expect(custom.options.safeParse(given).success).toBe(false);
  });
});

describe('what a company’s own system answers', () => {
  const request = { method: 'GET' as const, url: erp };

  it('becomes records, wherever its fields lie', () => {
    const site = siteOf(typed, {
      records_path: 'result.rows',
      id_path: 'no',
      name_path: 'who.name',
      phone_path: 'numbers.0',
      other_phone_path: 'numbers.1',
      company_path: 'firm',
      account_number_path: 'no',
    });
    const row = {
      no: 17,
      who: { name: 'Maria Silva' },
      numbers: ['+1 415-555-1212', '415 555 1213'],
      email: 'maria.silva@example.com',
      firm: 'Acme',
      open_tickets: 2,
    };
    expect(custom.parseSearch(answer(200, { result: { rows: [row, { who: {} }, null, 7] } }), site, request)).toEqual([
      crmRecord({
        object: 'contact',
        id: '17',
        phones: ['+1 415-555-1212', '415 555 1213'],
        accountNumber: '17',
        details: { company: 'Acme' },
        openTickets: 2,
      }),
    ]);
    expect(custom.parseSearch(answer(200, { id: 'K-1', phone: '1' }), siteOf(), request)).toMatchObject([
      { id: 'K-1', phones: ['1'] },
    ]);
    expect(custom.parseSearch(answer(200, '[{"id":123456789012345678901}]'), siteOf(), request)).toMatchObject([
      { id: '123456789012345678901' },
    ]);
  });

  it('reaches nothing but its own fields', () => {
    const site = siteOf(typed, { name_path: 'constructor.name', email_path: '__proto__.x', tier_path: 'id.length' });
    expect(custom.parseSearch(answer(200, { id: 'K-1' }), site, request)).toMatchObject([
      { name: null, email: null, tier: null },
    ]);
  });

  it('is nobody where it is empty, and at most fifty', () => {
    for (const empty of [
      answer(204, ''),
      answer(404, '{}'),
      answer(200, '[]'),
      answer(200, '{}'),
      answer(200, 'null'),
    ]) {
      expect(custom.parseSearch(empty, siteOf(), request)).toEqual([]);
    }
    const many = Array.from({ length: 10_000 }, (_, id) => ({ id }));
    expect(custom.parseSearch(answer(200, many), siteOf(), request)).toHaveLength(50);
    expect(custom.parseSearch(answer(200, [{ id: 'x'.repeat(501) }]), siteOf(), request)).toEqual([]);
  });

  it.each(['<html></html>', 'x'.repeat(1_048_576), '[{'.repeat(300_000)])(
    'is unreadable where it is no JSON (%#)',
    (body) => {
      expect(() => custom.parseSearch(answer(200, body), siteOf(), request)).toThrow(UnreadableAnswer);
    },
  );

  it('names an entry, or the call names it', () => {
    const { parseCreated } = custom.logRequests;
    const call = finishedCall();
    expect(
      [answer(201, { id: 7 }), answer(204, ''), answer(200, 'thanks')].map((one) => parseCreated(one, call)),
    ).toEqual(['7', call.id, call.id]);
    expect(() => parseCreated(answer(404, '{}'), call)).toThrow('HTTP 404');
  });

  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, {}), null],
    ['nobody', answer(404, { message: 'Nobody' }), null],
    ['a wrong key', answer(401, { message: 'Who are you?' }), { kind: 'unauthorized', message: 'Who are you?' }],
    [
      'a missing right',
      answer(403, { error: { message: 'No' } }),
      { kind: 'forbidden', message: 'No', permission: null },
    ],
    [
      'a wrong field',
      answer(422, { detail: 'agent is missing' }),
      { kind: 'invalid', message: 'agent is missing', field: null },
    ],
    ['a repeat', answer(409, { error: 'Known' }), { kind: 'exists', message: 'Known' }],
    [
      'too much',
      answer(429, '', { 'retry-after': '7' }),
      { kind: 'rate_limited', message: 'HTTP 429', retryAfterMs: 7_000 },
    ],
    [
      'a log-in page',
      answer(200, '<html></html>'),
      { kind: 'unavailable', message: 'HTTP 200 with a page instead of JSON.' },
    ],
    [
      'a redirect',
      answer(302, '', { location: 'http://169.254.169.254/' }),
      { kind: 'unavailable', message: 'HTTP 302' },
    ],
    ['a proxy’s page', answer(502, '<html></html>'), { kind: 'unavailable', message: 'HTTP 502' }],
  ])('tells of %s', (_which, response, failure) => {
    expect(custom.classify(response)).toEqual(failure);
  });
});

describe('notices of a company’s own system', () => {
  // The vector of the Standard Webhooks specification.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const signed: InboundRequest = {
    method: 'POST',
    url: 'https://gateway.example.com/',
    headers,
    body: Buffer.from('{"test": 2432232314}'),
    receivedAt: 1_614_265_330_000,
  };

  it('are known by the signature of Standard Webhooks', () => {
    expect(custom.verify(signed, secret)).toBe('ok');
    expect(
      custom.verify(
        { ...signed, headers: { ...headers, 'webhook-signature': `v1a,x v1,eA== ${headers['webhook-signature']}` } },
        secret,
      ),
    ).toBe('ok');
  });

  it.each<[string, Partial<InboundRequest>, string | null, string]>([
    ['another secret', {}, 'whsec_AAAA', 'mismatch'],
    ['no secret', {}, null, 'missing'],
    ['one byte of the body', { body: Buffer.from('{"test": 2432232315}') }, secret, 'mismatch'],
    ['another id', { headers: { ...headers, 'webhook-id': 'msg_2' } }, secret, 'mismatch'],
    ['another time', { headers: { ...headers, 'webhook-timestamp': '1614265331' } }, secret, 'mismatch'],
    ['a time that is none', { headers: { ...headers, 'webhook-timestamp': 'now' } }, secret, 'stale'],
    ['more than five minutes', { receivedAt: signed.receivedAt + 300_001 }, secret, 'stale'],
    ['no signature', { headers: { ...headers, 'webhook-signature': undefined as never } }, secret, 'missing'],
    [
      'a signature of another version',
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') } },
      secret,
      'mismatch',
    ],
  ])('are refused for %s', (_why, differs, withSecret, verdict) => {
    expect(custom.verify({ ...signed, ...differs }, withSecret)).toBe(verdict);
  });

  const parse = (body: unknown) =>
    custom.parseInbound(
      { ...signed, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
      siteOf(),
    );

  it('have the shape of the interface’s own push', () => {
    const data = {
      name: 'Maria Silva',
      email: 'maria.silva@example.com',
      account_number: 'A-100',
      open_tickets: 2,
      city: 'Porto',
      nested: {},
    };
    expect(parse({ phone_number: '+14155551212', data, external_id: 'K/1', tier: 'gold' })).toEqual([
      {
        kind: 'record',
        record: crmRecord({
          object: 'contact',
          id: 'K/1',
          phones: ['+14155551212'],
          accountNumber: 'A-100',
          tier: 'gold',
          details: { city: 'Porto' },
          openTickets: 2,
        }),
        key: headers['webhook-id'],
      },
    ]);
    expect(parse({ phone_number: '+14155551212', data: {} })).toMatchObject([
      { record: { id: '+14155551212', name: null } },
    ]);
  });

  it.each([
    '',
    '[]',
    '"text"',
    '{}',
    '{"phone_number":"+1"}',
    '{"data":{}}',
    'x'.repeat(1_048_576),
    '[{'.repeat(300_000),
  ])('are unreadable where they are nothing of the kind (%#)', (junk) => {
    expect(() => parse(junk)).toThrow(UnreadableAnswer);
  });
});

describe('a connected system of the company’s own', () => {
  let fake: CustomFake;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  const find = async (e164: string) => {
    const [[request] = []] = custom.searchRequests(phoneQuery(e164), crm.site);
    return custom.parseSearch(await crm.ask(request!), crm.site, request!);
  };
  beforeAll(async () => {
    fake = await CustomFake.open();
    mariasId = fake.addPerson({ name: 'Maria Silva', email: null, phone: '(415) 555-1212', openTickets: 2 });
    crm = new CoreExchange(custom, fake, fake.credentials, {
      records_path: 'customers',
      name_path: 'contact.name',
      email_path: 'contact.email',
    });
  });
  afterAll(() => fake.close());

  it('is known by its host, and may say 404 for nobody', async () => {
    expect(await crm.connect()).toBe('erp.example.com (0 with the number of the trial)');
    fake.saysNotFound = true;
    expect(await crm.connect()).toContain('404');
    expect(await find('+14155550000')).toEqual([]);
    fake.saysNotFound = false;
  });

  it('finds one, several, none, and strangers with the number that gives them away', async () => {
    expect(await find('+14155551212')).toMatchObject([{ id: mariasId, name: 'Maria Silva', openTickets: 2 }]);
    fake.addPerson({ name: 'Somebody Else', email: null, phone: '+49 30 5551212' });
    expect(await find('+14155551212')).toMatchObject([{ phones: ['(415) 555-1212'] }, { phones: ['+49 30 5551212'] }]);
    expect(await find('+14155550000')).toEqual([]);
    expect(custom.recordUrl(crmRecord({ object: 'contact', id: mariasId }), crm.site)).toBe(
      `${fake.url}/show/Kunde%2F1%20%C3%A4`,
    );
  });

  it('takes a call once though the connection broke after it was written', async () => {
    const call = finishedCall();
    const record = crmRecord({ object: 'contact', id: mariasId });
    const { create, update, parseCreated } = custom.logRequests;
    const request = create(call, record, crm.site, null)!;
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'no_answer', isUnknown: true } });
    const id = parseCreated(await crm.ask(request), call);
    expect(fake.logged).toMatchObject([{ id, personId: mariasId, fields: { duration_seconds: 183 } }]);
    await crm.ask(update!(id, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!);
    expect(fake.logged).toMatchObject([{ text: expect.stringContaining('Wants a copy by post.') }]);
  });

  it('refuses another key, too many requests and wrong calls', async () => {
    const wrong = new CoreExchange(custom, fake, fake.wrongCredentials);
    expect(await wrong.send(custom.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    fake.failNext({ kind: 'answer', answer: fake.tooMany() });
    expect(await crm.send(custom.checkRequest(crm.site))).toMatchObject({
      trouble: { kind: 'rate_limited', retryAfterMs: 7_000 },
    });
    fake.failNext({ kind: 'answer', answer: fake.refusedEntry() });
    expect(await crm.send(custom.logRequests.create(finishedCall(), null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', message: 'agent is missing' },
    });
  });

  it('sends notices that verify', () => {
    const at = new Date('2026-11-21T10:00:00.000Z');
    const notice = fake.notice(mariasId, fake.noticeSecret, at);
    const request = {
      ...notice,
      url: 'https://gateway.example.com/',
      body: Buffer.from(notice.body),
      receivedAt: at.getTime(),
    };
    expect(custom.verify(request, fake.noticeSecret)).toBe('ok');
    expect(custom.verify({ ...request, receivedAt: at.getTime() + 301_000 }, fake.noticeSecret)).toBe('stale');
    expect(custom.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'record', record: { id: mariasId, phones: ['(415) 555-1212'] }, key: 'msg_1' },
    ]);
  });
});
