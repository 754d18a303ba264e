import type { Role } from '../contract/vocabulary.ts';
import type { AgentId, CompanyId } from '../domain/ids.ts';

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
  | { kind: 'valid'; claims: TokenClaims; expiresAt: number }
  | { kind: 'expired' }
  | { kind: 'invalid' };

/** Issues and verifies agents' bearer tokens. */
export type TokenIssuer = {
  /** `ttlSeconds`: a whole number, 1 or more. */
  issue(claims: TokenClaims, ttlSeconds: number): IssuedToken;
  verify(token: string): TokenVerdict;
};
