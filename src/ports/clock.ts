/** Time, injected so that tests can advance it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `action` once after `ms` milliseconds; the result cancels it. */
  after(ms: number, action: () => void): () => void;
}
