/** Keeps secrets at rest. Both calls are pure computation, a few microseconds. */
export type SecretCipher = {
  /** Seals a text. `context` (the company id) is not stored: the same one must be given to open it. */
  encrypt(clear: string, context: string): string;
  /** Opens a sealed text. Throws when the text was edited, the key is another, or the context differs. */
  decrypt(sealed: string, context: string): string;
};
