/** Company API keys: shown once, kept as a hash. */
export interface ApiKeys {
  /** A new key with its public prefix and the hash to store. */
  create(): { key: string; prefix: string; hash: string };
  /** SHA-256 in hex: the keys are random, so a slow hash would only cost time. */
  hash(key: string): string;
}
