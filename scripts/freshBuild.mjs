import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fromRoot } from './project.mjs';

/**
 * Fills a folder with a build, unless it holds the one of these very files.
 * The build is made beside the folder and then put in its place: whoever reads meanwhile finds a whole build or none.
 * @param {{ output: string, from: string[], make: (fresh: string) => void | Promise<void> }} build
 * `output`: absolute path;
 *   `from`: the files that it is made from; `make` writes it into another folder, which it may have to create
 */
export async function ensureFresh({ output, from, make }) {
  const stamp = fingerprint(from);
  const stampFile = join(output, '.stamp');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const fresh = join(output, `../.dist-${process.pid}`);
  const remove = () => rmSync(fresh, { recursive: true, force: true });
  process.on('exit', remove);
  await make(fresh);
  writeFileSync(join(fresh, '.stamp'), stamp);
  putInPlace(fresh, output, stamp);
  process.off('exit', remove);
}

/**
 * @param {string} folder
 * @returns {string[]} every file below, in a fixed order
 */
export function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.dist-'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * @param {string} fresh
 * @param {string} output
 * @param {string} stamp
 */
function putInPlace(fresh, output, stamp) {
  const stampFile = join(output, '.stamp');
  const former = `${fresh}-former`;
  try {
    renameSync(output, former);
    rmSync(former, { recursive: true, force: true });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  try {
    renameSync(fresh, output);
  } catch (error) {
    // Another start has put the same build there meanwhile.
    if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp) throw error;
  }
}

/** @param {string[]} files */
function fingerprint(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    hash
      .update(relative(fromRoot('.'), file))
      .update('\0')
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
