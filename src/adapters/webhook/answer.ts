import type { Dispatcher } from 'undici';

/** Bytes of an answer that are read before the connection is dropped. */
const readLimit = 64 * 1024;
/** Bytes of an answer that are kept. */
const keepLimit = 16 * 1024;
const longestRetryAfterSeconds = 365 * 24 * 60 * 60;

type ResponseBody = Dispatcher.ResponseData['body'];
type ResponseHeaders = Dispatcher.ResponseData['headers'];

/**
 * Reads the start of an answer's body as text. Ends quietly when the rest does not come (closed, timed out): the
 * status has arrived, and the status is what counts. What is compressed stays so, however little it would be, since
 * nobody knows how much it would become; a sentence says so in its place.
 */
export async function readAnswer(body: ResponseBody, encoding: string | undefined): Promise<string> {
  const kept: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of chunksOf(body)) {
      if (read < keepLimit) kept.push(chunk.subarray(0, keepLimit - read));
      read += chunk.length;
      // Leaving the loop destroys the stream, and the connection with it.
      if (read >= readLimit) break;
    }
  } catch {
    // Nothing to add: what was read is kept.
  }
  if (encoding !== undefined && read > 0 && encoding.toLowerCase() !== 'identity') {
    const size = `${read >= readLimit ? 'over ' : ''}${String(Math.min(read, readLimit))} bytes`;
    return `(The answer's body came as ${encoding.slice(0, 50)}, ${size}, and was not unpacked.)`;
  }
  return textOf(Buffer.concat(kept));
}

function chunksOf(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return body;
}

function textOf(bytes: Uint8Array): string {
  // Streaming leaves out a character cut at the end; NUL is what PostgreSQL's text cannot hold.
  const text = withoutNul(new TextDecoder().decode(bytes, { stream: true }));
  // Replacement characters may have made it longer than it came.
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
