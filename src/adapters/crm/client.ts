import type { Dispatcher } from 'undici';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { CrmAccount, CrmAnswer, CrmClient, CrmSending, CrmTokenStore } from '../../ports/crm.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { CrmRequest } from '../../providers/provider.ts';
import { createBreaker } from './breaker.ts';
import { exchange, failed, noAnswer } from './exchange.ts';
import { createRateBudget } from './rateBudget.ts';
import { createTokens, readToken } from './tokens.ts';

type Needs = {
  /** Reaches nothing but what the network policy allows. */
  dispatcher: Dispatcher;
  clock: Clock;
  counters: Counters;
  tokens: CrmTokenStore;
  cipher: SecretCipher;
  newId: () => string;
  /** Waits until an answer of so many characters may be read. */
  pace: (companyId: CompanyId, length: number) => Promise<void>;
};

/** For one request of a trial: an admin waits for it. Milliseconds. */
const trialWithinMs = 10_000;

/** Sends requests to CRM systems of all providers. */
export function createCrmClient({ dispatcher, clock, counters, tokens: store, cipher, newId, pace }: Needs): CrmClient {
  const breaker = createBreaker(clock);
  const budget = createRateBudget({ clock, counters });
  const tokens = createTokens({ clock, store, cipher, newId, exchange: (account, request, withinMs, isTrial) => turn(account, request, { isLive: true, withinMs, isTrial }) });

  /** One request in its turn, as it is. */
  async function turn(account: CrmAccount, request: CrmRequest, sending: CrmSending): Promise<CrmAnswer> {
    const until = clock.now() + sending.withinMs;
    // An admin who tries it wants to know whether it answers again.
    const paused = sending.isTrial === true ? null : breaker.pausedUntil(account.companyId);
    if (paused !== null) return failed(noAnswer(`${account.provider.name} did not answer several times; it is asked again at ${new Date(paused).toISOString()}.`, false));
    const waitMs = await budget.take(account, { isLive: sending.isLive, isSearch: request.isSearch === true, until });
    if (waitMs !== null) {
      return failed({ kind: 'rate_limited', message: `${account.provider.name} allows no more requests at the moment.`, retryAfterMs: waitMs });
    }
    const answer = await exchange({ dispatcher, clock }, request, until - clock.now());
    if (answer.kind === 'failed') {
      breaker.note(account.companyId, answer.trouble);
      return answer;
    }
    await pace(account.companyId, answer.response.body.length);
    const failure = account.provider.classify(answer.response);
    breaker.note(account.companyId, failure);
    return failure === null ? answer : { ...failed(failure), response: answer.response };
  }

  return {
    async send(account, request, sending) {
      const until = clock.now() + sending.withinMs;
      const left = () => ({ ...sending, withinMs: Math.max(0, until - clock.now()) });
      const authentication = account.provider.authentication(account.site);
      if (authentication.kind === 'fixed') return turn(account, withHeaders(request, authentication.headers), left());
      let refused: number | null = null;
      for (;;) {
        const got = await tokens.get(account, authentication, { refused, until, isTrial: sending.isTrial === true });
        if (got.kind === 'failed') return got;
        const { token, version } = got;
        const here = token.api === null ? request : movedTo(request, account.site.addresses.api, token.api);
        const answer = await turn(account, withHeaders(here, authentication.headers(token)), left());
        // Once: a fresh token that is refused as well says that the account is not what it was.
        if (refused !== null || answer.kind === 'answer' || answer.trouble.kind !== 'unauthorized') return answer;
        refused = version;
      }
    },
    askOnce: (account, request) => turn(account, request, { isLive: true, isTrial: true, withinMs: trialWithinMs }),
    async tryOut(account) {
      const trial = { isLive: true, isTrial: true, withinMs: trialWithinMs } as const;
      const sendBy = (headers: Record<string, string>, api: string | null) => (request: CrmRequest) =>
        turn(account, withHeaders(api === null ? request : movedTo(request, account.site.addresses.api, api), headers), trial);
      const authentication = account.provider.authentication(account.site);
      if (authentication.kind === 'fixed') return { kind: 'ready', send: sendBy(authentication.headers, null), token: null };
      const answer = await turn(account, authentication.tokenRequest(null), trial);
      const got = readToken(answer, authentication);
      if (got.kind === 'failed') return got;
      return { kind: 'ready', send: sendBy(authentication.headers(got.token), got.token.api), token: tokens.seal(account.companyId, got.token) };
    },
    pausedUntil: (companyId) => breaker.openUntil(companyId),
    forget(companyId: CompanyId) {
      tokens.forget(companyId);
      breaker.forget(companyId);
    },
  };
}

function withHeaders(request: CrmRequest, headers: Record<string, string>): CrmRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The same request where the provider said that this company's requests go. */
function movedTo(request: CrmRequest, from: string, to: string): CrmRequest {
  return request.url.startsWith(`${from}/`) ? { ...request, url: to + request.url.slice(from.length) } : request;
}
