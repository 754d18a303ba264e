/**
 * Thrown by a store for free-form input with a `unstorableReason` (see the domain): no store can keep it, and nothing was
 * written. The edges refuse such input before it has any effect, so this speaks of one that forgot to.
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
