import { randomUUID } from 'node:crypto';
import { createSystemClock } from '../../../src/adapters/clock/systemClock.ts';
import { createMemoryCounters } from '../../../src/adapters/counters/counters.ts';
import { createCrmClient } from '../../../src/adapters/crm/client.ts';
import { createSecretCipher } from '../../../src/adapters/crypto/secretCipher.ts';
import { createTokenKeeper } from '../../../src/adapters/tokens/tokenKeeper.ts';
import { createWebhookAgent } from '../../../src/adapters/webhook/guardedConnector.ts';
import { resolverFor } from '../../../src/adapters/webhook/hostResolver.ts';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import type { Counters } from '../../../src/ports/counters.ts';
import type { CrmAnswer, CrmClient } from '../../../src/ports/crm.ts';
import type { TokenStore } from '../../../src/ports/tokens.ts';
import { register } from '../../../src/providers/registry.ts';
import type { CrmRequest, CrmResponse, Provider, Site } from '../../../src/providers/provider.ts';
import type { FakeCrm } from './fakeCrm.ts';
import { createMemoryTokens } from './memoryTokens.ts';

const companyId = toId<CompanyId>('0199a1b2-c3d4-7e5f-8a9b-0000000000c0');
const withinMs = 10_000;

/** What sends for a gateway, as the gateway makes it; what several share of it is given. */
export function crmClient({
  counters = createMemoryCounters(),
  tokens = createMemoryTokens(),
}: { counters?: Counters; tokens?: TokenStore<CompanyId> } = {}): CrmClient {
  const clock = createSystemClock();
  return createCrmClient({
    // Its connections end with the fake.
    dispatcher: createWebhookAgent({
      policy: 'loopback',
      connectTimeoutMs: 3_000,
      resolveHost: resolverFor('loopback'),
    }),
    clock,
    counters,
    tokens: createTokenKeeper({
      clock,
      store: tokens,
      cipher: createSecretCipher(Buffer.alloc(32, 7)),
      newId: randomUUID,
      nameOf: (company) => company,
    }),
    pace: () => Promise.resolve(),
  });
}

/** Lets everything through: for tests of what the provider itself allows. */
export const unboundCounters: Counters = { ...createMemoryCounters(), takePlace: async () => 0 };

/** A provider's requests to its fake, sent as the gateway sends them: its token, its rate, its network guard. */
export class CoreExchange<Credentials> {
  readonly site: Site<Credentials>;
  readonly #provider: Provider<Credentials>;
  readonly #client: CrmClient;

  /**
   * @param options the provider's own, as an admin sets them
   * @param client one that shares something with others
   */
  constructor(
    provider: Provider<Credentials>,
    fake: FakeCrm,
    credentials: Record<string, string> = fake.credentials,
    options: Record<string, string> = {},
    client: CrmClient = crmClient(),
  ) {
    this.#provider = provider;
    this.#client = client;
    this.site = {
      credentials: provider.credentials.parse(credentials),
      addresses: { api: fake.url, login: fake.url, app: fake.url },
      facts: {},
      options: provider.options.parse(options),
    };
  }

  /** Keeps the facts of the check, and makes what has to be made. Resolves with who the gateway is there. */
  async connect(): Promise<string> {
    const { account, facts } = this.#provider.parseCheck(
      await this.ask(this.#provider.checkRequest(this.site)),
      this.site,
    );
    this.site.facts = facts;
    for (const { fact, request } of this.#provider.probes(this.site)) {
      if (fact !== undefined)
        this.site.facts = { ...this.site.facts, [fact]: (await this.send(request)).kind === 'answer' ? 'yes' : 'no' };
    }
    const { prepare } = this.#provider.logRequests;
    if (prepare !== undefined) {
      const made = [];
      for (const request of prepare.requests(this.site)) made.push(await this.send(request));
      const isThere = made.every((one) => one.kind === 'answer' || one.trouble.kind === 'exists');
      this.site.facts = { ...this.site.facts, [prepare.fact]: isThere ? 'yes' : 'no' };
    }
    return account;
  }

  /**
   * @param isTrial also where the CRM is left alone, which these tests have it said often,
   * and no test of a provider is about
   */
  send(request: CrmRequest, { isTrial = true } = {}): Promise<CrmAnswer> {
    return this.#client.send(
      { companyId, provider: register(this.#provider), site: this.site as Site<unknown> },
      request,
      { isLive: true, withinMs, isTrial },
    );
  }

  /** The same, which must succeed. */
  async ask(request: CrmRequest): Promise<CrmResponse> {
    const answer = await this.send(request);
    if (answer.kind === 'failed')
      throw new Error(`${request.method} ${request.url}: ${JSON.stringify(answer.trouble)}`);
    return answer.response;
  }
}
