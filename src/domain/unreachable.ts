/** Ends a switch over a union: compiles only when every case is handled, throws if data broke the types. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
