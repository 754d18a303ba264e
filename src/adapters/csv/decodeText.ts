import { isAscii } from 'node:buffer';
import type { ImportEncoding } from '../../contract/imports.ts';
import { isKeptInBytes } from '../../domain/keptBytes.ts';
import { FileRefused } from '../../ports/csvFiles.ts';
import { foreignWords } from './foreignWords.ts';
import { guessEncoding } from './guessEncoding.ts';

/** A file as text, piece by piece; what it turned out to be is known at its end. `samples`: as `CsvFile` has them. */
export type DecodedText = {
  text: AsyncIterable<string>;
  encoding: () => ImportEncoding;
  samples: () => string[] | null;
};

/** More without an ASCII byte is not looked at for one. Bytes. */
const longestCarried = 1024 * 1024;

const marks: [ImportEncoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** How files of workbooks begin: ZIP, and what came before it. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/**
 * Decodes a file as it arrives. Without a byte order mark or a given encoding: UTF-16 where every other byte of the
 * beginning is zero, else UTF-8 until a byte is none. If all before it was ASCII, which other encodings write alike,
 * the rest stays in bytes, a character each, and its encoding is guessed at the end from all that is not ASCII; else
 * that character alone cannot be read, and stands as U+FFFD. Throws FileRefused for what is no text, or not of the
 * encoding that was given.
 */
export function decodeText(bytes: AsyncIterable<Buffer>, given: ImportEncoding | null): DecodedText {
  let encoding: ImportEncoding = given ?? 'utf-8';
  let inBytes = given !== null && isKeptInBytes(given);
  const words = foreignWords();

  async function* decode(): AsyncGenerator<string> {
    let decoder: Decoder | null = null;
    let isPlain = true;
    // While it is not known whether it is UTF-8: what follows the last ASCII byte, at which every character ends.
    let carried = Buffer.alloc(0);
    const decodePiece = (piece: Buffer, isLast = false): string => {
      if (inBytes) {
        words.add(piece);
        return piece.toString('latin1');
      }
      try {
        return (decoder as Decoder).decode(piece, { stream: !isLast });
      } catch {
        if (given !== null || encoding !== 'utf-8') throw notOfEncoding(encoding);
        inBytes = isPlain;
        decoder = new TextDecoder(encoding);
        return decodePiece(piece, isLast);
      }
    };
    for await (const chunk of joinedStart(bytes)) {
      if (decoder === null) {
        if (workbooks.some((begin) => startsWith(chunk, begin))) throw isWorkbook;
        encoding = given ?? detect(chunk);
        decoder = new TextDecoder(inBytes ? 'utf-8' : encoding, { fatal: true });
      }
      const isUndecided = given === null && encoding === 'utf-8' && !inBytes;
      const joined = carried.length === 0 ? chunk : Buffer.concat([carried, chunk]);
      const end =
        isUndecided && joined.length < longestCarried ? joined.findLastIndex((byte) => byte < 0x80) + 1 : joined.length;
      carried = Buffer.from(joined.subarray(end));
      if (end === 0) continue;
      const piece = joined.subarray(0, end);
      const text = decodePiece(piece);
      isPlain &&= isAscii(piece);
      yield checked(text);
    }
    if (decoder !== null) yield checked(decodePiece(carried, true));
    if (inBytes && given === null) encoding = guessEncoding(words.found());
  }

  return { text: decode(), encoding: () => encoding, samples: () => (inBytes ? words.samples() : null) };
}

type Decoder = InstanceType<typeof TextDecoder>;

function startsWith(start: Buffer, begin: readonly number[]): boolean {
  return begin.every((byte, at) => start[at] === byte);
}

const isWorkbook = new FileRefused(
  'The file is a workbook. Save it as CSV (UTF-8) in your spreadsheet, and bring that.',
  { code: 'file_is_workbook' },
);

function notOfEncoding(encoding: ImportEncoding): FileRefused {
  return new FileRefused(`The file is not ${encoding}.`, { code: 'file_not_of_encoding', params: { encoding } });
}

function checked(text: string): string {
  if (text.includes('\0'))
    throw new FileRefused('The file is no text: it holds zero bytes.', { code: 'file_not_text' });
  return text;
}

function detect(start: Buffer): ImportEncoding {
  const marked = marks.find(([, mark]) => startsWith(start, mark));
  if (marked !== undefined) return marked[0];
  const sample = start.subarray(0, 512);
  const zeros = [0, 1].map(
    (odd) => sample.filter((byte, at) => byte === 0 && at % 2 === odd).length / (sample.length / 2),
  );
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
