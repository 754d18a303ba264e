import { createHmac, randomUUID } from 'node:crypto';
import { parsePhoneNumber } from 'libphonenumber-js';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

const workspace = 'le2pquh0';

type Contact = {
  type: 'contact';
  id: string;
  external_id: string | null;
  name: string;
  email: string | null;
  phone: string | null;
} & Record<string, unknown>;
type Query = { field: string; operator: string; value: unknown };

/** Intercom: numbers in E.164 or by their end, notes as often as they are sent, events once. */
export class IntercomFake extends FakeCrm {
  readonly id = 'intercom';
  readonly credentials = { region: 'eu', access_token: 'token-of-the-workspace' };
  readonly wrongCredentials = { region: 'eu', access_token: 'wrong' };
  /** Of an app, for logging in. */
  readonly app = { client_id: 'app-1', client_secret: 'client-secret' };
  readonly noticeSecret = this.app.client_secret;
  /** Events that were taken: a repeat is none. */
  readonly events = new Map<string, Record<string, unknown>>();
  readonly #contacts: Contact[] = [];
  readonly #openTickets = new Map<string, number>();
  readonly #notes: { type: 'note'; id: string; contact: { type: 'contact'; id: string }; body: string }[] = [];
  readonly #admins = [
    { type: 'admin', id: '991267583', name: 'Gateway', email: 'gateway@example.com' },
    { type: 'admin', id: '991267584', name: 'Ada Byron', email: 'ada@example.com' },
  ];
  readonly #codes = new Set<string>();
  readonly #forbidden = new Set<'pull' | 'write_back'>();

  static open(): Promise<IntercomFake> {
    return new IntercomFake().listen();
  }

  addPerson({ name, email, phone, accountNumber, tier, openTickets = 0 }: Person): string {
    const id = `66439cea83905da73e39${(0x8000 + this.#contacts.length).toString(16)}`;
    const tags = { type: 'list', data: tier === undefined ? [] : [{ type: 'tag', id: '1', name: tier }] };
    this.#contacts.push({
      type: 'contact',
      id,
      workspace_id: workspace,
      external_id: accountNumber ?? null,
      role: 'user',
      name,
      email,
      phone,
      tags,
    });
    this.#openTickets.set(id, openTickets);
    return id;
  }

  expireTokens(): void {
    // Tokens do not end.
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#forbidden.add(ability);
  }

  tooMany(): Answer {
    const headers = { 'x-ratelimit-limit': '1667', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795255210' };
    return refused(429, 'rate_limit_exceeded', 'Exceeded rate limit of 1667 in 10_seconds', headers);
  }

  refusedEntry(): Answer {
    return refused(400, 'parameter_invalid', 'Body is too long', {}, 'body');
  }

  notice(personId: string, secret: string, at: Date): Notice {
    const seconds = Math.floor(at.getTime() / 1_000);
    const body = JSON.stringify({
      type: 'notification_event',
      app_id: workspace,
      topic: 'contact.user.updated',
      id: `notif_${personId}`,
      data: { type: 'notification_event_data', item: this.#contacts.find(({ id }) => id === personId) },
      links: {},
      delivery_status: 'pending',
      delivery_attempts: 1,
      first_sent_at: seconds,
      created_at: seconds,
      self: null,
    });
    const signature = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`;
    return { method: 'POST', headers: { 'content-type': 'application/json', 'x-hub-signature': signature }, body };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    const path = url.pathname;
    if (path === '/oauth') return this.#grant(url.searchParams);
    if (path === '/auth/eagle/token') return this.#token(new URLSearchParams(body));
    if (headers.authorization !== `Bearer ${this.credentials.access_token}`)
      return refused(401, 'unauthorized', 'Access Token Invalid');
    if (headers['intercom-version'] !== '2.16')
      return refused(400, 'intercom_version_invalid', 'The requested version could not be found');
    if (path === '/me')
      return json(200, { ...this.#admins[0], app: { type: 'app', id_code: workspace, name: 'Acme', region: 'EU' } });
    const isWrite = method === 'POST' && !path.endsWith('/search');
    if (this.#forbidden.has(isWrite ? 'write_back' : 'pull')) {
      return refused(403, 'api_plan_restricted', 'Active subscription needed.');
    }
    if (path === '/admins') return json(200, { type: 'admin.list', admins: this.#admins });
    if (path === '/events' && method === 'POST') return this.#takeEvent(JSON.parse(body) as Record<string, unknown>);
    if (path === '/contacts/search') return this.#search((JSON.parse(body) as { query: Query }).query);
    if (path === '/tickets/search') return this.#countTickets(body);
    if (path === '/contacts')
      return json(200, { type: 'list', data: this.#contacts.slice(0, 1), total_count: this.#contacts.length });
    const [, id = '', part] = /^\/contacts\/([^/]+)(\/notes)?$/.exec(path) ?? [];
    const contact = this.#contacts.find((one) => one.id === decodeURIComponent(id));
    if (contact === undefined) return refused(404, 'not_found', 'User Not Found');
    if (part === undefined) return json(200, contact);
    if (method === 'POST') return this.#createNote(contact, JSON.parse(body) as Record<string, unknown>);
    const notes = this.#notes.filter((note) => note.contact.id === contact.id).toReversed();
    return json(200, {
      type: 'list',
      data: notes,
      total_count: notes.length,
      pages: { type: 'pages', page: 1, per_page: 50, total_pages: 1 },
    });
  }

  #grant(asked: URLSearchParams): Answer {
    const code = randomUUID();
    this.#codes.add(code);
    const state = encodeURIComponent(asked.get('state') ?? '');
    const location = `${asked.get('redirect_uri') ?? ''}?code=${code}&state=${state}`;
    return { status: 302, headers: { location }, body: '' };
  }

  #token(form: URLSearchParams): Answer {
    const isClient =
      form.get('client_id') === this.app.client_id && form.get('client_secret') === this.app.client_secret;
    if (!isClient || !this.#codes.delete(form.get('code') ?? '')) return refused(401, 'server_error', 'Invalid code');
    return json(200, {
      token_type: 'Bearer',
      token: this.credentials.access_token,
      access_token: this.credentials.access_token,
    });
  }

  #search({ field, operator, value }: Query): Answer {
    if (!['formatted_phone', 'phone'].includes(field))
      return refused(400, 'parameter_invalid', `Invalid field ${field}`);
    const data = this.#contacts.filter((contact) => {
      const stored = field === 'phone' ? contact.phone : formatted(contact.phone);
      return (
        stored !== null &&
        typeof value === 'string' &&
        (operator === '$' ? stored.endsWith(value) : operator === '=' && stored === value)
      );
    });
    const shown = data.map((contact) => ({ ...contact, formatted_phone: formatted(contact.phone) }));
    return json(200, {
      type: 'list',
      data: shown,
      total_count: data.length,
      pages: { type: 'pages', page: 1, per_page: 10, total_pages: 1 },
    });
  }

  #countTickets(body: string): Answer {
    const { query } = JSON.parse(body) as { query: { operator: string; value: Query[] } };
    const contact = query.value.find(({ field }) => field === 'contact_ids')?.value;
    const isOpen =
      query.operator === 'AND' && query.value.some(({ field, value }) => field === 'open' && value === true);
    // One more is closed.
    const total = (this.#openTickets.get(String(contact)) ?? 0) + (isOpen ? 0 : 1);
    return json(200, { type: 'ticket.list', tickets: [], total_count: total });
  }

  #createNote(contact: Contact, { body, admin_id: admin, ...others }: Record<string, unknown>): Answer {
    if (Object.keys(others).length > 0 || typeof body !== 'string')
      return refused(400, 'parameter_invalid', 'Body is required', {}, 'body');
    if (admin !== undefined && !this.#admins.some(({ id }) => id === admin))
      return refused(404, 'not_found', 'Resource Not Found');
    const note = {
      type: 'note' as const,
      id: String(31 + this.#notes.length),
      contact: { type: 'contact' as const, id: contact.id },
      body,
    };
    this.#notes.push(note);
    this.logged.push({ id: note.id, personId: contact.id, text: body, fields: { admin_id: admin } });
    return json(200, note);
  }

  #takeEvent(event: Record<string, unknown>): Answer {
    const { event_name: name, created_at: at, id, metadata = {}, ...others } = event;
    const isWhole =
      typeof name === 'string' && Number.isInteger(at) && this.#contacts.some((contact) => contact.id === id);
    if (!isWhole || Object.keys(others).length > 0 || Object.keys(metadata as object).length > 10) {
      return refused(400, 'parameter_invalid', 'The event is not valid');
    }
    const key = [id, name, at].join(' ');
    if (!this.events.has(key)) this.events.set(key, event);
    return { status: 202, body: '' };
  }
}

/** The E.164 form; a number without a country code has none. */
function formatted(phone: string | null): string | null {
  if (phone === null || !phone.startsWith('+')) return null;
  return parsePhoneNumber(phone).number;
}

function refused(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
  field: string | null = null,
): Answer {
  return json(status, { type: 'error.list', request_id: randomUUID(), errors: [{ code, message, field }] }, headers);
}
