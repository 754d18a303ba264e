import { randomUUID } from 'node:crypto';
import { Malformed, readCondition, type Row, textOf } from './conditions.ts';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

const data = '/services/data/v62.0';
const organization = '00D5g00000ABCdEEAX';
const phones = ['Phone', 'MobilePhone', 'HomePhone', 'OtherPhone'];
const callFields = ['CallObject', 'CallType', 'CallDurationInSeconds', 'CallDisposition'];
const fieldsOf: Record<string, Set<string>> = {
  Contact: new Set([
    'Id',
    'Name',
    'Email',
    ...phones,
    'Title',
    'Account.Name',
    'Account.AccountNumber',
    'Account.Rating',
    'Support_Level__c',
  ]),
  Lead: new Set(['Id', 'Name', 'Email', 'Phone', 'MobilePhone', 'Company', 'Status', 'IsConverted']),
  Case: new Set(['Id', 'ContactId', 'IsClosed']),
  User: new Set(['Id', 'Email', 'IsActive']),
  Organization: new Set(['Id', 'Name']),
  Task: new Set([
    ...[
      'Id',
      'WhoId',
      'OwnerId',
      'Subject',
      'Description',
      'TaskSubtype',
      'Status',
      'Priority',
      'ActivityDate',
      'CreatedDate',
    ],
    ...callFields,
  ]),
};

