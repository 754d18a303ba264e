import { type Answer, FakeCrm, type Heard, json, type Notice, type Person } from './fakeCrm.ts';

/** The made-up CRM of `harbour.ts`. */
export class HarbourFake extends FakeCrm {
  readonly id = 'harbour_crm';
  readonly credentials = { key: 'key-of-the-harbour' };
  readonly wrongCredentials = { key: 'another' };
  readonly noticeSecret = 'secret-of-the-gateway';
  readonly #skippers = new Map<string, Person>();

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
  forbid(): void {
    throw new Error('everything is allowed here');
  }
  tooMany(): Answer {
    return json(429, { error: 'One boat after the other.' });
  }
  refusedEntry(): Answer {
    return json(422, { error: 'No such skipper.' });
  }
  notice(personId: string, secret: string): Notice {
    return { method: 'POST', headers: { 'x-readyline-secret': secret, 'content-type': 'application/json' }, body: JSON.stringify(this.#shown(personId)) };
  }

  private constructor() {
    super();
  }

  protected answer({ method, url, headers, body }: Heard): Answer {
    if (headers.authorization !== `Bearer ${this.credentials.key}`) return json(401, { error: 'Not this key.' });
    if (url.pathname === '/me') return json(200, { master: 'Grace at the harbour' });
    if (method === 'PUT') {
      const id = url.pathname.slice('/logs/'.length);
      const fields = JSON.parse(body) as Record<string, unknown>;
      if (!this.logged.some((one) => one.id === id)) this.logged.push({ id, personId: (fields.skipper as string | undefined) ?? null, text: String(fields.text), fields });
      return json(200, { id });
    }
    const phone = url.searchParams.get('phone');
    const found = [...this.#skippers.keys()].filter((id) => phone === null || this.#skippers.get(id)?.phone === phone);
    return json(200, { skippers: found.map((id) => this.#shown(id)) });
  }

  #shown(id: string) {
    const skipper = this.#skippers.get(id);
    return { id, name: skipper?.name, phone: skipper?.phone, berth: skipper?.accountNumber };
  }
}
