import type { z } from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshdesk } from '../../src/providers/freshdesk.ts';
import { type InboundRequest, type Site, UnreadableAnswer } from '../../src/providers/provider.ts';
import { FreshdeskFake } from '../support/crm/freshdeskFake.ts';
import { CoreExchange, crmClient, unboundCounters } from '../support/crm/coreExchange.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

type Credentials = z.output<typeof freshdesk.credentials>;

const address = 'https://acme.freshdesk.com';
const { logRequests } = freshdesk;

function siteOf(options: Record<string, string> = {}): Site<Credentials> {
  const credentials = freshdesk.credentials.parse({ domain: 'acme', api_key: 'key' });
  return {
    credentials,
    addresses: freshdesk.addresses(credentials),
    facts: { agent: '70000000001' },
    options: freshdesk.options.parse(options),
  };
}

describe('the requests to Freshdesk', () => {
  it('look for two spellings and no more, each in both fields, with the plus written out', () => {
    const groups = freshdesk.searchRequests(phoneQuery('+14155551212'), siteOf());
    expect(groups.map((group) => group.map(({ url }) => url.slice(`${address}/api/v2/contacts?`.length)))).toEqual([
      ['phone=%2B14155551212', 'mobile=%2B14155551212'],
      ['phone=(415)%20555-1212', 'mobile=(415)%20555-1212'],
    ]);
    expect(groups.flat().every(({ isSearch }) => isSearch)).toBe(true);
  });

  it('make a closed phone ticket of a call, the agent’s where Freshdesk knows him', () => {
    const record = crmRecord({ object: 'contact', id: '501002381517' });
    const call = finishedCall({ notes: '<b>5 > 3</b>', agent: { name: 'Ada Byron', ownerId: '70000000002' } });
    expect(JSON.parse(logRequests.create(call, record, siteOf(), null)?.body ?? '')).toEqual({
      requester_id: 501002381517,
      responder_id: 70000000002,
      subject: 'Inbound call – Resolved',
      description: expect.stringMatching(
        /^<div>&#60;b&#62;5 &#62; 3&#60;\/b&#62;<br><br>Direction: inbound<br>.*Readyline call [^<]+<\/div>$/,
      ) as string,
      source: 3,
      status: 5,
      priority: 1,
      tags: ['readyline-call'],
    });
    expect(logRequests.create(call, null, siteOf(), null)).toBeNull();
  });

  it('ask for an open ticket only where the admin chose that', () => {
    const record = crmRecord({ object: 'contact', id: '1' });
    expect(logRequests.place?.request(finishedCall(), record, siteOf())).toBeNull();
    expect(logRequests.place?.request(finishedCall(), null, siteOf({ log_as: 'open_ticket' }))).toBeNull();
    expect(logRequests.place?.request(finishedCall(), record, siteOf({ log_as: 'open_ticket' }))?.url).toContain(
      '/tickets?requester_id=1&',
    );
  });

  it('go to the company’s own host at Freshdesk, whatever is typed', () => {
    const hostOf = (domain: string) => freshdesk.addresses(freshdesk.credentials.parse({ domain, api_key: 'k' })).api;
    for (const typed of ['acme', 'Acme.freshdesk.com', 'https://acme.freshdesk.com/a/dashboard'])
      expect(hostOf(typed)).toBe(address);
    for (const foreign of ['evil.com', 'freshdesk.com', 'evil.com/.freshdesk.com', 'evil.com#.freshdesk.com', '']) {
      expect(() => hostOf(foreign), foreign).toThrow('must be a host');
    }
  });
});

