// When to connect again. A gateway that dies breaks thousands of connections at once;
// their softphones must not all come back at once.

const soonestFirstMs = 100;
const latestFirstMs = 3_000;
const firstBackoffMs = 3_000;
const longestMs = 10_000;
/** A gateway that announces its end spreads its softphones itself. */
const afterGoodbyeMs = 250;
/** A gateway that cannot serve just now. */
const aroundUnavailableMs = 2_000;

/**
 * How long to wait, in milliseconds: the first time evenly between 0.1 and 3 s, then around twice as long each time, up
 * to 10 s.
 * @param attempt tries that have failed since the connection was lost
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number {
  if (attempt === 0) return between(soonestFirstMs, latestFirstMs, random);
  const backoff = Math.min(firstBackoffMs * 2 ** (attempt - 1), longestMs);
  return between(backoff / 2, backoff, random);
}

/** The first wait, in milliseconds, after a gateway closed the connection as it had announced. */
export function delayAfterGoodbye(random: () => number = Math.random): number {
  return between(0, afterGoodbyeMs, random);
}

/** The wait, in milliseconds, after a gateway was reached and said that it cannot serve now. */
export function delayWhenUnavailable(random: () => number = Math.random): number {
  return between(aroundUnavailableMs / 2, aroundUnavailableMs * 1.5, random);
}

/** The wait, in milliseconds, before a handover is tried again. */
export function delayBeforeHandover(random: () => number = Math.random): number {
  return between(500, 2_000, random);
}

function between(least: number, most: number, random: () => number): number {
  return least + random() * (most - least);
}
