import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboundRequest, type Site, UnreadableAnswer } from '../../src/providers/provider.ts';
import { zendesk } from '../../src/providers/zendesk.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';
import { ZendeskFake } from '../support/crm/zendeskFake.ts';

type Credentials = z.output<typeof zendesk.credentials>;

const address = 'https://acme.zendesk.com';
const { logRequests } = zendesk;

function siteOf(facts: Record<string, string> = { user: '26363597354387' }): Site<Credentials> {
  const credentials = zendesk.credentials.parse({ subdomain: 'acme', client_id: 'c', client_secret: 's&=' });
  return { credentials, addresses: zendesk.addresses(credentials), facts, options: {} };
}

describe('the requests to Zendesk', () => {
  it('carry the id of a call as the key of its ticket', () => {
    const request = logRequests.create(finishedCall(), crmRecord({ object: 'user', id: '1' }), siteOf(), null);
    expect(request?.headers).toMatchObject({ 'idempotency-key': finishedCall().id });
  });

  it('look for the national digits behind a star', () => {
    const [[request] = []] = zendesk.searchRequests(phoneQuery('+14155551212'), siteOf());
    expect(new URL(request!.url).searchParams.get('query')).toBe('role:end-user phone:*4155551212');
  });

  it('make a solved ticket of a call, with a private comment, the agent’s or else the gateway’s own', () => {
    const record = crmRecord({ object: 'user', id: '26363597354400' });
    const written = (call = finishedCall(), site = siteOf()) =>
      (JSON.parse(logRequests.create(call, record, site, null)?.body ?? '') as { ticket: Record<string, unknown> })
        .ticket;
    expect(written()).toMatchObject({
      subject: 'Inbound call – Resolved',
      requester_id: 26363597354400,
      assignee_id: 26363597354387,
      status: 'solved',
      external_id: finishedCall().id,
      comment: {
        public: false,
        body: expect.stringMatching(/^Asked for the invoice of May\.\n\nDirection: inbound\n/) as string,
      },
    });
    expect(written(finishedCall({ agent: { name: 'Ada', ownerId: '26363597354388' } }))).toMatchObject({
      assignee_id: 26363597354388,
    });
    expect(written(finishedCall(), siteOf({}))).not.toHaveProperty('status');
    expect(logRequests.create(finishedCall(), null, siteOf(), null)).toBeNull();
  });

  it('go to the company’s own host at Zendesk, whatever is typed', () => {
    const hostOf = (subdomain: string) =>
      zendesk.addresses(zendesk.credentials.parse({ subdomain, client_id: 'c', client_secret: 's' })).api;
    for (const typed of ['acme', 'ACME.zendesk.com', 'https://acme.zendesk.com/agent/home'])
      expect(hostOf(typed)).toBe(address);
    for (const foreign of [
      'evil.com',
      'zendesk.com',
      'evil.com/.zendesk.com',
      'a@evil.com',
      'evil.com#.zendesk.com',
      '',
    ]) {
      expect(() => hostOf(foreign), foreign).toThrow('must be a host');
    }
  });
});

