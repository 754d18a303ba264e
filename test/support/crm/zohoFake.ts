import { createHash, randomUUID } from 'node:crypto';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

type Row = Record<string, unknown>;
type Module = 'Contacts' | 'Leads';

const callTypes = new Set(['Inbound', 'Outbound', 'Missed']);
const users = [
  { id: '6493490000000400001', full_name: 'Ada Byron', email: 'Ada@example.com', status: 'active' },
  { id: '6493490000000400002', full_name: 'Grace Brewster', email: 'grace@example.com', status: 'active' },
];

/**
 * Zoho CRM: contacts and leads by the digits of a number, nothing at all where nobody is found, failures within 2xx.
 */
export class ZohoFake extends FakeCrm {
  readonly id = 'zoho';
  readonly app = { region: 'eu', client_id: '1000.APP', client_secret: 'client-secret-of-1000' };
  readonly credentials = { ...this.app, refresh_token: '1000.refresh-1' };
  readonly wrongCredentials = { ...this.app, refresh_token: '1000.revoked' };
  readonly noticeSecret = 'token-of-the-channel';
  readonly #rows: Record<Module, Map<string, Row>> = { Contacts: new Map(), Leads: new Map() };
  readonly #openCases = new Map<string, number>();
  readonly #calls: Row[] = [];
  readonly #tokens = new Set<string>();
  readonly #codes = new Map<string, { challenge: string; redirectUri: string }>();
  readonly #missingScopes = new Set<string>();
  #lastId = 6_493_490_000_001_291_000n;

  private constructor() {
    super();
  }

  static open(): Promise<ZohoFake> {
    return new ZohoFake().listen();
  }

