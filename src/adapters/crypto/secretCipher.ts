import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SecretCipher } from '../../ports/secrets.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** Texts that were opened lately: every webhook is signed with one. */
const rememberedTexts = 2_000;

/**
 * AES-256-GCM under one key of 32 bytes. A sealed text is `v1.<iv>.<tag>.<data>`, each part base64url; the context
 * is authenticated with it, so a sealed text copied to another company does not open.
 */
export function createSecretCipher(key: Buffer): SecretCipher {
  if (key.length !== keyBytes) throw new Error(`the encryption key must have ${String(keyBytes)} bytes`);

  function encrypt(clear: string, context: string): string {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
    const data = Buffer.concat([cipher.update(clear, 'utf8'), cipher.final()]);
    return ['v1', ...[iv, cipher.getAuthTag(), data].map((part) => part.toString('base64url'))].join('.');
  }

  const opened = new LRUCache<string, string>({ max: rememberedTexts });

  function decrypt(sealed: string, context: string): string {
    // A blank is in no sealed text.
    const name = `${sealed} ${context}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const clear = open(sealed, context);
    opened.set(name, clear);
    return clear;
  }

  function open(sealed: string, context: string): string {
    const { iv, tag, data } = parseSealed(sealed);
    const decipher = createDecipheriv(algorithm, key, iv, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
    try {
      return Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8');
    } catch (cause) {
      const reason = 'it was sealed with another ENCRYPTION_KEY or for another company, or was edited';
      throw new Error(`a stored secret does not open: ${reason}`, { cause });
    }
  }

  return { encrypt, decrypt };
}

function parseSealed(sealed: string): { iv: Buffer; tag: Buffer; data: Buffer } {
  const [version, iv, tag, data, ...rest] = sealed.split('.');
  if (version !== 'v1' || iv === undefined || tag === undefined || data === undefined || rest.length > 0) {
    throw new Error('a stored secret is malformed');
  }
  const parts = { iv: decode(iv), tag: decode(tag), data: decode(data) };
  if (parts.iv.length !== ivBytes || parts.tag.length !== tagBytes) throw new Error('a stored secret is malformed');
  return parts;
}

/** Node's decoder skips what it does not know; only the one true spelling may pass. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new Error('a stored secret is malformed');
  return bytes;
}
