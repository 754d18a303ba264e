import { performance } from 'node:perf_hooks';
import { refuse, type Refused } from '../../domain/outcome.ts';
import type { Neighbours } from './neighbours.ts';
import { idleFor } from './slices.ts';

/** Before each request of whoever is held back the process has had nothing to do for so long. Milliseconds. */
const idleMs = 1;
/**
 * But it waits no longer than this after the one before: one of a burst,
 * and one of whoever asks for more than can be done. Milliseconds.
 */
const longestMs = { burst: 5, overload: 20 };
/**
 * Of one among several so many come in before the process has had nothing to do for a moment; the next ones only then.
 */
const atOnce = 2;
/** Whoever has no more requests that are not answered asks for no more than others do. */
const few = 4;
/** Whoever asked for more than could be done is let in as others are once none of theirs has waited. Milliseconds. */
const calmMs = 100;
/** Requests that wait of one who has asked for more than can be done for longer than this are bounded. Milliseconds. */
const patienceMs = 100;
const waitAtMost = 500;

/** Those of one that wait. `overloadedAt`: since when it is more than can be done; null: it is a burst. */
type Held = { waiting: (() => void)[]; overloadedAt: number | null };

/** Before requests are served: whoever asks for so much that others would wait is held back. */
export interface FairDoor {
  /**
   * Does the work of a request when it may come in;
   * refuses with `rate_limited`, and does nothing, where too many of theirs wait already.
   * @param who a company, or an address where nobody says whose it is
   */
  enter<T>(who: string, work: () => Promise<T>): Promise<T | Refused>;
}

/**
 * Lets everybody in while the process has time. Requests that one of several sends at once come in two by two, so that
 * a burst of them does not keep the others waiting. Where the process has no time between them, whoever has more than
 * an equal part of all that is not answered (few requests that take long weigh as much as many that do not) comes in
 * one by one, in the times when there is nothing to do for others, until none has waited for a while.
 * Nobody is held back who is alone.
 */
export function createFairDoor(neighbours: Neighbours): FairDoor {
  const held = new Map<string, Held>();
  /** How many of each have come in since the process had nothing to do. */
  const since = new Map<string, number>();
  /** How many of each are not answered yet, those that wait with them. */
  const open = new Map<string, number>();

  function asksForMost(who: string): boolean {
    const own = open.get(who) ?? 0;
    const all = [...open.values()].reduce((sum, count) => sum + count, 0);
    return own > few && own * Math.max(2, open.size) > all;
  }

  /** Until none waits any more; after an overload, until none has waited for a while. */
  async function letIn(who: string, one: Held): Promise<void> {
    held.set(who, one);
    let lastWaitedAt = performance.now();
    do {
      const hadTime = await idleFor(idleMs, longestMs[one.overloadedAt === null ? 'burst' : 'overload']);
      const now = performance.now();
      if (!hadTime && asksForMost(who)) one.overloadedAt ??= now;
      for (const comeIn of one.waiting.splice(0, one.overloadedAt === null ? atOnce : 1)) comeIn();
      if (one.waiting.length > 0) lastWaitedAt = now;
    } while (one.waiting.length > 0 || (one.overloadedAt !== null && performance.now() - lastWaitedAt < calmMs));
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

  /** Until one may come in; null: there are too many. */
  function wait(who: string): Promise<void> | null {
    neighbours.note(who);
    if (!held.has(who) && neighbours.has(who) && !isOneOfFew(who)) void letIn(who, { waiting: [], overloadedAt: null });
    const one = held.get(who);
    if (one === undefined) return Promise.resolve();
    const isLasting = one.overloadedAt !== null && performance.now() - one.overloadedAt >= patienceMs;
    if (isLasting && one.waiting.length >= waitAtMost) return null;
    return new Promise((comeIn) => one.waiting.push(comeIn));
  }

  function count(who: string, by: 1 | -1): void {
    const next = (open.get(who) ?? 0) + by;
    if (next === 0) open.delete(who);
    else open.set(who, next);
  }

  return {
    async enter(who, work) {
      const turn = wait(who);
      if (turn === null) {
        return refuse(
          'rate_limited',
          'The gateway has more to do than it can, and most of it for you. Send fewer requests at once.',
          { retryAfterSeconds: 1, limit: waitAtMost },
        );
      }
      count(who, 1);
      try {
        await turn;
        return await work();
      } finally {
        count(who, -1);
      }
    },
  };
}
