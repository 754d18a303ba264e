import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { describe, expect, it } from 'vitest';
import { createTokenIssuer } from '../../../src/adapters/crypto/tokenIssuer.ts';
import { toId } from '../../../src/domain/ids.ts';
import type { TokenClaims } from '../../../src/ports/secrets.ts';

const secret = randomBytes(32);
const clock = { time: 1_800_000_000_000, now: () => clock.time };
const tokens = createTokenIssuer({ secret, clock });
const claims: TokenClaims = { sub: toId(randomUUID()), company_id: toId(randomUUID()), role: 'agent', ver: 1 };

const goodPayload = { ...claims, iss: 'readyline', exp: 1_800_003_600 };

describe('a token', () => {
  it('carries its claims until it expires, by the given clock', () => {
    const { token, expiresAt } = tokens.issue(claims, 3600);
    expect(expiresAt).toBe(1_800_003_600_000);
    expect(tokens.verify(token)).toEqual({ kind: 'valid', claims, expiresAt });

    clock.time = expiresAt - 1;
    expect(tokens.verify(token).kind).toBe('valid');
    clock.time = expiresAt;
    expect(tokens.verify(token)).toEqual({ kind: 'expired' });
    clock.time = 1_800_000_000_000;
  });

  it('obeys a clock that starts at zero', () => {
    const early = createTokenIssuer({ secret, clock: { now: () => 0 } });
    expect(early.verify(early.issue(claims, 60).token).kind).toBe('valid');
  });

  it('of another secret is invalid, expired or not', () => {
    const other = createTokenIssuer({ secret: randomBytes(32), clock: { now: () => 1 } });
    expect(tokens.verify(other.issue(claims, 60).token)).toEqual({ kind: 'invalid' });
  });

  it('is invalid after any letter of it was changed', () => {
    const { token } = tokens.issue(claims, 3600);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABCxyz019-_.'.split('')), (at, other) => {
        const edited = token.slice(0, at) + other + token.slice(at + 1);
        // The last letter of a base64url part may carry unused bits: then it spells the same bytes.
        fc.pre(edited !== token && at !== token.length - 1);
        expect(tokens.verify(edited)).toEqual({ kind: 'invalid' });
      }),
    );
  });

  it.each(['', '.', '..', 'a.b.c', 'x'.repeat(100_000), 'eyJhbGciOiJIUzI1NiJ9.bm8gSlNPTg.x'])(
    'is not "%.20s"',
    (text) => {
      expect(tokens.verify(text)).toEqual({ kind: 'invalid' });
    },
  );

  it('made by the rules is valid (so the refusals below refuse for their own reason)', () => {
    expect(tokens.verify(jwt.sign(goodPayload, secret)).kind).toBe('valid');
  });

  it('with the algorithm none is invalid', () => {
    expect(tokens.verify(jwt.sign(goodPayload, '', { algorithm: 'none' }))).toEqual({ kind: 'invalid' });
  });

  it.each(['HS384', 'HS512'] as const)('with %s under our own secret is invalid', (algorithm) => {
    expect(tokens.verify(jwt.sign(goodPayload, secret, { algorithm }))).toEqual({ kind: 'invalid' });
  });

  it('signed with a private key is invalid', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(tokens.verify(jwt.sign(goodPayload, privateKey, { algorithm: 'RS256' }))).toEqual({ kind: 'invalid' });
  });

  it.each([
    ['another issuer', { ...goodPayload, iss: 'other' }],
    ['no issuer', { ...goodPayload, iss: undefined }],
    ['no expiry', { ...goodPayload, exp: undefined }],
    ['no subject', { ...goodPayload, sub: undefined }],
    ['a subject that is no id', { ...goodPayload, sub: 'admin' }],
    ['no company', { ...goodPayload, company_id: undefined }],
    ['a company that is no id', { ...goodPayload, company_id: ['x'] }],
    ['an unknown role', { ...goodPayload, role: 'root' }],
    ['a role from the prototype', { ...goodPayload, role: 'constructor' }],
    ['no version', { ...goodPayload, ver: undefined }],
    ['a version that is no whole number', { ...goodPayload, ver: 1.5 }],
    ['version 0', { ...goodPayload, ver: 0 }],
    ['a time before which it must not be used', { ...goodPayload, nbf: goodPayload.exp }],
  ])('with %s is invalid', (_what, payload) => {
    const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
    expect(tokens.verify(jwt.sign(present, secret))).toEqual({ kind: 'invalid' });
  });

  it.each([0, -1, 1.5, Number.NaN])('is not issued for %d seconds', (seconds) => {
    expect(() => tokens.issue(claims, seconds)).toThrow('whole number of seconds');
  });

  it('is not issued under a short secret', () => {
    expect(() => createTokenIssuer({ secret: randomBytes(31), clock })).toThrow('32 bytes');
  });
});
