import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Principal } from '../../domain/access.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, refuse, type Outcome } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';

/**
 * How long a verified credential is cached: a revoked one may still work for as long on another gateway. Milliseconds.
 */
const rememberMs = 5_000;
const rememberAtMost = 50_000;

export type TokenHolder = { principal: Extract<Principal, { kind: 'agent' }>; expiresAt: number };

export interface Authenticator {
  /** Who holds a bearer token; refuses `invalid_token` and `token_expired`. */
  byToken(token: string): Promise<Outcome<TokenHolder>>;
  /** Which company an API key is of; refuses `invalid_api_key`. */
  byKey(key: string): Promise<Outcome<Principal>>;
  /** Forgets the remembered credentials of a company. */
  forget(companyId: CompanyId): void;
}

type Needs = Pick<Services, 'agentNow' | 'apiKeys' | 'clock' | 'integrations' | 'tokens'>;

/** Verifies credentials, caching good ones briefly so that a busy caller costs no query per request. */
export function createAuthenticator(services: Needs): Authenticator {
  const perf = { now: () => services.clock.now() };
  const holders = new LRUCache<string, TokenHolder>({ max: rememberAtMost, ttl: rememberMs, perf });
  const keys = new LRUCache<string, Principal>({ max: rememberAtMost, ttl: rememberMs, perf });
  // A result that was queried before a revocation and arrives after it may be out of date: it is not cached.
  let revocations = 0;
  return {
    async byToken(token) {
      const id = digest(token);
      const known = holders.get(id);
      if (known !== undefined && known.expiresAt > services.clock.now()) return ok(known);
      const before = revocations;
      const verified = await verifyToken(services, token);
      if (verified.kind === 'ok' && before === revocations) holders.set(id, verified.value);
      return verified;
    },
    async byKey(key) {
      const hash = services.apiKeys.hash(key);
      const known = keys.get(hash);
      if (known !== undefined) return ok(known);
      const before = revocations;
      const found = await services.integrations.findByApiKeyHash(hash);
      if (found === null) return refuse('invalid_api_key', 'No company has this API key; it may have been rotated.');
      const principal = { kind: 'company_key', companyId: found.companyId, keyPrefix: found.prefix } as const;
      if (before === revocations) keys.set(hash, principal);
      return ok(principal);
    },
    forget(companyId) {
      revocations += 1;
      for (const [id, { principal }] of holders.entries()) if (principal.companyId === companyId) holders.delete(id);
      for (const [hash, principal] of keys.entries()) if (principal.companyId === companyId) keys.delete(hash);
    },
  };
}

async function verifyToken({ agentNow, tokens }: Needs, token: string): Promise<Outcome<TokenHolder>> {
  const verdict = tokens.verify(token);
  if (verdict.kind === 'expired') return refuse('token_expired', 'The token has expired; log in again.');
  if (verdict.kind === 'invalid') return refuse('invalid_token', 'The token is not one of this service.');
  const { sub, company_id: companyId, ver } = verdict.claims;
  const found = await agentNow({ companyId, agentId: sub });
  if (found?.active !== true || found.tokenVersion !== ver) {
    return refuse('invalid_token', 'The token has been revoked; log in again.');
  }
  const { id: agentId, agentCode, role, ledTeamIds } = found;
  return ok({
    principal: { kind: 'agent', companyId, agentId, agentCode, role, ledTeamIds },
    expiresAt: verdict.expiresAt,
  });
}

/** Tokens are not kept in memory longer than a request needs them. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
