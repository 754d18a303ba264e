import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPostmaster } from '../../src/adapters/postgres/embedded/postmaster.ts';

/** Where a test reaches the running embedded PostgreSQL of a data directory, as its gateway does. */
export async function embeddedUrl(dataDir: string): Promise<string> {
  const cluster = join(dataDir, 'postgres');
  const postmaster = readPostmaster(cluster);
  if (postmaster === null) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  const password = (await readFile(join(cluster, 'readyline.password'), 'utf8')).trim();
  const host = encodeURIComponent(postmaster.socketDirectory);
  return `postgresql://readyline:${password}@localhost:${postmaster.port}/readyline?host=${host}`;
}
