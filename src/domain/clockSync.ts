
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

export type SyncedClock = {
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
export function createSyncedClock(first: Measurement, steady: () => number): SyncedClock {
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

/** How often a server's time should be asked again, in milliseconds. */
export const measureEveryMs = 10_000;

export type ServerSync = Pick<SyncedClock, 'now'> & {
  /** Asks the server for its time again, unless that is under way; a failure keeps what was measured. */
  look(): void;
};

/**
 * Follows a server's clock; see createSyncedClock for how exactly. Rejects when the server cannot be asked at first.
 * @param readTime asks the server for its time, in milliseconds since the epoch
 * @param steady milliseconds from any origin, never going back
 */
export async function syncWithServer(readTime: () => Promise<number>, steady: () => number): Promise<ServerSync> {
  async function measure(): Promise<Measurement> {
    const askedAt = steady();
    const serverTime = await readTime();
    return { askedAt, answeredAt: steady(), serverTime };
  }

  // The first time opens the connection and prepares what is asked, which would count as part of the round trip.
  await measure();
  const clock = createSyncedClock(await measure(), steady);
  let underWay = false;
  return {
    now: () => clock.now(),
    look() {
      if (underWay) return;
      underWay = true;
      measure()
        // Whoever needs the server tells of its outage.
        .then((measurement) => clock.follow(measurement), () => undefined)
        .finally(() => (underWay = false));
    },
  };
}
