import type { Head } from './head.ts';

/** What a message has one of (RFC 3261, 20). */
const single = new Set([
  'from',
  'to',
  'call-id',
  'cseq',
  'max-forwards',
  'content-type',
  'content-length',
  'session-expires',
  'min-se',
  'expires',
  'event',
  'refer-to',
]);

/**
 * Leaves the first of what a message has one of: the SIP library would take the last,
 * and border controllers append theirs.
 */
export function once({ start, headers }: Head): Head {
  const seen = new Set<string>();
  const isFirst = (name: string) => !seen.has(name) && seen.add(name).has(name);
  return { start, headers: headers.filter(({ name }) => !single.has(name) || isFirst(name)) };
}
