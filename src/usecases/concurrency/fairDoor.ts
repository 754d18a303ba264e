import { performance } from 'node:perf_hooks';
import { refuse, type Refused } from '../../domain/outcome.ts';
import { idleFor } from './slices.ts';

/** How long it is counted who asks how often, before it is looked at. Milliseconds. */
const windowMs = 100;
/** A process that was busy for more of a window has more to do than it can. */
const overloaded = 0.9;
/** Before each request of whoever is held back the process has had nothing to do for so long. Milliseconds. */
const idleMs = 1;
/** But it waits no longer than this after the one before. Milliseconds. */
const longestMs = 20;
/** Requests of one that are held back at once. */
const heldAtMost = 500;

/** Before requests are served: whoever asks for so much that others would wait is held back. */
export interface FairDoor {
  /**
   * Resolves with null when the request may be served; refuses with `rate_limited`, where too many of theirs wait already.
   * @param who a company, or an address where nobody says whose it is
   */
  enter(who: string): Promise<Refused | null>;
}

/**
 * Lets everybody in while the process has time. Once it has more to do than it can, and most of it is for one, that one's requests come in one
 * by one, in the times when there is nothing to do for others, until none of them waits any more. Nobody is held back who is alone.
 */
export function createFairDoor(): FairDoor {
  const held = new Map<string, (() => void)[]>();
  let counts = new Map<string, number>();
  let begunAt = performance.now();
  let begun = performance.eventLoopUtilization();

  function closeWindow(): void {
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const { utilization } = performance.eventLoopUtilization(begun);
    if (most !== undefined && counts.size > 1 && most[1] * 2 > all && utilization > overloaded && !held.has(most[0])) void holdBack(most[0]);
    counts = new Map();
    begunAt = performance.now();
    begun = performance.eventLoopUtilization();
  }

  async function holdBack(who: string): Promise<void> {
    const waiting: (() => void)[] = [];
    held.set(who, waiting);
    for (let until = performance.now() + windowMs; waiting.length > 0 || performance.now() < until; ) {
      await idleFor(idleMs, longestMs);
      waiting.shift()?.();
      if (waiting.length > 0) until = performance.now() + windowMs;
    }
    held.delete(who);
  }

  return {
    async enter(who) {
      counts.set(who, (counts.get(who) ?? 0) + 1);
      if (performance.now() - begunAt >= windowMs) closeWindow();
      const waiting = held.get(who);
      if (waiting === undefined) return null;
      if (waiting.length >= heldAtMost) {
        return refuse('rate_limited', 'The gateway has more to do than it can, and most of it for you. Send fewer requests at once.', { retryAfterSeconds: 1, limit: heldAtMost });
      }
      await new Promise<void>((comeIn) => waiting.push(comeIn));
      return null;
    },
  };
}
