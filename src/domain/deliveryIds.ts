/**
 * How far a delivery's id may be dated from the delivery itself. The gateway makes the id by its synced clock, a little
 * before the row is written: the two differ by a slow write and the clock's error. Milliseconds.
 */
const marginMs = 15 * 60_000;

/** The 48 bits of a UUIDv7's time, in milliseconds since the epoch. */
const latestMs = 2 ** 48 - 1;

/**
 * A bound for finding deliveries of a time by the index on their ids: every one that was made at `time` or later has
 * this id or a higher one. So have some that were made up to 15 minutes earlier; only `created_at` tells them.
 */
export function idsSince(time: Date): string {
  return firstIdAt(time.getTime() - marginMs);
}

/** The bound on the other side: every delivery that was made before `time` has a lower id than this. */
export function idsUntil(time: Date): string {
  return firstIdAt(time.getTime() + marginMs);
}

/** What sorts before every UUIDv7 of that millisecond and after every earlier one. */
export function firstIdAt(ms: number): string {
  const hex = Math.min(Math.max(ms, 0), latestMs).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
