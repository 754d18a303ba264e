import pLimit from 'p-limit';

/** Operations under way at once: enough to keep a store busy without flooding it. */
const atOnce = 64;

/**
 * Does something for each item, 64 at a time. Rejects with the first failure; what has not begun by then never does.
 */
export async function forEachConcurrently<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const limit = pLimit(atOnce);
  try {
    await limit.map(items, work);
  } catch (error) {
    limit.clearQueue();
    throw error;
  }
}
