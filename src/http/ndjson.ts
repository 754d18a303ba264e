import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createSlices } from '../usecases/concurrency/slices.ts';

export const ndjsonType = 'application/x-ndjson';

const maxLineBytes = 1024 * 1024;
const maxLines = 100_000;
const newline = 0x0a;

/** The stream cannot be read any further; the message names the line. */
export class LineRefused extends Error {
  readonly code: 'payload_too_large' | 'malformed_json';

  constructor(code: LineRefused['code'], line: number, reason: string) {
    super(`Line ${String(line)} ${reason}. Lines before it may have been kept; sending them again does no harm.`);
    this.code = code;
  }
}

/**
 * Yields the lines of a byte stream as they arrive; the last may lack its line feed. Throws LineRefused for a line over
 * 1 MiB, for line 100,001 and for invalid UTF-8; the rest of the stream is left unread then.
 */
export function readLines(stream: Readable): AsyncGenerator<string, void, undefined> {
  // Leaving a plain loop over the stream early would destroy the connection.
  return splitLines(stream.iterator({ destroyOnReturn: false }));
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let line = 1;
  const slices = createSlices();

  const add = (part: Buffer): void => {
    begunBytes += part.length;
    if (begunBytes > maxLineBytes) throw new LineRefused('payload_too_large', line, 'is over 1 MiB');
    if (part.length > 0) begun.push(part);
  };
  const take = (): string => {
    if (line > maxLines) throw new LineRefused('payload_too_large', line, 'is one too many: send 100,000 at a time');
    const [only] = begun;
    const bytes = begun.length === 1 && only !== undefined ? only : Buffer.concat(begun);
    if (!isUtf8(bytes)) throw new LineRefused('malformed_json', line, 'is not UTF-8');
    begun = [];
    begunBytes = 0;
    line += 1;
    // A byte order mark begins each of the files that were joined.
    return bytes.toString('utf8').replace(/^\ufeff/, '');
  };

  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, end));
      from = end + 1;
      yield take();
      if (slices.isOver()) await slices.rest();
    }
    add(chunk.subarray(from));
  }
  if (begunBytes > 0) yield take();
}
