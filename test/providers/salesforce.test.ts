import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrmRequest, CrmResponse, InboundRequest, Site } from '../../src/providers/provider.ts';
import { UnreadableAnswer } from '../../src/providers/provider.ts';
import { salesforce } from '../../src/providers/salesforce.ts';
import { CoreExchange } from '../support/crm/coreExchange.ts';
import { SalesforceFake } from '../support/crm/salesforceFake.ts';
import { answer, crmRecord, finishedCall, phoneQuery } from '../support/crm/samples.ts';

const contactId = '0035g00000MariaAAA';

function siteOf(
  facts: Record<string, string> = { organization: '00D5g00000ABCdEEAX', call_fields: 'yes' },
): Site<never> {
  const credentials = salesforce.credentials.parse({
    domain: 'acme.my.salesforce.com',
    client_id: 'key',
    client_secret: 'secret',
  });
  return {
    credentials,
    addresses: salesforce.addresses(credentials),
    facts,
    options: salesforce.options.parse({}),
  } as unknown as Site<never>;
}

describe('the requests to Salesforce', () => {
  it('search the index for national and international digits, then ask for the usual spellings', () => {
    const [[search] = [], queries = []] = salesforce.searchRequests(phoneQuery('+14155551212'), siteOf());
    expect(new URL(search!.url).searchParams.get('q')).toMatch(
      /^FIND \{4155551212 OR 14155551212\} IN PHONE FIELDS RETURNING Contact\(Id,Name,Email,Phone,/,
    );
    expect(queries).toHaveLength(2);
    expect(new URL(queries[0]!.url).searchParams.get('q')).toContain(
      `Phone IN ('+14155551212','14155551212','4155551212','(415) 555-1212','+1 415 555 1212','415-555-1212',` +
        `'415.555.1212','415 555 1212')`,
    );
  });

  it('ask for no leads where they are hidden', () => {
    const requests = salesforce.searchRequests(phoneQuery('+14155551212'), siteOf({ leads: 'no' })).flat();
    expect(requests).toHaveLength(2);
    for (const { url } of requests) expect(url).not.toContain('Lead');
  });

  it('tell of a call in seconds, and name no field of calls where they are hidden', () => {
    const bodyOf = (site: Site<never>) =>
      JSON.parse(salesforce.logRequests.create(finishedCall(), null, site, null)!.body!) as Record<string, unknown>;
    const { id } = finishedCall();
    expect(bodyOf(siteOf())).toMatchObject({
      Subject: 'Inbound call – Resolved',
      CallType: 'Inbound',
      CallDurationInSeconds: 183,
      CallDisposition: 'Resolved',
      CallObject: id,
      ActivityDate: '2026-11-21',
    });
    expect(bodyOf(siteOf())).not.toHaveProperty('WhoId');
    const plain = bodyOf(siteOf({ call_fields: 'no' }));
    expect(Object.keys(plain).filter((name) => name.startsWith('Call'))).toEqual([]);
    expect(plain.Description).toContain(`\nReadyline call ${id}`);
  });

  it('keep the mark of a call whose notes are too long', () => {
    const call = finishedCall({ notes: '😀'.repeat(20_000) });
    const { Description } = JSON.parse(salesforce.logRequests.create(call, null, siteOf(), null)!.body!) as {
      Description: string;
    };
    expect(Description.length).toBeLessThanOrEqual(32_000);
    expect(Description.endsWith(`\nReadyline call ${call.id}`)).toBe(true);
    expect(Description).not.toMatch(/\p{Surrogate}/u);
  });

  it.each([
    'acme',
    'https://acme.my.salesforce.com/',
    'ACME.my.salesforce.com/lightning/page/home',
    'acme--test.sandbox.my.salesforce.com',
  ])('go to the domain that an admin gives as %s', (domain) => {
    const credentials = salesforce.credentials.parse({ domain, client_id: 'key', client_secret: 'secret' });
    expect(salesforce.addresses(credentials).api).toMatch(/^https:\/\/acme(--test\.sandbox)?\.my\.salesforce\.com$/);
  });

  it.each([
    'evil.example.com',
    'acme.my.salesforce.com.evil.example',
    'acme.my.salesforce.com@evil.example',
    '127.0.0.1',
    '.my.salesforce.com',
    'a b',
  ])('go nowhere else: %s is refused', (domain) => {
    expect(salesforce.credentials.safeParse({ domain, client_id: 'key', client_secret: 'secret' }).success).toBe(false);
  });

  it.each(['Name FROM User', 'Id)', 'a.b.', "x'", 'Account..Name'])(
    'take no part of a query from the options: %s is refused',
    (field) => {
      expect(salesforce.options.safeParse({ tier_field: field }).success).toBe(false);
    },
  );
});

describe('the answers of Salesforce', () => {
  const contact = {
    attributes: { type: 'Contact', url: `/services/data/v62.0/sobjects/Contact/${contactId}` },
    Id: contactId,
    Name: 'Maria Silva',
    Email: 'maria@example.com',
    Phone: '(415) 555-1212',
    MobilePhone: null,
    Title: 'Buyer',
    Account: { attributes: { type: 'Account' }, Name: 'Acme', AccountNumber: 'A-17', Rating: 'Hot' },
  };
  const lead = {
    attributes: { type: 'Lead' },
    Id: '00Q5g00000JonAAA',
    Name: 'Jon Roe',
    Phone: '+442079460018',
    Company: 'Initech',
    Status: 'New',
  };

  it('of a search and of a query become records', () => {
    const found = salesforce.parseSearch(
      answer(200, { searchRecords: [contact, lead, { attributes: { type: 'Account' }, Id: '001' }] }),
      siteOf(),
      {} as CrmRequest,
    );
    expect(found).toEqual([
      {
        object: 'Contact',
        id: contactId,
        name: 'Maria Silva',
        email: 'maria@example.com',
        phones: ['(415) 555-1212'],
        accountNumber: 'A-17',
        tier: 'Hot',
        details: { company: 'Acme', title: 'Buyer' },
        url: null,
      },
      expect.objectContaining({
        object: 'Lead',
        name: 'Jon Roe',
        tier: null,
        details: { company: 'Initech', status: 'New' },
      }),
    ]);
    expect(
      salesforce.parseSearch(answer(200, { totalSize: 1, done: true, records: [lead] }), siteOf(), {} as CrmRequest),
    ).toHaveLength(1);
    expect(salesforce.recordUrl(found[0]!, siteOf())).toBe(
      `https://acme.my.salesforce.com/lightning/r/Contact/${contactId}/view`,
    );
  });

  it.each([
    '',
    '[]',
    'null',
    '<html>',
    '{}',
    '{"records":7}',
    '{"records":[{"attributes":{"type":"Contact"}}]}',
    '"'.repeat(1_000_000),
    '['.repeat(100_000),
  ])('that are none are said to be unreadable, such as %.20j', (body) => {
    expect(() => salesforce.parseSearch(answer(200, body), siteOf(), {} as CrmRequest)).toThrow(UnreadableAnswer);
  });

  it('lead to the organization’s own address only if that is Salesforce’s', () => {
    const authentication = salesforce.authentication(siteOf());
    const apiOf = (instance_url: unknown) =>
      authentication.kind === 'token'
        ? authentication.parseToken(answer(200, { access_token: 't', instance_url })).api
        : 'no token';
    expect(apiOf('https://acme.my.salesforce.com')).toBe('https://acme.my.salesforce.com');
    for (const url of [
      'http://acme.my.salesforce.com',
      'https://evil.example.com',
      'https://salesforce.com.evil.example',
      'https://u@x.salesforce.com',
      undefined,
      7,
    ]) {
      expect(apiOf(url)).toBeNull();
    }
  });

  const one = (errorCode: string, message: string, fields?: string[]) => [
    { errorCode, message, ...(fields && { fields }) },
  ];
  it.each<[string, CrmResponse, unknown]>([
    ['success', answer(200, { records: [] }), null],
    ['success without a body', answer(204, ''), null],
    [
      'an ended session',
      answer(401, one('INVALID_SESSION_ID', 'Session expired or invalid')),
      { kind: 'unauthorized', message: 'INVALID_SESSION_ID: Session expired or invalid' },
    ],
    [
      'a wrong secret',
      answer(400, { error: 'invalid_client', error_description: 'invalid client credentials' }),
      { kind: 'unauthorized', message: 'invalid_client: invalid client credentials' },
    ],
    [
      'a user who may not run the app',
      answer(400, { error: 'invalid_grant', error_description: 'no client credentials user enabled' }),
      expect.objectContaining({ kind: 'unauthorized' }),
    ],
    [
      'the limit of a day',
      answer(403, one('REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.')),
      { kind: 'rate_limited', message: 'REQUEST_LIMIT_EXCEEDED: TotalRequests Limit exceeded.', retryAfterMs: 900_000 },
    ],
    [
      'a missing permission',
      answer(403, one('INSUFFICIENT_ACCESS', 'insufficient access rights')),
      expect.objectContaining({ kind: 'forbidden' }),
    ],
    [
      'an object that is not shown',
      answer(400, one('INVALID_TYPE', "sObject type 'Lead' is not supported.")),
      expect.objectContaining({ kind: 'forbidden' }),
    ],
    [
      'a field that is not shown',
      answer(400, one('INVALID_FIELD', "No such column 'Rating' on entity 'Account'.")),
      expect.objectContaining({ kind: 'forbidden', permission: 'the field Rating' }),
    ],
    [
      'a field that does not exist',
      answer(400, one('INVALID_FIELD', "No such column 'CallObject' on sobject of type Task")),
      expect.objectContaining({ kind: 'invalid', field: 'CallObject' }),
    ],
    [
      'a refused value',
      answer(400, one('STRING_TOO_LONG', 'too long', ['Subject'])),
      { kind: 'invalid', message: 'STRING_TOO_LONG: too long', field: 'Subject' },
    ],
    [
      'a locked row',
      answer(400, one('UNABLE_TO_LOCK_ROW', 'unable to obtain exclusive access')),
      expect.objectContaining({ kind: 'unavailable' }),
    ],
    [
      'a deleted record',
      answer(404, one('ENTITY_IS_DELETED', 'entity is deleted', [])),
      expect.objectContaining({ kind: 'not_found' }),
    ],
    [
      'a second one',
      answer(400, one('DUPLICATE_VALUE', 'duplicate value found')),
      expect.objectContaining({ kind: 'exists' }),
    ],
    [
      'a page with success',
      answer(200, '\n<html><body>Sign in</body></html>', { 'content-type': 'text/html' }),
      expect.objectContaining({ kind: 'unavailable' }),
    ],
    ['a page of a proxy', answer(502, '<html>Bad gateway</html>'), { kind: 'unavailable', message: 'HTTP 502' }],
    [
      'another address',
      answer(302, '', { location: 'http://169.254.169.254/' }),
      { kind: 'unavailable', message: 'HTTP 302' },
    ],
    [
      'words without end',
      answer(500, one('UNKNOWN', 'a '.repeat(400_000))),
      expect.objectContaining({ kind: 'unavailable', message: expect.stringMatching(/^.{500}$/) as string }),
    ],
  ])('say what they mean: %s', (_what, response, failure) => {
    expect(salesforce.classify(response)).toEqual(failure);
  });
});

describe('notices of Salesforce', () => {
  const json = (body: unknown, headers: Record<string, string> = {}): InboundRequest => ({
    method: 'POST',
    url: 'https://gateway.example.com/api/integrations/inbound/salesforce/abc',
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    receivedAt: 0,
  });
  const soap = (body: string) => json(body, { 'content-type': 'text/xml; charset=utf-8' });
  const parse = (request: InboundRequest) => salesforce.parseInbound(request, siteOf());
  const fields =
    '<sf:Id>003n000000NOtUbAAL</sf:Id><sf:FirstName>Kyle</sf:FirstName><sf:LastName>O&apos;Neil &amp; ' +
    '&#83;on</sf:LastName><sf:Phone>(415) 555-1212</sf:Phone>';
  const message = (inner: string, organization = '00D5g00000ABCdEEAX') =>
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><soapenv:Body>' +
    `<notifications xmlns="http://soap.sforce.com/2005/09/outbound"><OrganizationId>${organization}</OrganizationId>` +
    `<SessionId xsi:nil="true"/>${inner}</notifications></soapenv:Body></soapenv:Envelope>`;
  const notification = (inner: string, type = 'sf:Contact') =>
    `<Notification><Id>04ln0000009JvY4AAK</Id><sObject xsi:type="${type}" ` +
    `xmlns:sf="urn:sobject.enterprise.soap.sforce.com">${inner}</sObject></Notification>`;

  it('of a flow carry the issued secret; those of an Outbound Message cannot', () => {
    expect(salesforce.verify(json({}, { 'x-readyline-secret': 's1' }), 's1')).toBe('ok');
    expect(salesforce.verify(json({}, { 'x-readyline-secret': 's2' }), 's1')).toBe('mismatch');
    expect(salesforce.verify(json({}), 's1')).toBe('missing');
    expect(salesforce.verify(json({}), null)).toBe('ok');
    expect(salesforce.verify(soap(message('')), 's1')).toBe('ok');
    expect(salesforce.verify(json('', { 'content-type': 'text/xml', 'x-readyline-secret': 's2' }), 's1')).toBe(
      'mismatch',
    );
  });

  it('come as Outbound Messages of up to a hundred records, and are acknowledged', () => {
    expect(
      parse(
        soap(
          message(
            notification(fields) +
              notification('<sf:Id>00Q1</sf:Id>', 'sf:Lead') +
              notification('<sf:Id>001</sf:Id>', 'sf:Account'),
          ),
        ),
      ),
    ).toEqual([
      {
        kind: 'record',
        key: '04ln0000009JvY4AAK',
        record: expect.objectContaining({
          object: 'Contact',
          id: '003n000000NOtUbAAL',
          name: "Kyle O'Neil & Son",
          phones: ['(415) 555-1212'],
        }) as unknown,
      },
      { kind: 'reference', key: '04ln0000009JvY4AAK', reference: { object: 'Lead', id: '00Q1' } },
      { kind: 'ignored' },
    ]);
    expect(parse(soap(message(notification(fields).repeat(100))))).toHaveLength(100);
    expect(salesforce.inboundAnswer).toMatchObject({
      status: 200,
      contentType: expect.stringContaining('text/xml') as string,
    });
    expect(salesforce.inboundAnswer?.body).toContain(
      '<notificationsResponse xmlns="http://soap.sforce.com/2005/09/outbound"><Ack>true</Ack></notificationsResponse>',
    );
  });

  it('are read with comments, instructions and CDATA', () => {
    const dressed = fields.replace('Kyle', '<!-- first -->Ky<![CDATA[le & ]]><?x y?>Co');
    expect(parse(soap(`<!-- by a flow -->${message(notification(dressed))}<!-- end -->`))).toMatchObject([
      { kind: 'record', record: { name: "Kyle & Co O'Neil & Son" } },
    ]);
  });

  it('of another organization are refused; 15 and 18 characters name the same one', () => {
    expect(parse(soap(message('', '00D5g00000ABCdE')))).toEqual([]);
    expect(() => parse(soap(message('', '00D5g00000ABCdF')))).toThrow(
      'Expected an Outbound Message of the connected organization.',
    );
  });

  it('come as records, one or several, and as changes that have only ids', () => {
    const record = { attributes: { type: 'Contact' }, Id: contactId, Name: 'Maria Silva', Phone: '+14155551212' };
    expect(parse(json(record))).toMatchObject([
      { kind: 'record', record: { id: contactId, phones: ['+14155551212'] } },
    ]);
    expect(parse(json([record, { ...record, IsDeleted: true }]))).toMatchObject([
      { kind: 'record' },
      { kind: 'deleted', reference: { object: 'Contact', id: contactId } },
    ]);
    const change = (changeType: string, entityName = 'Contact') => ({
      Name: { LastName: 'Young' },
      ChangeEventHeader: {
        entityName,
        changeType,
        recordIds: [contactId, '003B'],
        transactionKey: '0002',
        sequenceNumber: 1,
      },
    });
    const ids = [contactId, '003B'].map((id) => ({ reference: { object: 'Contact', id }, key: `0002 1 ${id}` }));
    expect(parse(json(change('UPDATE')))).toEqual(ids.map((one) => ({ kind: 'reference', ...one })));
    expect(parse(json(change('UNDELETE')))).toEqual(ids.map((one) => ({ kind: 'reference', ...one })));
    expect(parse(json(change('DELETE')))).toEqual(ids.map((one) => ({ kind: 'deleted', ...one })));
    expect(parse(json(change('UPDATE', 'Case')))).toEqual([{ kind: 'ignored' }]);
  });

  it.each([
    ['a document type', `<!DOCTYPE a [<!ENTITY x "y">]>${message('')}`],
    ['entities of its own', message('&x;')],
    ['a bare ampersand', message('a & b')],
    ['a character that XML does not have', message('&#0;')],
    ['the same as it is', message('\0')],
    ['entities of HTML', message('&eacute;')],
    ['half a surrogate', message('&#xD800;')],
    ['a number beyond all characters', message('&#x110000;')],
    ['an element that does not end', message('').replace('</notifications>', '')],
    ['another end', message('<a></b>')],
    ['two roots', message('') + message('')],
    ['text beside the root', `${message('')}x`],
    ['no body', '<Envelope/>'],
    ['no message', '<Envelope><Body/></Envelope>'],
    ['too many levels', '<a>'.repeat(40) + '</a>'.repeat(40)],
    ['nothing', ''],
  ])('with %s are unreadable', (_what, body) => {
    expect(() => parse(soap(body))).toThrow(UnreadableAnswer);
  });

  it.each([
    '<a>'.repeat(300_000),
    '<a/>'.repeat(250_000),
    `<a ${'b="c" '.repeat(170_000)}`,
    `<a${' '.repeat(1_000_000)}`,
    `<a b${' '.repeat(1_000_000)}`,
    `<${'a'.repeat(1_000_000)}>`,
    '&'.repeat(1_000_000),
    `<?xml ${'x'.repeat(1_000_000)}`,
    ' '.repeat(1_000_000),
  ])('of a mebibyte of junk are refused at once: %.12j', (junk) => {
    const start = performance.now();
    expect(() => parse(soap(junk))).toThrow(UnreadableAnswer);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it.each(['', '"text"', '7', 'null', '{"attributes":{"type":"Contact"}}', '[{'.repeat(300_000)])(
    'that are nothing of Salesforce’s are unreadable: %.20j',
    (junk) => {
      expect(() => parse(json(junk))).toThrow(UnreadableAnswer);
    },
  );
});

describe('a connected Salesforce', () => {
  let fake: SalesforceFake;
  let crm: CoreExchange<never>;
  let mariasId: string;
  let account: string;
  const groups = async (e164: string) => {
    const found = [];
    for (const group of salesforce.searchRequests(phoneQuery(e164), crm.site)) {
      const records = [];
      for (const request of group) records.push(...salesforce.parseSearch(await crm.ask(request), crm.site, request));
      found.push(records.map(({ name }) => name));
    }
    return found;
  };
  beforeAll(async () => {
    fake = await SalesforceFake.open();
    mariasId = fake.addPerson({
      name: 'Maria Silva',
      email: 'maria.silva@example.com',
      phone: '(415) 555-1212',
      accountNumber: 'A-17',
      tier: 'Hot',
      openTickets: 2,
    });
    crm = new CoreExchange(salesforce, fake) as unknown as CoreExchange<never>;
    account = await crm.connect();
  });
  afterAll(() => fake.close());

  it('knows by itself what its user may do', async () => {
    expect(account).toBe('Acme Corporation (00D5g00000ABCdEEAX)');
    for (const { request } of salesforce.probes(crm.site))
      expect(await crm.send(request)).toMatchObject({ kind: 'answer' });
    expect(crm.site.facts).toEqual({ organization: '00D5g00000ABCdEEAX', leads: 'yes', call_fields: 'yes' });
  });

  it('finds people however the number was typed, everybody who shares it, and nobody else', async () => {
    fake.addPerson({ name: 'Jon Roe', email: null, phone: null, mobile: '+44 20 7946 0018' });
    fake.addLead({ name: 'Joan Roe', email: null, phone: '+442079460018' });
    fake.addLead({ name: 'Joan Roe, converted', email: null, phone: '+442079460018' }, true);
    expect(await groups('+14155551212')).toEqual([['Maria Silva'], ['Maria Silva']]);
    expect(await groups('+442079460018')).toEqual([
      ['Jon Roe', 'Joan Roe'],
      ['Jon Roe', 'Joan Roe'],
    ]);
    expect(await groups('+14155550000')).toEqual([[], []]);
  });

  it('finds by the query what the index does not have yet', async () => {
    fake.forgetInIndex(fake.addPerson({ name: 'Nina Neu', email: null, phone: '+4930123456' }));
    expect(await groups('+4930123456')).toEqual([[], ['Nina Neu']]);
  });

  it('reads a record, counts its open cases, and finds the owner', async () => {
    const reference = { object: 'Contact', id: mariasId };
    const record = salesforce.parseRecord(
      await crm.ask(salesforce.readRequest(reference, crm.site)!),
      reference,
      crm.site,
    );
    expect(record).toMatchObject({
      id: mariasId,
      email: 'maria.silva@example.com',
      accountNumber: 'A-17',
      tier: 'Hot',
    });
    expect(salesforce.parseTickets(await crm.ask(salesforce.ticketsRequest(reference, crm.site)!))).toBe(2);
    const gone = { object: 'Contact', id: '0035g00000GoneAAAA' };
    expect(salesforce.parseRecord(await crm.ask(salesforce.readRequest(gone, crm.site)!), gone, crm.site)).toBeNull();
    const owner = async (email: string) =>
      salesforce.parseOwner(await crm.ask(salesforce.ownerRequest!(email, crm.site)), email);
    expect([await owner('Ada@example.com'), await owner(`' OR IsActive=true OR Email='`)]).toEqual([
      '0055g00000AdaByAAE',
      null,
    ]);
  });

  it('gets a new token when the old one has ended', async () => {
    fake.expireTokens();
    expect(await crm.ask(salesforce.checkRequest(crm.site))).toMatchObject({ status: 200 });
  });

  it('logs a call once though the connection broke after it was written', async () => {
    const call = finishedCall({ agent: { name: 'Ada Byron', ownerId: '0055g00000AdaByAAE' } });
    const record = crmRecord({ object: 'Contact', id: mariasId });
    const { find, parseFound, create, update } = salesforce.logRequests;
    const look = async () => parseFound(await crm.ask(find!(call, record, crm.site, null)), call);
    await crm.ask(create(finishedCall({ id: 'another call of the same moment' }), record, crm.site, null)!);
    expect(await look()).toBeNull();
    fake.failNext({ kind: 'reset_after_commit' }, ({ method }) => method === 'POST');
    expect(await crm.send(create(call, record, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'no_answer', isUnknown: true },
    });
    const id = await look();
    expect(id).toBe(fake.logged[1]?.id);
    expect(fake.logged[1]).toMatchObject({
      personId: mariasId,
      fields: { CallObject: call.id, CallDurationInSeconds: 183, OwnerId: '0055g00000AdaByAAE' },
    });
    await crm.ask(update!(id!, { ...call, notes: 'Wants a copy by post.' }, record, crm.site)!);
    expect(fake.logged).toHaveLength(2);
    expect(fake.logged[1]?.text).toContain('Wants a copy by post.');
  });

  it('says what is wrong with an entry, and that a day’s requests are used up', async () => {
    const site = { ...crm.site, options: { ...crm.site.options, completed_status: 'Erledigt' } } as never;
    expect(await crm.send(salesforce.logRequests.create(finishedCall(), null, site, null)!)).toMatchObject({
      trouble: { kind: 'invalid', field: 'Status' },
    });
    fake.failNext({ kind: 'answer', answer: fake.tooMany() });
    expect(await crm.send(salesforce.checkRequest(crm.site))).toMatchObject({ trouble: { kind: 'rate_limited' } });
  });

  it('sends records that verify, and Outbound Messages that tell as much', () => {
    const at = (notice: { method: string; headers: Record<string, string>; body: string }) => ({
      ...notice,
      url: '',
      body: Buffer.from(notice.body),
      receivedAt: 0,
    });
    const flow = at(fake.notice(mariasId, fake.noticeSecret));
    expect([salesforce.verify(flow, fake.noticeSecret), salesforce.verify(flow, 'another')]).toEqual([
      'ok',
      'mismatch',
    ]);
    const told = [{ kind: 'record', record: { id: mariasId, name: 'Maria Silva', phones: ['(415) 555-1212'] } }];
    expect(salesforce.parseInbound(flow, crm.site)).toMatchObject(told);
    expect(salesforce.parseInbound(at(fake.outboundMessage(mariasId)), crm.site)).toMatchObject(told);
    expect(salesforce.parseInbound(at(fake.outboundMessage(mariasId, ['Email'])), crm.site)).toMatchObject([
      { kind: 'reference', reference: { id: mariasId } },
    ]);
    expect(() => salesforce.parseInbound(at(fake.outboundMessage(mariasId, [], '00D5g00000Others')), crm.site)).toThrow(
      UnreadableAnswer,
    );
  });
});

describe('a Salesforce that hides the fields of calls', () => {
  let fake: SalesforceFake;
  let crm: CoreExchange<never>;
  beforeAll(async () => {
    fake = await SalesforceFake.open();
    fake.hideCallFields();
    crm = new CoreExchange(salesforce, fake) as unknown as CoreExchange<never>;
    await crm.connect();
  });
  afterAll(() => fake.close());

  it('still takes calls, and an earlier entry is found by its mark', async () => {
    expect(crm.site.facts).toMatchObject({ call_fields: 'no' });
    const record = crmRecord({
      object: 'Contact',
      id: fake.addPerson({ name: 'Maria Silva', email: null, phone: '+14155551212' }),
    });
    const { find, parseFound, create } = salesforce.logRequests;
    // The fake writes the time of its own clock into its rows.
    const now = new Date();
    for (const who of [record, null]) {
      const [call, other] = ['1', '12'].map((id) => finishedCall({ id: `${who?.id}-${id}`, startedAt: now }));
      const look = async () => parseFound(await crm.ask(find!(call!, who, crm.site, null)), call!);
      await crm.ask(create(other!, who, crm.site, null)!);
      expect(await look()).toBeNull();
      await crm.ask(create(call!, who, crm.site, null)!);
      expect(await look()).toBe(fake.logged.at(-1)?.id);
    }
  });

  it('says what its user may not see', async () => {
    fake.forbid('write_back');
    fake.forbid('pull');
    const outcomes = [];
    for (const { request } of salesforce.probes(crm.site)) outcomes.push(await crm.send(request));
    expect(outcomes).toMatchObject(Array.from({ length: 4 }, () => ({ trouble: { kind: 'forbidden' } })));
    expect(await crm.send(salesforce.logRequests.create(finishedCall(), null, crm.site, null)!)).toMatchObject({
      trouble: { kind: 'forbidden' },
    });
  });

  it('refuses another app', async () => {
    const wrong = new CoreExchange(salesforce, fake, fake.wrongCredentials);
    expect(await wrong.send(salesforce.checkRequest(wrong.site))).toMatchObject({ trouble: { kind: 'unauthorized' } });
  });
});
