import { performance } from 'node:perf_hooks';

/** So long somebody's work may keep everybody else waiting. Milliseconds. */
const sliceMs = 5;
/** After this it goes on, however busy the process is. Milliseconds. */
const longestRestMs = 200;

/** For work that takes long, piece by piece: when others have to have their turn. */
export interface Slices {
  /** Whether the work has taken long enough since the rest before. */
  isOver(): boolean;
  /**
   * Until the process has had nothing to do for as long as the slice took: so all such work together
   * leaves half of it to others.
   */
  rest(): Promise<void>;
}

export function createSlices(): Slices {
  let begunAt = performance.now();
  return {
    isOver: () => performance.now() - begunAt >= sliceMs,
    async rest() {
      await idleFor(performance.now() - begunAt);
      begunAt = performance.now();
    },
  };
}

/**
 * Resolves once the process has had nothing to do for so long, or at last after `atMost`. Milliseconds.
 * @returns whether it has had nothing to do for so long
 */
export async function idleFor(ms: number, atMost = longestRestMs): Promise<boolean> {
  const { idle } = performance.eventLoopUtilization();
  const until = performance.now() + atMost;
  for (;;) {
    await new Promise((goOn) => setTimeout(goOn, Math.min(ms, atMost)));
    if (performance.eventLoopUtilization().idle - idle >= ms) return true;
    if (performance.now() >= until) return false;
  }
}

/** The same items, one after the other, resting whenever what was done with them has taken longer than a slice. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  const slices = createSlices();
  for (const item of items) {
    if (slices.isOver()) await slices.rest();
    yield item;
  }
}

/** For a reader that calls it after each piece of what it reads. */
export function restBetweenPieces(): () => Promise<void> {
  const slices = createSlices();
  return async () => {
    if (slices.isOver()) await slices.rest();
    else await new Promise((goOn) => setImmediate(goOn));
  };
}
