import { createHmac, hkdfSync } from 'node:crypto';
import type { CompanyId } from '../../domain/ids.ts';

/**
 * Hashes numbers and addresses of people who were erased, under a key of its own: numbers are few,
 * and could be guessed from a plain hash.
 * @param key the gateways' ENCRYPTION_KEY; under another one nobody is known any more
 * @returns HMAC-SHA-256 in hex, another one for each company
 */
export function createErasedHash(key: Buffer): (companyId: CompanyId, text: string) => string {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'erased numbers', 32));
  return (companyId, text) => createHmac('sha256', own).update(`${companyId} ${text}`).digest('hex');
}
