import { randomUUID } from 'node:crypto';
import { type Row, textOf } from './conditions.ts';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

const adasId = '62826bf03710200044e0bfc8bcbe5df1';
const interactionColumns = new Set([
  ...[
    'type',
    'direction',
    'caller_phone_number',
    'contact',
    'account',
    'opened_at',
    'closed_at',
    'state',
    'short_description',
    'work_notes',
  ],
  ...['assigned_to', 'opened_for', 'context_table', 'context_document'],
]);

/** ServiceNow: ignores the columns that it does not know and returns whatever is left of a query. */
export class ServicenowFake extends FakeCrm {
  readonly id = 'servicenow';
  readonly credentials = {
    instance: 'acme.service-now.com',
    client_id: 'client-1',
    client_secret: 'secret-of-client-1',
  };
  readonly wrongCredentials = { ...this.credentials, client_secret: 'secret-of-client-2' };
  /** The other way. */
  readonly userCredentials = { instance: 'acme.service-now.com', username: 'readyline', password: 'pässword:1' };
  readonly noticeSecret = 'issued-secret-1';
  readonly #tokens = new Set<string>();
  readonly #forbidden = new Set<string>();
  readonly #rows: Record<string, Row[]> = {
    customer_contact: [],
    csm_consumer: [],
    sys_user: [
      { sys_id: adasId, email: 'ada@example.com', active: 'true', name: 'Ada Byron', phone: '', mobile_phone: '' },
    ],
    sn_customerservice_case: [],
    incident: [],
    interaction: [],
  };

  static open(): Promise<ServicenowFake> {
    return new ServicenowFake().listen();
  }

  addPerson(person: Person): string {
    return this.addTo('customer_contact', person);
  }

  addTo(
    table: 'customer_contact' | 'sys_user',
    { name, email, phone, mobile, accountNumber, tier, openTickets = 0 }: Person,
  ): string {
    const rows = this.#rows[table] ?? [];
    const sys_id = String(rows.length + 1).padStart(32, 'b');
    const [first_name = '', ...others] = name.split(' ');
    rows.push({
      ...{
        sys_id,
        name,
        first_name,
        last_name: others.join(' '),
        email: email ?? '',
        phone: phone ?? '',
        mobile_phone: mobile ?? '',
        title: 'Buyer',
      },
      ...{
        vip: tier === undefined ? 'false' : 'true',
        'account.number': accountNumber ?? '',
        'account.name': 'Boxeo',
        sys_mod_count: '4',
        active: 'true',
      },
    });
    const [cases, column] =
      table === 'sys_user' ? (['incident', 'caller_id'] as const) : (['sn_customerservice_case', 'contact'] as const);
    for (let count = 0; count < openTickets; count += 1) this.#rows[cases]?.push({ [column]: sys_id, active: 'true' });
    this.#rows[cases]?.push({ [column]: sys_id, active: 'false' });
    return sys_id;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    for (const table of ability === 'pull' ? ['customer_contact', 'csm_consumer'] : ['interaction'])
      this.#forbidden.add(table);
  }

  tooMany(): Answer {
    const headers = {
      'retry-after': '40',
      'x-ratelimit-limit': '500',
      'x-ratelimit-reset': '1700003600',
      'x-ratelimit-rule': '5f1c',
    };
    return failed(429, 'Rate limit exceeded', 'The number of requests per hour is used up', headers);
  }

  /** A failure with a status of success. */
  refusedEntry(): Answer {
    return failed(200, 'Operation Failed', 'State closed_complete is not allowed');
  }

  /** As the script of the guide sends it. */
  notice(personId: string, secret: string): Notice {
    const { 'account.number': number, ...row } =
      this.#rows.customer_contact?.find(({ sys_id }) => sys_id === personId) ?? {};
    const body = { table: 'customer_contact', operation: 'update', record: { ...row, account: { number } } };
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-readyline-secret': secret },
      body: JSON.stringify(body),
    };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (method === 'POST' && path === '/oauth_token.do') return this.#token(new URLSearchParams(body));
    const { username, password } = this.userCredentials;
    const [, scheme, secret = ''] = /^(Basic|Bearer) (.+)$/.exec(headers.authorization ?? '') ?? [];
    const isKnown =
      scheme === 'Basic'
        ? Buffer.from(secret, 'base64').toString('utf8') === `${username}:${password}`
        : this.#tokens.has(secret);
    if (!isKnown) return failed(401, 'User Not Authenticated', 'Required to provide Auth information');
    const [, table = '', id] = /^\/api\/now\/(?:v2\/)?table\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (this.#forbidden.has(table)) return failed(403, 'User Not Authorized', 'Failed API level ACL Validation');
    const counted = /^\/api\/now\/stats\/(\w+)$/.exec(path)?.[1];
    if (method === 'GET' && counted !== undefined) {
      const count = this.#select(counted, url.searchParams.get('sysparm_query') ?? '').length;
      return json(200, { result: { stats: { count: String(count) } } });
    }
    if (this.#rows[table] === undefined) return failed(400, `Invalid table ${table}`, null);
    if (method === 'GET' && id === undefined) {
      const rows = this.#select(table, url.searchParams.get('sysparm_query') ?? '');
      const shown = rows
        .slice(0, Number(url.searchParams.get('sysparm_limit') ?? 10_000))
        .map((row) => fieldsOf(row, url.searchParams));
      return json(200, { result: shown }, { 'x-total-count': String(rows.length) });
    }
    if (table === 'interaction' && method === 'POST') return this.#create(body);
    const row = this.#rows[table].find(({ sys_id }) => sys_id === id);
    if (row === undefined)
      return failed(404, 'No Record found', "Record doesn't exist or ACL restricts the record retrieval");
    if (method === 'GET') return json(200, { result: fieldsOf(row, url.searchParams) });
    if (table === 'interaction' && method === 'PATCH') return this.#update(row, body);
    return failed(405, 'Method not allowed', null);
  }

  #token(form: URLSearchParams): Answer {
    const isClient =
      form.get('client_id') === this.credentials.client_id &&
      form.get('client_secret') === this.credentials.client_secret;
    if (!isClient || form.get('grant_type') !== 'client_credentials')
      return json(401, { error: 'server_error', error_description: 'access_denied' });
    const accessToken = randomUUID().replaceAll('-', '');
    this.#tokens.add(accessToken);
    return json(200, { access_token: accessToken, scope: 'useraccount', token_type: 'Bearer', expires_in: 1_799 });
  }

  /** Rows for which an encoded query holds. Parts that name an unknown column are as if they were not there. */
  #select(table: string, query: string): Row[] {
    const rows = this.#rows[table] ?? [];
    const known = new Set([
      ...rows.flatMap((row) => Object.keys(row)),
      'sys_created_on',
      'short_description',
      'active',
      'email',
      'phone',
      'mobile_phone',
    ]);
    const groups = query.split('^').reduce<string[][]>((all, part) => {
      const last = all.at(-1);
      if (part.startsWith('OR') && last !== undefined) last.push(part.slice(2));
      else all.push([part]);
      return all;
    }, []);
    const conditions = groups
      .map((parts) => parts.flatMap((part) => conditionOf(part, known)))
      .filter((parts) => parts.length > 0);
    return rows.filter((row) => conditions.every((parts) => parts.some((holds) => holds(row))));
  }

  #create(body: string): Answer {
    const given = JSON.parse(body) as Row;
    const sys_id = randomUUID().replaceAll('-', '');
    const kept = Object.fromEntries(Object.entries(given).filter(([column]) => interactionColumns.has(column)));
    const row: Row = {
      ...kept,
      sys_id,
      number: `IMS${String(this.logged.length + 1).padStart(7, '0')}`,
      sys_created_on: timeOf(new Date()),
    };
    row.short_description = textOf(row.short_description).slice(0, 160);
    this.#rows.interaction?.push(row);
    this.logged.push({
      id: sys_id,
      personId: (row.contact ?? row.opened_for ?? null) as string | null,
      text: textOf(row.work_notes),
      fields: row,
    });
    return json(201, { result: row });
  }

  #update(row: Row, body: string): Answer {
    const { work_notes, short_description } = JSON.parse(body) as Row;
    row.short_description = textOf(short_description).slice(0, 160);
    const logged = this.logged.find(({ id }) => id === row.sys_id);
    // A journal: what was there stays.
    if (logged !== undefined) logged.text = `${textOf(work_notes)}\n\n${logged.text}`;
    return json(200, { result: row });
  }
}

function conditionOf(part: string, known: Set<string>): ((row: Row) => boolean)[] {
  const [, column = '', operator, value = ''] = /^([a-z_.]+)(=|>|LIKE|ENDSWITH)(.*)$/s.exec(part) ?? [];
  if (!known.has(column)) return [];
  const text = (row: Row) => textOf(row[column]).toLowerCase();
  const wanted = value.toLowerCase();
  if (operator === '=') return [(row) => text(row) === wanted];
  if (operator === '>') return [(row) => text(row) > wanted];
  return [(row) => (operator === 'LIKE' ? text(row).includes(wanted) : text(row).endsWith(wanted))];
}

/** Columns that do not exist are left out without a word. */
function fieldsOf(row: Row, query: URLSearchParams): Row {
  const fields = query.get('sysparm_fields')?.split(',') ?? Object.keys(row);
  return Object.fromEntries(fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]));
}

function timeOf(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

function failed(status: number, message: string, detail: string | null, headers: Record<string, string> = {}): Answer {
  return json(status, { error: { message, detail }, status: 'failure' }, headers);
}
