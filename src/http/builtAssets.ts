import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { RequestHandler } from 'express';

type Encoding = 'br' | 'gzip' | 'identity';
type Asset = { type: string; bytes: ReadonlyMap<Encoding, Buffer> };

/** The smallest first. */
const preferred = ['br', 'gzip'] as const;
const compressed: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * The files that pages load, out of memory: a gateway goes on with the pages that it has shown, though the next ones are
 * built into the same folder meanwhile. Their names change with what is in them, so browsers keep them for good. Read
 * when the first one is asked for. @param folder where the build put them, each beside its `.br` and `.gz`
 */
export function builtAssets(folder: string): RequestHandler {
  let assets: ReadonlyMap<string, Asset> | null = null;
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    assets ??= readAssets(folder);
    const name = request.path.slice(1);
    const asset = assets.get(name);
    if (asset === undefined) return next();
    const encoding = preferred.find((known) => asset.bytes.has(known) && request.acceptsEncodings(known) === known) ?? 'identity';
    response.setHeader('Cache-Control', 'public,max-age=31536000,immutable');
    response.setHeader('ETag', `"${name}${encoding === 'identity' ? '' : `.${encoding}`}"`);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.type(asset.type).send(asset.bytes.get(encoding));
  };
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, { type: string; bytes: Map<Encoding, Buffer> }>();
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    const encoding = compressed[extname(file)] ?? 'identity';
    const name = encoding === 'identity' ? file : file.slice(0, -extname(file).length);
    const asset = assets.get(name) ?? { type: extname(name), bytes: new Map<Encoding, Buffer>() };
    asset.bytes.set(encoding, readFileSync(join(folder, file)));
    assets.set(name, asset);
  }
  return assets;
}
