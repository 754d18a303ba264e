import { createHmac } from 'node:crypto';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

/** A company's own system: a search by the digits of a number, calls that are taken once by their `Idempotency-Key`. */
export class CustomFake extends FakeCrm {
  readonly id = 'custom';
  readonly credentials = {
    lookup_url: 'https://erp.example.com/customers?phone={phone}',
    log_url: 'https://hooks.example.com/calls/{call_id}',
    update_url: 'https://hooks.example.com/calls/{entry_id}/changed',
    record_link: 'https://erp.example.com/show/{id}',
    header_1: 'X-Api-Key: key-of-the-gateway',
  };
  readonly wrongCredentials = { ...this.credentials, header_1: 'X-Api-Key: another' };
  readonly noticeSecret = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;
  /** It answers so where it knows nobody. */
  saysNotFound = false;
  readonly #persons = new Map<string, Person>();
  #notices = 0;
  readonly #entries = new Map<string, { body: string; id: string }>();
  readonly #forbidden = new Set<string>();

  private constructor() {
    super();
  }

  static open(): Promise<CustomFake> {
    return new CustomFake().listen();
  }

  addPerson(person: Person): string {
    const id = `Kunde/${this.#persons.size + 1} ä`;
    this.#persons.set(id, person);
    return id;
  }

  expireTokens(): void {
    // There are none.
  }

  forbid(ability: 'pull' | 'write_back'): void {
    this.#forbidden.add(ability);
  }

  tooMany(): Answer {
    return json(429, { message: 'Slow down' }, { 'retry-after': '7' });
  }

  refusedEntry(): Answer {
    return json(422, { message: 'agent is missing' });
  }

  notice(personId: string, secret: string, at: Date): Notice {
    const person = this.#persons.get(personId);
    const data = { name: person?.name, email: person?.email, open_tickets: person?.openTickets ?? 0 };
    const body = JSON.stringify({ phone_number: person?.phone, data, external_id: personId });
    this.#notices += 1;
    const messageId = `msg_${this.#notices}`;
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const mac = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64')).update(
      [messageId, timestamp, body].join('.'),
    );
    return {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': messageId,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,bm90LW91cnM= v1,${mac.digest('base64')}`,
      },
      body,
    };
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    if (headers['x-api-key'] !== 'key-of-the-gateway') return json(401, { message: 'Who are you?' });
    if (method === 'GET' && url.pathname === '/customers') {
      return this.#forbidden.has('pull')
        ? json(403, { message: 'Not for you' })
        : this.#search(url.searchParams.get('phone') ?? '');
    }
    if (this.#forbidden.has('write_back')) return json(403, { message: 'Not for you' });
    const [, key = '', changed] = /^\/calls\/([^/]+)(\/changed)?$/.exec(url.pathname) ?? [];
    const call = JSON.parse(body) as { record_id: string | null; notes: string | null };
    const known = [...this.#entries.values()].find(({ id }) => id === decodeURIComponent(key));
    if (method === 'PUT' && changed !== undefined) {
      const entry = this.logged.find(({ id }) => id === known?.id);
      if (entry === undefined) return json(404, { message: 'No such call' });
      entry.text = body;
      return { status: 204, body: '' };
    }
    const idempotencyKey = headers['idempotency-key'];
    if (method !== 'POST' || idempotencyKey === undefined) return json(400, { message: 'Expected a call' });
    const earlier = this.#entries.get(idempotencyKey);
    if (earlier !== undefined) {
      return earlier.body === body
        ? json(200, { id: earlier.id })
        : json(409, { message: 'Another call with this key' });
    }
    const id = `call-${this.#entries.size + 1}`;
    this.#entries.set(idempotencyKey, { body, id });
    this.logged.push({ id, personId: call.record_id, text: body, fields: { ...call } });
    return json(201, { id });
  }

  #search(phone: string): Answer {
    const digits = phone.replace(/\D/g, '');
    const found = [...this.#persons].filter(([, person]) =>
      [person.phone, person.mobile].some((typed) => typed?.replace(/\D/g, '').endsWith(digits.slice(-7)) === true),
    );
    if (found.length === 0 && this.saysNotFound) return json(404, { message: 'Nobody' });
    const customers = found.map(([id, { name, email, phone: number, mobile, tier, openTickets }]) => ({
      id,
      contact: { name, email },
      phone: number,
      mobile,
      tier,
      open_tickets: openTickets,
    }));
    return json(200, { customers });
  }
}
