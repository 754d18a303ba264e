import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** A webhook may be this old, in seconds: older ones are replays. */
const toleranceSeconds = 300;

export type SignatureVerdict = 'verified' | 'missing' | 'wrong';

/**
 * Checks both signatures of a webhook, as a receiver should: over the bytes as they came, with comparisons that
 * take as long for a near miss as for a far one.
 * @param secret as the gateway showed it, `whsec_…`
 * @param now seconds since the epoch
 */
export function verifyWebhook(
  secret: string,
  headers: IncomingHttpHeaders,
  raw: Buffer,
  now: number = Date.now() / 1000,
): SignatureVerdict {
  const { 'x-service-signature': signature, 'webhook-signature': standard } = headers;
  if (typeof signature !== 'string' || typeof standard !== 'string') return 'missing';
  return verifyServiceSignature(secret, signature, raw) && verifyStandardSignature(secret, headers, standard, raw, now)
    ? 'verified'
    : 'wrong';
}

/** `sha256=` and the hex HMAC of the body, keyed with the secret as shown. */
function verifyServiceSignature(secret: string, signature: string, raw: Buffer): boolean {
  return isSame(signature, `sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
}

/** Standard Webhooks: `v1,` and the base64 HMAC of `<id>.<timestamp>.<body>`, keyed with the decoded secret. */
function verifyStandardSignature(
  secret: string,
  headers: IncomingHttpHeaders,
  signatures: string,
  raw: Buffer,
  now: number,
): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw).digest('base64');
  return signatures.split(' ').some((signature) => isSame(signature, `v1,${expected}`));
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
