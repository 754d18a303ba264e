import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import express, { type Request, type Response } from 'express';
import { readJsonInput } from '../contract/freeForm.ts';
import { ok, refuse, type Outcome, type Refused } from '../domain/outcome.ts';

export const maxBodyBytes = 1024 * 1024;

const unreadable = { cause: { code: 'unreadable' } } as const;

const readBytes = express.raw({
  limit: maxBodyBytes,
  // The media type was checked before.
  type: () => true,
});

/** Reads a JSON body of at most 1 MiB. `optional`: an empty one stands for `{}`. Throws when the caller hangs up. */
export async function readJsonBody(request: Request, response: Response, optional: boolean): Promise<Outcome<unknown>> {
  const { headers } = request;
  if (isEmpty(headers)) return optional ? ok({}) : refuse('invalid_request', 'A JSON body is needed.', unreadable);
  const unsupported = mediaTypeFault(headers['content-type']);
  if (unsupported !== null) return refuse('unsupported_media_type', unsupported);
  // Refused at once, before any of it is read.
  if (Number(headers['content-length']) > maxBodyBytes) return tooLarge;

  const failure = await new Promise<unknown>((resolve) => {
    readBytes(request, response, resolve);
  });
  if (failure !== undefined) return bodyRefusal(failure);
  return parseBody(request.body as Buffer);
}

function parseBody(bytes: Buffer): Outcome<unknown> {
  // Decoding would replace invalid UTF-8 silently.
  if (!isUtf8(bytes)) return refuse('malformed_json', 'The body is not UTF-8.');
  const json = readJsonInput(bytes.toString('utf8').replace(/^\ufeff/, ''));
  switch (json.kind) {
    case 'ok':
      return ok(json.value);
    case 'malformed':
      return refuse('malformed_json', `The body is not valid JSON: ${syntaxFault(json.error)}.`);
    case 'unfit':
      return refuse('invalid_request', `The body cannot be kept: ${json.reason}.`, {
        cause: { code: 'cannot_be_kept' },
      });
  }
}

/** Whether a request has no body. */
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
  return charsetFault(parameters);
}

/** JSON is UTF-8 (RFC 8259); any other charset is refused. */
export function charsetFault(parameters: readonly string[]): string | null {
  const charsets = parameters.filter((parameter) => /^charset\s*=/i.test(parameter));
  if (charsets.length > 1) return 'The content type names more than one charset.';
  return charsets.every((charset) => /=\s*"?utf-?8"?$/i.test(charset)) ? null : 'The charset must be UTF-8.';
}

const tooLarge = refuse('payload_too_large', 'The body is over 1 MiB.');

function bodyRefusal(failure: unknown): Refused {
  switch (typeof failure === 'object' && failure !== null && 'type' in failure ? failure.type : null) {
    case 'entity.too.large':
      return tooLarge;
    case 'encoding.unsupported':
      return refuse('unsupported_media_type', 'The content encoding must be gzip, deflate, br or none.');
    case 'request.size.invalid':
      return refuse('invalid_request', 'The body is not as long as Content-Length says.', unreadable);
    default:
      // Broken compression surfaces as a zlib error.
      if (isZlibError(failure)) return refuse('invalid_request', 'The body cannot be decompressed.', unreadable);
      throw failure;
  }
}

/** The parser's message without the quoted part of the body, which may be a password. */
function syntaxFault(failure: unknown): string {
  const message = failure instanceof Error ? failure.message : '';
  return message.replace(/, (?:\.{3})?".*$/s, '').replace(/[.\s]+$/, '') || 'it ends early';
}

function isZlibError(failure: unknown): boolean {
  return failure instanceof Error && 'code' in failure && /^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(String(failure.code));
}
