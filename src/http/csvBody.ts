import type { Request } from 'express';
import { importEncodings, type ImportEncoding, maxFileBytes } from '../contract/imports.ts';
import { ownValue } from '../contract/ownValue.ts';
import { ok, type Outcome, refuse } from '../domain/outcome.ts';
import { tooLargeText } from '../usecases/imports/uploadedFile.ts';
import { isEmpty } from './jsonBody.ts';

export const csvType = 'text/csv';
/** What programs call a CSV file: on a machine with a spreadsheet, browsers take its type from that. */
export const csvTypes = [csvType, 'application/csv', 'application/vnd.ms-excel', 'text/tab-separated-values'];

/** Names that programs give the encodings. */
const charsets: Record<string, ImportEncoding> = {
  utf8: 'utf-8',
  'utf-16': 'utf-16le',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  cp1252: 'windows-1252',
  'x-mac-roman': 'macintosh',
  gb2312: 'gbk',
  gb18030: 'gbk',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
};

/**
 * A CSV file as it arrives, and the encoding that its sender names.
 * Refuses other types, and at once what is too large by its length.
 * @param max bytes
 */
export function csvBody(
  request: Request,
  max = maxFileBytes,
): Outcome<{ bytes: AsyncIterable<Buffer>; encoding: ImportEncoding | undefined }> {
  const { headers } = request;
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (!csvTypes.includes(type ?? '')) return refuse('unsupported_media_type', `The content type must be ${csvType}.`);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return refuse('unsupported_media_type', 'The file must not be compressed.');
  if (isEmpty(headers)) return refuse('invalid_request', 'The file is empty.', { cause: { code: 'file_empty' } });
  if (Number(headers['content-length']) > max)
    return refuse('payload_too_large', tooLargeText(max), { cause: { code: 'file_too_large', params: { max } } });
  const named = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  const encoding =
    named === undefined ? undefined : (importEncodings.find((each) => each === named) ?? ownValue(charsets, named));
  if (named !== undefined && encoding === undefined)
    return refuse('unsupported_media_type', `The charset must be one of ${importEncodings.join(', ')}.`);
  // Leaving a plain loop over the stream early would destroy the connection.
  // Browsers write UTF-8 beside files of any encoding: the file itself is asked.
  return ok({
    bytes: request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>,
    encoding: encoding === 'utf-8' ? undefined : encoding,
  });
}
