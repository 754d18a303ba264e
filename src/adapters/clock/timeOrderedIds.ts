import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../../ports/clock.ts';

/** Half of what a UUIDv7 counts within a millisecond, so that counting up never overflows. */
const firstAtMost = 2 ** 31;

/**
 * Makes UUIDs of version 7 by the clock that dates the rows: what is found by the time in an id is found by its date
 * too. Those of one process ascend, also within a millisecond and when the clock is set back.
 */
export function createIdMaker(clock: Clock): () => string {
  let msecs = 0;
  let seq = 0;
  return () => {
    const now = Math.floor(clock.now());
    if (now > msecs) {
      msecs = now;
      seq = randomInt(firstAtMost);
    } else {
      seq += 1;
    }
    return uuidv7({ msecs, seq });
  };
}