describe('the answers of Zendesk', () => {
  const [[asked] = []] = zendesk.searchRequests(phoneQuery('+14155551212'), siteOf());
  const parse = (body: unknown) => zendesk.parseSearch(answer(200, body), siteOf(), asked!);

  it('of a search become records', () => {
    const user = {
      id: 26363597354400,
      url: 'https://acme.zendesk.com/api/v2/users/26363597354400.json',
      name: 'Maria Silva',
      email: 'maria@example.com',
    };
    const [record] = parse({
      users: [{ ...user, phone: '+1 415.555.1212', external_id: 'ACC-1', tags: ['gold', 'vip'], role: 'end-user' }],
      count: 1,
    });
    expect(record).toEqual({
      object: 'user',
      id: '26363597354400',
      name: 'Maria Silva',
      email: 'maria@example.com',
      phones: ['+1 415.555.1212'],
      accountNumber: 'ACC-1',
      tier: null,
      details: { tags: 'gold, vip' },
      url: null,
    });
    expect(zendesk.recordUrl(record!, siteOf())).toBe('https://acme.zendesk.com/agent/users/26363597354400');
  });

  it('keep every digit of a long id', () => {
    expect(parse('{"users":[{"id":90071992547409931234}]}')).toMatchObject([{ id: '90071992547409931234' }]);
  });

  it.each(['', '[]', 'null', '<html>', '{"users":[{}]}', '"'.repeat(1_000_000), '['.repeat(100_000)])(
    'that are none are unreadable: %.20j',
    (body) => {
      expect(() => parse(body)).toThrow(UnreadableAnswer);
      expect(() => logRequests.parseCreated(answer(201, body), finishedCall())).toThrow(UnreadableAnswer);
      expect(() => zendesk.parseCheck(answer(200, body), siteOf())).toThrow(UnreadableAnswer);
    },
  );

  it('of nobody who is logged in are no proof of credentials', () => {
    expect(() =>
      zendesk.parseCheck(
        answer(200, { user: { id: null, name: 'Anonymous user', email: 'invalid@example.com' } }),
        siteOf(),
      ),
    ).toThrow(UnreadableAnswer);
  });

  it('are looked through for the call’s own ticket, and for the colleague with exactly that address', () => {
    const call = finishedCall();
    expect(
      logRequests.parseFound(
        answer(200, {
          tickets: [
            { id: 1, external_id: 'other' },
            { id: 2, external_id: call.id },
          ],
        }),
        call,
      ),
    ).toBe('2');
    expect(logRequests.parseFound(answer(200, { tickets: [{ id: 1, external_id: 'other' }] }), call)).toBeNull();
    const users = [
      { id: 1, email: 'ada@example.com', role: 'end-user' },
      { id: 2, email: 'bada@example.com', role: 'agent' },
      { id: 3, email: 'Ada@example.com', role: 'agent' },
    ];
    expect(zendesk.parseOwner(answer(200, { users }), 'ada@example.com')).toBe('3');
  });

  it.each([
    ['a success', answer(201, {}), null],
    [
      'wrong credentials',
      answer(401, { error: "Couldn't authenticate you" }),
      { kind: 'unauthorized', message: "Couldn't authenticate you" },
    ],
    [
      'an unknown client',
      answer(400, { error: 'invalid_client', error_description: 'Unknown client.' }),
      { kind: 'unauthorized', message: 'Unknown client.' },
    ],
    [
      'an error that is an object',
      answer(403, { error: { title: 'Forbidden', message: 'You do not have access.' } }),
      { kind: 'forbidden', message: 'You do not have access.', permission: null },
    ],
    [
      'a wrong field',
      answer(422, {
        error: 'RecordInvalid',
        description: 'Record validation errors',
        details: { subject: [{ description: 'Subject: is too long' }] },
      }),
      { kind: 'invalid', message: 'Record validation errors Subject: is too long', field: 'subject' },
    ],
    [
      'details that are none',
      answer(422, { error: 'RecordInvalid', details: 'no' }),
      { kind: 'invalid', message: 'RecordInvalid', field: null },
    ],
    [
      'another ticket by the same key',
      answer(400, { error: 'IdempotentRequestError' }),
      { kind: 'exists', message: 'IdempotentRequestError' },
    ],
    [
      'nothing there',
      answer(404, { error: 'RecordNotFound', description: 'Not found' }),
      { kind: 'not_found', message: 'Not found' },
    ],
    [
      'a change in the same moment',
      answer(409, { error: 'UpdateConflict' }),
      { kind: 'unavailable', message: 'UpdateConflict' },
    ],
    [
      'too many',
      answer(429, 'Too many', { 'retry-after': '53' }),
      { kind: 'rate_limited', message: 'HTTP 429', retryAfterMs: 53_000 },
    ],
    ['a proxy’s page', answer(503, '<html>'), { kind: 'unavailable', message: 'HTTP 503' }],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(zendesk.classify(response)).toEqual(failure);
  });
});

