import { isAscii } from 'node:buffer';
import type { ImportEncoding } from '../../contract/imports.ts';
import { FileRefused } from '../../ports/csvFiles.ts';

/** A file as text, piece by piece, and the encoding that it turned out to have. */
export type DecodedText = { text: AsyncIterable<string>; encoding: () => ImportEncoding };

/** More without an ASCII byte is not looked at for one. Bytes. */
const longestCarried = 1024 * 1024;

const marks: [ImportEncoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a file as it arrives. Without a byte order mark or a given encoding: UTF-16 where every other byte of the beginning is
 * zero, else UTF-8 until a byte is none, and from then on Windows-1252 if all before it was ASCII, which both write alike.
 * Throws FileRefused for what is no text, or not of the encoding.
 */
export function decodeText(bytes: AsyncIterable<Buffer>, given: ImportEncoding | null): DecodedText {
  let encoding: ImportEncoding = given ?? 'utf-8';

  async function* decode(): AsyncGenerator<string> {
    let decoder: Decoder | null = null;
    let isPlain = true;
    // While it is not known whether it is UTF-8: what follows the last ASCII byte, at which every character ends.
    let carried = Buffer.alloc(0);
    const decodePiece = (using: Decoder, piece: Buffer): string => {
      try {
        return using.decode(piece, { stream: true });
      } catch {
        if (given !== null || encoding !== 'utf-8' || !isPlain) throw notOfEncoding(encoding);
        encoding = 'windows-1252';
        decoder = decoderOf(encoding);
        return decoder.decode(piece, { stream: true });
      }
    };
    for await (const chunk of joinedStart(bytes)) {
      if (decoder === null) {
        encoding = given ?? detect(chunk);
        decoder = decoderOf(encoding);
      }
      const isUndecided = given === null && encoding === 'utf-8' && isPlain;
      const joined = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end = isUndecided && joined.length < longestCarried ? joined.findLastIndex((byte) => byte < 0x80) + 1 : joined.length;
      carried = Buffer.from(joined.subarray(end));
      if (end === 0) continue;
      const piece = joined.subarray(0, end);
      const text = decodePiece(decoder, piece);
      isPlain &&= isAscii(piece);
      yield checked(text);
    }
    if (decoder === null) return;
    const rest = decodePiece(decoder, carried);
    try {
      yield checked(rest + decoder.decode());
    } catch (error) {
      throw error instanceof FileRefused ? error : notOfEncoding(encoding);
    }
  }

  return { text: decode(), encoding: () => encoding };
}

type Decoder = InstanceType<typeof TextDecoder>;

function decoderOf(encoding: ImportEncoding): Decoder {
  return new TextDecoder(encoding, { fatal: true });
}

function notOfEncoding(encoding: ImportEncoding): FileRefused {
  return new FileRefused(`The file is not ${encoding}.`, { code: 'file_not_of_encoding', params: { encoding } });
}

function checked(text: string): string {
  if (text.includes('\0')) throw new FileRefused('The file is no text: it holds zero bytes.', { code: 'file_not_text' });
  return text;
}

function detect(start: Buffer): ImportEncoding {
  const marked = marks.find(([, mark]) => mark.every((byte, at) => start[at] === byte));
  if (marked !== undefined) return marked[0];
  const sample = start.subarray(0, 512);
  const zeros = [0, 1].map((odd) => sample.filter((byte, at) => byte === 0 && at % 2 === odd).length / (sample.length / 2));
  const [even = 0, odd = 0] = zeros;
  if (odd > 0.4 && even < 0.1) return 'utf-16le';
  return even > 0.4 && odd < 0.1 ? 'utf-16be' : 'utf-8';
}

/** The first piece is at least 4 bytes long, where the file is: a byte order mark may come in two. */
async function* joinedStart(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes) {
    if (start === null) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < 4) continue;
    yield start;
    start = null;
  }
  if (start !== null && start.length > 0) yield start;
}
