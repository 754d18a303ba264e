import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

type Encoding = 'br' | 'gzip' | 'identity';
/** A file that pages load. `type` is its extension, e.g. `.js`. */
type Asset = { type: string; bytes: ReadonlyMap<Encoding, Buffer> };
/** `pages`: HTML texts by file name; `assets`: what they load, by name below `/assets/`. */
type PageBuild = { pages: ReadonlyMap<string, string>; assets: ReadonlyMap<string, Asset> };

const compressed: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/**
 * Serves the pages and their files from memory, all from one build, even when a newer build replaces the files on disk.
 * Read on first use; null while there is no complete build, and then tried again.
 * @param folder where the build puts the pages, with `assets/` in it, each file beside its `.br` and `.gz`
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
    // File names contain a digest: a page that names other files is of an earlier build.
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
