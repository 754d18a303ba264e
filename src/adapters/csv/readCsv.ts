import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { maxColumns } from '../../contract/imports.ts';
import type { RawRow } from '../../domain/imports.ts';
import { FileRefused, maxRows } from '../../ports/csvFiles.ts';

/** The longest row of a file. Characters; the longest notes of a contact fit several times. */
const maxRowLength = 64 * 1024;
/** So long a line of it can be at most, with quotes and delimiters, before the parser has all of its cells in memory. Characters. */
const maxLineLength = 3 * maxRowLength;
/** As many as a spreadsheet has, most of them empty. */
const maxLines = 1_048_576;
/** How much is parsed before others may have their turn. Characters. */
const sliceLength = 8 * 1024;
/** How much of a file is looked at to tell its delimiter. Characters. */
const sampleLength = 64 * 1024;

const delimiters = [',', ';', '\t', '|'];

/** The rows of a file as they are read, and the delimiter that it turned out to have. */
type Rows = { rows: AsyncIterable<RawRow>; delimiter: () => string };

/** Reads CSV piece by piece (RFC 4180, with any of four delimiters), without empty rows. Throws FileRefused for what cannot be read. */
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
    const beginning = start.join('');
    delimiter = given ?? detectDelimiter(beginning.slice(0, sampleLength));
    const parser = parse({ delimiter, bom: true, relax_quotes: true, relax_column_count: true, max_record_size: maxRowLength, trim: false });
    const source = Readable.from(joined(beginning, pieces, rest), { objectMode: true, highWaterMark: 1 });
    source.on('error', (error) => parser.destroy(error));
    source.pipe(parser);
    let row = 0;
    let kept = 0;
    try {
      for await (const cells of parser as AsyncIterable<string[]>) {
        row += 1;
        if (row > maxLines) throw tooManyRows;
        if (cells.length > maxColumns) throw new FileRefused(`Row ${row} has more than ${maxColumns} columns.`, { code: 'file_too_many_columns', params: { max: maxColumns } });
        if (cells.every((cell) => cell.trim() === '')) continue;
        kept += 1;
        if (kept > maxRows) throw tooManyRows;
        yield { row, cells };
      }
    } catch (error) {
      // The parser has read further than the rows that were taken from it.
      throw error instanceof CsvError ? refusalOf(error, (typeof error['records'] === 'number' ? error['records'] : row) + 1) : error;
    } finally {
      source.destroy();
      parser.destroy();
      // Whoever sends the rest is heard by nobody here any more; not waited for, since a piece may be under way.
      pieces.return?.().catch(() => undefined);
    }
  }

  return { rows: read(), delimiter: () => delimiter };
}

const tooManyRows = new FileRefused(`The file has more than ${maxRows} rows.`, { code: 'file_too_many_rows', params: { max: maxRows } });

/** In slices, between which others have their turn. Throws FileRefused for a line without an end. */
async function* joined(beginning: string, pieces: AsyncIterator<string>, rest: () => Promise<void>): AsyncGenerator<string> {
  let [line, length] = [1, 0];
  for (let text = beginning, isLast = false; !isLast; ) {
    for (let at = 0; at < text.length; at += sliceLength) {
      const slice = text.slice(at, at + sliceLength);
      const lines = slice.split(/\r\n|\n|\r/);
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
  return new FileRefused(`Row ${row} is longer than ${maxRowLength} characters; perhaps a quote is not closed.`, { code: 'file_row_too_long', params: { row, max: maxRowLength } });
}

function refusalOf(error: CsvError, row: number): FileRefused {
  switch (error.code) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(row);
    case 'CSV_QUOTE_NOT_CLOSED':
      return new FileRefused(`The quote in row ${row} is never closed.`, { code: 'file_quote_not_closed', params: { row } });
    default:
      return new FileRefused(`Row ${row} cannot be read: ${error.message}.`, { code: 'unreadable' });
  }
}

/** The delimiter by which the first lines have the most columns that are as many in each; a comma where none has. */
function detectDelimiter(sample: string): string {
  const lines = linesOf(sample);
  const scored = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length);
    const [first = 1] = counts;
    return { delimiter, score: first === 1 ? 0 : counts.filter((count) => count === first).length / counts.length + first / 1_000 };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

/** The first lines without what stands in quotes. */
function linesOf(sample: string): string[] {
  const unquoted = sample.replace(/"(?:[^"]|"")*"/g, 'x');
  const lines = unquoted.split(/\r\n|\n|\r/);
  // The last may be cut.
  return (lines.length > 1 ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '').slice(0, 50);
}
