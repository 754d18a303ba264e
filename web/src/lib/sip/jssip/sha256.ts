/**
 * The first 32 bits of what is behind the point of a root of each of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
 */
const primes = firstPrimes(64);
const rounds = primes.map((prime) => fraction(Math.cbrt(prime)));
const beginning = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

/**
 * SHA-256 in hexadecimal, at once: that of the browser comes later, and the SIP library does not wait.
 * @param text in UTF-8
 */
export function sha256(text: string): string {
  const state = Uint32Array.from(beginning);
  const words = padded(new TextEncoder().encode(text));
  const schedule = new Uint32Array(64);
  for (let at = 0; at < words.length; at += 16) {
    schedule.set(words.subarray(at, at + 16));
    for (let t = 16; t < 64; t += 1) {
      const [early, late] = [schedule[t - 15] ?? 0, schedule[t - 2] ?? 0];
      const [a, b] = [
        turned(early, 7) ^ turned(early, 18) ^ (early >>> 3),
        turned(late, 17) ^ turned(late, 19) ^ (late >>> 10),
      ];
      schedule[t] = a + b + (schedule[t - 7] ?? 0) + (schedule[t - 16] ?? 0);
    }
    compress(state, schedule);
  }
  return [...state].map((word) => word.toString(16).padStart(8, '0')).join('');
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const chosen = (e & f) ^ (~e & g);
    const one =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (rounds[t] ?? 0) + (schedule[t] ?? 0)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}

/** The text, a 1, and its length in bits at the end of a block of 64 bytes. */
function padded(bytes: Uint8Array): Uint32Array {
  const view = new DataView(new ArrayBuffer((Math.floor((bytes.length + 8) / 64) + 1) * 64));
  for (const [at, byte] of bytes.entries()) view.setUint8(at, byte);
  view.setUint8(bytes.length, 0x80);
  view.setBigUint64(view.byteLength - 8, BigInt(bytes.length) * 8n);
  return Uint32Array.from({ length: view.byteLength / 4 }, (_, word) => view.getUint32(word * 4));
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}
