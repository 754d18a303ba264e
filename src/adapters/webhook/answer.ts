import type { Dispatcher } from 'undici';

/** Bytes of an answer that are read before the connection is dropped. */
export const readLimit = 64 * 1024;
/** Bytes of an answer that are kept. */
const keepLimit = 16 * 1024;
const longestRetryAfterSeconds = 365 * 24 * 60 * 60;

type ResponseHeaders = Dispatcher.ResponseData['headers'];

/**
 * The part of an answer's body that was read, as text.
 * A compressed body is not unpacked, since nobody knows how large it would become; a sentence says so in its place.
 */
export function answerText(chunks: readonly Uint8Array[], encoding: string | undefined): string {
  if (chunks.length === 0) return '';
  const bytes = Buffer.concat(chunks);
  if (encoding !== undefined && bytes.length > 0 && encoding.toLowerCase() !== 'identity') {
    const size = `${bytes.length >= readLimit ? 'over ' : ''}${String(Math.min(bytes.length, readLimit))} bytes`;
    return `(The answer's body came as ${encoding.slice(0, 50)}, ${size}, and was not unpacked.)`;
  }
  return textOf(bytes.subarray(0, keepLimit));
}

function textOf(bytes: Uint8Array): string {
  // Streaming leaves out a character cut at the end; NUL is what PostgreSQL's text cannot hold.
  const text = withoutNul(new TextDecoder().decode(bytes, { stream: true }));
  // Replacement characters may have made it up to three bytes longer.
  if (bytes.length * 3 <= keepLimit) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(keepLimit));
  return text.slice(0, read);
}

/** Headers as single texts. */
export function flatHeaders(headers: ResponseHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = withoutNul(Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

/** Reads `Retry-After` (RFC 9110, 10.2.3): seconds from now, 0 to one year; undefined when it is neither form. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestRetryAfterSeconds);
  // All HTTP dates end in GMT; Date.parse alone would take "3 days" for a date.
  const at = /^[A-Z][a-z]+, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(Math.ceil((at - now) / 1000), 0), longestRetryAfterSeconds);
}
