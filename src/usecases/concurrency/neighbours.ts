import { performance } from 'node:perf_hooks';

/** Whoever has asked within this time is there. Milliseconds. */
const presentMs = 60_000;

/** Who else asks this process: whoever is alone has all of it. */
export interface Neighbours {
  /** @param who a company, or an address where nobody says whose it is */
  note(who: string): void;
  /** Whether anybody else has asked within the last minute. */
  has(who: string): boolean;
}

export function createNeighbours(): Neighbours {
  /** Who asked last, and who of the others before. */
  let last: { who: string; at: number } | null = null;
  let other: { who: string; at: number } | null = null;

  return {
    note(who) {
      if (last !== null && last.who !== who) other = last;
      last = { who, at: performance.now() };
    },
    has(who) {
      const latest = last?.who === who ? other : last;
      return latest !== null && performance.now() - latest.at < presentMs;
    },
  };
}
