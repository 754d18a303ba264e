import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The kernel takes 103 (macOS) or 107 (Linux) bytes for the path of a unix socket. */
const longestSocketPath = 103;

/**
 * A directory (mode 0700, made when missing) for unix sockets whose file names have at most `longestName` bytes:
 * `<dataDir>/<name>`, or, where that path is too long for the kernel, one under the system's temporary directory that
 * belongs to this data directory alone. The same input gives the same directory.
 *
 * @throws when somebody else made the directory under the temporary one.
 */
export function socketDirectory(dataDir: string, name: string, longestName: number): string {
  const inside = join(dataDir, name);
  const fits = Buffer.byteLength(inside) + 1 + longestName <= longestSocketPath;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const directory = fits ? inside : join(tmpdir(), `readyline-${hash}-${name}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { mode, uid } = lstatSync(directory);
  const ours = process.getuid?.() === 0 || uid === process.getuid?.();
  if (!ours || (mode & 0o170_077) !== 0o040_000) {
    throw new Error(`${directory} must be a directory that only this user can enter; remove it or choose another DATA_DIR`);
  }
  return directory;
}
