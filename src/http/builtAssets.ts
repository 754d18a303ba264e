import type { RequestHandler } from 'express';
import type { keptBuild } from './pageBuild.ts';

/** The smallest first. */
const preferred = ['br', 'gzip'] as const;

/** The files that pages load. Their names change with what is in them, so browsers keep them for good. */
export function builtAssets(build: ReturnType<typeof keptBuild>): RequestHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const name = request.path.slice(1);
    const asset = build()?.assets.get(name);
    if (asset === undefined) return next();
    const encoding = preferred.find((known) => asset.bytes.has(known) && request.acceptsEncodings(known) === known) ?? 'identity';
    response.setHeader('Cache-Control', 'public,max-age=31536000,immutable');
    response.setHeader('ETag', `"${name}${encoding === 'identity' ? '' : `.${encoding}`}"`);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(asset.type).send(asset.bytes.get(encoding));
  };
}