describe('the limits of an account at Freshdesk', () => {
  const told = (total?: string) =>
    freshdesk.limits.told?.(answer(200, '[]', total === undefined ? {} : { 'x-ratelimit-total': total })) ?? null;

  it.each<[string, number, number]>([
    ['200', 180, 18],
    ['400', 360, 90],
    ['700', 630, 180],
    ['1000', 900, 180],
    // What is left of a trial, and nonsense.
    ['50', 45, 18],
    ['1', 1, 1],
    ['99999999', 9_000, 180],
    // Of contacts alone, perhaps.
    ['20', 180, 18],
    ['100', 360, 90],
  ])('are nine tenths of what its answers tell: %s', (total, all, searches) => {
    expect(told(total)).toEqual({ all: { count: all, perMs: 60_000 }, searches: { count: searches, perMs: 60_000 } });
  });

  it('are those of the smallest plan where they tell nothing', () => {
    expect(freshdesk.limits).toMatchObject({ all: { count: 180 }, searches: { count: 18 } });
    for (const total of [undefined, '', 'many', '0', '-5']) expect(told(total)).toBeNull();
  });
});

describe('the answers of Freshdesk', () => {
  const [[asked] = []] = freshdesk.searchRequests(phoneQuery('+14155551212'), siteOf());
  const parse = (body: unknown) => freshdesk.parseSearch(answer(200, body), siteOf(), asked!);

  it('of a search become records, and keep every digit of a long id', () => {
    const contact = {
      active: false,
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: null,
      mobile: '+14155551212',
      unique_external_id: 'ACC-1',
      tags: ['gold'],
    };
    const [record, other] = parse(`[${JSON.stringify({ ...contact, id: 501002381517 })},{"id":18914437796192716480}]`);
    expect(record).toEqual({
      object: 'contact',
      id: '501002381517',
      name: 'Maria Silva',
      email: 'maria@example.com',
      phones: ['+14155551212'],
      accountNumber: 'ACC-1',
      tier: null,
      details: { tags: 'gold' },
      url: null,
    });
    expect(other?.id).toBe('18914437796192716480');
    expect(freshdesk.recordUrl(record!, siteOf())).toBe('https://acme.freshdesk.com/a/contacts/501002381517');
  });

  it.each(['', '{}', 'null', '<html>', '[{}]', '"'.repeat(1_000_000), '['.repeat(100_000)])(
    'that are none are unreadable: %.20j',
    (body) => {
      expect(() => parse(body)).toThrow(UnreadableAnswer);
      expect(() => logRequests.parseCreated(answer(201, body), finishedCall())).toThrow(UnreadableAnswer);
    },
  );

  it.each([
    ['a success', answer(201, {}), null],
    [
      'a wrong key',
      answer(401, { code: 'invalid_credentials', message: 'You have to be logged in.' }),
      { kind: 'unauthorized', message: 'You have to be logged in.' },
    ],
    [
      'a missing role',
      answer(403, { code: 'access_denied', message: 'No access.' }),
      { kind: 'forbidden', message: 'No access.', permission: null },
    ],
    [
      'a wrong field',
      answer(400, {
        description: 'Validation failed',
        errors: [{ field: 'subject', message: 'It should be a String', code: 'invalid_value' }],
      }),
      { kind: 'invalid', message: 'Validation failed subject: It should be a String', field: 'subject' },
    ],
    [
      'a value that is not unique',
      answer(409, {
        description: 'Validation failed',
        errors: [{ field: 'email', message: 'It should be a unique value', code: 'duplicate_value' }],
      }),
      { kind: 'invalid', message: 'Validation failed email: It should be a unique value', field: 'email' },
    ],
    ['nothing there', answer(404, ''), { kind: 'not_found', message: 'HTTP 404' }],
    [
      'too many',
      answer(429, { message: 'Slow down' }, { 'retry-after': '42' }),
      { kind: 'rate_limited', message: 'Slow down', retryAfterMs: 42_000 },
    ],
    ['a proxy’s page', answer(502, '<html>'), { kind: 'unavailable', message: 'HTTP 502' }],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(freshdesk.classify(response)).toEqual(failure);
  });
});

