import type { UA } from 'jssip';
import { answerChallengesBy, calculateMD5, type DigestChallenge, type DigestInside } from './jssipInside.ts';
import { digest } from './reading/challenges.ts';
import { asWritten } from './reading/standIns.ts';
import { sha256 } from './sha256.ts';

type Account = { username: string; password: string };
/** `body`: null: there is none. `nc`: how often the nonce was used, this time included. */
type Asked = { method: string; uri: string; body: string | null; cnonce: string; nc: number };

/** The answer to a challenge that `bestChallenge` has left (RFC 7616, 3.4); null: it asks for what is not known. */
export function digestOf(
  { algorithm = 'MD5', realm, nonce, opaque, qop }: DigestChallenge,
  { username, password }: Account,
  asked: Asked,
): string | null {
  const [, name = '', session] = /^(MD5|SHA-256)(-sess)?$/i.exec(algorithm) ?? [];
  if (name === '') return null;
  const hash = name.toUpperCase() === 'MD5' ? calculateMD5 : sha256;
  const { method, uri, body, cnonce } = asked;
  const count = asked.nc.toString(16).padStart(8, '0');
  const secret = hash(`${username}:${realm}:${password}`);
  const a1 = session === undefined ? secret : hash(`${secret}:${nonce}:${cnonce}`);
  const [protection] = qop ?? [];
  const a2 = hash(`${method}:${uri}${protection === 'auth-int' ? `:${hash(body ?? '')}` : ''}`);
  const response = hash(
    protection === undefined ? `${a1}:${nonce}:${a2}` : `${a1}:${nonce}:${count}:${cnonce}:${protection}:${a2}`,
  );
  const used = protection === undefined ? [] : [`qop=${protection}`, `nc=${count}`];
  const isCounted = protection !== undefined || session !== undefined;
  return `${digest} ${[
    `algorithm=${algorithm}`,
    `username="${username.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
    ...used,
    ...(isCounted ? [`cnonce="${cnonce}"`] : []),
  ].join(', ')}`;
}

type Inside = DigestInside & { said?: string };

/**
 * JsSIP knows MD5 alone. From now on its requests answer challenges by `digestOf`,
 * in the address that the network knows them by.
 */
export function knowDigests(ua: UA): void {
  const set = ua.set.bind(ua);
  // JsSIP would keep the hash of the first challenge in place of the secret, which answers no other algorithm or realm.
  ua.set = (parameter, value) => (['ha1', 'realm'].includes(parameter) ? true : set(parameter, value));
  answerChallengesBy({
    authenticate(
      this: Inside,
      { method, ruri, body }: { method: string; ruri: unknown; body?: string | null },
      challenge: DigestChallenge,
    ): boolean {
      this._realm = challenge.realm;
      // Reckoned anew from the secret each time.
      this._ha1 = '';
      this._nc += 1;
      const cnonce = crypto.randomUUID().replaceAll('-', '');
      const said = digestOf(challenge, this._credentials, {
        method,
        uri: asWritten(String(ruri)),
        body: body ?? null,
        cnonce,
        nc: this._nc,
      });
      if (said !== null) this.said = said;
      return said !== null;
    },
    toString(this: Inside): string {
      return this.said ?? '';
    },
  });
}
