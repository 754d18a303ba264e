import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Answer, FakeCrm, type Heard, html, json, type Notice, type Person } from './fakeCrm.ts';

const outcomes = new Set(['connected', 'no_answer', 'left_message', 'left_voicemail', 'wrong_number', 'busy']);
const callLogFields = new Set([
  'activity_id',
  'deal_id',
  'duration',
  'end_time',
  'from_phone_number',
  'lead_id',
  'note',
  'org_id',
  'outcome',
  'person_id',
  'start_time',
  'subject',
  'to_phone_number',
  'user_id',
]);
const activityFields = new Set([
  'deal_id',
  'done',
  'due_date',
  'due_time',
  'duration',
  'note',
  'org_id',
  'owner_id',
  'participants',
  'subject',
  'type',
]);
const utc = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
/** The user to whom the token belongs, and another one. */
const users = [
  { id: 11, name: 'Ada Byron', email: 'ada@example.com', active_flag: true },
  { id: 12, name: 'Grace Brewster', email: 'grace@example.com', active_flag: true },
];

type Activity = { id: number; person: number | null; note: string; subject: string; addedAt: number };

/**
 * Pipedrive: persons by a part of their number as typed, call logs that are activities too, scopes,
 * a page instead of an answer.
 */
export class PipedriveFake extends FakeCrm {
  readonly id = 'pipedrive';
  readonly credentials = { api_token: 'f00dfeedf00dfeedf00dfeedf00dfeedf00dfeed' };
  readonly wrongCredentials = { api_token: '0000000000000000000000000000000000000000' };
  /** The other way: of an app, whose refresh tokens are replaced at every use. */
  readonly app = { client_id: 'app-7', client_secret: 'client-secret-of-app-7' };
  readonly noticeSecret = 'basic-password-1';
  /** Of the account: a key of a custom field, as Pipedrive names them. */
  readonly accountNumberField = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334';
  /** Whether the token's user may log calls of others. */
  mayLogForOthers = true;
  /** How often a refresh token came that was replaced before. */
  repeatedRefreshes = 0;
  readonly #now: () => number;
  readonly #persons = new Map<number, Person>();
  readonly #activities: Activity[] = [];
  readonly #missingScopes = new Set<string>();
  readonly #tokens = new Set<string>();
  readonly #codes = new Map<string, { challenge: string; redirectUri: string }>();
  #refreshToken = 'refresh-1';
  #searches: number[] = [];

  private constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** @param now milliseconds, by which searches are counted */
  static open(now: () => number = Date.now): Promise<PipedriveFake> {
    return new PipedriveFake(now).listen();
  }

  /** What the app was granted last. */
  get appCredentials(): Record<string, string> {
    return { ...this.app, refresh_token: this.#refreshToken };
  }

  addPerson(person: Person): string {
    const id = this.#persons.size + 101;
    this.#persons.set(id, person);
    return String(id);
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    for (const scope of ability === 'pull' ? ['contacts:read'] : ['phone-integration', 'activities:full'])
      this.#missingScopes.add(scope);
  }

  /** The token has no scope for call logs, only for activities. */
  forbidCallLogs(): void {
    this.#missingScopes.add('phone-integration');
  }

  tooMany(): Answer {
    return json(429, failed('Request over limit', 429), {
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '2',
    });
  }

  /** What comes to those who do not heed `tooMany`. */
  page(): Answer {
    return html(403, 'Sorry, you have been blocked');
  }

  refusedEntry(): Answer {
    return json(400, failed('Validation failed: end_time must be a date', 400));
  }

  notice(personId: string, secret: string, at: Date): Notice {
    const person = this.#persons.get(Number(personId));
    const body = {
      meta: {
        action: 'change',
        entity: 'person',
        company_id: 4711,
        correlation_id: randomUUID(),
        entity_id: personId,
        id: randomUUID(),
        is_bulk_edit: false,
        timestamp: at.toISOString(),
        type: 'general',
        version: '2.0',
        attempt: 1,
        host: 'northwind.pipedrive.com',
      },
      data: person === undefined ? null : this.#whole(Number(personId), person),
      previous: { phones: [] },
    };
    const authorization = `Basic ${Buffer.from(`readyline:${secret}`).toString('base64')}`;
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    };
  }

