import { describe, expect, it } from 'vitest';
import { createGate, createPasswordHasher } from '../../../src/adapters/crypto/passwordHasher.ts';

describe('a password', () => {
  const hasher = createPasswordHasher();

  it('is hashed with argon2id and the OWASP parameters, with a salt of its own', async () => {
    const hash = await hasher.hash('correct horse');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.hash('correct horse')).not.toBe(hash);
  });

  it('is verified by its hash, and no other is', async () => {
    const hash = await hasher.hash('pässwörd 😀');
    expect(await hasher.verify(hash, 'pässwörd 😀')).toBe(true);
    expect(await hasher.verify(hash, 'pässwörd')).toBe(false);
    expect(await hasher.verify(hash, '')).toBe(false);
  });

  it('never belongs to nobody', async () => {
    expect(await hasher.verifyAgainstNobody('')).toBe(false);
    expect(await hasher.verifyAgainstNobody('correct horse')).toBe(false);
  });

  it('cannot be verified by what is no hash', async () => {
    await expect(hasher.verify('not a hash', 'x')).rejects.toThrow();
  });

  it('is hashed and verified rightly when many come at once', async () => {
    const narrow = createPasswordHasher({ maxConcurrent: 1 });
    const hash = await narrow.hash('right');
    const answers = await Promise.all(['right', 'wrong', 'right', 'wrong'].map((word) => narrow.verify(hash, word)));
    expect(answers).toEqual([true, false, true, false]);
  });
});

describe('the gate', () => {
  it('lets no more than its limit run, and all of them in the order they came', async () => {
    const gate = createGate(2);
    const releases: (() => void)[] = [];
    const started: number[] = [];
    const works = Array.from({ length: 5 }, (_, index) =>
      gate(() => {
        started.push(index);
        return new Promise<number>((resolve) => {
          releases.push(() => {
            resolve(index);
          });
        });
      }),
    );
    expect(started).toEqual([0, 1]);
    for (const [index, work] of works.entries()) {
      releases[index]?.();
      expect(await work).toBe(index);
      await new Promise((resolve) => setImmediate(resolve));
      expect(started).toHaveLength(Math.min(index + 3, 5));
    }
  });

  it('stays open after a work failed', async () => {
    const gate = createGate(1);
    const failed = gate(() => Promise.reject(new Error('broken')));
    const next = gate(() => Promise.resolve('fine'));
    await expect(failed).rejects.toThrow('broken');
    expect(await next).toBe('fine');
    expect(await gate(() => Promise.resolve('again'))).toBe('again');
  });
});