describe('notices of Freshdesk', () => {
  const notice: InboundRequest = {
    method: 'POST',
    url: 'https://g.example.com/x',
    headers: {},
    body: Buffer.from('{}'),
    receivedAt: 0,
  };
  const parse = (given: unknown) =>
    freshdesk.parseInbound(
      { ...notice, body: Buffer.from(typeof given === 'string' ? given : JSON.stringify(given)) },
      siteOf(),
    );

  it('are known by their address, and by the secret where the rule can send one', () => {
    expect(freshdesk.verify(notice, 'secret')).toBe('ok');
    expect(freshdesk.verify({ ...notice, headers: { 'x-readyline-secret': 'secret' } }, 'secret')).toBe('ok');
    expect(freshdesk.verify({ ...notice, headers: { 'x-readyline-secret': 'Secret' } }, 'secret')).toBe('mismatch');
    expect(freshdesk.verify({ ...notice, headers: { 'x-readyline-secret': '' } }, 'secret')).toBe('missing');
  });

  it('carry the contact, by the template of the guide', () => {
    const freshdesk_webhook = {
      ticket_id: 11,
      contact_id: 501002381517,
      ticket_contact_name: 'Maria Silva',
      ticket_contact_phone: '',
      ticket_contact_mobile: '+14155551212',
    };
    expect(parse({ freshdesk_webhook })).toMatchObject([
      { kind: 'record', record: { id: '501002381517', name: 'Maria Silva', phones: ['+14155551212'] }, key: null },
    ]);
    expect(parse({ freshdesk_webhook: { ticket_id: 11 } })).toEqual([{ kind: 'ignored' }]);
  });

  it.each(['', '[]', '"text"', '{}', '7', 'x'.repeat(1_048_576), '{"a":'.repeat(200_000)])(
    'that are nothing of Freshdesk’s are unreadable: %.20j',
    (junk) => {
      expect(() => parse(junk)).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Freshdesk', () => {
  let fake: FreshdeskFake;
  let now = 0;
  let crm: CoreExchange<Credentials>;
  let mariasId: string;
  const find = async (e164: string) => {
    now += 60_000;
    const found = [];
    for (const group of freshdesk.searchRequests(phoneQuery(e164), crm.site)) {
      for (const request of group) found.push(...freshdesk.parseSearch(await crm.ask(request), crm.site, request));
    }
    return found;
  };
  const log = async (site: Site<Credentials>, call = finishedCall()) => {
    const record = crmRecord({ object: 'contact', id: mariasId });
    const asking = logRequests.place!.request(call, record, site);
    const place = asking === null ? null : logRequests.place!.parse(await crm.ask(asking));
    const request = logRequests.create(call, record, site, place)!;
    const found = async () => logRequests.parseFound(await crm.ask(logRequests.find!(call, record, site, place)), call);
    return { call, record, request, found };
  };
  beforeAll(async () => {
    fake = await FreshdeskFake.open(() => now);
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria@example.com',
      phone: '(415) 555-1212',
      accountNumber: 'ACC-1',
      openTickets: 2,
    });
    crm = new CoreExchange(freshdesk, fake, fake.credentials, {}, crmClient({ counters: unboundCounters }));
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('says who the gateway is there, and that it may read and write', async () => {
    expect(await crm.connect()).toBe('Gateway, gateway@example.com');
    for (const { request } of freshdesk.probes(crm.site)) {
      const exchanged = await crm.send(request);
      expect(exchanged.kind === 'answer' || exchanged.trouble.kind === 'not_found').toBe(true);
    }
  });

  it('finds a contact as people write numbers there or in E.164, everybody who shares it, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: null, mobile: '+442079460018' });
    fake.addPerson({ name: 'Joan Roe', email: null, phone: '020 7946 0018' });
    fake.addPerson({ name: 'Dotted', email: null, phone: '020.7946.0018' });
    expect(await find('+14155551212')).toMatchObject([{ id: mariasId, name: 'Maria Silva', accountNumber: 'ACC-1' }]);
    expect(await find('+442079460018')).toMatchObject([{ name: 'Jon Roe' }, { name: 'Joan Roe' }]);
    expect(await find('+14155550000')).toEqual([]);
  });

  it('reads a contact, counts the open tickets, and finds the agent', async () => {
    now += 60_000;
    const reference = { object: 'contact', id: mariasId };
    const record = freshdesk.parseRecord(
      await crm.ask(freshdesk.readRequest(reference, crm.site)!),
      reference,
      crm.site,
    );
    expect(record).toMatchObject({ id: mariasId, email: 'maria@example.com' });
    expect(freshdesk.parseTickets(await crm.ask(freshdesk.ticketsRequest(reference, crm.site)!))).toBe(2);
    const owner = async (email: string) =>
      freshdesk.parseOwner(await crm.ask(freshdesk.ownerRequest!(email, crm.site)), email);
    expect([await owner('ada@example.com'), await owner('nobody@example.com')]).toEqual(['70000000002', null]);
    expect(await crm.send(freshdesk.readRequest({ object: 'contact', id: '99' }, crm.site)!)).toMatchObject({
      trouble: { kind: 'not_found' },
    });
  });

  it('is asked too much by more than twenty requests for contacts a minute', async () => {
    now += 60_000;
    const [[request] = []] = freshdesk.searchRequests(phoneQuery('+14155551212'), crm.site);
    for (let count = 0; count < 20; count += 1) await crm.ask(request!);
    expect(await crm.send(request!)).toMatchObject({ trouble: { kind: 'rate_limited', retryAfterMs: 42_000 } });
  });

  it.each([
    ['a private note in the newest open ticket', 'open_ticket', /^conversations\//, { private: true, ticket_id: 12 }],
    ['a closed ticket', 'ticket', /^tickets\//, { source: 3, status: 5 }],
  ])(
    'finds what was logged though the connection broke after it was written, and changes it later: %s',
    async (_what, logAs, id, fields) => {
      const site = { ...crm.site, options: freshdesk.options.parse({ log_as: logAs }) };
      const before = fake.logged.length;
      const { call, record, request, found } = await log(site, finishedCall({ id: `call-${logAs}` }));
      expect(await found()).toBeNull();
      fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
      expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'no_answer', isUnknown: true } });
      const path = await found();
      expect(path).toMatch(id);
      await crm.ask(logRequests.update!(path!, { ...call, notes: 'Wants a copy by post.' }, record, site)!);
      expect(fake.logged.slice(before)).toMatchObject([
        { personId: mariasId, fields, text: expect.stringContaining('Wants a copy by post.<br>') as string },
      ]);
    },
  );

  it('gets a closed ticket where nothing is open', async () => {
    fake.closeTickets();
    const { call, request } = await log(
      { ...crm.site, options: { log_as: 'open_ticket' } },
      finishedCall({ id: 'call-3' }),
    );
    expect(logRequests.parseCreated(await crm.ask(request), call)).toMatch(/^tickets\//);
  });

  it('says which field of a ticket is wrong', async () => {
    const { request } = await log(crm.site, finishedCall({ agent: { name: 'Ada', ownerId: '99' } }));
    expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'invalid', field: 'responder_id' } });
  });

  it('sends notices that are taken', () => {
    const sent = fake.notice(mariasId, fake.noticeSecret);
    const request = { ...sent, url: 'https://g.example.com/x', body: Buffer.from(sent.body), receivedAt: 0 };
    expect(freshdesk.verify(request, fake.noticeSecret)).toBe('ok');
    expect(freshdesk.verify(request, 'another')).toBe('mismatch');
    expect(freshdesk.parseInbound(request, crm.site)).toMatchObject([
      { kind: 'record', record: { id: mariasId, phones: ['(415) 555-1212'] } },
    ]);
  });

  it('refuses a wrong key, and says so when an ability was taken from the account', async () => {
    now += 60_000;
    const wrong = new CoreExchange(freshdesk, fake, fake.wrongCredentials);
    expect(await wrong.send(freshdesk.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
    fake.forbid('pull');
    fake.forbid('write_back');
    for (const { request } of freshdesk.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ trouble: { kind: 'forbidden' } });
  });
});