describe('notices of Zendesk', () => {
  const secret = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';
  const body =
    '{"type":"zen:event-type:user.created","account_id":12514403,"id":"2b24ef10-19d4-4740-93cf-8f98ec4776c0"}';
  const headers = {
    'x-zendesk-webhook-signature-timestamp': '2026-01-01T00:00:00Z',
    'x-zendesk-webhook-signature': 'Tgcg+A6Dno7M3Fxg3HvJkyFun4gFiWjupg+gV3QkSGM=',
  };
  const signed: InboundRequest = {
    method: 'POST',
    url: 'https://g.example.com/x',
    headers,
    body: Buffer.from(body),
    receivedAt: Date.parse('2026-01-01T00:00:00Z'),
  };

  it('are known by their signature', () => {
    expect(zendesk.verify(signed, secret)).toBe('ok');
    expect(zendesk.verify({ ...signed, receivedAt: signed.receivedAt + 300_000 }, secret)).toBe('ok');
  });

  it.each<[string, Partial<InboundRequest>, string | null, string]>([
    ['another secret', {}, 'another', 'mismatch'],
    ['no secret', {}, null, 'missing'],
    ['one byte of the body', { body: Buffer.from(body.replace('12514403', '12514404')) }, secret, 'mismatch'],
    [
      'the time',
      { headers: { ...headers, 'x-zendesk-webhook-signature-timestamp': '2026-01-01T00:00:01Z' } },
      secret,
      'mismatch',
    ],
    [
      'a time that is none',
      { headers: { ...headers, 'x-zendesk-webhook-signature-timestamp': 'now' } },
      secret,
      'stale',
    ],
    ['more than five minutes', { receivedAt: signed.receivedAt + 300_001 }, secret, 'stale'],
    [
      'no signature',
      { headers: { 'x-zendesk-webhook-signature-timestamp': '2026-01-01T00:00:00Z' } },
      secret,
      'missing',
    ],
    [
      'no time',
      { headers: { 'x-zendesk-webhook-signature': headers['x-zendesk-webhook-signature'] } },
      secret,
      'missing',
    ],
  ])('are refused for %s', (_why, differs, withSecret, verdict) => {
    expect(zendesk.verify({ ...signed, ...differs }, withSecret)).toBe(verdict);
  });

  const parse = (given: unknown) =>
    zendesk.parseInbound(
      { ...signed, body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)) },
      siteOf(),
    );

  it('name the user who is to be read, or who is gone', () => {
    const event = {
      account_id: 1,
      id: 'event-1',
      time: '2026-01-01T00:00:00Z',
      subject: 'zen:user:6596848315901',
      detail: { id: '6596848315901' },
    };
    const reference = { object: 'user', id: '6596848315901' };
    expect(parse({ ...event, type: 'zen:event-type:user.created' })).toEqual([
      { kind: 'reference', reference, key: 'event-1' },
    ]);
    expect(parse({ ...event, type: 'zen:event-type:user.deleted' })).toEqual([
      { kind: 'deleted', reference, key: 'event-1' },
    ]);
    for (const other of [
      { type: 'zen:event-type:ticket.created', subject: 'zen:ticket:1' },
      { type: 'zen:event-type:user.created', subject: 'zen:user:../1' },
    ]) {
      expect(parse({ ...event, ...other })).toEqual([{ kind: 'ignored' }]);
    }
  });

  it('of a trigger carry the user, by the template of the guide', () => {
    const user = {
      id: '26363597354400',
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '+14155551212',
      external_id: 'ACC-1',
    };
    expect(parse({ user, ticket: { id: '35436' } })).toMatchObject([
      {
        kind: 'record',
        record: { object: 'user', id: user.id, name: user.name, phones: [user.phone], accountNumber: 'ACC-1' },
      },
    ]);
  });

  it.each(['', '[]', '"text"', '{}', '7', 'x'.repeat(1_048_576), '{"a":'.repeat(200_000)])(
    'that are nothing of Zendesk’s are unreadable: %.20j',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Zendesk', () => {
  let fake: ZendeskFake;
  let now = Date.parse('2026-11-21T10:00:00.000Z');
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  const find = async (e164: string) => {
    const [[request] = []] = zendesk.searchRequests(phoneQuery(e164), crm.site);
    return zendesk.parseSearch(await crm.ask(request!), crm.site, request!);
  };
  beforeAll(async () => {
    fake = await ZendeskFake.open(() => now);
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '(415) 555-1212',
      accountNumber: 'ACC-1',
      openTickets: 3,
    });
    crm = new CoreExchange(zendesk, fake);
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('says who the gateway is there, and that it may read and write', async () => {
    expect(await crm.connect()).toBe('Gateway, gateway@example.com, admin');
    for (const { request } of zendesk.probes(crm.site)) {
      const exchanged = await crm.send(request);
      expect(exchanged.kind === 'answer' || exchanged.trouble.kind === 'not_found').toBe(true);
    }
  });

  it('finds a customer however the number was typed, everybody who shares it, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: '+44 20.7946.0018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '+442079460018' });
    expect(await find('+14155551212')).toMatchObject([
      { id: mariasId, name: 'Maria Silva', phones: ['(415) 555-1212'], accountNumber: 'ACC-1' },
    ]);
    expect(await find('+442079460018')).toMatchObject([{ name: 'Jon Roe' }, { name: 'Joan Roe' }]);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('brings a stranger of another country with the number that gives him away', async () => {
    fake.addPerson({ name: 'Somebody Else', email: null, phone: '+61 2 5550 1234' });
    expect(await find('+49255501234')).toMatchObject([{ phones: ['+61 2 5550 1234'] }]);
  });

  it('reads a customer, counts the open tickets, finds the agent, and forgets who was deleted', async () => {
    const reference = { object: 'user', id: mariasId };
    const read = async (of = reference) =>
      zendesk.parseRecord(await crm.ask(zendesk.readRequest(of, crm.site)!), of, crm.site);
    expect(await read()).toMatchObject({ id: mariasId, email: 'maria@example.com' });
    expect(zendesk.parseTickets(await crm.ask(zendesk.ticketsRequest(reference, crm.site)!))).toBe(3);
    const owner = async (email: string) =>
      zendesk.parseOwner(await crm.ask(zendesk.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('maria@example.com')]).toEqual(['26363597354388', null]);
    const gone = fake.addPerson({ name: 'Gone', email: null, phone: '+14155550001' });
    fake.deletePerson(gone);
    expect(await read({ object: 'user', id: gone })).toBeNull();
    expect(await crm.send(zendesk.readRequest({ object: 'user', id: '99' }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
  });

  it('gets a new token when the old one has ended', async () => {
    now += 31 * 60_000;
    expect(await crm.ask(zendesk.checkRequest(crm.site))).toMatchObject({ status: 200 });
  });

  it('logs a call once though the connection broke after it was written, by the key and later by the external id', async () => {
    const call = finishedCall();
    const record = crmRecord({ object: 'user', id: mariasId });
    const request = logRequests.create(call, record, crm.site, null)!;
    const found = async () =>
      logRequests.parseFound(await crm.ask(logRequests.find!(call, record, crm.site, null)), call);
    expect(await found()).toBeNull();
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'no_answer', isUnknown: true } });
    now += logRequests.nativeForMs! - 1;
    const repeated = await crm.ask(request);
    expect(fake.logged).toHaveLength(1);
    expect(logRequests.parseCreated(repeated, call)).toBe(fake.logged[0]?.id);
    expect(await crm.send({ ...request, body: request.body!.replace('May', 'June') })).toMatchObject({
      trouble: { kind: 'exists' },
    });
    now += 2 * 60 * 60_000;
    expect(await found()).toBe(fake.logged[0]?.id);
    await crm.ask(
      logRequests.update!(fake.logged[0]!.id, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!,
    );
    expect(fake.logged).toHaveLength(1);
    expect(fake.logged[0]?.text).toContain('Wants a copy by post.');
  });

  it('says which field of a ticket is wrong', async () => {
    const request = logRequests.create(
      finishedCall({ id: 'another' }),
      crmRecord({ object: 'user', id: '99' }),
      crm.site,
      null,
    )!;
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'invalid', field: 'requester' } });
  });

  it('sends notices that verify', () => {
    const at = new Date('2026-11-21T10:00:00.000Z');
    const notice = fake.notice(mariasId, fake.noticeSecret, at);
    const request = {
      ...notice,
      url: 'https://g.example.com/x',
      body: Buffer.from(notice.body),
      receivedAt: at.getTime(),
    };
    expect(zendesk.verify(request, fake.noticeSecret)).toBe('ok');
    expect(zendesk.parseInbound(request, crm.site)).toMatchObject([{ kind: 'reference', reference: { id: mariasId } }]);
  });

  it('takes an API token that is still there, and refuses wrong credentials', async () => {
    const typed = new CoreExchange(zendesk, fake, fake.tokenCredentials);
    expect(await typed.connect()).toBe('Gateway, gateway@example.com, admin');
    const wrong = new CoreExchange(zendesk, fake, { ...fake.tokenCredentials, api_token: 'wrong' });
    expect(await wrong.send(zendesk.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    const unknown = new CoreExchange(zendesk, fake, fake.wrongCredentials);
    await expect(unknown.connect()).rejects.toThrow('unauthorized');
  });

  it('says so when an ability was taken from the account', async () => {
    fake.forbid('pull');
    fake.forbid('write_back');
    for (const { request } of zendesk.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'forbidden' } });
  });
});
