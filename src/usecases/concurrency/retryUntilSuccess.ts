import type { Clock } from '../../ports/clock.ts';
import type { Observer } from '../../ports/observer.ts';

const firstAgainAfterMs = 1_000;
const lastAgainAfterMs = 15_000;
/** Far more than a gateway's agents cause in an outage. Above it, the sweep and the reaper repair what is left. */
const heldAtMost = 10_000;

/** Actions that this process retries until they succeed. */
export interface RetryRegistry {
  /**
   * Takes an action that has just failed; only the first failure of its kind in an outage is reported.
   * @returns false when it is not taken: too much is held, or this process ends
   */
  add(problem: string, error: unknown, action: () => Promise<unknown>): boolean;
  /** Retries nothing from now on. An action under way ends by itself. */
  stop(): void;
}

/**
 * Runs an action that must not be skipped because a store was away for a moment: after a failure it is retried, less
 * and less often, until it succeeds. It must be safe to repeat, and harmless when late. Resolves after the first try:
 * `done`; `pending`, it is tried again; `dropped`, it failed and is not tried again.
 * @param problem for the operator: one log line in an outage, however many actions of this kind fail
 */
export async function retryUntilSuccess(
  { retries }: { retries: RetryRegistry },
  problem: string,
  action: () => Promise<unknown>,
): Promise<'done' | 'pending' | 'dropped'> {
  try {
    await action();
    return 'done';
  } catch (error) {
    return retries.add(problem, error, action) ? 'pending' : 'dropped';
  }
}

type Pending = { problem: string; action: () => Promise<unknown>; failures: number };

/** Retries with back-off: 1 s, 2 s, 4 s up to 15 s, each shortened at random by up to half. */
export function createRetryRegistry({
  clock,
  observer,
  atMost = heldAtMost,
}: {
  clock: Clock;
  observer: Pick<Observer, 'problem'>;
  /** How many are held. */
  atMost?: number;
}): RetryRegistry {
  /** Each with the function that cancels its next try. */
  const pending = new Map<Pending, () => void>();
  /** How many of each kind: an outage is over when none is left. */
  const ofKind = new Map<string, number>();
  let stopped = false;
  let full = false;

  function schedule(one: Pending): void {
    const longest = Math.min(firstAgainAfterMs * 2 ** (one.failures - 1), lastAgainAfterMs);
    pending.set(
      one,
      clock.after(Math.round(longest * (1 - Math.random() / 2)), () => void tryAgain(one)),
    );
  }

  async function tryAgain(one: Pending): Promise<void> {
    try {
      await one.action();
    } catch {
      // Reported when the outage began.
      one.failures += 1;
      if (!stopped) schedule(one);
      return;
    }
    pending.delete(one);
    full = false;
    const others = (ofKind.get(one.problem) ?? 1) - 1;
    if (others === 0) ofKind.delete(one.problem);
    else ofKind.set(one.problem, others);
  }

  return {
    add(problem, error, action) {
      if (stopped) {
        observer.problem(problem, error);
        return false;
      }
      if (pending.size >= atMost) {
        if (!full) observer.problem(`more than ${atMost} things wait to be tried again; others are left`, error);
        full = true;
        return false;
      }
      const before = ofKind.get(problem) ?? 0;
      if (before === 0) observer.problem(problem, error);
      ofKind.set(problem, before + 1);
      schedule({ problem, action, failures: 1 });
      return true;
    },
    stop() {
      stopped = true;
      for (const cancel of pending.values()) cancel();
      pending.clear();
    },
  };
}
