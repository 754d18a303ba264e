import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intercom } from '../../src/providers/intercom.ts';
import { type InboundRequest, type Site, UnreadableAnswer } from '../../src/providers/provider.ts';
import { IntercomFake } from '../support/crm/intercomFake.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

type Credentials = z.output<typeof intercom.credentials>;

const { logRequests } = intercom;
const contactId = '66439cea83905da73e39822e';

function siteOf(region = 'eu'): Site<Credentials> {
  const credentials = intercom.credentials.parse({ region, access_token: 'token' });
  return {
    credentials,
    addresses: intercom.addresses(credentials),
    facts: { workspace: 'le2pquh0', admin: '991267583', region: 'EU' },
    options: {},
  };
}

describe('the requests to Intercom', () => {
  it('carry the token and the version', () => {
    expect(intercom.authentication(siteOf())).toMatchObject({
      headers: { authorization: 'Bearer token', 'intercom-version': '2.16' },
    });
  });

  it('look for the whole number first, and for how it ends only then', () => {
    const groups = intercom.searchRequests(phoneQuery('+14155551212'), siteOf());
    expect(
      groups.map((group) => group.map(({ body }) => (JSON.parse(body ?? '') as { query: unknown }).query)),
    ).toEqual([
      [{ field: 'formatted_phone', operator: '=', value: '+14155551212' }],
      [{ field: 'phone', operator: '$', value: '4155551212' }],
    ]);
  });

  it('make a note of a call, and an event of its first second', () => {
    const record = crmRecord({ object: 'contact', id: contactId });
    const call = finishedCall({ notes: '<b>5 > 3</b>' });
    expect(JSON.parse(logRequests.create(call, record, siteOf(), null)?.body ?? '')).toEqual({
      body: expect.stringMatching(
        /^<p>Inbound call – Resolved<\/p><p>&#60;b&#62;5 &#62; 3&#60;\/b&#62;<br><br>Direction: inbound<br>/,
      ) as string,
      admin_id: '991267583',
    });
    expect(JSON.parse(logRequests.finish?.('31', call, record, siteOf()).body ?? '')).toMatchObject({
      event_name: 'finished-call',
      created_at: 1_795_256_100,
      id: contactId,
      metadata: { call_id: call.id, duration_seconds: 183, disposition: 'Resolved' },
    });
    expect(logRequests.create(call, null, siteOf(), null)).toBeNull();
  });

  it('go to the region of the workspace', () => {
    expect(['us', 'eu', 'au'].map((region) => siteOf(region).addresses.api)).toEqual([
      'https://api.intercom.io',
      'https://api.eu.intercom.io',
      'https://api.au.intercom.io',
    ]);
    expect(() => siteOf('evil.com')).toThrow();
  });
});

describe('the answers of Intercom', () => {
  const [[asked] = []] = intercom.searchRequests(phoneQuery('+14155551212'), siteOf());
  const parse = (body: unknown) => intercom.parseSearch(answer(200, body), siteOf(), asked!);

  it('of a search become records', () => {
    const tags = { type: 'list', data: [{ type: 'tag', id: '1', name: 'gold' }], total_count: 1 };
    const contact = {
      type: 'contact',
      workspace_id: 'le2pquh0',
      external_id: '874521',
      role: 'user',
      email: 'maria@example.com',
      name: 'Maria Silva',
      tags,
    };
    const [record] = parse({
      type: 'list',
      data: [{ ...contact, id: contactId, phone: '+1 415 555 1212', formatted_phone: '+14155551212' }],
      total_count: 1,
    });
    expect(record).toEqual({
      object: 'contact',
      id: contactId,
      name: 'Maria Silva',
      email: 'maria@example.com',
      phones: ['+14155551212', '+1 415 555 1212'],
      accountNumber: '874521',
      tier: null,
      details: { role: 'user', tags: 'gold' },
      url: null,
    });
    expect(intercom.recordUrl(record!, siteOf())).toBe(
      `https://app.eu.intercom.com/a/apps/le2pquh0/users/${contactId}`,
    );
  });

  it.each(['', '[]', 'null', '<html>', '{"data":[{}]}', '"'.repeat(1_000_000), '['.repeat(100_000)])(
    'that are none are unreadable: %.20j',
    (body) => {
      expect(() => parse(body)).toThrow(UnreadableAnswer);
      expect(() => logRequests.parseCreated(answer(200, body), finishedCall())).toThrow(UnreadableAnswer);
      expect(() => intercom.parseCheck(answer(200, body), siteOf())).toThrow(UnreadableAnswer);
    },
  );

  const errors = (code: string, message: string, field: string | null = null) => ({
    type: 'error.list',
    request_id: 'r',
    errors: [{ code, message, field }],
  });
  it.each([
    ['a success', answer(202, ''), null],
    [
      'a wrong token',
      answer(401, errors('unauthorized', 'Access Token Invalid')),
      { kind: 'unauthorized', message: 'Access Token Invalid' },
    ],
    [
      'a missing permission',
      answer(403, errors('api_plan_restricted', 'No.')),
      { kind: 'forbidden', message: 'No.', permission: null },
    ],
    [
      'a suspended token',
      answer(403, errors('token_suspended', 'Suspended.')),
      { kind: 'unauthorized', message: 'Suspended.' },
    ],
    [
      'a wrong field',
      answer(400, errors('parameter_invalid', 'Too long', 'body')),
      { kind: 'invalid', message: 'Too long', field: 'body' },
    ],
    [
      'nobody there',
      answer(404, errors('not_found', 'User Not Found')),
      { kind: 'not_found', message: 'User Not Found' },
    ],
    [
      'too many',
      answer(429, errors('rate_limit_exceeded', 'Slow down')),
      { kind: 'rate_limited', message: 'Slow down', retryAfterMs: null },
    ],
    ['a proxy’s page', answer(502, '<html>'), { kind: 'unavailable', message: 'HTTP 502' }],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(intercom.classify(response)).toEqual(failure);
  });
});

