/** Waiting, so that a test can hold the time in its hand. */
export type Timers = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Acts once, `ms` from now. @returns takes it back */
  after(ms: number, action: () => void): () => void;
};

export const systemTimers: Timers = {
  now: () => Date.now(),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};
