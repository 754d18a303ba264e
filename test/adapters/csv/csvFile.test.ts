import { describe, expect, it } from 'vitest';
import { readCsvFile } from '../../../src/adapters/csv/csvFile.ts';
import { restBetweenPieces } from '../../../src/usecases/concurrency/slices.ts';

/** In pieces, as a network brings it. */
async function* pieces(file: Buffer, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < file.length; from += length) yield file.subarray(from, from + length);
}
async function* endless(piece: string, most: number): AsyncGenerator<Buffer> {
  for (let sent = 0; sent < most; sent += piece.length) yield Buffer.from(piece);
}
async function read(bytes: AsyncIterable<Buffer>) {
  const file = readCsvFile(bytes, { encoding: null, delimiter: null, rest: restBetweenPieces() });
  const rows: string[][] = [];
  for await (const { cells } of file.rows) rows.push(cells);
  return { rows, encoding: file.encoding(), delimiter: file.delimiter() };
}

describe('a CSV file', () => {
  it.each([1, 2, 3, 7, 1_000])('reads the same in pieces of %i bytes', async (length) => {
    const text = 'Name;Straße\r\n"Müller; ""Bäcker""";"zwei\r\nZeilen"\r\n\r\nÉmile;\r\n';
    const rows = [['Name', 'Straße'], ['Müller; "Bäcker"', 'zwei\r\nZeilen'], ['Émile']];
    const encodings = {
      'utf-8': Buffer.from(text),
      'windows-1252': Buffer.from(text, 'latin1'),
      'utf-16le': Buffer.from(`\ufeff${text}`, 'utf16le'),
      'utf-16be': Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    };
    for (const [encoding, file] of Object.entries(encodings))
      expect(await read(pieces(file, length))).toEqual({ rows, encoding, delimiter: ';' });
  });

  it('is given up at a row that does not end, without keeping what comes', async () => {
    const before = process.memoryUsage().heapUsed;
    const kilobyte = 'x'.repeat(1_024);
    await expect(read(endless(kilobyte, 100 * 1_048_576))).rejects.toMatchObject({
      reason: { code: 'file_row_too_long' },
    });
    await expect(
      read(endless(`"${kilobyte.replaceAll('"', '')}`.replaceAll('"x', 'x'), 10 * 1_048_576)),
    ).rejects.toMatchObject({ reason: { code: 'file_row_too_long' } });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * 1_048_576);
  });

  it.each([
    ['columns without an end', ',', 'file_row_too_long'],
    ['quoted columns without an end', '"",', 'file_row_too_long'],
    ['empty rows without an end', '\n', 'file_too_many_rows'],
    ['rows of empty columns without an end', ';;;\r\n', 'file_too_many_rows'],
  ])('is given up at %s, before it is read to its end', async (_what, piece, code) => {
    let sent = 0;
    const counted = async function* () {
      for await (const chunk of endless(piece.repeat(Math.ceil(16_384 / piece.length)), 60 * 1_048_576)) {
        sent += chunk.length;
        yield chunk;
      }
    };
    await expect(read(counted())).rejects.toMatchObject({ reason: { code } });
    expect(sent).toBeLessThan(code === 'file_row_too_long' ? 1_000_000 : 7_000_000);
  });

  it('has as many empty rows as a spreadsheet, which count for nothing', async () => {
    const { rows } = await read(pieces(Buffer.from(`a,b${',\n'.repeat(100_000)}c,d\n`), 65_536));
    expect(rows).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('lets others go on between its slices', async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    try {
      await read(pieces(Buffer.from('a,b\n'.repeat(100_000)), 1_048_576));
    } finally {
      clearImmediate(turning);
    }
    // One for each 8 KiB.
    expect(turns).toBeGreaterThan(45);
  });
});
