/**
 * The furthest a clock goes back slowly. A server that sets its own clock back by more is obeyed at once: whoever
 * stayed behind for minutes would disagree with every other gateway, which is worse than a step.
 */
const slewAtMostMs = 1_000;

/** What one question after a server's time told; milliseconds. */
export type Measurement = {
  /** The local steady time when the question was sent, and when its answer came. */
  askedAt: number;
  answeredAt: number;
  /** What the server's clock said in between. */
  serverTime: number;
};

export type FollowingClock = {
  /** The server's time in whole milliseconds since the epoch. */
  now(): number;
  follow(measurement: Measurement): void;
};

/**
 * A clock that keeps to a server's, and runs by a steady local one between measurements, so that a correction of the
 * machine's own time does not show.
 *
 * A measurement tells the server's time to half its round trip. The clock is moved only as far as that proves it
 * wrong: the first one counts in full, a slow one later on moves nothing. Forward it goes at once, since what falls
 * due would only be late. Back it goes at half speed, so that what one gateway dates stays in order, but for what
 * exceeds `slewAtMostMs`.
 * @param steady milliseconds from any origin, never going back
 */
export function createFollowingClock(first: Measurement, steady: () => number): FollowingClock {
  let offset = middle(first);
  /** How much of a correction backward is still to be made, when it was ordered. */
  let excess = 0;
  let orderedAt = 0;

  const excessAt = (time: number) => Math.max(0, excess - (time - orderedAt) / 2);

  return {
    now() {
      const time = steady();
      return Math.round(time + offset + excessAt(time));
    },
    follow(measurement) {
      const doubt = (measurement.answeredAt - measurement.askedAt) / 2;
      const measured = middle(measurement);
      const followed = Math.min(Math.max(offset, measured - doubt), measured + doubt);
      const time = steady();
      const ahead = offset + excessAt(time) - followed;
      offset = followed;
      excess = ahead > 0 && ahead <= slewAtMostMs ? ahead : 0;
      orderedAt = time;
    },
  };
}

/** What to add to the steady time, if the server was asked halfway between question and answer. */
function middle({ askedAt, answeredAt, serverTime }: Measurement): number {
  return serverTime - (askedAt + answeredAt) / 2;
}
