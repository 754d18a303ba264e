// When a lost line is tried again. A gateway that dies takes thousands of lines with it in one moment: their
// softphones must not come back in one moment too.

const soonestFirstMs = 100;
const latestFirstMs = 3_000;
const firstBackoffMs = 3_000;
const longestMs = 10_000;
/** A gateway that said good-bye has spread its softphones itself. */
const afterGoodbyeMs = 250;
/** A gateway that cannot serve just now. */
const aroundUnavailableMs = 2_000;

/**
 * How long to wait, in milliseconds: the first time evenly between 0.1 and 3 s, then around twice as long each time, up
 * to 10 s.
 * @param attempt tries that have failed since the line was lost
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  if (attempt === 0) return between(soonestFirstMs, latestFirstMs, random);
  const backoff = Math.min(firstBackoffMs * 2 ** (attempt - 1), longestMs);
  return between(backoff / 2, backoff, random);
}

/** The first wait after a gateway that had announced its end closed the line. */
export function delayAfterGoodbye(random: () => number = Math.random): number {
  return between(0, afterGoodbyeMs, random);
}

/** The wait after a gateway that was reached and said that it cannot serve now. */
export function delayWhenUnavailable(random: () => number = Math.random): number {
  return between(aroundUnavailableMs / 2, aroundUnavailableMs * 1.5, random);
}

/** The wait before a second connection is tried again. */
export function delayOfMove(random: () => number = Math.random): number {
  return between(500, 2_000, random);
}

function between(least: number, most: number, random: () => number): number {
  return least + random() * (most - least);
}
