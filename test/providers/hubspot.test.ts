import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubspot } from '../../src/providers/hubspot.ts';
import { type InboundRequest, type Site, UnreadableAnswer } from '../../src/providers/provider.ts';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

type Credentials = z.output<typeof hubspot.credentials>;

const maria = { name: 'Maria Silva', email: 'maria.silva@example.com', phone: '(415) 555-1212' };

function siteOf(
  facts: Record<string, string> = { portal: '12345678', domain: 'app-eu1.hubspot.com', call_id_property: 'yes' },
): Site<Credentials> {
  const credentials = hubspot.credentials.parse({ access_token: 'pat-eu1-1' });
  return { credentials, addresses: hubspot.addresses(credentials), facts, options: {} };
}

describe('the requests to HubSpot', () => {
  it('look for the national digits without a leading zero first, in one search of five alternatives', () => {
    const [[search, ...others] = [], ...later] = hubspot.searchRequests(phoneQuery('+390612345678'), siteOf());
    expect([others, later]).toEqual([[], []]);
    expect(search?.isSearch).toBe(true);
    const { filterGroups } = JSON.parse(search?.body ?? '') as { filterGroups: { filters: unknown[] }[] };
    expect(filterGroups).toHaveLength(5);
    expect(filterGroups[0]?.filters).toEqual([
      { propertyName: 'hs_searchable_calculated_phone_number', operator: 'EQ', value: '612345678' },
    ]);
    expect(filterGroups[2]?.filters).toEqual([{ propertyName: 'phone', operator: 'EQ', value: '+390612345678' }]);
  });

  it('tell of a call in milliseconds, with escaped notes, and ask for no disposition that HubSpot does not have', () => {
    const call = finishedCall({ notes: '<b>5 > 3</b> & "so"', agent: { name: 'Ada Byron', ownerId: '77' } });
    const { properties } = JSON.parse(hubspot.logRequests.create(call, null, siteOf(), null)?.body ?? '') as {
      properties: Record<string, string>;
    };
    expect(properties).toMatchObject({
      hs_timestamp: '2026-11-21T10:15:00.000Z',
      hs_call_title: 'Inbound call – Resolved',
      hs_call_duration: '183000',
      hs_call_status: 'COMPLETED',
      hubspot_owner_id: '77',
      readyline_call_id: call.id,
    });
    expect(properties.hs_call_body).toMatch(
      /^&#60;b&#62;5 &#62; 3&#60;\/b&#62; &#38; &#34;so&#34;<br><br>Direction: inbound<br>/,
    );
    expect(properties).not.toHaveProperty('hs_call_disposition');
  });

  it('send the admin’s browser to HubSpot with what it is asked for', () => {
    const app = { ...siteOf(), credentials: { client_id: 'app', client_secret: 'secret' } };
    const url = new URL(
      hubspot.authorization?.authorizeUrl(app, {
        redirectUri: 'https://g.example.com/cb',
        state: 's',
        codeChallenge: 'c',
      }) ?? '',
    );
    expect(url.origin + url.pathname).toBe('https://app.hubspot.com/oauth/authorize');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'app',
      redirect_uri: 'https://g.example.com/cb',
      state: 's',
      code_challenge: 'c',
      code_challenge_method: 'S256',
      scope: expect.stringContaining('crm.objects.contacts.read') as string,
    });
    expect(url.href).not.toContain('secret');
  });
});