describe('notices of Intercom', () => {
  const body = '{"type":"notification_event","app_id":"abc123","topic":"ping"}';
  const headers = { 'x-hub-signature': 'sha1=5fa997749c2082d451378c1fb044917e0cdf4c4f' };
  const signed: InboundRequest = {
    method: 'POST',
    url: 'https://g.example.com/x',
    headers,
    body: Buffer.from(body),
    receivedAt: 0,
  };

  it.each<[string, Partial<InboundRequest>, string | null, string]>([
    ['as signed', {}, 'client-secret', 'ok'],
    ['another secret', {}, 'another', 'mismatch'],
    ['no secret', {}, null, 'missing'],
    ['one byte of the body', { body: Buffer.from(body.replace('abc123', 'abc124')) }, 'client-secret', 'mismatch'],
    [
      'another kind of signature',
      { headers: { 'x-hub-signature': headers['x-hub-signature'].replace('sha1', 'sha256') } },
      'client-secret',
      'mismatch',
    ],
    ['no signature', { headers: {} }, 'client-secret', 'missing'],
  ])('are known by their signature: %s', (_why, differs, secret, verdict) => {
    expect(intercom.verify({ ...signed, ...differs }, secret)).toBe(verdict);
  });

  const parse = (given: unknown) =>
    intercom.parseInbound(
      { ...signed, body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)) },
      siteOf(),
    );
  const event = (topic: string, item: unknown, app = 'le2pquh0') => ({
    type: 'notification_event',
    app_id: app,
    topic,
    id: 'notif_1',
    data: { item },
  });
  const contact = { type: 'contact', id: contactId, name: 'Maria Silva', phone: '+14155551212', external_id: '874521' };

  it('carry the contact, or name one that is to be read or is gone', () => {
    const reference = { object: 'contact', id: contactId };
    expect(parse(event('contact.user.updated', contact))).toMatchObject([
      { kind: 'record', record: { ...reference, phones: ['+14155551212'] }, key: 'notif_1' },
    ]);
    expect(
      parse(event('contact.tag.created', { type: 'contact_tag', contact: { type: 'contact', id: contactId } })),
    ).toEqual([{ kind: 'reference', reference, key: 'notif_1' }]);
    expect(parse(event('contact.deleted', contact))).toEqual([{ kind: 'deleted', reference, key: 'notif_1' }]);
    expect(parse(event('ping', { type: 'ping' }))).toEqual([{ kind: 'ping' }]);
    expect(parse(event('conversation.user.created', { type: 'conversation', id: '1' }))).toEqual([{ kind: 'ignored' }]);
    expect(parse(event('contact.user.updated', null))).toEqual([{ kind: 'ignored' }]);
    expect(parse(event('contact.user.updated', contact, 'another'))).toEqual([{ kind: 'ignored' }]);
  });

  it.each(['', '[]', '"text"', '{}', '7', 'x'.repeat(1_048_576), '{"a":'.repeat(200_000)])(
    'that are nothing of Intercom’s are unreadable: %.20j',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Intercom', () => {
  let fake: IntercomFake;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  const find = async (e164: string) => {
    const found = [];
    for (const request of intercom.searchRequests(phoneQuery(e164), crm.site).flat()) {
      found.push(intercom.parseSearch(await crm.ask(request), crm.site, request));
    }
    return found;
  };
  beforeAll(async () => {
    fake = await IntercomFake.open();
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '+1 415-555-1212',
      accountNumber: '874521',
      tier: 'gold',
      openTickets: 2,
    });
    crm = new CoreExchange(intercom, fake);
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('says whose workspace it is, and that the gateway may read and write', async () => {
    expect(await crm.connect()).toBe('Acme, Gateway, gateway@example.com');
    expect(crm.site.facts).toEqual({ workspace: 'le2pquh0', admin: '991267583', region: 'EU' });
    for (const { request } of intercom.probes(crm.site)) {
      const exchanged = await crm.send(request);
      expect(exchanged.kind === 'answer' || exchanged.trouble.kind === 'not_found').toBe(true);
    }
    expect(fake.logged).toEqual([]);
  });

  it('finds a contact by the whole number, else by how it ends, with strangers who only end alike', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: '+442079460018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '+44 20 7946 0018' });
    fake.addPerson({ name: 'Without a country', email: null, phone: '2079460018' });
    expect(await find('+14155551212')).toMatchObject([
      [{ id: mariasId, accountNumber: '874521', details: { tags: 'gold' } }],
      [],
    ]);
    expect(await find('+442079460018')).toMatchObject([
      [{ name: 'Jon Roe' }, { name: 'Joan Roe' }],
      [{ name: 'Jon Roe' }, { name: 'Without a country' }],
    ]);
    expect(await find('+12079460018')).toMatchObject([[], [{ phones: ['+442079460018'] }, { phones: ['2079460018'] }]]);
    expect(await find('+14155550000')).toEqual([[], []]);
  });

  it('reads a contact, counts the open tickets, and finds the teammate', async () => {
    const reference = { object: 'contact', id: mariasId };
    const record = intercom.parseRecord(await crm.ask(intercom.readRequest(reference, crm.site)!), reference, crm.site);
    expect(record).toMatchObject({ id: mariasId, email: 'maria@example.com' });
    expect(intercom.parseTickets(await crm.ask(intercom.ticketsRequest(reference, crm.site)!))).toBe(2);
    const owner = async (email: string) =>
      intercom.parseOwner(await crm.ask(intercom.ownerRequest!(email, crm.site)), email);
    expect([await owner('Ada@example.com'), await owner('nobody@example.com')]).toEqual(['991267584', null]);
    expect(await crm.send(intercom.readRequest({ object: 'contact', id: '99' }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
  });

  it('finds the note though the connection broke after it was written, and takes the event once', async () => {
    const call = finishedCall();
    const record = crmRecord({ object: 'contact', id: mariasId });
    const found = async () =>
      logRequests.parseFound(await crm.ask(logRequests.find!(call, record, crm.site, null)), call);
    expect(await found()).toBeNull();
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(logRequests.create(call, record, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'no_answer', isUnknown: true },
    });
    const id = await found();
    expect(fake.logged).toMatchObject([{ id, personId: mariasId, fields: { admin_id: '991267583' } }]);
    for (let times = 0; times < 2; times += 1) await crm.ask(logRequests.finish!(id!, call, record, crm.site));
    expect([...fake.events.values()]).toMatchObject([
      { event_name: 'finished-call', id: mariasId, metadata: { call_id: call.id } },
    ]);
  });

  it('says what is wrong with a note', async () => {
    const nobody = finishedCall({ agent: { name: 'Ada', ownerId: '1' } });
    const request = logRequests.create(nobody, crmRecord({ object: 'contact', id: mariasId }), crm.site, null)!;
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'not_found', message: 'Resource Not Found' } });
  });

  it('sends notices that verify', () => {
    const notice = fake.notice(mariasId, fake.noticeSecret, new Date('2026-11-21T10:00:00.000Z'));
    const request = { ...notice, url: 'https://g.example.com/x', body: Buffer.from(notice.body), receivedAt: 0 };
    expect(intercom.verify(request, fake.noticeSecret)).toBe('ok');
    expect(intercom.verify(request, 'another')).toBe('mismatch');
    expect(intercom.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'record', record: { id: mariasId, phones: ['+1 415-555-1212'] } },
    ]);
  });

  it('is logged in to by the admin’s browser, and once only by the same code', async () => {
    const codeVerifier = 'a-verifier-that-is-long-enough-to-be-one-of-forty-three';
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const redirectUri = 'https://gateway.example.com/callback';
    const app = intercom.credentials.parse({ region: 'eu', ...fake.app });
    const site = { ...crm.site, credentials: app };
    const { authorizeUrl, codeRequest, parseCode } = intercom.authorization!;
    const redirect = await fetch(authorizeUrl(site, { redirectUri, state: 'state-1', codeChallenge }), {
      redirect: 'manual',
    });
    const back = new URL(redirect.headers.get('location') ?? '');
    expect(back.searchParams.get('state')).toBe('state-1');
    const request = codeRequest(site, { redirectUri, code: back.searchParams.get('code') ?? '', codeVerifier });
    expect(parseCode(await crm.ask(request), app)).toEqual({ ...app, access_token: fake.credentials.access_token });
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });

  it('refuses a wrong token, and says so when an ability was taken from the app', async () => {
    const wrong = new CoreExchange(intercom, fake, fake.wrongCredentials);
    expect(await wrong.send(intercom.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    fake.forbid('pull');
    fake.forbid('write_back');
    for (const { request } of intercom.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'forbidden' } });
  });
});
