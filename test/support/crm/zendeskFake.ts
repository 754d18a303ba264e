import { createHmac, randomUUID } from 'node:crypto';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

/** How long a token lasts, and a repeated ticket is known by its key. */
const tokenMs = 30 * 60_000;
const keyMs = 2 * 60 * 60_000;
/** Above all that a 32-bit number holds. */
const firstId = 26_363_597_354_387;

type User = { id: number; role: string; active: boolean } & Record<string, unknown>;
type Ticket = { id: number; external_id: string | null } & Record<string, unknown>;

/** What may stand in a ticket that is created or changed. */
const ticketFields = new Set([
  'subject',
  'requester_id',
  'assignee_id',
  'status',
  'tags',
  'external_id',
  'comment',
  'priority',
  'type',
]);

/** Zendesk: numbers by their digits with a star, tickets once by their key for two hours, tokens for half an hour. */
export class ZendeskFake extends FakeCrm {
  readonly id = 'zendesk';
  readonly credentials = { subdomain: 'acme', client_id: 'readyline', client_secret: 'secret-of-the-oauth-client' };
  readonly wrongCredentials = { ...this.credentials, client_secret: 'wrong' };
  /** Of an account that still has such a token. */
  readonly tokenCredentials = {
    subdomain: 'acme',
    email: 'gateway@example.com',
    api_token: '6wiIBWbGkBMo1mRDMuVwkw1E',
  };
  readonly noticeSecret = 'dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==';
  readonly #now: () => number;
  readonly #users: User[] = [
    { id: firstId, name: 'Gateway', email: 'gateway@example.com', role: 'admin', active: true },
    { id: firstId + 1, name: 'Ada Byron', email: 'ada@example.com', role: 'agent', active: true },
  ];
  readonly #tickets: Ticket[] = [];
  readonly #openTickets = new Map<number, number>();
  readonly #tokens = new Map<string, number>();
  readonly #keys = new Map<string, { at: number; body: string; ticket: Ticket }>();
  readonly #forbidden = new Set<'pull' | 'write_back'>();

  private constructor(now: () => number) {
    super();
    this.#now = now;
  }

  /** @param now milliseconds, by which tokens and keys end */
  static open(now: () => number = Date.now): Promise<ZendeskFake> {
    return new ZendeskFake(now).listen();
  }

  addPerson({ name, email, phone, accountNumber, tier, openTickets = 0 }: Person): string {
    const id = firstId + this.#users.length;
    const tags = tier === undefined ? [] : [tier];
    this.#users.push({
      id,
      name,
      email,
      phone,
      external_id: accountNumber ?? null,
      tags,
      role: 'end-user',
      active: true,
      organization_id: null,
    });
    this.#openTickets.set(id, openTickets);
    return String(id);
  }

  /** A user who was deleted can still be read. */
  deletePerson(id: string): void {
    Object.assign(this.#users.find((user) => String(user.id) === id) ?? {}, { active: false });
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#forbidden.add(ability);
  }

  tooMany(): Answer {
    const headers = {
      'retry-after': '53',
      'x-rate-limit': '200',
      'x-rate-limit-remaining': '0',
      'ratelimit-reset': '53',
    };
    return json(
      429,
      { error: 'APIRateLimitExceeded', description: 'Number of allowed API requests per minute exceeded' },
      headers,
    );
  }

  refusedEntry(): Answer {
    return invalid('subject', 'Subject: is too long (maximum is 255 characters)', 'ValueTooLong');
  }

  notice(personId: string, secret: string, at: Date): Notice {
    const time = at.toISOString();
    const event = {
      type: 'zen:event-type:user.details_changed',
      account_id: 12514403,
      id: randomUUID(),
      time,
      zendesk_event_version: '2022-06-20',
    };
    const body = JSON.stringify({
      ...event,
      subject: `zen:user:${personId}`,
      detail: { id: personId, role: 'end-user', external_id: '' },
      event: {},
    });
    const signature = createHmac('sha256', secret).update(`${time}${body}`).digest('base64');
    return {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-zendesk-webhook-signature-timestamp': time,
        'x-zendesk-webhook-signature': signature,
      },
      body,
    };
  }

  protected answer(heard: Heard): Answer {
    const { method, url, headers } = heard;
    if (method === 'POST' && url.pathname === '/oauth/tokens') return this.#token(new URLSearchParams(heard.body));
    if (!this.#knows(headers.authorization ?? '')) return json(401, { error: "Couldn't authenticate you" });
    const [, path = ''] = /^\/api\/v2\/(.*?)(?:\.json)?$/.exec(url.pathname) ?? [];
    const isTicket = path.startsWith('tickets');
    if (this.#forbidden.has(isTicket ? 'write_back' : 'pull') && path !== 'users/me') {
      return json(403, {
        error: {
          title: 'Forbidden',
          message:
            'You do not have access to this page. Please contact the account owner of this help desk for further help.',
        },
      });
    }
    if (method === 'GET') return this.#read(path, url.searchParams);
    if (method === 'POST' && path === 'tickets') return this.#createTicket(heard);
    if (method === 'PUT' && isTicket) return this.#changeTicket(path.slice('tickets/'.length), heard.body);
    return json(404, { error: 'InvalidEndpoint', description: 'Not found' });
  }

  #token(form: URLSearchParams): Answer {
    const isClient =
      form.get('client_id') === this.credentials.client_id &&
      form.get('client_secret') === this.credentials.client_secret;
    if (!isClient) {
      return json(401, {
        error: 'invalid_client',
        error_description: 'Client authentication failed due to unknown client.',
      });
    }
    if (form.get('grant_type') !== 'client_credentials')
      return json(400, { error: 'unsupported_grant_type', error_description: 'The grant type is not supported.' });
    if (form.get('scope') !== 'read write')
      return json(400, { error: 'invalid_scope', error_description: 'The requested scope is invalid.' });
    const accessToken = randomUUID();
    this.#tokens.set(accessToken, this.#now() + tokenMs);
    return json(200, {
      access_token: accessToken,
      token_type: 'bearer',
      scope: 'read write',
      expires_in: tokenMs / 1_000,
    });
  }

  #knows(authorization: string): boolean {
    const { email, api_token } = this.tokenCredentials;
    if (authorization === `Basic ${btoa(`${email}/token:${api_token}`)}`) return true;
    const [scheme, token = ''] = authorization.split(' ');
    return scheme === 'Bearer' && (this.#tokens.get(token) ?? 0) > this.#now();
  }

  #read(path: string, query: URLSearchParams): Answer {
    if (path === 'users/me') return json(200, { user: this.#users[0] });
    if (path === 'users/search') {
      const users = this.#users
        .filter((user) => matches(user, query.get('query') ?? ''))
        .slice(0, Number(query.get('per_page') ?? 100));
      return json(200, { users, next_page: null, previous_page: null, count: users.length });
    }
    if (path === 'search/count') {
      const requester = /^type:ticket requester:(\d+) status<solved$/.exec(query.get('query') ?? '')?.[1];
      return json(200, { count: this.#openTickets.get(Number(requester)) ?? 0 });
    }
    if (path === 'tickets') {
      const wanted = query.get('external_id');
      const tickets = this.#tickets.filter(({ external_id }) => wanted === null || external_id === wanted);
      return json(200, { tickets, next_page: null, previous_page: null, count: tickets.length });
    }
    const user = this.#users.find(({ id }) => path === `users/${id}`);
    return user === undefined ? json(404, { error: 'RecordNotFound', description: 'Not found' }) : json(200, { user });
  }

  #createTicket({ headers, body }: Heard): Answer {
    const key = headers['idempotency-key'];
    const known = key === undefined ? undefined : this.#keys.get(key);
    if (known !== undefined && known.at > this.#now() - keyMs) {
      if (known.body === body) return json(201, { ticket: known.ticket }, { 'x-idempotency-lookup': 'hit' });
      return json(400, {
        error: 'IdempotentRequestError',
        description: 'The request parameters do not match the ones of the first request with this key.',
      });
    }
    const { ticket: given = {} } = JSON.parse(body) as { ticket?: Record<string, unknown> };
    const problem = this.#problemOf(given);
    if (problem !== null) return problem;
    if (given.comment === undefined) return invalid('description', 'Description: cannot be blank', 'BlankValue');
    const ticket = {
      ...given,
      id: 35_436 + this.#tickets.length,
      external_id: (given.external_id as string | undefined) ?? null,
    };
    this.#tickets.push(ticket);
    const { body: written } = given.comment as { body: string };
    this.logged.push({ id: String(ticket.id), personId: String(given.requester_id), text: written, fields: ticket });
    if (key !== undefined) this.#keys.set(key, { at: this.#now(), body, ticket });
    return json(201, { ticket }, { 'x-idempotency-lookup': 'miss' });
  }

  #changeTicket(id: string, body: string): Answer {
    const ticket = this.#tickets.find((one) => String(one.id) === id);
    if (ticket === undefined) return json(404, { error: 'RecordNotFound', description: 'Not found' });
    const { ticket: given = {} } = JSON.parse(body) as { ticket?: Record<string, unknown> };
    const problem = this.#problemOf(given);
    if (problem !== null) return problem;
    Object.assign(ticket, given);
    const entry = this.logged.find((one) => one.id === id);
    const comment = given.comment as { body: string } | undefined;
    if (entry !== undefined && comment !== undefined) entry.text += `\n\n${comment.body}`;
    return json(200, { ticket });
  }

  /** What is wrong with the fields of a ticket; null: nothing. */
  #problemOf(ticket: Record<string, unknown>): Answer | null {
    const unknown = Object.keys(ticket).find((name) => !ticketFields.has(name));
    if (unknown !== undefined) return invalid(unknown, `${unknown}: is not a field of tickets`, 'InvalidValue');
    const { requester_id: requester, assignee_id: assignee, status, subject = '', comment } = ticket;
    if (typeof subject !== 'string' || subject.length > 255) return this.refusedEntry();
    const isColleague = this.#users.some(({ id, role }) => id === assignee && role !== 'end-user');
    if (assignee !== undefined && !isColleague) return invalid('assignee', 'Assignee: is not an agent', 'InvalidValue');
    if (status === 'solved' && !isColleague)
      return invalid('assignee', 'Assignee: is required when solving a ticket', 'BlankValue');
    if (requester !== undefined && !this.#users.some(({ id, active }) => id === requester && active)) {
      return invalid('requester', 'Requester: is not an active user', 'InvalidValue');
    }
    if (comment !== undefined && (comment as { body?: string }).body === '')
      return invalid('comment', 'Comment: cannot be blank', 'BlankValue');
    return null;
  }
}

/** Zendesk's search of users, as far as numbers and addresses go. */
function matches(user: User, query: string): boolean {
  if (!user.active) return false;
  return query.split(' ').every((word) => {
    const [, key = '', value = ''] = /^([a-z]+):(.*)$/.exec(word) ?? [];
    if (key === 'role') return user.role === value;
    if (key === 'email') return typeof user.email === 'string' && `"${user.email}"` === value;
    if (key !== 'phone' || typeof user.phone !== 'string' || value === '') return false;
    const digits = user.phone.replace(/\D/g, '');
    // Without the star, the number must have been stored without any sign; a plus finds nothing.
    return value.startsWith('*') ? /^\*\d+$/.test(value) && digits.endsWith(value.slice(1)) : user.phone === value;
  });
}

function invalid(field: string, description: string, error: string): Answer {
  return json(422, {
    error: 'RecordInvalid',
    description: 'Record validation errors',
    details: { [field]: [{ description, error }] },
  });
}
