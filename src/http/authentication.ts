import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Access, Principal } from '../domain/access.ts';
import { ok, type Outcome, refuse, type Refused, unreachable } from '../domain/outcome.ts';

/** How credentials are checked; refusals carry `invalid_token`, `token_expired` or `invalid_api_key`. */
export type Authenticate = {
  byToken(token: string): Promise<Outcome<{ principal: Principal }>>;
  byKey(key: string): Promise<Outcome<Principal>>;
};

type CompanyAccess = Extract<Access, { kind: 'company' }>;

/**
 * Authenticates the caller by the route's access rule; null for open routes. Looks at headers only, so that strangers
 * cannot make the gateway read bodies.
 * @param platformToken null when this gateway has no platform routes
 */
export async function authenticate(
  access: Access,
  headers: IncomingHttpHeaders,
  checks: Authenticate,
  platformToken: string | null,
): Promise<Outcome<Principal | null>> {
  switch (access.kind) {
    case 'open':
      return ok(null);
    case 'platform':
      return authenticatePlatform(headers, platformToken);
    case 'company':
      return authenticateCompany(access, headers, checks);
    default:
      return unreachable(access);
  }
}

async function authenticateCompany(
  access: CompanyAccess,
  headers: IncomingHttpHeaders,
  checks: Authenticate,
): Promise<Outcome<Principal>> {
  const basic = access.key ? basicPassword(headers) : null;
  const token = basic === null ? bearerToken(headers) : ok(null);
  if (token.kind === 'refused') return token;
  const keys = keysOf(headers, access.key, basic);
  if (keys.size > 1) return refuse('unauthenticated', 'The request carries different company keys: send one.');
  const [key = null] = keys;
  if (token.value === null && (key === null || !access.key)) return missing(access, key !== null);

  const byToken = token.value === null ? null : await checks.byToken(token.value);
  if (byToken?.kind === 'refused') return byToken;
  const byKey = key === null ? null : await checks.byKey(key);
  if (byKey?.kind === 'refused') return byKey;

  const caller = byToken?.value.principal ?? byKey?.value;
  if (caller === undefined) return missing(access, false);
  if (byKey !== null && byKey.value.companyId !== caller.companyId) {
    return refuse('wrong_company', 'The API key and the token belong to different companies.');
  }
  if (caller.kind === 'agent' && !access.roles.includes(caller.role)) return roleRequired(access);
  return ok(caller);
}

function missing(access: CompanyAccess, keyGiven: boolean): Refused {
  if (access.key) {
    return refuse(
      'unauthenticated',
      'Send the company key as X-Service-Api-Key, or a token as Authorization: Bearer <token>.',
    );
  }
  return refuse(
    'unauthenticated',
    keyGiven
      ? 'The company key is not enough here: send the token of an agent as Authorization: Bearer <token>.'
      : 'Send the token of an agent as Authorization: Bearer <token>.',
  );
}

function roleRequired({ roles }: CompanyAccess): Refused {
  const needed = roles.length === 1 ? `the role ${roles.join('')}` : `one of the roles ${roles.join(', ')}`;
  return refuse('role_required', `This needs ${needed}.`);
}

function authenticatePlatform(headers: IncomingHttpHeaders, platformToken: string | null): Outcome<null> {
  if (platformToken === null) return refuse('not_found', 'There is nothing at this address.');
  const token = bearerToken(headers);
  if (token.kind === 'refused') return token;
  if (token.value === null)
    return refuse('unauthenticated', 'Send the platform token as Authorization: Bearer <token>.');
  return sameText(token.value, platformToken) ? ok(null) : refuse('invalid_token', 'That is not the platform token.');
}

/** Compares in constant time. */
function sameText(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

/**
 * The company keys of a request. Where a key is enough, also in the places that telephony platforms can fill.
 * @param basic the password of HTTP Basic, or null
 */
function keysOf(headers: IncomingHttpHeaders, isKeyEnough: boolean, basic: string | null): ReadonlySet<string> {
  const given = [headers['x-service-api-key'], ...(isKeyEnough ? [headers['x-api-key'], basic] : [])];
  return new Set(given.filter((key) => typeof key === 'string' && key !== '') as string[]);
}

/** The password of HTTP Basic (RFC 7617), whatever the user name; null where there is none. */
function basicPassword({ authorization }: IncomingHttpHeaders): string | null {
  const credentials = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? '')?.[1];
  if (credentials === undefined) return null;
  const [, password = ''] = /^[^:]*:(.+)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? [];
  return password === '' ? null : password;
}

function bearerToken({ authorization }: IncomingHttpHeaders): Outcome<string | null> {
  if (authorization === undefined || authorization === '') return ok(null);
  const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  return token === undefined
    ? refuse('unauthenticated', 'The Authorization header must read "Bearer <token>".')
    : ok(token);
}
