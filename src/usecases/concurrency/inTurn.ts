import type { KeyedMutex } from './keyedMutex.ts';

/** Within this process they have their turns; of several gateways so many may come between. */
const maxTries = 20;

/**
 * Has changes of one thing wait for each other, since each is decided on what the one before it left.
 * @param attempt null: somebody else has written meanwhile, and it is decided anew
 * @returns null: others have come between again and again
 */
export function inTurn<T>(turns: KeyedMutex, key: string, attempt: () => Promise<T | null>): Promise<T | null> {
  return turns.run(key, async () => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const done = await attempt();
      if (done !== null) return done;
    }
    return null;
  });
}
