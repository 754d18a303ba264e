import { createHash, randomBytes, randomInt } from 'node:crypto';
import { webhookSecretBytes, webhookSecretOf } from '../../domain/webhookSignature.ts';
import type { ApiKeys } from '../../ports/secrets.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const publicLength = 8;
/** 32 letters of 62 are 190 bits: nothing to guess, so a fast hash keeps it safe. */
const secretLength = 32;

/** A company's API key. `key` is shown once; `prefix` and `hash` are stored. */
type NewApiKey = {
  /** `rlk_<8 public>_<32 secret>` */
  key: string;
  /** `rlk_<8 public>`, to be shown in lists and webhook headers. */
  prefix: string;
  /** As of `hashApiKey`. */
  hash: string;
};

/** Makes a fresh random API key. */
export function newApiKey(): NewApiKey {
  const prefix = `rlk_${randomText(publicLength)}`;
  const key = `${prefix}_${randomText(secretLength)}`;
  return { key, prefix, hash: hashApiKey(key) };
}

/** The SHA-256 of a key as presented, in hex: what the key is looked up by. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The port over the two. */
export const apiKeys: ApiKeys = { create: newApiKey, hash: hashApiKey };

function randomText(length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** 256 random bits as 43 letters of `[A-Za-z0-9_-]`, which fit into addresses and headers as they are. */
export function newSecretText(): string {
  return randomBytes(32).toString('base64url');
}

/** A fresh webhook secret: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return webhookSecretOf(randomBytes(webhookSecretBytes));
}
