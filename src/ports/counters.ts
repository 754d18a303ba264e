/** What was counted under a key in its window, and in how many milliseconds the window ends. */
export type Count = { points: number; endsInMs: number };

/** Counts that lapse, shared by all gateways of an installation: what limits of any kind are made of. */
export interface Counters {
  /**
   * Adds to a key's count and tells the sum, in one step: of two that come together, one is told of both. The first to
   * add begins the window. Negative points take back.
   */
  add(key: string, points: number, windowSeconds: number): Promise<Count>;
  /** Null where nothing is counted. */
  read(key: string): Promise<Count | null>;
  clear(key: string): Promise<void>;
}
