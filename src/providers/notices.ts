import { createHash, timingSafeEqual } from 'node:crypto';
import type { CrmRecord, Inbound, InboundRequest, Verdict } from './provider.ts';

/** How providers check the notices of CRM systems, and what they make of them. */

/** How far a notice's time may be off. Milliseconds. The five minutes of HubSpot and of Standard Webhooks. */
const toleranceMs = 5 * 60_000;

/** The header in which CRM systems that do not sign carry the secret that the gateway issued. */
export const secretHeader = 'x-readyline-secret';

/** Checks a notice by that header; without a secret the unguessable address is all there is. */
export function checkSecret({ headers }: InboundRequest, secret: string | null): Verdict {
  return secret === null ? 'ok' : compare(headers[secretHeader], secret);
}

/** Compares what a notice carries with what it should; `missing` where it carries nothing. */
export function compare(given: string | undefined, expected: string): Verdict {
  if (given === undefined || given === '') return 'missing';
  return isSame(given, expected) ? 'ok' : 'mismatch';
}

/** Whether two secrets are the same, in a time that tells nothing of them. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Whether a notice's time is too far from now. Both in milliseconds since the epoch; NaN counts as too far. */
export function isStale(at: number, receivedAt: number): boolean {
  return !(Math.abs(receivedAt - at) <= toleranceMs);
}

/**
 * A record that came with its notice: it is taken as it is, or has to be read where its name or number did not come.
 */
export function noticeWith(record: CrmRecord, key: string | null): Inbound {
  const { object, id, name, phones } = record;
  return name === null || phones.length === 0
    ? { kind: 'reference', reference: { object, id }, key }
    : { kind: 'record', record, key };
}
