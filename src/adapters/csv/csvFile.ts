import type { ReadCsvFile } from '../../ports/csvFiles.ts';
import { decodeText } from './decodeText.ts';
import { readCsv } from './readCsv.ts';

/** Reads a CSV file of any usual encoding and delimiter. */
export const readCsvFile: ReadCsvFile = (bytes, { encoding, delimiter, rest }) => {
  const decoded = decodeText(bytes, encoding);
  return { ...readCsv(decoded.text, delimiter, rest), encoding: decoded.encoding, samples: decoded.samples };
};
