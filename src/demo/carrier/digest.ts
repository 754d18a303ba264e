import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { headerOf, type SipRequest } from './sipMessage.ts';

/** `stale`: right, but for a nonce that has been used: worth another try. */
export type DigestVerdict = 'right' | 'stale' | 'wrong' | 'missing';

/** Digest authentication (RFC 2617, MD5 and `qop=auth`, which is what browsers' telephones speak) on one connection. */
export interface Digest {
  /** Whether a request carries this user's secret. */
  check(request: SipRequest, user: string, secret: string): DigestVerdict;
  /** The value of a WWW-Authenticate header with a nonce of its own. */
  challenge(isStale: boolean): string;
}

export function createDigest(realm: string): Digest {
  let nonce: string | null = null;
  let lastCount = 0;
  return {
    check(request, user, secret) {
      const given = credentialsIn(request);
      if (given === null) return 'missing';
      const { username, uri = '', nonce: used = '', nc = '', cnonce = '', qop = '', response = '' } = given;
      if (nonce === null || used !== nonce) return 'stale';
      const ha1 = md5(`${user}:${realm}:${secret}`);
      const ha2 = md5(`${request.method}:${uri}`);
      const expected = md5([ha1, nonce, nc, cnonce, 'auth', ha2].join(':'));
      if (username !== user || given['realm'] !== realm || qop !== 'auth' || !sameText(expected, response)) return 'wrong';
      // A count that came before was overheard and is played again.
      const count = /^[0-9a-f]{8}$/i.test(nc) ? Number.parseInt(nc, 16) : 0;
      if (count <= lastCount) return 'stale';
      lastCount = count;
      return 'right';
    },
    challenge(isStale) {
      nonce = randomBytes(16).toString('hex');
      lastCount = 0;
      return `Digest realm="${realm}", nonce="${nonce}", algorithm=MD5, qop="auth"${isStale ? ', stale=true' : ''}`;
    },
  };
}

function credentialsIn(request: SipRequest): Record<string, string | undefined> | null {
  const header = headerOf(request, 'authorization');
  if (header === null || !/^Digest\s/i.test(header)) return null;
  const parts = header.matchAll(/(\w+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))/g);
  return Object.fromEntries(Array.from(parts, ([, name = '', quoted, bare]) => [name.toLowerCase(), quoted ?? bare]));
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

function sameText(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given.toLowerCase())];
  return a.length === b.length && timingSafeEqual(a, b);
}
