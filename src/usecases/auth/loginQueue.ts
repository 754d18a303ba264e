import { createKeyedMutex } from '../concurrency/keyedMutex.ts';

/** How many log-ins of this process may be checked or wait at once: some seconds of work for the password hasher. */
export const loginPlaces = 300;

export interface LoginQueue {
  /** Runs the work in a place of the queue; null: none is free for the address. */
  enter<T>(address: string, work: () => Promise<T>): Promise<T | null>;
  /** Runs the work when earlier ones of the same address have ended. */
  oneByOne<T>(address: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Shares the places and the work fairly: an address may hold as many places as are free, so that one alone gets half of
 * them and there is always one for the next; and of each address one password at a time is checked.
 */
export function createLoginQueue(places = loginPlaces): LoginQueue {
  const held = new Map<string, number>();
  const checking = createKeyedMutex();
  let taken = 0;
  return {
    async enter(address, work) {
      const own = held.get(address) ?? 0;
      if (own >= places - taken) return null;
      taken += 1;
      held.set(address, own + 1);
      try {
        return await work();
      } finally {
        taken -= 1;
        const left = (held.get(address) ?? 1) - 1;
        if (left === 0) held.delete(address);
        else held.set(address, left);
      }
    },
    oneByOne: (address, work) => checking.run(address, work),
  };
}
