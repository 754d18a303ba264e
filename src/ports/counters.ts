/** What was counted under a key in its window, and in how many milliseconds the window ends. */
export type Count = { points: number; endsInMs: number };

/**
 * At most `count` in any `perMs` milliseconds. `below`: one comes in only where fewer than that did; at most `count`.
 */
export type SlidingWindow = { count: number; perMs: number; below: number };

/** Expiring counts, shared by all gateways: the basis of every rate limit. */
export interface Counters {
  /**
   * Adds to a key's count and returns the sum, atomically. The first addition begins the window.
   * Negative points take back.
   */
  add(key: string, points: number, windowSeconds: number): Promise<Count>;
  /** Null where nothing is counted. */
  read(key: string): Promise<Count | null>;
  clear(key: string): Promise<void>;
  /**
   * Takes a place in a key's sliding window, atomically. Returns 0, or in how many milliseconds there may be room;
   * then nothing was taken.
   */
  takePlace(key: string, window: SlidingWindow): Promise<number>;
  /**
   * Puts off whatever a key stands for until then, unless it is put off for longer already. Milliseconds since the
   * epoch, by the clock of the gateways. @param forMs how long that is kept at least, of real time
   */
  putOff(key: string, until: number, forMs: number): Promise<void>;
  /** Until when it is put off, which may be over; null: nobody has said so, or it is forgotten. */
  putOffUntil(key: string): Promise<number | null>;
}
