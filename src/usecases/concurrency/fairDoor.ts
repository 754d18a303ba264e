import { performance } from 'node:perf_hooks';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Neighbours } from './neighbours.ts';
import { idleFor } from './slices.ts';

/** How long it is counted who asks how often, before it is looked at. Milliseconds. */
const windowMs = 100;
/** A process that was busy for more of a window has more to do than it can. */
const overloaded = 0.9;
/** Before each request of whoever is held back the process has had nothing to do for so long. Milliseconds. */
const idleMs = 1;
/**
 * But it waits no longer than this after the one before: one of a burst,
 * and one of whoever asks for more than can be done. Milliseconds.
 */
const longestMs = { burst: 5, overload: 20 };
/** Requests of one that asks for more than can be done are held back at once. */
const heldAtMost = 500;
/**
 * Of one among several so many come in before the process has had nothing to do for a moment; the next ones only then.
 */
const atOnce = 2;

/** Those of one that wait, and why. */
type Held = { waiting: (() => void)[]; why: 'burst' | 'overload' };

/** Before requests are served: whoever asks for so much that others would wait is held back. */
export interface FairDoor {
  /**
   * Resolves with null when the request may be served;
   * refuses with `rate_limited`, where too many of theirs wait already.
   * @param who a company, or an address where nobody says whose it is
   */
  enter(who: string): Promise<Refused | null>;
}

/**
 * Lets everybody in while the process has time. Requests that one of several sends at once come in two by two, so that
 * a burst of them does not keep the others waiting. Once the process has more to do than it can, and most of it is for
 * one, that one's requests come in one by one, in the times when there is nothing to do for others, until none of them
 * has waited for a while. Nobody is held back who is alone.
 */
export function createFairDoor(neighbours: Neighbours): FairDoor {
  const held = new Map<string, Held>();
  /** How many of each have come in since the process had nothing to do. */
  const since = new Map<string, number>();
  let counts = new Map<string, number>();
  let begunAt = performance.now();
  let begun = performance.eventLoopUtilization();

  function closeWindow(): void {
    const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const { utilization } = performance.eventLoopUtilization(begun);
    if (most !== undefined && counts.size > 1 && most[1] * 2 > all && utilization > overloaded)
      holdBack(most[0], 'overload');
    counts = new Map();
    begunAt = performance.now();
    begun = performance.eventLoopUtilization();
  }

  function holdBack(who: string, why: Held['why']): void {
    const before = held.get(who);
    if (before === undefined) void letIn(who, { waiting: [], why });
    else if (why === 'overload') before.why = why;
  }

  /** Until none waits any more; after an overload, until none has waited for a while. */
  async function letIn(who: string, one: Held): Promise<void> {
    held.set(who, one);
    let lastWaitedAt = performance.now();
    do {
      await idleFor(idleMs, longestMs[one.why]);
      for (const comeIn of one.waiting.splice(0, one.why === 'burst' ? atOnce : 1)) comeIn();
      if (one.waiting.length > 0) lastWaitedAt = performance.now();
    } while (one.waiting.length > 0 || (one.why === 'overload' && performance.now() - lastWaitedAt < windowMs));
    held.delete(who);
  }

  /** Whether one more comes in at once. */
  function isOneOfFew(who: string): boolean {
    const count = since.get(who) ?? 0;
    if (count >= atOnce) return false;
    if (since.size === 0) void idleFor(idleMs, longestMs.burst).then(() => since.clear());
    since.set(who, count + 1);
    return true;
  }

  return {
    async enter(who) {
      counts.set(who, (counts.get(who) ?? 0) + 1);
      if (performance.now() - begunAt >= windowMs) closeWindow();
      neighbours.note(who);
      if (neighbours.has(who) && !held.has(who) && !isOneOfFew(who)) holdBack(who, 'burst');
      const one = held.get(who);
      if (one === undefined) return null;
      if (one.why === 'overload' && one.waiting.length >= heldAtMost) {
        return refuse(
          'rate_limited',
          'The gateway has more to do than it can, and most of it for you. Send fewer requests at once.',
          { retryAfterSeconds: 1, limit: heldAtMost },
        );
      }
      await new Promise<void>((comeIn) => one.waiting.push(comeIn));
      return null;
    },
  };
}
