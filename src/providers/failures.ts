import { numberIn } from './answers.ts';
import type { CrmFailure, CrmResponse } from './provider.ts';

/** How providers tell that they did not do what they were asked to. */

/** The longest text of a provider that is kept in a failure. Characters. */
const maxMessage = 500;

type Kind = CrmFailure['kind'];

/** What a provider says of a failure beside its status. */
type Told = {
  /** Its own words; null or empty: it has none. */
  words: string | null;
  /** It failed, whatever the status. */
  hasFailed?: boolean;
  /** What it means; null or missing: what HTTP means by the status. */
  kind?: Kind | null | undefined;
  /** The permission that is missing, where that is the failure. */
  permission?: string | null | undefined;
  /** The field that is wrong, where that is the failure. */
  field?: string | null | undefined;
  /** How long to wait where there were too many requests and no header tells. Milliseconds. */
  waitMs?: number | null | undefined;
};

/** The failure of an answer; null: it succeeded. */
export function failureOf(
  response: CrmResponse,
  { words, hasFailed = false, kind, permission = null, field = null, waitMs = null }: Told,
): CrmFailure | null {
  if (!hasFailed && isSuccess(response)) return null;
  const message = wordsOf(words, response);
  const meant = kind ?? kindOf(response);
  if (meant === 'forbidden') return { kind: meant, message, permission };
  if (meant === 'rate_limited') return { kind: meant, message, retryAfterMs: retryAfterMs(response) ?? waitMs };
  if (meant === 'invalid') return { kind: meant, message, field };
  return { kind: meant, message };
}

/** What HTTP means by the status of a failure. */
export function kindOf({ status }: CrmResponse): Kind {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404 || status === 410) return 'not_found';
  if (status === 409) return 'exists';
  if (status === 429) return 'rate_limited';
  if (status === 408 || status === 423 || status === 425 || status >= 500 || (status >= 300 && status < 400))
    return 'unavailable';
  return 'invalid';
}

/**
 * What a provider's own codes mean, where that is not what their statuses say: tells the kind of a code,
 * null for others.
 */
export function meaningOf(codes: Partial<Record<Kind, readonly string[]>>): (code: string | null) => Kind | null {
  const kinds = new Map(
    Object.entries(codes).flatMap(([kind, all]) => all.map((code) => [code, kind as Kind] as const)),
  );
  return (code) => (code === null ? null : (kinds.get(code) ?? null));
}

/**
 * A page for people where JSON should be: from a proxy, a log-in or a system in maintenance. Null: it is none.
 * @param hint what an admin may look for
 */
export function pageFailure(response: CrmResponse, hint: string): CrmFailure | null {
  return isPage(response) ? { kind: 'unavailable', message: `A page came instead of an answer: ${hint}` } : null;
}

export function isPage({ headers, body }: CrmResponse): boolean {
  return (headers['content-type'] ?? '').startsWith('text/html') || /^\s{0,100}</.test(body);
}

export function isSuccess({ status }: CrmResponse): boolean {
  return status >= 200 && status < 300;
}

/** A provider's own words, bounded and on one line; the status where there are none. */
function wordsOf(text: string | null, { status }: CrmResponse): string {
  const words = (text ?? '').replace(/\s+/g, ' ').trim().slice(0, maxMessage);
  return words === '' ? `HTTP ${status}` : words;
}

/** `Retry-After` in milliseconds, given in seconds; null where it is missing or a date. */
function retryAfterMs({ headers }: CrmResponse): number | null {
  const seconds = numberIn(headers['retry-after']);
  return seconds === null || seconds < 0 ? null : seconds * 1_000;
}
