import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { maxColumns } from '../../contract/imports.ts';
import type { RawRow } from '../../domain/imports.ts';
import { FileRefused, tooManyRows } from '../../ports/csvFiles.ts';

/**
 * The longest row of a file. Characters; the longest notes of a contact fit several times,
 * beside columns that nobody wants.
 */
const maxRowLength = 256 * 1024;
/**
 * So long a line of it can be at most, with quotes and delimiters,
 * before the parser has all of its cells in memory. Characters.
 */
const maxLineLength = 3 * maxRowLength;
/** As many as a spreadsheet has, most of them empty. */
const maxLines = 1_048_576;
/** How much is parsed before others may have their turn. Characters. */
const sliceLength = 8 * 1024;
/** How much of a file is looked at to tell its delimiter. Characters. */
const sampleLength = 64 * 1024;
/** A first line by which a file tells spreadsheets its delimiter. */
const separatorLine = /^\ufeff?"?sep=([,;\t|])"?(?:\r\n|\n|\r)/i;
const [lineEnds, lineEnd] = [['\r\n', '\n', '\r'], /\r\n|\n|\r/];

const delimiters = [',', ';', '\t', '|'];

/** The rows of a file as they are read, and the delimiter that it turned out to have. */
type Rows = { rows: AsyncIterable<RawRow>; delimiter: () => string };

/**
 * Reads CSV piece by piece (RFC 4180, with any of four delimiters),
 * without empty rows and what is empty at the end of each. Throws FileRefused for what cannot be read.
 */
export function readCsv(text: AsyncIterable<string>, given: string | null, rest: () => Promise<void>): Rows {
  let delimiter = given ?? ',';

  async function* read(): AsyncGenerator<RawRow> {
    const pieces = text[Symbol.asyncIterator]();
    const start: string[] = [];
    let length = 0;
    while (length < sampleLength) {
      const next = await pieces.next();
      if (next.done === true) break;
      start.push(next.value);
      length += next.value.length;
    }
    const whole = start.join('');
    const [told = '', separator] = separatorLine.exec(whole) ?? [];
    const beginning = whole.slice(told.length);
    delimiter = given ?? separator ?? detectDelimiter(beginning.slice(0, sampleLength));
    const parser = parse({
      delimiter,
      bom: true,
      record_delimiter: lineEnds,
      relax_quotes: true,
      relax_column_count: true,
      max_record_size: maxRowLength,
    });
    const source = Readable.from(joined(beginning, pieces, rest), { objectMode: true, highWaterMark: 1 });
    source.on('error', (error) => parser.destroy(error));
    source.pipe(parser);
    const skipped = told === '' ? 0 : 1;
    let row = skipped;
    try {
      for await (const cells of parser as AsyncIterable<string[]>) {
        row += 1;
        if (row > maxLines) throw tooManyRows();
        const width = cells.findLastIndex((cell) => cell.trim() !== '') + 1;
        if (width === 0) continue;
        if (width > maxColumns) {
          throw new FileRefused(`Row ${row} has more than ${maxColumns} columns.`, {
            code: 'file_too_many_columns',
            params: { max: maxColumns },
          });
        }
        yield { row, cells: cells.slice(0, width) };
      }
    } catch (error) {
      // The parser has read further than the rows that were taken from it.
      throw error instanceof CsvError
        ? refusalOf(error, (typeof error['records'] === 'number' ? error['records'] + skipped : row) + 1)
        : error;
    } finally {
      source.destroy();
      parser.destroy();
      // Whoever sends the rest is heard by nobody here any more; not waited for, since a piece may be under way.
      pieces.return?.().catch(() => undefined);
    }
  }

  return { rows: read(), delimiter: () => delimiter };
}

/** In slices, between which others have their turn. Throws FileRefused for a line without an end. */
async function* joined(
  beginning: string,
  pieces: AsyncIterator<string>,
  rest: () => Promise<void>,
): AsyncGenerator<string> {
  let [line, length] = [1, 0];
  for (let text = beginning, isLast = false; !isLast;) {
    for (let at = 0; at < text.length; at += sliceLength) {
      const slice = text.slice(at, at + sliceLength);
      const lines = slice.split(lineEnd);
      length = (lines.length === 1 ? length : 0) + (lines.at(-1)?.length ?? 0);
      line += lines.length - 1;
      if (length > maxLineLength) throw tooLong(line);
      yield slice;
      await rest();
    }
    const next = await pieces.next();
    isLast = next.done === true;
    text = next.done === true ? '' : next.value;
  }
}

function tooLong(row: number): FileRefused {
  return new FileRefused(`Row ${row} is longer than ${maxRowLength} characters; perhaps a quote is not closed.`, {
    code: 'file_row_too_long',
    params: { row, max: maxRowLength },
  });
}

function refusalOf(error: CsvError, row: number): FileRefused {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(row);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new FileRefused(`The quote in row ${row} is never closed.`, {
        code: 'file_quote_not_closed',
        params: { row },
      });
    default:
      return new FileRefused(`Row ${row} cannot be read: ${error.message}.`, { code: 'unreadable' });
  }
}

/**
 * The delimiter by which most of the first lines have the same number of columns, the more of them the better;
 * a comma where none has two.
 */
function detectDelimiter(sample: string): string {
  const lines = linesOf(sample);
  const scored = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length).filter((count) => count > 1);
    const scores = counts.map(
      (count) => counts.filter((each) => each === count).length / lines.length + Math.min(count, 100) / 1_000,
    );
    return { delimiter, score: Math.max(0, ...scores) };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

/** The first lines without what stands in quotes. */
function linesOf(sample: string): string[] {
  const unquoted = sample.replace(/"(?:[^"]|"")*"/g, 'x');
  const lines = unquoted.split(lineEnd);
  // The last may be cut.
  return (lines.length > 1 ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '').slice(0, 50);
}
