/** The longest word that is kept, and all of them together. Bytes. */
const [longestWord, mostBytes] = [200, 64 * 1024];
const sampleCount = 5;

/**
 * What stands between delimiters (but for the pipe, which is a part of Japanese characters),
 * quotes and line ends and is not all ASCII, from a file's bytes as they arrive: each once, and no more than 64 KiB.
 */
export function foreignWords(): { add(piece: Buffer): void; found(): string[]; samples(): string[] } {
  const words = new Set<string>();
  let bytes = 0;
  /** A word goes on in the next piece. */
  let begun = '';

  const keep = (word: string): void => {
    const text = word.trim();
    if (text.length > longestWord || bytes + text.length > mostBytes || words.has(text) || !/[\x80-\xff]/.test(text))
      return;
    words.add(text);
    bytes += text.length;
  };

  return {
    add(piece) {
      if (bytes >= mostBytes) return;
      const parts = (begun + piece.toString('latin1')).split(/[,;\t"\r\n]/);
      begun = parts.pop() ?? '';
      // Longer than a word can be; what is left of it is too.
      if (begun.length > longestWord) begun = begun.slice(-longestWord - 1);
      for (const part of parts) keep(part);
    },
    /** Their bytes, a character each. */
    found() {
      keep(begun);
      begun = '';
      return [...words];
    },
    /** The first of them, those without digits before the others: they are names. */
    samples: () =>
      [...words].toSorted((one, other) => Number(/\d/.test(one)) - Number(/\d/.test(other))).slice(0, sampleCount),
  };
}
