/** A promise and what settles it. */
export type Deferred<T> = { promise: Promise<T>; resolve: (value: T) => void };

/** Node.js 20 has no Promise.withResolvers. */
export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}
