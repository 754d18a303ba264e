/**
 * Thrown by a store for free-form input that no store can keep: U+0000, half of a surrogate pair, nesting without
 * end. Nothing was written. Use cases that act before they store ask `storableJson` of the domain first.
 */
export class InvalidTextError extends Error {
  override readonly name = 'InvalidTextError';

  /**
   * @param field what the text was for, in domain words, e.g. `metadata`
   * @param detail why it cannot be kept, as the end of a sentence that begins with the field
   * @param index of several entries, which one; counted from 0
   */
  constructor(
    readonly field: string,
    readonly detail: string,
    readonly index: number | null = null,
  ) {
    super(`${field} cannot be stored: ${detail}`);
  }
}
