import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { RequestHandler } from 'express';

/** The smallest first. */
const preferred = ['br', 'gzip'] as const;
const compressors = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
};

/** Below this a compressed answer saves no packet. */
const worthwhileBytes = 1_400;

/** `read`: what is served; asked for once. `type`: an extension, e.g. `.js`. */
type Document = { type: string; cacheControl: string; read: () => string | Buffer };

/**
 * Serves a document that does not change while the gateway runs: with an ETag (304 to whoever has it), and compressed once
 * for all. All downloads share the same bytes, however slowly they are read. Nothing secret and nothing of a request is in
 * it, so that its compressed length tells nothing (BREACH).
 */
export function staticDocument({ type, cacheControl, read }: Document): RequestHandler {
  const kept = new Map<string, Promise<{ bytes: Buffer; tag: string }>>();
  let plain: Buffer | null = null;

  async function make(encoding: keyof typeof compressors | 'identity'): Promise<{ bytes: Buffer; tag: string }> {
    plain ??= Buffer.from(read());
    const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    return encoding === 'identity'
      ? { bytes: plain, tag: `"${digest}"` }
      : { bytes: await compressors[encoding](plain), tag: `"${digest}.${encoding}"` };
  }

  return async (request, response) => {
    plain ??= Buffer.from(read());
    const accepted = preferred.find((known) => request.acceptsEncodings(known) === known) ?? 'identity';
    const encoding = plain.length < worthwhileBytes ? 'identity' : accepted;
    const making = kept.get(encoding) ?? make(encoding);
    kept.set(encoding, making);
    const { bytes, tag } = await making;
    response.setHeader('Cache-Control', cacheControl);
    response.setHeader('ETag', tag);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(type).send(bytes);
  };
}
