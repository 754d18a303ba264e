import type { RequestCause } from '../contract/causes.ts';
import type { ImportEncoding } from '../contract/imports.ts';
import type { RawRow } from '../domain/imports.ts';

/** The most rows of a file beside its header. */
export const maxRows = 250_000;

/**
 * A file as it is being read. The delimiter is known when the first row is, the encoding at the end.
 * `samples`: some words of a file whose cells are bytes (`keptBytes`), as they are; null: they are text.
 */
export type CsvFile = {
  rows: AsyncIterable<RawRow>;
  delimiter: () => string;
  encoding: () => ImportEncoding;
  samples: () => string[] | null;
};

/** What a file is read with; null: told from the file. `rest` is called after each piece, and waited for. */
export type CsvReading = { encoding: ImportEncoding | null; delimiter: string | null; rest: () => Promise<void> };

/** Reads CSV as it arrives, with bounded memory. Its rows throw FileRefused where they cannot be read. */
export type ReadCsvFile = (bytes: AsyncIterable<Buffer>, reading: CsvReading) => CsvFile;

export function tooManyRows(): FileRefused {
  return new FileRefused(`The file has more than ${maxRows} rows.`, {
    code: 'file_too_many_rows',
    params: { max: maxRows },
  });
}

/** A file that cannot be read; the message is a sentence for whoever brought it. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly reason: RequestCause;

  constructor(message: string, reason: RequestCause) {
    super(message);
    this.reason = reason;
  }
}
