import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const secretBytes = 32;

/** A secret's file cannot be used. The message is one line that names it. */
export class SecretFileError extends Error {
  override name = 'SecretFileError';
}

/**
 * A secret of 32 random bytes, kept in hex in `<dataDir>/<name>` with mode 0600 and made on first use. Of several
 * processes that make it at once, one wins and all get the same. Throws SecretFileError for a file that others may
 * read or that holds something else.
 */
export async function loadOrCreateSecret(dataDir: string, name: string): Promise<Buffer> {
  const path = join(dataDir, name);
  const present = await load(path);
  if (present !== null) return present;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await create(path);
  const created = await load(path);
  if (created === null) throw new SecretFileError(`${path} vanished while it was made`);
  return created;
}

/** Written in full under another name first, so that nobody ever reads half a secret. */
async function create(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(secretBytes).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    // Unlike a rename, a link never replaces what another process has made in between.
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function load(path: string): Promise<Buffer | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return null;
  try {
    const { mode } = await file.stat();
    // Windows keeps no such bits.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new SecretFileError(
        `${path} may be read by others: give it mode 0600, or remove it and have a new secret made`,
      );
    }
    const text = (await file.readFile('utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(text))
      throw new SecretFileError(`${path} holds no secret of ${String(secretBytes)} bytes in hex`);
    return Buffer.from(text, 'hex');
  } finally {
    await file.close();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
