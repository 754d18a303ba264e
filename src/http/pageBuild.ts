import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

type Encoding = 'br' | 'gzip' | 'identity';
/** A file that pages load. `type`: its extension, e.g. `.js`. */
type Asset = { type: string; bytes: ReadonlyMap<Encoding, Buffer> };
/** `pages`: the texts of the HTML files, by their names; `assets`: what they load, by the names below `/assets/`. */
type PageBuild = { pages: ReadonlyMap<string, string>; assets: ReadonlyMap<string, Asset> };

const compressed: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * The pages and their files out of memory, all of one build: a gateway goes on with what it has shown, though the next
 * build takes its place meanwhile. Read when it is first asked for; null, and asked for anew the next time, while there
 * is no whole build. @param folder where the build puts the pages, with `assets/` in it, each file beside its `.br` and `.gz`
 */
export function keptBuild(folder: string): () => PageBuild | null {
  let kept: PageBuild | null = null;
  return () => (kept ??= readBuild(folder));
}

function readBuild(folder: string): PageBuild | null {
  try {
    const files = readdirSync(folder).filter((file) => extname(file) === '.html');
    const pages = new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
    const assets = readAssets(join(folder, 'assets'));
    // Files bear a digest of what is in them: pages that name others are of the build before.
    const isWhole = pages.size > 0 && [...pages.values()].flatMap(filesOf).every((name) => assets.has(name));
    return isWhole ? { pages, assets } : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function filesOf(page: string): string[] {
  return [...page.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name ?? '');
}

function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, { type: string; bytes: Map<Encoding, Buffer> }>();
  for (const file of readdirSync(folder)) {
    const encoding = compressed[extname(file)] ?? 'identity';
    const name = encoding === 'identity' ? file : file.slice(0, -extname(file).length);
    const asset = assets.get(name) ?? { type: extname(name), bytes: new Map<Encoding, Buffer>() };
    asset.bytes.set(encoding, readFileSync(join(folder, file)));
    assets.set(name, asset);
  }
  return assets;
}
