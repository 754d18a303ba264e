import express, { type Request } from 'express';
import { ok, type Outcome, refuse } from '../domain/outcome.ts';
import { isEmpty } from './jsonBody.ts';

/** The longest body of another program's own format. Bytes; what CRM systems send by themselves is at most as long. */
export const maxBytes = 256 * 1024;

const readBytes = express.raw({ limit: maxBytes, inflate: false, type: () => true });
const tooLarge = refuse('payload_too_large', 'The body is over 256 KiB.');

/**
 * Reads a body of any type, byte for byte as it was sent and signed, of at most 256 KiB; none is an empty one.
 * Throws when the caller hangs up.
 */
export async function readBytesBody(request: Request): Promise<Outcome<Buffer>> {
  const { headers } = request;
  if (isEmpty(headers)) return ok(Buffer.alloc(0));
  // Refused at once, before any of it is read.
  if (Number(headers['content-length']) > maxBytes) return tooLarge;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return refuse('unsupported_media_type', 'The body must not be compressed.');
  const { res: response } = request;
  if (response === undefined) throw new Error('a request has its response');
  const failure = await new Promise<unknown>((resolve) => readBytes(request, response, resolve));
  if (failure === undefined) return ok(request.body as Buffer);
  const type = typeof failure === 'object' && failure !== null && 'type' in failure ? failure.type : null;
  if (type === 'entity.too.large') return tooLarge;
  if (type === 'request.size.invalid') {
    return refuse('invalid_request', 'The body is not as long as Content-Length says.', {
      cause: { code: 'unreadable' },
    });
  }
  throw failure instanceof Error ? failure : new Error('the body could not be read');
}
