import type { Dispatcher } from 'undici';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import type { CrmAccount, CrmAnswer, CrmClient, CrmPause, CrmSending } from '../../ports/crm.ts';
import type { TokenKeeper } from '../../ports/tokens.ts';
import { readToken } from '../../providers/oauth.ts';
import type { AccessToken, CrmRequest, TokenAuthentication } from '../../providers/provider.ts';
import { createBreaker } from './breaker.ts';
import { exchange, failed, noAnswer } from './exchange.ts';
import { limited, pausedBy, unsent } from './heldBack.ts';
import { createRateBudget } from './rateBudget.ts';
import { createToldWaits } from './toldWaits.ts';

type FailedAnswer = CrmAnswer & { kind: 'failed' };

type Needs = {
  /** Reaches nothing but what the network policy allows. */
  dispatcher: Dispatcher;
  clock: Clock;
  counters: Counters;
  tokens: TokenKeeper<CompanyId, FailedAnswer>;
  /** Waits until an answer of so many characters may be read. */
  pace: (companyId: CompanyId, length: number) => Promise<void>;
};

/** For one request of a trial: an admin waits for it. Milliseconds. */
const trialWithinMs = 10_000;

/** Sends requests to CRM systems of all providers. */
export function createCrmClient({ dispatcher, clock, counters, tokens, pace }: Needs): CrmClient {
  const breaker = createBreaker(clock);
  const budget = createRateBudget({ clock, counters });
  const waits = createToldWaits({ clock, counters });

  /** What this gateway knows of. What the CRM has told comes first: it holds though the CRM would answer. */
  function knownPause(companyId: CompanyId): CrmPause | null {
    return (
      pauseUntil('told_to_wait', waits.knownUntil(companyId)) ?? pauseUntil('no_answer', breaker.openUntil(companyId))
    );
  }

  async function pauseOf(companyId: CompanyId, provider: string): Promise<CrmPause | null> {
    return (
      pauseUntil('told_to_wait', await waits.until(companyId, provider)) ??
      pauseUntil('no_answer', breaker.openUntil(companyId))
    );
  }

  /** One request in its turn, as it is. */
  async function turn(account: CrmAccount, request: CrmRequest, sending: CrmSending): Promise<CrmAnswer> {
    const { companyId, provider } = account;
    const until = clock.now() + sending.withinMs;
    // An admin who tries it wants to know whether it answers again.
    const isTrial = sending.isTrial === true;
    const before = isTrial ? null : await pauseOf(companyId, provider.id);
    if (before !== null) return unsent(pausedBy(provider.name, before, clock.now()));
    const noTurn = await budget.take(account, { isLive: sending.isLive, isSearch: request.isSearch === true, until });
    if (noTurn !== null) return unsent(limited(provider.name, noTurn, clock.now()));
    // Others may have heard something while this one waited; where a pause has ended, it is the one that tries.
    const meanwhile = isTrial
      ? null
      : (knownPause(companyId) ?? pauseUntil('no_answer', breaker.pausedUntil(companyId)));
    if (meanwhile !== null) return unsent(pausedBy(provider.name, meanwhile, clock.now()));
    const answer = await exchange({ dispatcher, clock }, request, until - clock.now());
    if (answer.kind === 'failed') {
      if (answer.isUnsent !== true) breaker.note(companyId, answer.trouble);
      return answer;
    }
    await pace(companyId, answer.response.body.length);
    budget.learn(account, answer.response);
    const failure = provider.classify(answer.response);
    breaker.note(companyId, failure);
    if (failure?.kind === 'rate_limited' && failure.retryAfterMs !== null)
      await waits.keep(companyId, provider.id, failure.retryAfterMs);
    return failure === null ? answer : { ...failed(failure), response: answer.response };
  }

  /** A token by that refresh token. Without one nothing goes, whatever the provider calls the reason. */
  async function askForToken(
    account: CrmAccount,
    authentication: TokenAuthentication,
    refreshToken: string | null,
    sending: CrmSending,
  ): Promise<{ kind: 'token'; token: AccessToken } | FailedAnswer> {
    const answer = await turn(account, authentication.tokenRequest(refreshToken), sending);
    if (answer.kind === 'failed') {
      const { kind, message } = answer.trouble;
      return kind === 'invalid' || kind === 'forbidden' || kind === 'not_found'
        ? failed({ kind: 'unauthorized', message })
        : answer;
    }
    const read = readToken(answer.response, authentication);
    return read.kind === 'token' ? read : failed({ kind: 'unavailable', message: read.message });
  }

  return {
    async send(account, request, sending) {
      const until = clock.now() + sending.withinMs;
      const left = () => ({ ...sending, withinMs: Math.max(0, until - clock.now()) });
      const authentication = account.provider.authentication(account.site);
      if (authentication.kind === 'fixed') return turn(account, withHeaders(request, authentication.headers), left());
      let refused: number | null = null;
      for (;;) {
        const asked = await tokens.get(account.companyId, {
          refused,
          until,
          ask: (refreshToken, withinMs) =>
            askForToken(account, authentication, refreshToken, { ...sending, isLive: true, withinMs }),
        });
        const got = asked.kind === 'none' ? failed(noAnswer(asked.message, false)) : asked;
        // The request itself has gone where a token of before was refused.
        if (got.kind === 'failed') return refused === null ? unsent(got.trouble) : got;
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
        turn(
          account,
          withHeaders(api === null ? request : movedTo(request, account.site.addresses.api, api), headers),
          trial,
        );
      const authentication = account.provider.authentication(account.site);
      if (authentication.kind === 'fixed')
        return { kind: 'ready', send: sendBy(authentication.headers, null), token: null };
      const got = await askForToken(account, authentication, null, trial);
      if (got.kind === 'failed') return got;
      return {
        kind: 'ready',
        send: sendBy(authentication.headers(got.token), got.token.api),
        token: tokens.seal(account.companyId, got.token),
      };
    },
    heldBack(companyId, name) {
      const pause = knownPause(companyId);
      return pause === null ? null : pausedBy(name, pause, clock.now());
    },
    pauseOf,
    forget(companyId: CompanyId) {
      tokens.forget(companyId);
      breaker.forget(companyId);
      budget.forget(companyId);
      waits.forget(companyId);
    },
  };
}

function pauseUntil(why: CrmPause['why'], until: number | null): CrmPause | null {
  return until === null ? null : { why, until };
}

function withHeaders(request: CrmRequest, headers: Record<string, string>): CrmRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** The same request where the provider said that this company's requests go. */
function movedTo(request: CrmRequest, from: string, to: string): CrmRequest {
  return request.url.startsWith(`${from}/`) ? { ...request, url: to + request.url.slice(from.length) } : request;
}
