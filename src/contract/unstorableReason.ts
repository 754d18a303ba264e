/** Deeper than any record of a CRM; far below what would exhaust a stack here or in the database. */
const maxDepth = 64;
// \p{Cs} matches half a surrogate pair only: the halves of a whole pair are read as one character.
const halfPair = /\p{Cs}/u;

/**
 * Why a parsed JSON value cannot be kept by the database: it is nested deeper than 64 levels, or a text or key in it
 * holds U+0000 or half a surrogate pair, which PostgreSQL's jsonb refuses. Null when it can be kept.
 * @param checked `texts`: false where it is known that no text in it can be one of those
 */
export function unstorableReason(value: unknown, checked: { texts: boolean } = { texts: true }): string | null {
  return faultAt(value, 0, checked.texts ? isStorable : () => true);
}

function faultAt(value: unknown, depth: number, isFine: (text: string) => boolean): string | null {
  if (typeof value === 'string') return isFine(value) ? null : badText;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === maxDepth) return `it is nested deeper than ${String(maxDepth)} levels`;
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = faultAt(entry, depth + 1, isFine);
      if (fault !== null) return fault;
    }
    return null;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (!isFine(key)) return badText;
    const fault = faultAt(entry, depth + 1, isFine);
    if (fault !== null) return fault;
  }
  return null;
}

const badText = 'a text in it holds U+0000 or half a surrogate pair';

function isStorable(text: string): boolean {
  return !text.includes('\0') && !halfPair.test(text);
}
