import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

type Contact = {
  id: number;
  name: string;
  email: string | null;
  phone: string | null;
  mobile: string | null;
  deleted: boolean;
} & Record<string, unknown>;
type Ticket = { id: number; requester_id: number; status: number; description: string; created_at: string } & Record<
  string,
  unknown
>;
type Note = { id: number; ticket_id: number; body: string; private: boolean };

const contactFilters = new Set([
  'phone',
  'mobile',
  'email',
  'per_page',
  'page',
  'company_id',
  'state',
  'updated_since',
  'unique_external_id',
]);
const ticketFields = new Set([
  'requester_id',
  'responder_id',
  'subject',
  'description',
  'source',
  'status',
  'priority',
  'tags',
]);

/** Freshdesk: contacts letter by letter, tickets and notes, no signature, few requests a minute. */
export class FreshdeskFake extends FakeCrm {
  readonly id = 'freshdesk';
  readonly credentials = { domain: 'acme', api_key: 'key-of-the-agent' };
  readonly wrongCredentials = { domain: 'acme', api_key: 'wrong' };
  readonly noticeSecret = 'secret-that-the-gateway-issued';
  /** Most requests in a minute, and of them for contacts: the plan Growth, unless a test buys another. */
  plan = { all: 200, contacts: 20 };
  readonly #now: () => number;
  readonly #agents = [
    { id: 70_000_000_001, contact: { name: 'Gateway', email: 'gateway@example.com' } },
    { id: 70_000_000_002, contact: { name: 'Ada Byron', email: 'ada@example.com' } },
  ];
  readonly #contacts: Contact[] = [];
  readonly #tickets: Ticket[] = [];
  readonly #notes: Note[] = [];
  readonly #forbidden = new Set<'pull' | 'write_back'>();
  #asked: number[] = [];

  private constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** @param now milliseconds, by which requests are counted */
  static open(now: () => number = Date.now): Promise<FreshdeskFake> {
    return new FreshdeskFake(now).listen();
  }

  addPerson({ name, email, phone, mobile, accountNumber, openTickets = 0 }: Person): string {
    const id = 501_002_381_517 + this.#contacts.length;
    const shown = {
      active: false,
      tags: [],
      custom_fields: {},
      unique_external_id: accountNumber ?? null,
      org_contact_id: 1,
    };
    this.#contacts.push({ id, name, email, phone, mobile: mobile ?? null, deleted: false, ...shown });
    for (let count = 0; count < openTickets; count += 1)
      this.#addTicket({ requester_id: id, status: 2, description: 'By e-mail' });
    return String(id);
  }

  expireTokens(): void {
    // Keys do not end.
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#forbidden.add(ability);
  }

  /** Solves every ticket. */
  closeTickets(): void {
    for (const ticket of this.#tickets) ticket.status = 4;
  }

  tooMany(): Answer {
    const headers = { 'retry-after': '42', 'x-ratelimit-remaining': '0', 'x-ratelimit-used-currentrequest': '1' };
    return json(429, { message: 'You have exceeded the limit of requests per minute' }, headers);
  }

  refusedEntry(): Answer {
    return invalid('responder_id', 'There is no agent matching the given responder_id', 'invalid_value');
  }

  notice(personId: string, secret: string): Notice {
    const contact = this.#contacts.find(({ id }) => String(id) === personId);
    const body = {
      freshdesk_webhook: {
        ticket_id: 11,
        contact_id: contact?.id,
        ticket_contact_name: contact?.name,
        ticket_contact_email: contact?.email,
        ticket_contact_phone: contact?.phone,
        ticket_contact_mobile: contact?.mobile,
      },
    };
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-readyline-secret': secret },
      body: JSON.stringify(body),
    };
  }

  protected answer(heard: Heard): Answer {
    const answer = this.#answer(heard);
    return { ...answer, headers: { 'x-ratelimit-total': String(this.plan.all), ...answer.headers } };
  }

  #answer({ method, url, headers, body }: Heard): Answer {
    if (headers.authorization !== `Basic ${btoa(`${this.credentials.api_key}:X`)}`) {
      return json(401, { code: 'invalid_credentials', message: 'You have to be logged in to perform this action.' });
    }
    const [kind = '', id = '', part = ''] = url.pathname.slice('/api/v2/'.length).split('/');
    if (kind === 'contacts') return this.#readContacts(id, url.searchParams);
    if (kind === 'agents') return this.#readAgents(id, url.searchParams.get('email'));
    if (method === 'GET' && kind === 'tickets') return this.#readTickets(id, url.searchParams);
    if (this.#forbidden.has('write_back'))
      return json(403, { code: 'access_denied', message: 'You are not authorized to perform this action.' });
    const given = JSON.parse(body || '{}') as Record<string, unknown>;
    if (kind === 'tickets' && id === '' && method === 'POST') return this.#createTicket(given);
    if (kind === 'tickets' && part === 'notes' && method === 'POST') return this.#createNote(id, given);
    if (method === 'PUT') return this.#change(kind, id, given);
    return { status: 404, body: '' };
  }

  #readContacts(id: string, query: URLSearchParams): Answer {
    this.#asked = [...this.#asked.filter((at) => at > this.#now() - 60_000), this.#now()];
    if (this.#asked.length > this.plan.contacts) return this.tooMany();
    if (this.#forbidden.has('pull'))
      return json(403, { code: 'access_denied', message: 'You are not authorized to perform this action.' });
    if (id !== '') {
      const contact = this.#contacts.find((one) => String(one.id) === id);
      return contact === undefined ? { status: 404, body: '' } : json(200, contact);
    }
    const unknown = [...query.keys()].find((name) => !contactFilters.has(name));
    if (unknown !== undefined) return invalid(unknown, 'Unexpected/invalid field in request', 'invalid_field');
    // As typed there: not a blank may differ.
    const is = (contact: Contact, field: 'phone' | 'mobile') =>
      query.get(field) === null || contact[field] === query.get(field);
    return json(
      200,
      this.#contacts.filter((contact) => !contact.deleted && is(contact, 'phone') && is(contact, 'mobile')),
    );
  }

  #readAgents(id: string, email: string | null): Answer {
    if (id === 'me') return json(200, this.#agents[0]);
    return json(
      200,
      this.#agents.filter(({ contact }) => email === null || contact.email === email),
    );
  }

  #readTickets(path: string, query: URLSearchParams): Answer {
    if (path !== '') {
      return json(
        200,
        this.#notes
          .filter(({ ticket_id }) => String(ticket_id) === path)
          .map((note) => ({ ...note, body_text: textOf(note.body) })),
      );
    }
    const tickets = this.#tickets
      .filter(({ requester_id }) => String(requester_id) === query.get('requester_id'))
      .toReversed();
    const includes = query.get('include') === 'description';
    return json(
      200,
      tickets.map(({ description, ...others }) =>
        includes ? { ...others, description, description_text: textOf(description) } : others,
      ),
    );
  }

  #createTicket(given: Record<string, unknown>): Answer {
    const unknown = Object.keys(given).find((name) => !ticketFields.has(name));
    if (unknown !== undefined) return invalid(unknown, 'Unexpected/invalid field in request', 'invalid_field');
    const { requester_id: requester, responder_id: responder, source, status, priority } = given;
    if (!this.#contacts.some(({ id }) => id === requester))
      return invalid('requester_id', 'There is no contact matching the given requester_id', 'invalid_value');
    if (responder !== undefined && !this.#agents.some(({ id }) => id === responder)) return this.refusedEntry();
    const isWrong =
      ![1, 2, 3, 7, 9, 10].includes(Number(source)) ||
      ![2, 3, 4, 5].includes(Number(status)) ||
      ![1, 2, 3, 4].includes(Number(priority));
    if (isWrong) return invalid('status', 'It should be one of these values', 'invalid_value');
    const ticket = this.#addTicket(given as { requester_id: number; status: number; description: string });
    this.logged.push({ id: String(ticket.id), personId: String(requester), text: ticket.description, fields: ticket });
    return json(201, ticket);
  }

  #createNote(ticketId: string, { body, private: isPrivate, ...others }: Record<string, unknown>): Answer {
    const ticket = this.#tickets.find(({ id }) => String(id) === ticketId);
    if (ticket === undefined) return { status: 404, body: '' };
    if (typeof body !== 'string' || Object.keys(others).length > 0)
      return invalid('body', 'It should be a/an String', 'missing_field');
    const note = { id: 9_001 + this.#notes.length, ticket_id: ticket.id, body, private: isPrivate === true };
    this.#notes.push(note);
    this.logged.push({ id: String(note.id), personId: String(ticket.requester_id), text: body, fields: note });
    return json(201, note);
  }

  #change(kind: string, id: string, given: Record<string, unknown>): Answer {
    const found =
      kind === 'conversations'
        ? this.#notes.find((one) => String(one.id) === id)
        : this.#tickets.find((one) => String(one.id) === id);
    if (found === undefined) return { status: 404, body: '' };
    Object.assign(found, given);
    const entry = this.logged.find(({ fields }) => fields === found);
    if (entry !== undefined) entry.text = String(given.body ?? given.description);
    return json(200, found);
  }

  #addTicket(given: { requester_id: number; status: number; description: string }): Ticket {
    const ticket = { ...given, id: 11 + this.#tickets.length, created_at: '2026-11-21T10:00:00Z' };
    this.#tickets.push(ticket);
    return ticket;
  }
}

function textOf(html: string): string {
  return html.replaceAll('<br>', ' ').replace(/<[^>]*>/g, '');
}

function invalid(field: string, message: string, code: string): Answer {
  return json(400, { description: 'Validation failed', errors: [{ field, message, code }] });
}
