import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadOrCreateSecret } from '../../../src/adapters/crypto/secretFile.ts';

async function dataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'readyline-secrets-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

describe('a secret in a file', () => {
  it('is made once, readable by its owner alone, in a directory made when needed', async () => {
    const directory = join(await dataDir(), 'not', 'yet');
    const secret = await loadOrCreateSecret(directory, 'jwt.secret');
    expect(secret).toHaveLength(32);
    expect((await stat(join(directory, 'jwt.secret'))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await loadOrCreateSecret(directory, 'jwt.secret')).toEqual(secret);
    expect(await loadOrCreateSecret(directory, 'other.secret')).not.toEqual(secret);
  });

  it('is the same for all that make it at once, and leaves no drafts', async () => {
    const directory = await dataDir();
    const made = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecret(directory, 'jwt.secret')));
    expect(new Set(made.map((secret) => secret.toString('hex'))).size).toBe(1);
    expect(await readdir(directory)).toEqual(['jwt.secret']);
  });

  it('is refused when others may read it', async () => {
    const directory = await dataDir();
    await loadOrCreateSecret(directory, 'jwt.secret');
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(join(directory, 'jwt.secret'), mode);
      await expect(loadOrCreateSecret(directory, 'jwt.secret')).rejects.toThrow(/jwt\.secret may be read by others/);
    }
  });

  it.each(['', 'ab'.repeat(31), 'z'.repeat(64)])('is refused when the file holds "%s"', async (text) => {
    const directory = await dataDir();
    await writeFile(join(directory, 'jwt.secret'), text, { mode: 0o600 });
    await expect(loadOrCreateSecret(directory, 'jwt.secret')).rejects.toThrow(/holds no secret of 32 bytes/);
  });
});
