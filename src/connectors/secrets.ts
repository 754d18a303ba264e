import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Whether two secrets are the same, in a time that tells nothing of them. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether that is the lower-case hex of HMAC-SHA256 over the body. */
export function isHmacOf(body: Buffer, secret: string, given: string): boolean {
  return isSameSecret(given, createHmac('sha256', secret).update(body).digest('hex'));
}
