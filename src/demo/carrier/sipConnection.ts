import type { WebSocket } from 'ws';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { headerOf, type SipRequest } from './sipMessage.ts';
import { type Answer, responseText, sipDomain } from './sipText.ts';

/** Unsent bytes per page; beyond it the connection is cut. */
const maxWaitingBytes = 1024 * 1024;

/** A page's WebSocket. */
export interface SipConnection {
  readonly isOpen: boolean;
  readonly digest: Digest;
  /** Does nothing once it is closed. */
  send(text: string): void;
  reply(request: SipRequest, answer: Answer): void;
  /** Counts violations of the protocol; too many close the connection. */
  strike(): void;
}

/** Violations after which the connection is closed. */
const maxStrikes = 20;

export function createSipConnection(socket: WebSocket): SipConnection {
  let strikes = 0;
  const connection: SipConnection = {
    get isOpen() {
      return socket.readyState === socket.OPEN;
    },
    digest: createDigest(sipDomain),
    send(text) {
      if (!connection.isOpen) return;
      if (socket.bufferedAmount > maxWaitingBytes) socket.terminate();
      else socket.send(text);
    },
    reply: (request, answer) => connection.send(responseText(request, answer)),
    strike() {
      strikes += 1;
      if (strikes === maxStrikes) socket.close(1008, 'too many faults');
    },
  };
  return connection;
}

/** `stale`: right, but for a nonce that has been used: worth another try. */
type DigestVerdict = 'right' | 'stale' | 'wrong' | 'missing';

/** Digest authentication (RFC 2617, MD5 and `qop=auth`, which is what browsers' telephones speak) on one connection. */
export interface Digest {
  /** Whether a request carries this user's secret. */
  check(request: SipRequest, user: string, secret: string): DigestVerdict;
  /** The value of a WWW-Authenticate header with a nonce of its own. */
  challenge(isStale: boolean): string;
}

function createDigest(realm: string): Digest {
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
      if (username !== user || given['realm'] !== realm || qop !== 'auth' || !sameText(expected, response))
        return 'wrong';
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
