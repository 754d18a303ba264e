/**
 * Does a work when those that were begun under the same key before it have ended; different keys do not wait for
 * each other.
 * @param latest the latest work under each key, shared by all who take turns; keys nobody works under are not in it
 */
export async function inTurn<T>(
  latest: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const before = latest.get(key);
  const mine = waitFor(before).then(work);
  latest.set(key, mine);
  try {
    return await mine;
  } finally {
    if (latest.get(key) === mine) latest.delete(key);
  }
}

/** How it ended is the business of whoever began it. */
async function waitFor(work: Promise<unknown> | undefined): Promise<void> {
  await work?.catch(() => undefined);
}
