import { LRUCache } from 'lru-cache';
import type { CompanyId } from '../../domain/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CrmAccount, CrmAnswer, CrmTokenStore, SealedToken, StoredToken } from '../../ports/crm.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import { type Authentication, type CrmRequest, type CrmToken, UnreadableAnswer } from '../../providers/provider.ts';
import { failed, noAnswer } from './exchange.ts';

/** A token is replaced so long before it ends. Milliseconds. */
const earlyMs = 60_000;
/** For asking for a new one. Milliseconds; the right to ask lasts longer, so that nobody asks beside it. */
const askWithinMs = 10_000;
const leaseMs = 20_000;
/** How often those who wait for another gateway's new token look. Milliseconds. */
const lookAgainMs = 100;
const maxTokens = 10_000;

type TokenAuthentication = Authentication & { kind: 'token' };
/** `refused`: the version of a token that the provider has refused. `until`: milliseconds since the epoch. */
type Asked = { refused: number | null; until: number; isTrial: boolean };
type Held = { token: CrmToken; expiresAt: number | null; version: number };
type Got = ({ kind: 'token' } & Held) | (CrmAnswer & { kind: 'failed' });

type Needs = {
  clock: Clock;
  store: CrmTokenStore;
  cipher: SecretCipher;
  newId: () => string;
  exchange: (account: CrmAccount, request: CrmRequest, withinMs: number, isTrial: boolean) => Promise<CrmAnswer>;
};

/**
 * The tokens of CRM systems. All gateways share one token per company, and one of them at a time asks for the next: a
 * refresh token that the provider replaces at every use would else be used twice, which ends the connection. An answer
 * that was lost is asked for again with the same refresh token: HubSpot and Zoho keep it, so it is granted. Where it
 * has been replaced (Pipedrive) nobody documents a time of grace: the refusal says that an admin has to log in again,
 * and what is to be logged waits for that.
 */
export function createTokens({ clock, store, cipher, newId, exchange }: Needs) {
  const held = new LRUCache<CompanyId, Held>({ max: maxTokens });
  const asking = new Map<CompanyId, Promise<Got>>();

  const isGood = ({ expiresAt, version }: Held, refused: number | null) =>
    (refused === null || version > refused) && (expiresAt === null || expiresAt - earlyMs > clock.now());

  function keep(
    companyId: CompanyId,
    sealed: string,
    { expiresAt, version }: Pick<StoredToken, 'expiresAt' | 'version'>,
  ): Held {
    const token = JSON.parse(cipher.decrypt(sealed, contextOf(companyId))) as CrmToken;
    const known = { token, expiresAt: expiresAt?.getTime() ?? null, version };
    held.set(companyId, known);
    return known;
  }

  async function renew(
    account: CrmAccount,
    authentication: TokenAuthentication,
    { refused, until, isTrial }: Asked,
  ): Promise<Got> {
    const { companyId } = account;
    for (;;) {
      const stored = await store.find(companyId);
      if (stored === null) return failed(noAnswer('The CRM was disconnected.', false));
      const known = stored.sealed === null ? null : keep(companyId, stored.sealed, stored);
      if (known !== null && isGood(known, refused)) return { kind: 'token', ...known };
      const leaseId = newId();
      if (await store.lease(companyId, { leaseId, forMs: leaseMs, version: stored.version })) {
        return ask(account, authentication, known?.token.refreshToken ?? null, {
          leaseId,
          version: stored.version,
          isTrial,
        });
      }
      if (clock.now() + lookAgainMs >= until) return failed(noAnswer('No token came in time.', false));
      await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve));
    }
  }

  async function ask(
    account: CrmAccount,
    authentication: TokenAuthentication,
    refreshToken: string | null,
    { leaseId, version, isTrial }: { leaseId: string; version: number; isTrial: boolean },
  ): Promise<Got> {
    const { companyId } = account;
    const answer = await exchange(account, authentication.tokenRequest(refreshToken), askWithinMs, isTrial);
    const got = readToken(answer, authentication);
    if (got.kind === 'failed') {
      await store.release(companyId, leaseId);
      return got;
    }
    const sealed = seal(companyId, { ...got.token, refreshToken: got.token.refreshToken ?? refreshToken });
    if (!(await store.save(companyId, leaseId, sealed)))
      return failed(noAnswer('The connection was changed meanwhile.', false));
    return { kind: 'token', ...keep(companyId, sealed.sealed, { expiresAt: sealed.expiresAt, version: version + 1 }) };
  }

  function seal(companyId: CompanyId, token: CrmToken): SealedToken {
    const expiresAt = token.expiresInSeconds === null ? null : new Date(clock.now() + token.expiresInSeconds * 1_000);
    return { sealed: cipher.encrypt(JSON.stringify(token), contextOf(companyId)), expiresAt };
  }

  return {
    /** A token that is good, or may be. */
    async get(account: CrmAccount, authentication: TokenAuthentication, asked: Asked): Promise<Got> {
      const known = held.get(account.companyId);
      if (known !== undefined && isGood(known, asked.refused)) return { kind: 'token', ...known };
      const underWay = asking.get(account.companyId);
      if (underWay !== undefined) return underWay;
      const renewing = renew(account, authentication, asked).finally(() => asking.delete(account.companyId));
      asking.set(account.companyId, renewing);
      return renewing;
    },
    /** A token that was got beside this, as it is stored. */
    seal,
    forget(companyId: CompanyId): void {
      held.delete(companyId);
    },
  };
}

/** The token of an answer. Without one nothing goes, whatever the provider calls the reason. */
export function readToken(
  answer: CrmAnswer,
  { parseToken }: TokenAuthentication,
): { kind: 'token'; token: CrmToken } | (CrmAnswer & { kind: 'failed' }) {
  if (answer.kind === 'failed') {
    const { kind, message } = answer.trouble;
    return kind === 'invalid' || kind === 'forbidden' || kind === 'not_found'
      ? failed({ kind: 'unauthorized', message })
      : answer;
  }
  try {
    return { kind: 'token', token: parseToken(answer.response) };
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return failed({ kind: 'unavailable', message: error.message });
  }
}

/** Not the credentials' context: one sealed text must not open in place of another. */
function contextOf(companyId: CompanyId): string {
  return `crm-token:${companyId}`;
}
