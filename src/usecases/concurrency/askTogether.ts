type Asked<K, V> = { key: K; resolve: (value: V) => void; reject: (error: unknown) => void };

/**
 * Makes one read of all that is asked for in a turn of the event loop.
 * @param read resolves with an answer for each key, in their order
 * @param atMost keys of one read
 */
export function askTogether<K, V>(
  read: (keys: readonly K[]) => Promise<readonly V[]>,
  atMost: number,
): (key: K) => Promise<V> {
  let waiting: Asked<K, V>[] = [];

  function readAll(): void {
    const asked = waiting;
    waiting = [];
    for (let start = 0; start < asked.length; start += atMost) void readSome(asked.slice(start, start + atMost));
  }

  async function readSome(asked: Asked<K, V>[]): Promise<void> {
    try {
      const values = await read(asked.map(({ key }) => key));
      for (const [place, { resolve }] of asked.entries()) resolve(values[place] as V);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      // After this turn's timers: those that fall due together ask together.
      if (waiting.length === 0) setImmediate(readAll);
      waiting.push({ key, resolve, reject });
    });
}
