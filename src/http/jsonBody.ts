import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type Response } from 'express';
import { jsonFault } from '../domain/jsonFault.ts';
import { ok, refuse, type Outcome, type Refused } from '../domain/outcome.ts';

export const maxBodyBytes = 1024 * 1024;

/** Marks bytes that claim to be UTF-8 and are not, which the parser would silently replace. */
const notUtf8 = 'entity.not.utf8';

const parse = express.json({
  limit: maxBodyBytes,
  // What is no object is refused by the route's schema, in its words.
  strict: false,
  // The media type has been looked at before.
  type: () => true,
  verify: (_request, _response, bytes, encoding) => {
    if (encoding.toLowerCase() === 'utf-8' && !isUtf8(bytes)) throw Object.assign(new Error('not UTF-8'), { type: notUtf8 });
  },
});

/** Reads a JSON body of at most 1 MiB. `optional`: an empty one stands for `{}`. Throws when the caller hangs up. */
export async function readJsonBody(request: Request, response: Response, optional: boolean): Promise<Outcome<unknown>> {
  const { headers } = request;
  if (isEmpty(headers)) return optional ? ok({}) : refuse('invalid_request', 'A JSON body is needed.');
  const unsupported = mediaTypeFault(headers['content-type']);
  if (unsupported !== null) return refuse('unsupported_media_type', unsupported);
  // Told at once, before a byte of it is read.
  if (Number(headers['content-length']) > maxBodyBytes) return tooLarge;

  const failure = await new Promise<unknown>((resolve) => {
    parse(request, response, resolve);
  });
  if (failure !== undefined) return bodyRefusal(failure);
  const body: unknown = request.body;
  const fault = jsonFault(body);
  return fault === null ? ok(body) : refuse('invalid_request', `The body cannot be stored: ${fault}.`);
}

/** Whether a request has no body at all. */
export function isEmpty(headers: IncomingHttpHeaders): boolean {
  const { 'content-length': length } = headers;
  return headers['transfer-encoding'] === undefined && (length === undefined || Number(length) === 0);
}

const jsonType = /^application\/(?:json|[\w.-]+\+json)$/i;

/** What is wrong with a content type for JSON, or null. */
function mediaTypeFault(contentType: string | undefined): string | null {
  if (contentType === undefined) return 'The content type is missing: send application/json.';
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim());
  if (!jsonType.test(type ?? '')) return 'The content type must be application/json.';
  const charsets = parameters.filter((parameter) => /^charset\s*=/i.test(parameter));
  return charsets.length > 1 ? 'The content type names more than one charset.' : null;
}

const tooLarge = refuse('payload_too_large', 'The body is over 1 MiB.');

function bodyRefusal(failure: unknown): Refused {
  switch (typeof failure === 'object' && failure !== null && 'type' in failure ? failure.type : null) {
    case 'entity.too.large':
      return tooLarge;
    case 'entity.parse.failed':
      return refuse('malformed_json', `The body is not valid JSON: ${syntaxFault(failure)}.`);
    case notUtf8:
      return refuse('malformed_json', 'The body is not UTF-8.');
    case 'charset.unsupported':
      return refuse('unsupported_media_type', 'The charset must be UTF-8.');
    case 'encoding.unsupported':
      return refuse('unsupported_media_type', 'The content encoding must be gzip, deflate, br or none.');
    case 'request.size.invalid':
      return refuse('invalid_request', 'The body is not as long as Content-Length says.');
    default:
      // Broken compression comes as the error of zlib itself.
      if (isZlibError(failure)) return refuse('invalid_request', 'The body cannot be decompressed.');
      throw failure;
  }
}

/** The parser's words without the piece of the body that it quotes, which may be a password. */
function syntaxFault(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : '';
  return message.replace(/, (?:\.{3})?".*$/s, '').replace(/[.\s]+$/, '') || 'it ends early';
}

function isZlibError(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(String(failure.code));
}
