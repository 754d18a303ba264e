import { createKeyedMutex } from '../concurrency/keyedMutex.ts';

/**
 * `known`: from a device from which the name has logged in lately;
 * a way of its own, so that no flood from elsewhere is before it.
 */
export type LoginWay = 'anybody' | 'known';

/** Who stands in the queue. `who`: the address; on the way of known devices the company. */
export type LoginCaller = { way: LoginWay; who: string };

/** How many log-ins of this process may be checked or wait at once: some seconds of work for the password hasher. */
export const loginPlaces = { anybody: 300, known: 50 } as const satisfies Record<LoginWay, number>;

export interface LoginQueue {
  /** Runs the work in a place of the queue; null: none is free for the caller. */
  enter<T>(caller: LoginCaller, work: () => Promise<T>): Promise<T | null>;
  /** Runs the work when earlier ones of the same caller have ended. */
  oneByOne<T>(caller: LoginCaller, work: () => Promise<T>): Promise<T>;
}

/**
 * Shares the places and the work fairly: each may hold as many places as are free, so that one alone gets half of them
 * and there is always one for the next; and of each one password at a time is checked.
 */
export function createLoginQueue(places: Record<LoginWay, number> = loginPlaces): LoginQueue {
  const held = new Map<string, number>();
  const taken: Record<LoginWay, number> = { anybody: 0, known: 0 };
  const checking = createKeyedMutex();
  return {
    async enter(caller, work) {
      const key = keyOf(caller);
      const own = held.get(key) ?? 0;
      if (own >= places[caller.way] - taken[caller.way]) return null;
      taken[caller.way] += 1;
      held.set(key, own + 1);
      try {
        return await work();
      } finally {
        taken[caller.way] -= 1;
        const left = (held.get(key) ?? 1) - 1;
        if (left === 0) held.delete(key);
        else held.set(key, left);
      }
    },
    oneByOne: (caller, work) => checking.run(keyOf(caller), work),
  };
}

function keyOf({ way, who }: LoginCaller): string {
  return `${way} ${who}`;
}
