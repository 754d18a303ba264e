import { firstIdAt } from '../../../domain/ids.ts';

// Ids of calls grow with the time at which they were made: bounds by which what is far off is not read.
// `created_at` tells the rest.

/** The clock of the gateway that makes ids may be behind the database's by so much. Milliseconds. */
const idClockOffMs = 3_600_000;
/** A platform tells of calls that began so long ago, and the clock may be ahead. Milliseconds. */
const idMadeLaterMs = 26 * 3_600_000;

/** Every call that began then or later has this id or a higher one. */
export function callIdsSince(since: Date): string {
  return firstIdAt(since.getTime() - idClockOffMs);
}

/** Every call that began before then has a lower id than this. */
export function callIdsUntil(until: Date): string {
  return firstIdAt(until.getTime() + idMadeLaterMs);
}