  protected answer(request: Heard): Answer {
    const { method, url, headers, body } = request;
    const path = url.pathname;
    if (path === '/oauth/authorize') return this.#grant(url.searchParams);
    if (path === '/oauth/token') return this.#token(headers.authorization ?? '', new URLSearchParams(body));
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if (headers['x-api-token'] !== this.credentials.api_token && !this.#tokens.has(token))
      return json(401, failed('unauthorized access', 401));
    if (method === 'GET' && path === '/v1/users/me') return json(200, { success: true, data: this.#me() });
    if (method === 'GET' && path === '/v1/users/find') return this.#findUsers(url.searchParams);
    if (this.#missingScopes.has(scopeOf(path))) return json(403, failed('Scope and URL mismatch', 403));
    if (method === 'GET' && path === '/api/v2/persons/search') return this.#search(url.searchParams);
    if (method === 'GET' && path.startsWith('/api/v2/persons/'))
      return this.#person(Number(path.slice('/api/v2/persons/'.length)));
    if (method === 'GET' && path === '/v1/callLogs') return json(200, { success: true, data: [], additional_data: {} });
    if (method === 'POST' && path === '/v1/callLogs')
      return this.#createCallLog(JSON.parse(body) as Record<string, unknown>);
    if (method === 'GET' && path === '/api/v2/activities') return this.#listActivities(url.searchParams);
    if (method === 'POST' && path === '/api/v2/activities')
      return this.#createActivity(JSON.parse(body) as Record<string, unknown>);
    if (method === 'PATCH' && path.startsWith('/api/v2/activities/')) {
      return this.#changeActivity(
        Number(path.slice('/api/v2/activities/'.length)),
        JSON.parse(body) as Record<string, unknown>,
      );
    }
    return json(404, failed('Unknown method .', 404));
  }

  #me() {
    const access = this.mayLogForOthers
      ? [
          { app: 'sales', admin: true },
          { app: 'account_settings', admin: true },
        ]
      : [{ app: 'sales', admin: false }];
    return {
      ...users[0],
      company_id: 4711,
      company_name: 'Northwind Traders',
      company_domain: 'northwind',
      is_admin: this.mayLogForOthers ? 1 : 0,
      access,
    };
  }

  #findUsers(asked: URLSearchParams): Answer {
    const term = asked.get('term') ?? '';
    if (term.length < 2) return json(400, failed('Search term must be at least 2 characters long', 400));
    const field = asked.get('search_by_email') === '1' ? 'email' : 'name';
    return json(200, { success: true, data: users.filter((user) => user[field].includes(term)) });
  }

  #grant(asked: URLSearchParams): Answer {
    const code = randomUUID();
    const redirectUri = asked.get('redirect_uri') ?? '';
    if (asked.get('client_id') !== this.app.client_id)
      return json(400, { success: false, message: 'Invalid client', error: 'invalid_client' });
    this.#codes.set(code, { challenge: asked.get('code_challenge') ?? '', redirectUri });
    return {
      status: 302,
      headers: { location: `${redirectUri}?code=${code}&state=${encodeURIComponent(asked.get('state') ?? '')}` },
      body: '',
    };
  }

