import type { CrmFailure, CrmRequest, CrmResponse, Provider, Site } from '../../../src/providers/provider.ts';
import type { FakeCrm } from './fakeCrm.ts';

export type Exchanged = { kind: 'answer'; response: CrmResponse } | { kind: 'failed'; failure: CrmFailure };

/** A provider's requests over real HTTP to its fake, with nothing but what the provider itself says of authentication. */
export class PlainExchange<Credentials> {
  readonly site: Site<Credentials>;
  readonly #provider: Provider<Credentials>;
  #headers: Record<string, string> | null = null;
  #refreshToken: string | null = null;

  /** @param options the provider's own, as an admin sets them */
  constructor(provider: Provider<Credentials>, fake: FakeCrm, credentials: Record<string, string> = fake.credentials, options: Record<string, string> = {}) {
    this.#provider = provider;
    this.site = {
      credentials: provider.credentials.parse(credentials),
      addresses: { api: fake.url, login: fake.url, app: fake.url },
      facts: {},
      options: provider.options.parse(options),
    };
  }

  /** Keeps the facts of the check, as connecting does, and makes what has to be made. Resolves with who the gateway is there. */
  async connect(): Promise<string> {
    const { account, facts } = this.#provider.parseCheck(await this.ask(this.#provider.checkRequest(this.site)), this.site);
    this.site.facts = facts;
    for (const { fact, request } of this.#provider.probes(this.site)) {
      if (fact !== undefined) this.site.facts = { ...this.site.facts, [fact]: (await this.send(request)).kind === 'answer' ? 'yes' : 'no' };
    }
    const { prepare } = this.#provider.logRequests;
    if (prepare !== undefined) {
      const made = [];
      for (const request of prepare.requests(this.site)) made.push(await this.send(request));
      const isThere = made.every((one) => one.kind === 'answer' || one.failure.kind === 'exists');
      this.site.facts = { ...this.site.facts, [prepare.fact]: isThere ? 'yes' : 'no' };
    }
    return account;
  }

  /** Sends a request; once more with another token where the first was refused. */
  async send(request: CrmRequest): Promise<Exchanged> {
    const first = await this.#sendAs(request, (this.#headers ??= await this.#authenticate()));
    if (first.kind === 'answer' || first.failure.kind !== 'unauthorized') return first;
    this.#headers = await this.#authenticate();
    return this.#sendAs(request, this.#headers);
  }

  /** The same, which must succeed. */
  async ask(request: CrmRequest): Promise<CrmResponse> {
    const exchanged = await this.send(request);
    if (exchanged.kind === 'failed') throw new Error(`${request.method} ${request.url}: ${JSON.stringify(exchanged.failure)}`);
    return exchanged.response;
  }

  async #authenticate(): Promise<Record<string, string>> {
    const authentication = this.#provider.authentication(this.site);
    if (authentication.kind === 'fixed') return authentication.headers;
    const exchanged = await this.#sendAs(authentication.tokenRequest(this.#refreshToken), {});
    if (exchanged.kind === 'failed') throw new Error(`No token: ${JSON.stringify(exchanged.failure)}`);
    const token = authentication.parseToken(exchanged.response);
    this.#refreshToken = token.refreshToken ?? this.#refreshToken;
    return authentication.headers(token);
  }

  async #sendAs({ method, url, headers, body }: CrmRequest, authentication: Record<string, string>): Promise<Exchanged> {
    const answer = await fetch(url, { method, headers: { ...headers, ...authentication }, body: body ?? null, redirect: 'manual' });
    const response = { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
    const failure = this.#provider.classify(response);
    return failure === null ? { kind: 'answer', response } : { kind: 'failed', failure };
  }
}
