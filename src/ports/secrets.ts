import type { Role } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';

/** Company API keys: shown once, kept as a hash. */
export interface ApiKeys {
  /** A new key with its public prefix and the hash to store. */
  create(): { key: string; prefix: string; hash: string };
  /** SHA-256 in hex: the keys are random, so a slow hash would only cost time. */
  hash(key: string): string;
}

/**
 * Slow by design: each call costs tens of milliseconds of one thread, and calls wait for each other,
 * those of known devices for none but their like.
 */
export type PasswordHasher = {
  /** A text that holds the parameters, the salt and the hash; another one at every call. */
  hash(password: string): Promise<string>;
  /** Whether the password made the hash. Throws when the hash is not one. */
  verify(hash: string, password: string, way?: 'anybody' | 'known'): Promise<boolean>;
  /** Takes as long as `verify` and answers false: for log-ins that name nobody, so that time does not tell. */
  verifyAgainstNobody(password: string, way?: 'anybody' | 'known'): Promise<false>;
};

/** What a token says about its bearer. */
export type TokenClaims = {
  sub: AgentId;
  company_id: CompanyId;
  role: Role;
  /** The agent's token version at log-in, 1 or more; a lower one than the agent's current one is revoked. */
  ver: number;
};

/** `expiresAt`: milliseconds since the epoch, always a whole second. */
export type IssuedToken = { token: string; expiresAt: number };

/** `expired` is only said of tokens that this gateway signed. */
export type TokenVerdict =
  { kind: 'valid'; claims: TokenClaims; expiresAt: number } | { kind: 'expired' } | { kind: 'invalid' };

/** Issues and verifies agents' bearer tokens. */
export type TokenIssuer = {
  /** `ttlSeconds`: a whole number, 1 or more. */
  issue(claims: TokenClaims, ttlSeconds: number): IssuedToken;
  verify(token: string): TokenVerdict;
};

/** Keeps secrets at rest. Both calls are pure computation, a few microseconds. */
export type SecretCipher = {
  /** Seals a text. `context` (the company id) is not stored: the same one must be given to open it. */
  encrypt(clear: string, context: string): string;
  /** Opens a sealed text. Throws when the text was edited, the key is another, or the context differs. */
  decrypt(sealed: string, context: string): string;
};
