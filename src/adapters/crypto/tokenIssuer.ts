import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { roles } from '../../contract/vocabulary.ts';
import { isUuid, toId } from '../../domain/ids.ts';
import type { TokenClaims, TokenIssuer, TokenVerdict } from '../../ports/secrets.ts';

const issuer = 'readyline';
const algorithm = 'HS256';
const minSecretBytes = 32;
/** Our tokens have some 300 letters; what is far longer is not worth decoding. */
const maxTokenLength = 4096;

/**
 * JSON Web Tokens, HS256 only, under one secret of at least 32 bytes. `clock.now()`: milliseconds since the epoch;
 * nothing else decides what has expired.
 */
export function createTokenIssuer(options: { secret: Buffer; clock: { now(): number } }): TokenIssuer {
  const { secret, clock } = options;
  if (secret.length < minSecretBytes) {
    throw new Error(`the token secret must have at least ${String(minSecretBytes)} bytes`);
  }
  // A key object: a text or buffer would be made into one at every call, at many times the cost of the signature.
  const key = createSecretKey(secret);
  // Never 0: the library would take it for "not given" and look at the wall clock.
  const nowSeconds = (): number => Math.max(1, Math.floor(clock.now() / 1000));

  return {
    issue({ sub, company_id, role, ver }, ttlSeconds) {
      if (!Number.isInteger(ttlSeconds) || ttlSeconds < 1) throw new Error('a token lives a whole number of seconds');
      const iat = nowSeconds();
      const exp = iat + ttlSeconds;
      const token = jwt.sign({ sub, company_id, role, ver, iss: issuer, iat, exp }, key, { algorithm });
      return { token, expiresAt: exp * 1000 };
    },

    verify(token) {
      if (token.length > maxTokenLength) return { kind: 'invalid' };
      try {
        const payload = jwt.verify(token, key, { algorithms: [algorithm], issuer, clockTimestamp: nowSeconds() });
        return readPayload(payload);
      } catch (error) {
        return { kind: error instanceof jwt.TokenExpiredError ? 'expired' : 'invalid' };
      }
    },
  };
}

/** Signed by us is not yet shaped by us: an older or newer gateway may share the secret. */
function readPayload(payload: string | jwt.JwtPayload): TokenVerdict {
  if (typeof payload === 'string' || payload.exp === undefined) return { kind: 'invalid' };
  const claims = readClaims(payload);
  return claims === null ? { kind: 'invalid' } : { kind: 'valid', claims, expiresAt: payload.exp * 1000 };
}

function readClaims(payload: jwt.JwtPayload): TokenClaims | null {
  const { sub, company_id: companyId, role, ver }: Record<string, unknown> = payload;
  if (typeof sub !== 'string' || !isUuid(sub) || typeof companyId !== 'string' || !isUuid(companyId)) return null;
  const knownRole = roles.find((known) => known === role);
  if (knownRole === undefined || typeof ver !== 'number' || !Number.isInteger(ver) || ver < 1) return null;
  return { sub: toId(sub), company_id: toId(companyId), role: knownRole, ver };
}
