/** Without letters and digits that look alike. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of 16 characters, 93 bits, in groups that can be read out. */
export function generatePassword(): string {
  const characters: string[] = [];
  while (characters.length < 16) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    // Bytes beyond the last whole round of the alphabet would favour its beginning.
    if (byte < 256 - (256 % alphabet.length)) characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}