  #token(authorization: string, form: URLSearchParams): Answer {
    const expected = `Basic ${Buffer.from(`${this.app.client_id}:${this.app.client_secret}`).toString('base64')}`;
    if (authorization !== expected)
      return json(400, { success: false, message: 'Invalid client: client is invalid', error: 'invalid_client' });
    const code = this.#codes.get(form.get('code') ?? '');
    this.#codes.delete(form.get('code') ?? '');
    const isGranted =
      form.get('grant_type') === 'authorization_code'
        ? code?.redirectUri === form.get('redirect_uri') &&
          code.challenge ===
            createHash('sha256')
              .update(form.get('code_verifier') ?? '')
              .digest('base64url')
        : form.get('refresh_token') === this.#refreshToken;
    if (form.get('grant_type') === 'refresh_token' && !isGranted) this.repeatedRefreshes += 1;
    if (!isGranted)
      return json(400, { success: false, message: 'Invalid grant: refresh_token is invalid', error: 'invalid_grant' });
    const accessToken = `v1u:${randomUUID()}`;
    this.#tokens.add(accessToken);
    this.#refreshToken = `refresh-${randomUUID()}`;
    return json(200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: 3_599,
      refresh_token: this.#refreshToken,
      scope: 'base,contacts:full,phone-integration,activities:full',
      api_domain: 'https://northwind.pipedrive.com',
    });
  }

  #search(asked: URLSearchParams): Answer {
    const now = this.#now();
    this.#searches = this.#searches.filter((at) => at > now - 2_000);
    if (this.#searches.length >= 10) return this.tooMany();
    this.#searches.push(now);
    const term = asked.get('term') ?? '';
    if (term.length < 2) return json(400, failed('Search term must be at least 2 characters long', 400));
    if (asked.get('fields') !== 'phone') return json(400, failed('Validation failed: fields is not allowed', 400));
    const found = [...this.#persons].filter(([, { phone, mobile }]) =>
      [phone, mobile].some((typed) => typed?.includes(term)),
    );
    const items = found.slice(0, Number(asked.get('limit') ?? 100)).map(([id, { name, email, phone, mobile }]) => ({
      result_score: 0.6,
      item: {
        id,
        type: 'person',
        name,
        phones: [phone, mobile].filter((typed) => typed !== undefined && typed !== null),
        emails: email === null ? [] : [email],
        visible_to: 3,
        owner: { id: 11 },
        organization: { id: 5, name: 'Acme', address: null },
        custom_fields: [],
        notes: [],
      },
    }));
    return json(200, { success: true, data: { items }, additional_data: { next_cursor: null } });
  }

  #person(id: number): Answer {
    const person = this.#persons.get(id);
    return person === undefined
      ? json(404, failed('Person not found', 404))
      : json(200, { success: true, data: this.#whole(id, person) });
  }

  #whole(id: number, { name, email, phone, mobile, accountNumber }: Person) {
    const numbers = [phone, mobile].filter((typed) => typed !== undefined && typed !== null);
    return {
      id,
      name,
      phones: numbers.map((value, index) => ({ value, primary: index === 0, label: 'work' })),
      emails: email === null ? [] : [{ value: email, primary: true, label: 'work' }],
      org_id: 5,
      owner_id: 11,
      is_deleted: false,
      label_ids: [],
      custom_fields: { [this.accountNumberField]: accountNumber ?? null },
    };
  }

  #createCallLog(entry: Record<string, unknown>): Answer {
    const unknown = Object.keys(entry).find((field) => !callLogFields.has(field));
    if (unknown !== undefined) return json(400, failed(`Validation failed: ${unknown} is not allowed`, 400));
    const { outcome, to_phone_number, start_time, end_time, duration, note, subject, person_id, user_id } = entry;
    if (!outcomes.has(String(outcome)))
      return json(400, failed('Validation failed: outcome must be one of the allowed values', 400));
    if (typeof to_phone_number !== 'string' || to_phone_number === '')
      return json(400, failed('Validation failed: to_phone_number is required', 400));
    if (!utc.test(String(start_time)) || !utc.test(String(end_time)) || String(end_time) < String(start_time))
      return this.refusedEntry();
    if (typeof duration !== 'string' || !/^\d+$/.test(duration))
      return json(400, failed('Validation failed: duration must be seconds', 400));
    if (user_id !== undefined && user_id !== 11 && !this.mayLogForOthers)
      return json(403, failed('You do not have access to this user', 403));
    if (person_id !== undefined && !this.#persons.has(person_id as number))
      return json(404, failed('Person not found', 404));
    const activity = this.#add(typeof person_id === 'number' ? person_id : null, note, subject, entry);
    return json(200, {
      success: true,
      data: {
        ...entry,
        id: randomBytes(16).toString('hex'),
        activity_id: activity.id,
        company_id: 4711,
        has_recording: false,
      },
    });
  }

  #createActivity(entry: Record<string, unknown>): Answer {
    const unknown = Object.keys(entry).find((field) => !activityFields.has(field));
    if (unknown !== undefined) return json(400, failed(`Validation failed: ${unknown} is not allowed`, 400));
    const { type, duration, due_time, note, subject, participants } = entry;
    if (type !== 'call') return json(400, failed('Validation failed: type does not exist', 400));
    if (!/^\d\d:\d\d$/.test(String(duration)) || !/^\d\d:\d\d$/.test(String(due_time)))
      return json(400, failed('Validation failed: duration must be HH:MM', 400));
    const [first] = (participants ?? []) as { person_id: number }[];
    return json(201, {
      success: true,
      data: { ...entry, id: this.#add(first?.person_id ?? null, note, subject, entry).id },
    });
  }

  #add(person: number | null, note: unknown, subject: unknown, fields: Record<string, unknown>): Activity {
    const activity = {
      id: this.#activities.length + 901,
      person,
      note: String(note),
      subject: String(subject),
      addedAt: this.#activities.length,
    };
    this.#activities.push(activity);
    this.logged.push({
      id: String(activity.id),
      personId: person === null ? null : String(person),
      text: activity.note,
      fields,
    });
    return activity;
  }

  #listActivities(asked: URLSearchParams): Answer {
    const person = asked.get('person_id');
    const isNewestFirst = asked.get('sort_by') === 'add_time' && asked.get('sort_direction') === 'desc';
    const listed = this.#activities.filter((one) => person === null || one.person === Number(person));
    if (isNewestFirst) listed.sort((one, other) => other.addedAt - one.addedAt);
    const shown = listed.slice(0, Number(asked.get('limit') ?? 100));
    const data = shown.map(({ id, note, subject, person: person_id }) => ({
      id,
      type: 'call',
      subject,
      note,
      person_id,
      done: true,
    }));
    return json(200, { success: true, data, additional_data: { next_cursor: null } });
  }

  #changeActivity(id: number, changes: Record<string, unknown>): Answer {
    const activity = this.#activities.find((one) => one.id === id);
    const entry = this.logged.find((one) => one.id === String(id));
    if (activity === undefined || entry === undefined) return json(404, failed('Activity not found', 404));
    const unknown = Object.keys(changes).find((field) => !activityFields.has(field));
    if (unknown !== undefined) return json(400, failed(`Validation failed: ${unknown} is not allowed`, 400));
    if (typeof changes.note === 'string') activity.note = changes.note;
    entry.text = activity.note;
    return json(200, { success: true, data: { id } });
  }
}

function failed(error: string, errorCode: number) {
  return {
    success: false,
    error,
    errorCode,
    error_info: 'Please check developers.pipedrive.com',
    data: null,
    additional_data: null,
  };
}

function scopeOf(path: string): string {
  if (path.startsWith('/v1/callLogs')) return 'phone-integration';
  return path.startsWith('/api/v2/activities') ? 'activities:full' : 'contacts:read';
}
