import { createHmac } from 'node:crypto';
import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

/** The made-up CRM of `harbour.ts`. */
export class HarbourFake extends FakeCrm {
  readonly id = 'harbour_crm';
  readonly credentials = { key: 'key-of-the-harbour' };
  readonly wrongCredentials = { key: 'another' };
  readonly noticeSecret = 'secret-of-the-gateway';
  readonly #skippers = new Map<string, Person>();
  readonly #forbidden = new Set<string>();

  static open(): Promise<HarbourFake> {
    return new HarbourFake().listen();
  }

  addPerson(person: Person): string {
    const id = `s-${this.#skippers.size + 1}`;
    this.#skippers.set(id, person);
    return id;
  }
  expireTokens(): void {
    // There are none.
  }
  forbid(ability: 'pull' | 'write_back'): void {
    this.#forbidden.add(ability === 'pull' ? '/skippers' : '/logs');
  }
  tooMany(): Answer {
    return json(429, { error: 'One boat after the other.' });
  }
  refusedEntry(): Answer {
    return json(422, { error: 'No such skipper.' });
  }
  notice(personId: string, secret: string, at: Date): Notice {
    const body = JSON.stringify({ event: 'changed', skipper: personId });
    const time = String(at.getTime());
    const signature = createHmac('sha512', secret).update([time, body].join('\n')).digest('hex');
    return {
      method: 'POST',
      headers: { 'x-harbour-time': time, 'x-harbour-signature': signature, 'content-type': 'application/json' },
      body,
    };
  }

  private constructor() {
    super();
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    if (headers.authorization !== `Bearer ${this.credentials.key}`) return json(401, { error: 'Not this key.' });
    if (url.pathname === '/me') return json(200, { master: 'Grace at the harbour' });
    const [, place = '', id] = /^(\/\w+)(?:\/([\w-]+))?$/.exec(url.pathname) ?? [];
    if (this.#forbidden.has(place)) return json(403, { error: 'Ask the harbour master.' });
    if (place === '/logs') {
      return method === 'GET'
        ? json(200, { logs: this.logged.length })
        : this.#log(id, JSON.parse(body) as Record<string, unknown>);
    }
    if (id !== undefined)
      return this.#skippers.has(id) ? json(200, this.#shown(id)) : json(404, { error: 'Nobody of that name.' });
    const phone = url.searchParams.get('phone');
    const found = [...this.#skippers.keys()].filter(
      (each) => phone === null || this.#skippers.get(each)?.phone === phone,
    );
    return json(200, { skippers: found.map((each) => this.#shown(each)) });
  }

  /** Takes a call once, however often it is told of it. */
  #log(id: string | undefined, fields: Record<string, unknown>): Answer {
    const known = this.logged.find((one) => one.id === id || one.fields.call === fields.call);
    if (known === undefined && id !== undefined) return json(404, { error: 'No such log.' });
    const entry = known ?? {
      id: `l-${this.logged.length + 1}`,
      personId: (fields.skipper as string | undefined) ?? null,
      text: '',
      fields,
    };
    entry.text = String(fields.text);
    if (known === undefined) this.logged.push(entry);
    return json(200, { id: entry.id });
  }

  #shown(id: string) {
    const skipper = this.#skippers.get(id);
    return { id, name: skipper?.name, email: skipper?.email, phone: skipper?.phone, berth: skipper?.accountNumber };
  }
}
