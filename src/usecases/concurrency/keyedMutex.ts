/** Lets one work at a time run under each key; different keys do not wait for each other. */
export interface KeyedMutex {
  /** Runs a work when those that were begun under the same key before it have ended, however they ended. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A mutex of this process alone. Keys nobody works under take no memory. */
export function createKeyedMutex(): KeyedMutex {
  /** The latest work under each key. */
  const latest = new Map<string, Promise<unknown>>();

  return {
    async run(key, work) {
      const before = latest.get(key);
      const mine = ended(before).then(work);
      latest.set(key, mine);
      try {
        return await mine;
      } finally {
        if (latest.get(key) === mine) latest.delete(key);
      }
    },
  };
}

/** Its outcome is handled by whoever started it. */
async function ended(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => undefined);
}
