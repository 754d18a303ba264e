/**
 * Milliseconds of a clock that all processes of a machine share and that never jumps: what two of them note can be
 * compared. It begins anywhere.
 */
export function instant(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** What to add to an `instant` to get a Unix time. Milliseconds. */
export function instantToUnix(): number {
  return Date.now() - instant();
}