describe('the answers of HubSpot', () => {
  const asked = hubspot.searchRequests(phoneQuery('+14155551212'), siteOf())[0]![0]!;
  const contact = {
    id: '501',
    properties: {
      firstname: 'Maria',
      lastname: null,
      email: 'maria@example.com',
      phone: null,
      mobilephone: '+14155551212',
      company: 'Acme',
    },
    createdAt: '2026-01-02T03:04:05.678Z',
    archived: false,
    url: 'https://app-eu1.hubspot.com/contacts/12345678/record/0-1/501',
  };

  it('of a search become records', () => {
    const [record] = hubspot.parseSearch(
      answer(200, { total: 57, results: [contact], paging: { next: { after: '54' } } }),
      siteOf(),
      asked,
    );
    expect(record).toEqual({
      object: 'contact',
      id: '501',
      name: 'Maria',
      email: 'maria@example.com',
      phones: ['+14155551212'],
      accountNumber: null,
      tier: null,
      details: { company: 'Acme' },
      url: contact.url,
    });
  });

  it('keep every digit of a long id', () => {
    const [record] = hubspot.parseSearch(
      answer(200, '{"total":1,"results":[{"id":90071992547409931234,"properties":{}}]}'),
      siteOf(),
      asked,
    );
    expect(record?.id).toBe('90071992547409931234');
  });

  it('lead to a record by HubSpot’s own link, else by the account’s host, never by a script', () => {
    const linkOf = (url: string | undefined) => {
      const [record] = hubspot.parseSearch(answer(200, { results: [{ ...contact, id: '5/1', url }] }), siteOf(), asked);
      return hubspot.recordUrl(record!, siteOf());
    };
    expect(linkOf(contact.url)).toBe(contact.url);
    const own = 'https://app-eu1.hubspot.com/contacts/12345678/record/0-1/5%2F1';
    for (const url of [undefined, 'javascript:alert(1)', 'data:text/html,x', '']) expect(linkOf(url)).toBe(own);
    const strange = siteOf({ portal: '1', domain: 'evil.example.com' });
    expect(hubspot.recordUrl(crmRecord({ object: 'contact', id: '1' }), strange)).toBe(
      'https://app.hubspot.com/contacts/1/record/0-1/1',
    );
  });

  it.each(['', '[]', 'null', '<html>', '{"results":[{"properties":{}}]}', '"'.repeat(1_000_000), '['.repeat(100_000)])(
    'that are none are said to be unreadable, such as %.20j',
    (body) => {
      expect(() => hubspot.parseSearch(answer(200, body), siteOf(), asked)).toThrow(UnreadableAnswer);
      expect(() => hubspot.logRequests.parseCreated(answer(201, body), finishedCall())).toThrow(UnreadableAnswer);
    },
  );

  it.each([
    ['a success', answer(200, {}), null],
    [
      'a wrong token',
      answer(401, { status: 'error', message: 'Bad token' }),
      { kind: 'unauthorized', message: 'Bad token' },
    ],
    [
      'a revoked refresh token',
      answer(400, { error: 'invalid_grant', status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }),
      { kind: 'unauthorized', message: 'missing or invalid refresh token' },
    ],
    [
      'a missing scope',
      answer(403, {
        message: 'No',
        category: 'MISSING_SCOPES',
        errors: [{ context: { requiredGranularScopes: ['a.read', 'b.read'] } }],
      }),
      { kind: 'forbidden', message: 'No', permission: 'a.read, b.read' },
    ],
    [
      'too many in a second',
      answer(429, { message: 'Slow', policyName: 'SECONDLY' }),
      { kind: 'rate_limited', message: 'Slow', retryAfterMs: 1_000 },
    ],
    [
      'too many in ten seconds',
      answer(429, { message: 'Slow', policyName: 'TEN_SECONDLY_ROLLING' }),
      { kind: 'rate_limited', message: 'Slow', retryAfterMs: 10_000 },
    ],
    [
      'too many in a day',
      answer(429, { message: 'Slow', policyName: 'DAILY' }),
      { kind: 'rate_limited', message: 'Slow', retryAfterMs: 3_600_000 },
    ],
    [
      'a wait that is told',
      answer(429, { message: 'Slow', policyName: 'DAILY' }, { 'retry-after': '7' }),
      { kind: 'rate_limited', message: 'Slow', retryAfterMs: 7_000 },
    ],
    [
      'an unknown limit',
      answer(429, { message: 'Slow', policyName: 'constructor' }),
      { kind: 'rate_limited', message: 'Slow', retryAfterMs: null },
    ],
    [
      'a value that is there already',
      answer(400, { message: 'Not valid', errors: [{ code: 'CONFLICTING_UNIQUE_VALUE' }] }),
      { kind: 'exists', message: 'Not valid' },
    ],
    [
      'an unknown disposition',
      answer(400, { message: 'Not valid', errors: [{ context: { propertyName: ['hs_call_disposition'] } }] }),
      { kind: 'invalid', message: 'Not valid', field: 'hs_call_disposition' },
    ],
    ['a bare refusal', answer(400, {}), { kind: 'invalid', message: 'HTTP 400', field: null }],
    [
      'nothing there',
      answer(404, { message: 'resource not found' }),
      { kind: 'not_found', message: 'resource not found' },
    ],
    ['a property that exists', answer(409, { message: 'exists' }), { kind: 'exists', message: 'exists' }],
    ['a locked record', answer(423, { message: 'locked' }), { kind: 'unavailable', message: 'locked' }],
    ['an account on the move', answer(477, { message: 'migration' }), { kind: 'unavailable', message: 'migration' }],
    ['a proxy’s page', answer(502, '<html>Bad gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'words without end',
      answer(500, { message: ' a\n'.repeat(400_000) }),
      { kind: 'unavailable', message: 'a '.repeat(250) },
    ],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(hubspot.classify(response)).toEqual(failure);
  });
});

describe('notices of HubSpot', () => {
  const secret = 'yyyyyyyy-yyyy-yyyy-yyyy-yyyyyyyyyyyy';
  const url = 'https://gw.example.com/v1/crm/hubspot/webhook/acme';
  const body =
    '[{"eventId":1,"subscriptionId":12345,"portalId":62515,"occurredAt":1564113600000,' +
    '"subscriptionType":"contact.creation","attemptNumber":0,"objectId":123,"changeSource":"CRM",' +
    '"changeFlag":"NEW","appId":54321}]';
  const headers = {
    'x-hubspot-request-timestamp': '1700000000000',
    'x-hubspot-signature-v3': 'lTBh3sEcKGobyWVfsVTdByZ+YGKYdXUgwohRJZobrog=',
  };
  const signed: InboundRequest = {
    method: 'POST',
    url,
    headers,
    body: Buffer.from(body),
    receivedAt: 1_700_000_000_000,
  };

  it('are known by their signature', () => {
    expect(hubspot.verify(signed, secret)).toBe('ok');
    expect(hubspot.verify({ ...signed, receivedAt: signed.receivedAt + 300_000 }, secret)).toBe('ok');
  });

  it.each<[string, Partial<InboundRequest>, string | null, string]>([
    ['another secret', {}, 'another', 'mismatch'],
    ['no secret', {}, null, 'missing'],
    ['one byte of the body', { body: Buffer.from(body.replace('123,', '124,')) }, secret, 'mismatch'],
    ['the address', { url: `${url}2` }, secret, 'mismatch'],
    ['the method', { method: 'PUT' }, secret, 'mismatch'],
    ['the time', { headers: { ...headers, 'x-hubspot-request-timestamp': '1700000000001' } }, secret, 'mismatch'],
    ['a time that is no number', { headers: { ...headers, 'x-hubspot-request-timestamp': 'now' } }, secret, 'stale'],
    ['more than five minutes', { receivedAt: signed.receivedAt + 300_001 }, secret, 'stale'],
    ['a time to come', { receivedAt: signed.receivedAt - 300_001 }, secret, 'stale'],
    ['no signature', { headers: { 'x-hubspot-request-timestamp': '1700000000000' } }, secret, 'missing'],
    ['no time', { headers: { 'x-hubspot-signature-v3': headers['x-hubspot-signature-v3'] } }, secret, 'missing'],
  ])('are refused for %s', (_why, differs, withSecret, verdict) => {
    expect(hubspot.verify({ ...signed, ...differs }, withSecret)).toBe(verdict);
  });

  it('with the old signature alone are refused: it tells no time, so that anybody could send it again', () => {
    const old = createHash('sha256')
      .update(secret + body)
      .digest('hex');
    expect(old).toBe('232db2615f3d666fe21a8ec971ac7b5402d33b9a925784df3ca654d05f4817de');
    expect(hubspot.verify({ ...signed, headers: { 'x-hubspot-signature': old } }, secret)).toBe('missing');
  });

  const parse = (given: unknown) =>
    hubspot.parseInbound(
      { ...signed, body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)) },
      siteOf(),
    );
  const event = { eventId: 1, subscriptionId: 12345, portalId: 62515, occurredAt: 1564113600000, objectId: 123 };

  it('name the contact that is to be read, or that is gone', () => {
    expect(
      parse([
        { ...event, subscriptionType: 'contact.creation' },
        { ...event, subscriptionType: 'contact.propertyChange', propertyName: 'phone' },
        { ...event, subscriptionType: 'object.propertyChange', objectTypeId: '0-1', propertyName: 'email' },
        { ...event, subscriptionType: 'contact.deletion' },
        { ...event, subscriptionType: 'object.creation', objectTypeId: '0-3' },
        { ...event, subscriptionType: 'deal.creation' },
        { subscriptionType: 'contact.creation' },
        null,
      ]),
    ).toEqual([
      {
        kind: 'reference',
        reference: { object: 'contact', id: '123' },
        key: '62515 12345 123 1564113600000 contact.creation',
      },
      { kind: 'reference', reference: { object: 'contact', id: '123' }, key: '62515 12345 123 1564113600000 phone' },
      { kind: 'reference', reference: { object: 'contact', id: '123' }, key: '62515 12345 123 1564113600000 email' },
      {
        kind: 'deleted',
        reference: { object: 'contact', id: '123' },
        key: '62515 12345 123 1564113600000 contact.deletion',
      },
      { kind: 'ignored' },
      { kind: 'ignored' },
      { kind: 'ignored' },
    ]);
  });

  it('of a workflow carry the contact', () => {
    expect(
      parse({
        vid: 501,
        properties: { firstname: { value: 'Maria' }, phone: { value: '+14155551212', versions: [] } },
      }),
    ).toMatchObject([
      { kind: 'record', record: { object: 'contact', id: '501', name: 'Maria', phones: ['+14155551212'] }, key: null },
    ]);
    expect(parse({ id: '501', properties: { lastname: 'Silva' } })).toMatchObject([
      { kind: 'record', record: { id: '501', name: 'Silva' } },
    ]);
  });

  it.each(['', '"text"', '{}', '7', 'x'.repeat(1_048_576), '[{'.repeat(300_000)])(
    'that are nothing of HubSpot’s are unreadable: %.20j',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected HubSpot', () => {
  let fake: HubspotFake;
  let now = 0;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  const find = async (e164: string) => {
    now += 1_000;
    const [[request] = []] = hubspot.searchRequests(phoneQuery(e164), crm.site);
    return hubspot.parseSearch(await crm.ask(request!), crm.site, request!);
  };
  beforeAll(async () => {
    fake = await HubspotFake.open(() => now);
    mariasId = fake.addPerson({ ...maria, openTickets: 2 });
    crm = new CoreExchange(hubspot, fake);
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('says whose account it is, and that its scopes suffice', async () => {
    expect(await crm.connect()).toBe('HubSpot 12345678');
    expect(crm.site.facts).toEqual({ portal: '12345678', domain: 'app-eu1.hubspot.com', call_id_property: 'yes' });
    for (const { request } of hubspot.probes(crm.site)) {
      const exchanged = await crm.send(request);
      expect(exchanged.kind === 'answer' || exchanged.trouble.kind === 'not_found').toBe(true);
    }
  });

  it('finds a contact however the number was typed, everybody who shares it, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: null, mobile: '+44 20 7946 0018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '+442079460018' });
    expect(await find('+14155551212')).toMatchObject([
      { id: mariasId, name: 'Maria Silva', phones: ['(415) 555-1212'] },
    ]);
    expect(await find('+442079460018')).toMatchObject([{ name: 'Jon Roe' }, { name: 'Joan Roe' }]);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('brings a stranger whose national digits are the same, with the number that gives him away', async () => {
    fake.addPerson({ name: 'Somebody Else', email: null, phone: '+61 2 5550 1234' });
    expect(await find('+12255501234')).toEqual([]);
    expect(await find('+61255501234')).toMatchObject([{ phones: ['+61 2 5550 1234'] }]);
    expect(await find('+49255501234')).toMatchObject([{ phones: ['+61 2 5550 1234'] }]);
  });

  it('reads a contact, counts its open tickets, and finds the owner by the whole address', async () => {
    const reference = { object: 'contact', id: mariasId };
    const record = hubspot.parseRecord(await crm.ask(hubspot.readRequest(reference, crm.site)!), reference, crm.site);
    expect(record).toMatchObject({
      id: mariasId,
      email: 'maria.silva@example.com',
      details: { lifecycle_stage: 'customer' },
    });
    // Its own address is replaced, that of its pages too.
    expect(hubspot.recordUrl(record!, crm.site)).toBe(`${fake.url}/contacts/12345678/record/0-1/${mariasId}`);
    now += 1_000;
    expect(hubspot.parseTickets(await crm.ask(hubspot.ticketsRequest(reference, crm.site)!))).toBe(2);
    const owner = async (email: string) =>
      hubspot.parseOwner(await crm.ask(hubspot.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('nobody@example.com')]).toEqual(['77', null]);
    expect(await crm.send(hubspot.readRequest({ object: 'contact', id: '999999' }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
  });

  it('counts searches, and says how long to wait', async () => {
    now += 1_000;
    const [[request] = []] = hubspot.searchRequests(phoneQuery('+14155551212'), crm.site);
    for (let count = 0; count < 5; count += 1) await crm.ask(request!);
    expect(await crm.send(request!)).toMatchObject({ trouble: { kind: 'rate_limited', retryAfterMs: 1_000 } });
    now += 1_000;
    await crm.ask(request!);
  });

  it('gets a new token when the old one has ended', async () => {
    fake.expireTokens();
    expect(await crm.ask(hubspot.checkRequest(crm.site))).toMatchObject({ status: 200 });
  });

  it('logs a call once though the connection broke after it was written', async () => {
    const call = finishedCall();
    const { create, find: findCall, parseFound, update } = hubspot.logRequests;
    const record = crmRecord({ object: 'contact', id: mariasId });
    const request = create(call, record, crm.site, null)!;
    expect((await crm.send(findCall!(call, record, crm.site, null))).kind).toBe('failed');
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'no_answer', isUnknown: true } });
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'exists' } });
    expect(fake.logged).toMatchObject([
      { personId: mariasId, fields: { readyline_call_id: call.id, hs_call_duration: '183000' } },
    ]);
    const id = parseFound(await crm.ask(findCall!(call, record, crm.site, null)), call);
    expect(id).toBe(fake.logged[0]?.id);
    await crm.ask(update!(id!, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!);
    expect(fake.logged).toHaveLength(1);
    expect(fake.logged[0]?.text).toContain('Wants a copy by post.<br>');
  });

  it('says which field of a call is wrong', async () => {
    const call = finishedCall({
      id: 'another',
      disposition: { code: 'x', label: 'X', externalValue: '00000000-0000-4000-8000-000000000000' },
    });
    expect(await crm.send(hubspot.logRequests.create(call, null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', field: 'hs_call_disposition' },
    });
  });

  it('sends notices that verify', () => {
    const url = 'https://gateway.example.com/api/integrations/inbound/hubspot/abc';
    const at = new Date('2026-11-21T10:00:00.000Z');
    const notice = fake.notice(mariasId, fake.noticeSecret, at, url);
    const request = { ...notice, url, body: Buffer.from(notice.body), receivedAt: at.getTime() };
    expect(hubspot.verify(request, fake.noticeSecret)).toBe('ok');
    expect(hubspot.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'reference', reference: { object: 'contact', id: mariasId } },
    ]);
  });

  it('is logged in to by the admin’s browser, and once only by the same code', async () => {
    const redirectUri = 'https://gateway.example.com/api/integrations/crm/callback';
    const codeVerifier = 'a-verifier-that-is-long-enough-to-be-one-of-forty-three';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const { authorizeUrl, codeRequest, parseCode } = hubspot.authorization!;
    const app = { client_id: fake.credentials.client_id, client_secret: fake.credentials.client_secret };
    const site = { ...crm.site, credentials: app };
    const redirect = await fetch(authorizeUrl(site, { redirectUri, state: 'state-1', codeChallenge }), {
      redirect: 'manual',
    });
    const back = new URL(redirect.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('state-1');
    const request = codeRequest(site, { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier });
    expect(parseCode(await crm.ask(request), app)).toEqual({ ...app, refresh_token: 'refresh-1' });
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });
});

