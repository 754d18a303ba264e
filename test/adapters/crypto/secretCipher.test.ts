import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashApiKey, newApiKey } from '../../../src/adapters/crypto/issuedSecrets.ts';
import { createSecretCipher } from '../../../src/adapters/crypto/secretCipher.ts';

const cipher = createSecretCipher(randomBytes(32));

describe('a sealed secret', () => {
  it('opens to what was sealed, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (clear, context) => {
        expect(cipher.decrypt(cipher.encrypt(clear, context), context)).toBe(clear);
      }),
    );
  });

  it('has the form v1.iv.tag.data and differs each time', () => {
    const sealed = cipher.encrypt('whsec_x', 'company');
    expect(sealed).toMatch(/^v1\.[\w-]{16}\.[\w-]{22}\.[\w-]*$/);
    expect(cipher.encrypt('whsec_x', 'company')).not.toBe(sealed);
    expect(sealed).not.toContain('whsec');
  });

  it('does not open in another company', () => {
    expect(() => cipher.decrypt(cipher.encrypt('x', 'a'), 'b')).toThrow('does not open');
  });

  it('does not open under another key, and the error says what is wrong', () => {
    const sealed = cipher.encrypt('x', 'a');
    expect(() => createSecretCipher(randomBytes(32)).decrypt(sealed, 'a')).toThrow('another ENCRYPTION_KEY');
  });

  it('does not open after any single letter was changed, added or removed', () => {
    const sealed = cipher.encrypt('a secret text', 'company');
    const place = fc.nat(sealed.length - 1);
    const letter = fc.constantFrom(...'ABCxyz019-_.=+/ '.split(''));
    fc.assert(
      fc.property(place, letter, (at, other) => {
        const edits = [
          sealed.slice(0, at) + other + sealed.slice(at + 1),
          sealed.slice(0, at) + other + sealed.slice(at),
          sealed.slice(0, at) + sealed.slice(at + 1),
        ];
        for (const edited of edits.filter((text) => text !== sealed)) {
          expect(() => cipher.decrypt(edited, 'company')).toThrow('a stored secret');
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(['', 'v1', 'v1...', 'v2.a.b.c', 'plain text'])('is not "%s"', (text) => {
    expect(() => cipher.decrypt(text, 'company')).toThrow('malformed');
  });

  it('needs a key of 32 bytes', () => {
    expect(() => createSecretCipher(Buffer.alloc(16))).toThrow('32 bytes');
  });
});

describe('an API key', () => {
  it('has a public prefix, a secret of at least 190 bits, and a hash that finds it', () => {
    const { key, prefix, hash } = newApiKey();
    expect(key).toMatch(/^rlk_[0-9A-Za-z]{8}_[0-9A-Za-z]{32,}$/);
    expect(prefix).toBe(key.slice(0, 12));
    const secret = key.slice(13);
    expect(secret.length * Math.log2(62)).toBeGreaterThanOrEqual(190);
    expect(hash).toBe(hashApiKey(key));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is another one each time, and uses the whole alphabet', () => {
    const keys = Array.from({ length: 500 }, newApiKey);
    expect(new Set(keys.map(({ hash }) => hash)).size).toBe(500);
    expect(new Set(keys.flatMap(({ key }) => key.slice(13).split(''))).size).toBe(62);
  });
});
