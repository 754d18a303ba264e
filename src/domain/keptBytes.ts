import type { ImportEncoding } from '../contract/imports.ts';

/**
 * Files that are not in Unicode do not say what they are in.
 * Their cells are kept in bytes, U+0000 to U+00FF, and read when they are used, so that another encoding can be chosen.
 */
export function isKeptInBytes(encoding: ImportEncoding): boolean {
  return !encoding.startsWith('utf-');
}

/** A reader of kept bytes. A character that is none of the encoding becomes U+FFFD. */
export function bytesReader(encoding: ImportEncoding): (kept: string) => string {
  const read = encoding === 'windows-1252' ? western : decoded(new TextDecoder(encoding));
  return (kept) => (/[\x80-\xff]/.test(kept) ? read(kept) : kept);
}

function decoded(decoder: InstanceType<typeof TextDecoder>): (kept: string) => string {
  return (kept) => decoder.decode(Buffer.from(kept, 'latin1'));
}

/**
 * 0x80 to 0x9F of Windows-1252: the decoder of Node takes them for those of ISO 8859-1
 * (https://github.com/nodejs/node/issues/56542).
 */
const marks = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const western = (kept: string): string =>
  kept.replace(/[\x80-\x9f]/g, (byte) => marks[byte.charCodeAt(0) - 0x80] ?? byte);