describe('a HubSpot that lets nothing be prepared', () => {
  let fake: HubspotFake;
  let crm: CoreExchange<Credentials>;
  beforeAll(async () => {
    fake = await HubspotFake.open();
    fake.forbidProperties();
    crm = new CoreExchange(hubspot, fake, { access_token: fake.accessToken });
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('still takes calls, and finds an earlier entry by its mark', async () => {
    expect(crm.site.facts).toMatchObject({ call_id_property: 'no' });
    const { create, find, parseFound } = hubspot.logRequests;
    const [call, other] = [finishedCall(), finishedCall({ id: 'another call of the same moment' })];
    const look = async () => parseFound(await crm.ask(find!(call, null, crm.site, null)), call);
    await crm.ask(create(other, null, crm.site, null)!);
    expect(await look()).toBeNull();
    await crm.ask(create(call, null, crm.site, null)!);
    expect(await look()).toBe(fake.logged[1]?.id);
  });

  it('says which scope is missing', async () => {
    fake.forbid('write_back');
    const [, probe] = hubspot.probes(crm.site);
    expect(await crm.send(probe!.request)).toMatchObject({
      trouble: { kind: 'forbidden', permission: 'crm.objects.contacts.write' },
    });
    fake.forbid('pull');
    const [[search] = []] = hubspot.searchRequests(phoneQuery('+14155551212'), crm.site);
    expect(await crm.send(search!)).toMatchObject({
      trouble: { kind: 'forbidden', permission: 'crm.objects.contacts.read' },
    });
  });

  it('refuses another token', async () => {
    const wrong = new CoreExchange(hubspot, fake, { access_token: 'pat-eu1-wrong' });
    expect(await wrong.send(hubspot.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    const revoked = new CoreExchange(hubspot, fake, fake.wrongCredentials);
    expect(await revoked.send(hubspot.checkRequest(revoked.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });
});
