/** So long somebody's work may keep everybody else waiting. Milliseconds; a fifth of what a request may be late by. */
const sliceMs = 10;

/** The same items, one after the other, letting everybody else go on whenever what was done with them has taken longer than a slice. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  let begunAt = performance.now();
  for (const item of items) {
    if (performance.now() - begunAt >= sliceMs) {
      await new Promise((goOn) => setImmediate(goOn));
      begunAt = performance.now();
    }
    yield item;
  }
}
