/** What networks tell in place of a number or a name that is withheld (RFC 3323, 3325 and PBXs). */
const withheld = /^(?:anonymous|restricted|unavailable|unknown|private|withheld|blocked|invalid|asserted-id)?$/i;
const longest = 64;

/** What the network told of a caller whose number cannot be dialed, in one line, at most 64 characters; null: it was withheld. */
export function callerText(told: string): string | null {
  const line = told.replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ').trim();
  if (withheld.test(line)) return null;
  return [...line].slice(0, longest).join('');
}

/** The name that the network told of a caller; null: none, or only that it is withheld. */
export function callerName(told: string | null | undefined): string | null {
  return told == null || callerText(told) === null ? null : told;
}