  addPerson(person: Person): string {
    const id = this.#add('Contacts', person, {
      Account_Name: { name: 'Acme', id: '6493490000000500001' },
      Account_No: person.accountNumber ?? null,
    });
    this.#openCases.set(id, person.openTickets ?? 0);
    return id;
  }

  /** Somebody who is no customer yet. */
  addLead(person: Person): string {
    return this.#add('Leads', person, { Company: 'Acme', Lead_Status: 'Contacted', Rating: person.tier ?? null });
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#missingScopes.add(ability);
  }

  tooMany(): Answer {
    return json(429, {
      code: 'TOO_MANY_REQUESTS',
      details: {},
      message: 'Too many requests fired in concurrency',
      status: 'error',
    });
  }

  /** What the token's address says when it is asked more than ten times in ten minutes. */
  tooManyTokens(): Answer {
    return json(400, {
      error_description: 'You have made too many requests continuously. Please try again after some time.',
      error: 'Access Denied',
      status: 'failure',
    });
  }

  refusedEntry(): Answer {
    return refused('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'Call_Start_Time' });
  }

  notice(personId: string, secret: string, at: Date): Notice {
    const body = {
      server_time: at.getTime(),
      affected_values: [{ record_id: personId, values: { Phone: '555-555-1111' } }],
      query_params: {},
      module: 'Contacts',
      resource_uri: 'https://www.zohoapis.eu/crm/v8/Contacts',
      ids: [personId],
      affected_fields: [{ [personId]: ['Phone'] }],
      operation: 'update',
      channel_id: '1105420521999070702',
      token: secret,
    };
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      body: JSON.stringify(body),
    };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (path === '/oauth/v2/auth') return this.#grant(url.searchParams);
    if (method === 'POST' && path === '/oauth/v2/token') return this.#token(new URLSearchParams(body));
    const token = /^Zoho-oauthtoken (.+)$/.exec(headers.authorization ?? '')?.[1];
    if (token === undefined) {
      return json(401, {
        code: 'AUTHENTICATION_FAILURE',
        details: {},
        message: 'Authentication failed',
        status: 'error',
      });
    }
    if (!this.#tokens.has(token))
      return json(401, { code: 'INVALID_TOKEN', details: {}, message: 'invalid oauth token', status: 'error' });
    if (path === '/crm/v8/org') {
      return json(200, {
        org: [
          { id: '6493490000000020001', company_name: 'Northwind Traders', zgid: '20081234567', country_code: 'DE' },
        ],
      });
    }
    if (path === '/crm/v8/users') return this.#users(url.searchParams);
    const isCalls = path.startsWith('/crm/v8/Calls');
    if (this.#missingScopes.has(isCalls ? 'write_back' : 'pull')) {
      return json(401, {
        code: 'OAUTH_SCOPE_MISMATCH',
        details: {},
        message: 'invalid oauth scope to access this URL',
        status: 'error',
      });
    }
    if (method === 'POST' && path === '/crm/v8/coql') return this.#query(body);
    if (isCalls) return this.#answerCalls(method, url, body);
    const [, module, rest] = /^\/crm\/v8\/(Contacts|Leads)\/(\w+)$/.exec(path) ?? [];
    if (method !== 'GET' || module === undefined || rest === undefined)
      return json(404, { code: 'INVALID_URL_PATTERN', details: {}, message: 'Please check', status: 'error' });
    const fields = (url.searchParams.get('fields') ?? '').split(',');
    if (fields.length > 50)
      return json(400, { code: 'LIMIT_EXCEEDED', details: { limit: 50 }, message: 'Too many fields', status: 'error' });
    const rows = this.#rows[module as Module];
    const found =
      rest === 'search' ? this.#search(rows, url.searchParams) : [rows.get(rest)].filter((row) => row !== undefined);
    return listed(found, fields);
  }

  #add(module: Module, { name, email, phone, mobile }: Person, others: Row): string {
    const id = String((this.#lastId += 1n));
    this.#rows[module].set(id, { id, Full_Name: name, Email: email, Phone: phone, Mobile: mobile ?? null, ...others });
    return id;
  }

  #grant(asked: URLSearchParams): Answer {
    const isAsked =
      asked.get('response_type') === 'code' &&
      asked.get('access_type') === 'offline' &&
      asked.get('client_id') === this.app.client_id;
    if (!isAsked || asked.get('scope') === null) return json(400, { error: 'invalid_client' });
    const code = `1000.${randomUUID()}`;
    const redirectUri = asked.get('redirect_uri') ?? '';
    this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
    const back = new URLSearchParams({
      state: asked.get('state') ?? '',
      code,
      location: 'eu',
      'accounts-server': 'https://accounts.zoho.eu',
    });
    return { status: 302, headers: { location: `${redirectUri}?${back}` }, body: '' };
  }

  #token(form: URLSearchParams): Answer {
    // Zoho tells of failures with 200 here.
    if (form.get('client_id') !== this.app.client_id) return json(200, { error: 'invalid_client' });
    if (form.get('client_secret') !== this.app.client_secret) return json(200, { error: 'invalid_client_secret' });
    const isCode = form.get('grant_type') === 'authorization_code';
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const isGranted = isCode
      ? code?.redirectUri === form.get('redirect_uri') &&
        code.challenge ===
          createHash('sha256')
            .update(form.get('code_verifier') ?? '')
            .digest('base64url')
      : form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === this.credentials.refresh_token;
    if (!isGranted) return json(200, { error: 'invalid_code' });
    const accessToken = `1000.${randomUUID()}`;
    this.#tokens.add(accessToken);
    return json(200, {
      access_token: accessToken,
      ...(isCode ? { refresh_token: this.credentials.refresh_token } : {}),
      scope: 'ZohoCRM.modules.contacts.READ',
      api_domain: 'https://www.zohoapis.eu',
      token_type: 'Bearer',
      expires_in: 3600,
    });
  }

  #users(asked: URLSearchParams): Answer {
    if (asked.get('type') !== 'ActiveUsers')
      return json(400, { code: 'INVALID_DATA', details: {}, message: 'invalid type', status: 'error' });
    return json(200, { users, info: { per_page: 200, count: users.length, page: 1, more_records: false } });
  }

  #search(rows: ReadonlyMap<string, Row>, asked: URLSearchParams): Row[] {
    const digits = (text: unknown) => (typeof text === 'string' ? text.replace(/\D/g, '') : null);
    const wanted = asked.get('phone') ?? '';
    // A plus that was not escaped arrives as a blank, and nothing is found.
    if (wanted.startsWith(' ')) return [];
    const found = [...rows.values()].filter((row) =>
      [row.Phone, row.Mobile].some((typed) => digits(typed) === digits(wanted)),
    );
    return found.slice(0, Number(asked.get('per_page') ?? 200));
  }

  #query(body: string): Answer {
    const { select_query: query } = JSON.parse(body) as { select_query?: string };
    const contact = /^select id from Cases where Related_To = '(\d+)' and Status != 'Closed' limit 200$/.exec(
      query ?? '',
    )?.[1];
    if (contact === undefined) {
      return json(400, {
        code: 'SYNTAX_ERROR',
        details: {},
        message: 'error occurred while parsing the query',
        status: 'error',
      });
    }
    return listed(
      Array.from({ length: this.#openCases.get(contact) ?? 0 }, (_, index) => ({ id: String(index) })),
      ['id'],
    );
  }

  #answerCalls(method: string, url: URL, body: string): Answer {
    if (method === 'GET') {
      const asked = url.searchParams;
      const isNewestFirst = asked.get('sort_by') === 'Created_Time' && asked.get('sort_order') === 'desc';
      const rows = isNewestFirst ? this.#calls.toReversed() : this.#calls;
      return listed(rows.slice(0, Number(asked.get('per_page') ?? 200)), (asked.get('fields') ?? '').split(','));
    }
    const [given = {}] = (JSON.parse(body) as { data: Row[] }).data;
    const invalid = this.#invalidField(given, method === 'POST');
    if (invalid !== null) {
      return refused(given[invalid] === undefined ? 'MANDATORY_NOT_FOUND' : 'INVALID_DATA', 'invalid data', {
        api_name: invalid,
      });
    }
    if (method === 'POST') {
      const id = String((this.#lastId += 1n));
      const row = { ...given, id };
      this.#calls.push(row);
      const who = (given.Who_Id ?? given.What_Id) as { id: string } | undefined;
      this.logged.push({ id, personId: who?.id ?? null, text: String(given.Description), fields: row });
      return json(201, {
        data: [
          {
            code: 'SUCCESS',
            details: { id, Created_Time: '2026-11-21T11:15:00+01:00' },
            message: 'record added',
            status: 'success',
          },
        ],
      });
    }
    const id = url.pathname.slice('/crm/v8/Calls/'.length);
    const entry = this.logged.find((one) => one.id === id);
    const row = this.#calls.find((one) => one.id === id);
    if (entry === undefined || row === undefined)
      return refused('INVALID_DATA', 'the id given seems to be invalid', { id });
    if (given.Call_Type !== undefined || given.Owner !== undefined)
      return refused('NOT_ALLOWED', 'a completed call cannot change', { api_name: 'Call_Type' });
    Object.assign(row, given);
    entry.text = String(row.Description);
    return json(200, { data: [{ code: 'SUCCESS', details: { id }, message: 'record updated', status: 'success' }] });
  }

  #invalidField(call: Row, isNew: boolean): string | null {
    if (!isNew) return null;
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(String(call.Call_Start_Time))) return 'Call_Start_Time';
    if (!callTypes.has(String(call.Call_Type))) return 'Call_Type';
    if (call.Call_Type !== 'Missed' && !/^\d\d+:[0-5]\d$/.test(String(call.Call_Duration))) return 'Call_Duration';
    const idOf = (field: string) => (call[field] as { id: string } | undefined)?.id ?? '';
    if (call.Who_Id !== undefined && !this.#rows.Contacts.has(idOf('Who_Id'))) return 'Who_Id';
    if (call.What_Id !== undefined && (call.$se_module !== 'Leads' || !this.#rows.Leads.has(idOf('What_Id'))))
      return 'What_Id';
    if (call.Owner !== undefined && !users.some(({ id }) => id === idOf('Owner'))) return 'Owner';
    return null;
  }
}

/** Zoho's list of what was asked for; without a body where it is empty. */
function listed(rows: Row[], fields: readonly string[]): Answer {
  if (rows.length === 0) return { status: 204, body: '' };
  const data = rows.map(
    (row) =>
      Object.fromEntries([
        ['id', row.id],
        ...fields.filter((field) => field in row).map((field) => [field, row[field]]),
      ]) as Row,
  );
  return json(200, { data, info: { per_page: 200, count: data.length, page: 1, more_records: false } });
}

/** A failure of the one record, within a status of success. */
function refused(code: string, message: string, details: Row): Answer {
  return json(202, { data: [{ code, details, message, status: 'error' }] });
}
