const atOnce = 64;

/** Does something for each item, so many at once; rejects with the first failure, and begins nothing after it. */
export async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: atOnce }, worker));
}
