import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The signatures that a `webhook-signature` header lists: `v1,` and base64, with spaces between. Those of other
 * versions are left out. A header that came twice may have been joined with commas.
 */
export function standardSignatures(header: readonly string[]): string[] {
  return header
    .flatMap((value) => value.split(' '))
    .map((entry) => (entry.endsWith(',') ? entry.slice(0, -1) : entry))
    .filter((entry) => entry.startsWith('v1,'));
}

/** Whether a key signed `<id>.<timestamp>.<body>` so, as Standard Webhooks does. */
export function isSignedBy(
  key: Buffer,
  signed: { id: string; timestamp: string; body: Uint8Array },
  signatures: readonly string[],
): boolean {
  const hmac = createHmac('sha256', key).update(`${signed.id}.${signed.timestamp}.`).update(signed.body);
  const expected = Buffer.from(`v1,${hmac.digest('base64')}`);
  return signatures.some((signature) => isSame(signature, expected));
}

/** Whether a secret (as it was shown) signed the body alone, as `X-Service-Signature` does. */
export function isBodySignedBy(secret: string, body: Uint8Array, signatures: readonly string[]): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  return signatures.some((signature) => isSame(signature, expected));
}

/** Takes as long for a near miss as for a far one; only the length, which is no secret, may tell. */
function isSame(given: string, expected: Buffer): boolean {
  // No character is shorter than a byte, so this also keeps what is huge from being copied.
  if (given.length > expected.length) return false;
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

const prefix = 'whsec_';
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The signing key in each secret. A secret never appears in a message.
 * @param secret as Readyline showed it, or several
 * @throws {TypeError} without a secret, and for one that Readyline cannot have shown
 */
export function keysOf(secret: string | readonly string[]): Buffer[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new TypeError('No webhook secret: the list of secrets is empty.');
  return secrets.map(keyOf);
}

function keyOf(secret: unknown): Buffer {
  if (typeof secret !== 'string' || secret === '') {
    throw new TypeError('No webhook secret: give the text that Readyline showed. Is its environment variable set?');
  }
  const encoded = secret.slice(prefix.length);
  if (!secret.startsWith(prefix) || encoded === '' || !base64.test(encoded)) {
    throw new TypeError(
      `The webhook secret must be "${prefix}" and base64, all of it as Readyline showed it, ` +
        'without quotes and spaces. ' +
        'An API key (rlk_…) is no webhook secret.',
    );
  }
  return Buffer.from(encoded, 'base64');
}