/** Salesforce: an index of numbers by their digits that lags behind, queries to the letter, limits as 403. */
export class SalesforceFake extends FakeCrm {
  readonly id = 'salesforce';
  readonly credentials = {
    domain: 'acme.my.salesforce.com',
    client_id: '3MVG9client',
    client_secret: 'secret-of-the-app',
  };
  readonly wrongCredentials = { ...this.credentials, client_secret: 'secret-of-another-app' };
  readonly noticeSecret = 'issued-secret-1';
  readonly organization = organization;
  readonly #rows: Record<string, Row[]> = {
    Contact: [],
    Lead: [],
    Case: [],
    Task: [],
    User: [{ Id: '0055g00000AdaByAAE', Email: 'ada@example.com', IsActive: true }],
    Organization: [{ Id: organization, Name: 'Acme Corporation' }],
  };
  readonly #tokens = new Set<string>();
  readonly #forbidden = new Set<string>();
  readonly #notIndexed = new Set<unknown>();
  #showsCallFields = true;

  static open(): Promise<SalesforceFake> {
    return new SalesforceFake().listen();
  }

  addPerson({ name, email, phone, mobile, accountNumber, tier, openTickets = 0 }: Person): string {
    const contacts = this.#rows.Contact ?? [];
    const Id = idOf('003', contacts.length);
    contacts.push({
      ...{
        Id,
        Name: name,
        Email: email,
        Phone: phone,
        MobilePhone: mobile ?? null,
        HomePhone: null,
        OtherPhone: null,
        Title: 'Buyer',
      },
      ...{
        'Account.Name': 'Acme',
        'Account.AccountNumber': accountNumber ?? null,
        'Account.Rating': tier ?? null,
        Support_Level__c: 'Gold',
      },
    });
    for (let count = 0; count < openTickets; count += 1)
      this.#rows.Case?.push({ Id: idOf('500', count), ContactId: Id, IsClosed: false });
    this.#rows.Case?.push({ Id: idOf('500', openTickets), ContactId: Id, IsClosed: true });
    return Id;
  }

  /** Somebody who is not a customer yet, or has become one. */
  addLead({ name, email, phone }: Person, isConverted = false): string {
    const leads = this.#rows.Lead ?? [];
    const Id = idOf('00Q', leads.length);
    leads.push({
      Id,
      Name: name,
      Email: email,
      Phone: phone,
      MobilePhone: null,
      Company: 'Initech',
      Status: 'New',
      IsConverted: isConverted,
    });
    return Id;
  }

  /** The index does not know of the record yet. */
  forgetInIndex(id: string): void {
    this.#notIndexed.add(id);
  }

  /** The user belongs to no call centre. */
  hideCallFields(): void {
    this.#showsCallFields = false;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    for (const object of ability === 'pull' ? ['Contact', 'Lead'] : ['Task']) this.#forbidden.add(object);
  }

  tooMany(): Answer {
    return failed(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.');
  }

  refusedEntry(): Answer {
    return failed(
      400,
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      'Status: bad value for restricted picklist field: Completed',
      ['Status'],
    );
  }

  /** As a flow sends it. */
  notice(personId: string, secret: string): Notice {
    const row = this.#rows.Contact?.find(({ Id }) => Id === personId) ?? {};
    const body = {
      attributes: { type: 'Contact', url: `${data}/sobjects/Contact/${personId}` },
      ...shown(row, [...(fieldsOf.Contact ?? [])]),
    };
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-readyline-secret': secret },
      body: JSON.stringify(body),
    };
  }

  /** As an Outbound Message comes. */
  outboundMessage(personId: string, fields: string[] = ['Email', 'Name', 'Phone'], from = organization): Notice {
    const row = this.#rows.Contact?.find(({ Id }) => Id === personId) ?? {};
    const values = ['Id', ...fields]
      .filter((field) => row[field] != null)
      .map((field) => `<sf:${field}>${escaped(row[field] as string)}</sf:${field}>`);
    const body = `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"
 xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
 <soapenv:Body>
  <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
   <OrganizationId>${from}</OrganizationId>
   <ActionId>04k5g0000004CABAA2</ActionId>
   <SessionId xsi:nil="true"/>
   <EnterpriseUrl>https://acme.my.salesforce.com/services/Soap/c/62.0/00D5g00000ABCdE</EnterpriseUrl>
   <PartnerUrl>https://acme.my.salesforce.com/services/Soap/u/62.0/00D5g00000ABCdE</PartnerUrl>
   <Notification>
    <Id>04l5g00000Notice1AAA</Id>
    <sObject xsi:type="sf:Contact" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">${values.join('')}</sObject>
   </Notification>
  </notifications>
 </soapenv:Body>
</soapenv:Envelope>`;
    return { method: 'POST', headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' }, body };
  }

  protected answer(request: Heard): Answer {
    const answer = this.#answer(request);
    return { ...answer, headers: { ...answer.headers, 'sforce-limit-info': `api-usage=${this.heard.length}/100000` } };
  }

  #answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (method === 'POST' && path === '/services/oauth2/token') return this.#token(new URLSearchParams(body));
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined || !this.#tokens.has(token))
      return failed(401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    try {
      if (method === 'GET' && path === `${data}/search`) return this.#search(url.searchParams.get('q') ?? '');
      if (method === 'GET' && path === `${data}/query`) return this.#query(url.searchParams.get('q') ?? '');
    } catch (error) {
      if (error instanceof Malformed) return failed(400, 'MALFORMED_QUERY', error.message);
      throw error;
    }
    const tasks = `${data}/sobjects/Task`;
    if (method === 'POST' && path === tasks) return this.#write(null, body);
    if (method === 'PATCH' && path.startsWith(`${tasks}/`)) return this.#write(path.slice(tasks.length + 1), body);
    return failed(404, 'NOT_FOUND', 'The requested resource does not exist');
  }

  #token(form: URLSearchParams): Answer {
    if (form.get('grant_type') !== 'client_credentials')
      return json(400, { error: 'unsupported_grant_type', error_description: 'grant type not supported' });
    if (form.get('client_id') !== this.credentials.client_id) {
      return json(400, { error: 'invalid_client_id', error_description: 'client identifier invalid' });
    }
    if (form.get('client_secret') !== this.credentials.client_secret) {
      return json(400, { error: 'invalid_client', error_description: 'invalid client credentials' });
    }
    const accessToken = `${organization.slice(0, 15)}!${randomUUID()}`;
    this.#tokens.add(accessToken);
    return json(200, {
      access_token: accessToken,
      signature: 'c2lnbmVk',
      instance_url: this.url,
      id: `https://login.salesforce.com/id/${organization}/0055g00000AdaByAAE`,
      token_type: 'Bearer',
      issued_at: '1700000000000',
      scope: 'api',
    });
  }

  /** What is wrong with naming these fields of an object; null: nothing. */
  #problem(object: string, fields: string[]): Answer | null {
    const known = fieldsOf[object];
    if (known === undefined || this.#forbidden.has(object))
      return failed(400, 'INVALID_TYPE', `sObject type '${object}' is not supported.`);
    const unknown = fields.find(
      (field) => !known.has(field) || (object === 'Task' && !this.#showsCallFields && callFields.includes(field)),
    );
    return unknown === undefined
      ? null
      : failed(
          400,
          'INVALID_FIELD',
          `\nSELECT ^ ERROR at Row:1:Column:8\nNo such column '${unknown}' on entity '${object}'.`,
        );
  }

  #search(sosl: string): Answer {
    const [, find, returning = ''] = /^FIND \{(.*)\} IN PHONE FIELDS RETURNING (.+)$/.exec(sosl) ?? [];
    const terms = find?.split(' OR ') ?? [];
    const isMalformed =
      terms.length === 0 ||
      terms.some((term) => term.length < 2 || /[&|!(){}[\]^"~:\\'+-]/.test(term) || /^[*?]/.test(term));
    if (isMalformed) return failed(400, 'MALFORMED_SEARCH', `line 1:6 no viable alternative at character near ${find}`);
    const found: unknown[] = [];
    for (const [, object = '', list = '', where, limit] of returning.matchAll(
      /(\w+)\(([^()]*?)(?: WHERE ([^()]*?))? LIMIT (\d+)\)/g,
    )) {
      const fields = list.split(',');
      const condition = where === undefined ? null : readCondition(where, 'backslash');
      const problem = this.#problem(object, [...fields, ...(condition?.fields ?? [])]);
      if (problem !== null) return problem;
      const isHit = (row: Row) =>
        !this.#notIndexed.has(row.Id) &&
        (condition?.holds(row) ?? true) &&
        phones.some((field) => terms.includes(textOf(row[field]).replace(/\D/g, '')));
      found.push(
        ...(this.#rows[object] ?? [])
          .filter(isHit)
          .slice(0, Number(limit))
          .map((row) => recordOf(object, row, fields)),
      );
    }
    return json(200, { searchRecords: found });
  }

  #query(soql: string): Answer {
    const [, list = '', object = '', where, order, limit] =
      /^SELECT (.+?) FROM (\w+)(?: WHERE (.+?))?(?: ORDER BY (\w+ (?:DESC|ASC)))?(?: LIMIT (\d+))?$/.exec(soql) ?? [];
    if (object === '') throw new Malformed(`unexpected token: ${soql.slice(0, 20)}`);
    const condition = where === undefined ? null : readCondition(where, 'backslash');
    const fields = list === 'COUNT()' ? [] : list.split(',');
    const problem = this.#problem(object, [...fields, ...(condition?.fields ?? [])]);
    if (problem !== null) return problem;
    const all = (this.#rows[object] ?? []).filter((row) => condition?.holds(row) ?? true);
    if (list === 'COUNT()') return json(200, { totalSize: all.length, done: true, records: [] });
    const ordered = order === undefined ? all : all.toReversed();
    const rows = ordered.slice(0, Number(limit ?? 2_000));
    return json(200, { totalSize: rows.length, done: true, records: rows.map((row) => recordOf(object, row, fields)) });
  }

  /** @param id null: a new one */
  #write(id: string | null, body: string): Answer {
    const fields = JSON.parse(body) as Row;
    if (this.#forbidden.has('Task'))
      return failed(403, 'INSUFFICIENT_ACCESS', 'insufficient access rights on object id');
    const problem = this.#problemOfTask(fields, id !== null);
    if (problem !== null) return problem;
    if (id !== null) {
      const task = this.#rows.Task?.find(({ Id }) => Id === id);
      if (task === undefined) return failed(404, 'NOT_FOUND', 'The requested resource does not exist');
      Object.assign(task, fields);
      const logged = this.logged.find((one) => one.id === id);
      if (logged !== undefined) logged.text = textOf(task.Description);
      return { status: 204, body: '' };
    }
    const Id = idOf('00T', this.logged.length);
    const task = { Id, WhoId: null, CreatedDate: new Date().toISOString(), ...fields };
    this.#rows.Task?.push(task);
    this.logged.push({
      id: Id,
      personId: (fields.WhoId as string | undefined) ?? null,
      text: textOf(fields.Description),
      fields: task,
    });
    return json(201, { id: Id, success: true, errors: [] });
  }

  #problemOfTask(fields: Row, isUpdate: boolean): Answer | null {
    const isHidden = (field: string) =>
      !fieldsOf.Task?.has(field) || (!this.#showsCallFields && callFields.includes(field));
    const unknown = Object.keys(fields).find(isHidden);
    if (unknown !== undefined)
      return failed(400, 'INVALID_FIELD', `No such column '${unknown}' on sobject of type Task`);
    const { WhoId, Subject, Description, TaskSubtype, Status, ActivityDate, CallDurationInSeconds } = fields;
    if (isUpdate && TaskSubtype !== undefined) {
      return failed(400, 'INVALID_FIELD_FOR_INSERT_UPDATE', 'Unable to create/update fields: TaskSubtype.', [
        'TaskSubtype',
      ]);
    }
    if (typeof Subject !== 'string' || Subject.length > 255)
      return failed(400, 'STRING_TOO_LONG', 'Subject: data value too large', ['Subject']);
    if (typeof Description !== 'string' || Description.length > 32_000)
      return failed(400, 'STRING_TOO_LONG', 'Description: data value too large', ['Description']);
    if (isUpdate) return null;
    const people = [...(this.#rows.Contact ?? []), ...(this.#rows.Lead ?? [])];
    if (WhoId !== undefined && !people.some(({ Id }) => Id === WhoId))
      return failed(400, 'MALFORMED_ID', `Name ID: id value of incorrect type: ${textOf(WhoId)}`, ['WhoId']);
    if (Status !== 'Completed') return this.refusedEntry();
    if (typeof ActivityDate !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(ActivityDate))
      return failed(400, 'JSON_PARSER_ERROR', 'Cannot deserialize instance of date');
    if (CallDurationInSeconds !== undefined && !Number.isInteger(CallDurationInSeconds))
      return failed(400, 'JSON_PARSER_ERROR', 'Cannot deserialize instance of int');
    return null;
  }
}

function idOf(prefix: string, index: number): string {
  return `${prefix}5g0000${String(index + 1).padStart(6, '0')}AAA`;
}

function recordOf(object: string, row: Row, fields: string[]): Row {
  return { attributes: { type: object, url: `${data}/sobjects/${object}/${textOf(row.Id)}` }, ...shown(row, fields) };
}

/** Fields by their names; those of another record are within that. */
function shown(row: Row, fields: string[]): Row {
  const result: Row = {};
  for (const field of fields) {
    const [first = '', second] = field.split('.');
    if (second === undefined) result[first] = row[field] ?? null;
    else result[first] = { ...(result[first] as Row | undefined), [second]: row[field] ?? null };
  }
  return result;
}

function failed(status: number, errorCode: string, message: string, fields?: string[]): Answer {
  return json(status, [{ message, errorCode, ...(fields === undefined ? {} : { fields }) }]);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
