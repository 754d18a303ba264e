import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ports/clock.ts';
import type { SecretCipher } from '../../ports/secrets.ts';
import type { GotToken, SealedToken, TokenKeeper, TokenStore, TokenWish } from '../../ports/tokens.ts';
import type { AccessToken } from '../../providers/provider.ts';

/** A token is replaced so long before it ends. Milliseconds. */
const earlyMs = 60_000;
/** For asking for a new one. Milliseconds; the right to ask lasts longer, so that nobody asks beside it. */
const askWithinMs = 10_000;
const leaseMs = 20_000;
/** How often those who wait for another gateway's new token look. Milliseconds. */
const lookAgainMs = 100;
const maxTokens = 10_000;

type Held = { token: AccessToken; expiresAt: number | null; version: number };

type Needs<Account> = {
  clock: Clock;
  store: TokenStore<Account>;
  cipher: SecretCipher;
  newId: () => string;
  /**
   * Names an account with all that makes it another: what is kept and sealed for one must not open for another,
   * nor in place of anything else that is sealed.
   */
  nameOf: (account: Account) => string;
};

/**
 * The tokens by which the gateways ask CRM systems and telephony platforms. Of a store that is shared, all gateways use
 * one token per account, and one of them at a time asks for the next: a refresh token that is replaced at every use
 * would else be used twice, which ends the connection. An answer that was lost is asked for again with the same refresh
 * token: HubSpot, Zoho and Webex keep it, so it is granted. Where it has been replaced (Pipedrive) nobody documents a
 * time of grace: the refusal says that somebody has to log in again, and what is to be logged waits for that.
 */
export function createTokenKeeper<Account, Failure extends { kind: 'failed' }>({
  clock,
  store,
  cipher,
  newId,
  nameOf,
}: Needs<Account>): TokenKeeper<Account, Failure> {
  type Got = GotToken<Failure>;
  const held = new LRUCache<string, Held>({ max: maxTokens });
  const asking = new Map<string, Promise<Got>>();

  const isGood = ({ expiresAt, version }: Held, refused: number | null) =>
    (refused === null || version > refused) && (expiresAt === null || expiresAt - earlyMs > clock.now());

  function keep(account: Account, known: Held): { kind: 'token' } & Held {
    held.set(nameOf(account), known);
    return { kind: 'token', ...known };
  }

  async function renew(account: Account, { ask, refused, until }: TokenWish<Failure>): Promise<Got> {
    for (;;) {
      const stored = await store.find(account);
      if (stored === null) return none('The account was disconnected.');
      const { expiresAt, sealed, version } = stored;
      const token = sealed === null ? null : (JSON.parse(cipher.decrypt(sealed, nameOf(account))) as AccessToken);
      const known = token === null ? null : { token, expiresAt: expiresAt?.getTime() ?? null, version };
      if (known !== null && isGood(known, refused)) return keep(account, known);
      const leaseId = newId();
      if (await store.lease(account, { leaseId, forMs: leaseMs, version })) {
        const latest = token?.refreshToken ?? null;
        const got = await ask(latest, askWithinMs);
        if (got.kind === 'failed') {
          await store.release(account, leaseId);
          return got;
        }
        const next = { ...got.token, refreshToken: got.token.refreshToken ?? latest };
        const fresh = seal(account, next);
        return (await store.save(account, leaseId, fresh))
          ? keep(account, { token: next, expiresAt: fresh.expiresAt?.getTime() ?? null, version: version + 1 })
          : none('The account was changed meanwhile.');
      }
      if (clock.now() + lookAgainMs >= until) return late;
      await new Promise<void>((resolve) => clock.after(lookAgainMs, resolve));
    }
  }

  function seal(account: Account, token: AccessToken): SealedToken {
    const expiresAt = token.expiresInSeconds === null ? null : new Date(clock.now() + token.expiresInSeconds * 1_000);
    return { sealed: cipher.encrypt(JSON.stringify(token), nameOf(account)), expiresAt };
  }

  function inTime(renewing: Promise<Got>, until: number): Promise<Got> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(Math.max(0, until - clock.now()), () => resolve(late));
      void renewing.then(resolve, reject).finally(cancel);
    });
  }

  return {
    async get(account, wish) {
      const name = nameOf(account);
      for (;;) {
        const known = held.get(name);
        if (known !== undefined && isGood(known, wish.refused)) return { kind: 'token', ...known };
        const underWay = asking.get(name);
        const renewing = underWay ?? renew(account, wish).finally(() => asking.delete(name));
        if (underWay === undefined) asking.set(name, renewing);
        const got = await inTime(renewing, wish.until);
        // What somebody else waited for may be the very token that was refused here.
        if (underWay === undefined || got.kind !== 'token' || got.version > (wish.refused ?? 0)) return got;
      }
    },
    seal,
    forget(account) {
      held.delete(nameOf(account));
    },
  };
}

/** In place of a store: each gateway asks for itself, where that spends nothing, and waits for no other. */
export function createOwnTokens(): TokenStore<unknown> {
  let version = 0;
  return {
    find: async () => ({ sealed: null, expiresAt: null, version: (version += 1) }),
    lease: async () => true,
    save: async () => true,
    release: async () => {},
  };
}

function none(message: string): { kind: 'none'; message: string } {
  return { kind: 'none', message };
}

const late = none('No token came in time.');
