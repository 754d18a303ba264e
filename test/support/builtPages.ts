import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const built = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/**
 * The files that a page of web/dist needs before it shows anything: its scripts and styles and all that these import
 * statically. What a script asks for later by `import()` is not among them.
 * @param page e.g. `index.html`; @returns paths below web/dist, e.g. `assets/index-DPV_oFTh.js`, each once
 */
export function filesOf(page: string): string[] {
  const html = readFileSync(join(built, page), 'utf8');
  const found = new Set<string>();
  const open = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    if (!path.endsWith('.js')) continue;
    const script = readFileSync(join(built, path), 'utf8');
    for (const [, name = ''] of script.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g)) open.push(`assets/${name}`);
  }
  return [...found];
}

/** What a file of web/dist weighs on the wire, in bytes, compressed by gzip. */
export function gzipBytes(path: string): number {
  return gzipSync(readFileSync(join(built, path)), { level: 9 }).length;
}
