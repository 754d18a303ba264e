import type { AccessToken } from '../providers/provider.ts';

/** An account's token, sealed, and when it ends; null: it does not. */
export type SealedToken = { sealed: string; expiresAt: Date | null };

/** `sealed` null: there is none yet. `version` rises with every token. */
export type StoredToken = { sealed: string | null; expiresAt: Date | null; version: number };

/** Access tokens, shared by all gateways. One gateway at a time asks for a new one. */
export interface TokenStore<Account> {
  /** Null: there is no such account, or it is another by now. */
  find(account: Account): Promise<StoredToken | null>;
  /**
   * Takes the right to ask for a new token, for so long,
   * where nobody has it and the stored token is still of that version.
   */
  lease(account: Account, claim: { leaseId: string; forMs: number; version: number }): Promise<boolean>;
  /** Keeps the token and gives the right back. False: it was not held any more, and nothing was changed. */
  save(account: Account, leaseId: string, token: SealedToken): Promise<boolean>;
  /** Gives the right back without a new token. */
  release(account: Account, leaseId: string): Promise<void>;
}

/** `none`: there is no account any more, or no token came in time; the platform has said nothing about it. */
export type GotToken<Failure> =
  { kind: 'token'; token: AccessToken; version: number } | { kind: 'none'; message: string } | Failure;

export type TokenWish<Failure> = {
  /** The version of a token that was refused, and those before; null: none was. Infinity: only a new one will do. */
  refused: number | null;
  /** How long the caller waits. Milliseconds since the epoch. */
  until: number;
  /**
   * Sends the request for a token. It goes on though nobody waits any more: the answer may hold the only refresh token.
   * @param refreshToken the latest one; null: that of the account's settings, if any
   */
  ask: (refreshToken: string | null, withinMs: number) => Promise<{ kind: 'token'; token: AccessToken } | Failure>;
};

/** Keeps the access tokens of accounts, and has a new one asked for before the last ends. */
export interface TokenKeeper<Account, Failure> {
  /** A token that is good, or may be. One that is known costs no request and no query. */
  get(account: Account, wish: TokenWish<Failure>): Promise<GotToken<Failure>>;
  /** A token that was got beside this, as it is stored. */
  seal(account: Account, token: AccessToken): SealedToken;
  /** Drops what this gateway knows of an account. */
  forget(account: Account): void;
}
