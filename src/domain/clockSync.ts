/**
 * Largest correction that is made gradually. When a server's clock is set back by more,
 * it is followed at once: a gateway that lagged for minutes would disagree with all others, which is worse than a step.
 */
const slewAtMostMs = 1_000;

/** One measurement of a server's time, in milliseconds. */
export type Measurement = {
  /** Local monotonic time when the question was sent, and when its answer arrived. */
  askedAt: number;
  answeredAt: number;
  /** What the server's clock read in between. */
  serverTime: number;
};

export type SyncedClock = {
  /** The server's time in whole milliseconds since the epoch. */
  now(): number;
  follow(measurement: Measurement): void;
};

/**
 * A clock that follows a server's and runs on local monotonic time between measurements, so that corrections of the
 * machine's own clock do not show.
 *
 * A measurement is exact to half its round trip, so the offset is clamped to measurement ± RTT/2: the first one counts
 * in full, a slow later one changes nothing. The clock jumps forward at once, and goes back at half speed so that the
 * times one gateway writes stay in order; a step back beyond `slewAtMostMs` is applied at once.
 * @param steady monotonic milliseconds from any origin
 */
export function createSyncedClock(first: Measurement, steady: () => number): SyncedClock {
  let offset = middle(first);
  /** Size of the gradual correction backward, and when it began. */
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

/** Offset to the monotonic time, assuming the server answered halfway through the round trip. */
function middle({ askedAt, answeredAt, serverTime }: Measurement): number {
  return serverTime - (askedAt + answeredAt) / 2;
}

/** How often a server's time should be asked again, in milliseconds. */
export const measureEveryMs = 10_000;

export type ServerSync = Pick<SyncedClock, 'now'> & {
  /** Measures again, unless that is under way; after a failure the last measurement stays. */
  look(): void;
};

/**
 * Follows a server's clock; see createSyncedClock for how exactly. Rejects when the server cannot be asked at first.
 * @param readTime asks the server for its time, in milliseconds since the epoch
 * @param steady monotonic milliseconds from any origin
 */
export async function syncWithServer(readTime: () => Promise<number>, steady: () => number): Promise<ServerSync> {
  async function measure(): Promise<Measurement> {
    const askedAt = steady();
    const serverTime = await readTime();
    return { askedAt, answeredAt: steady(), serverTime };
  }

  // The first question opens the connection and prepares the statement, which would count as part of the round trip.
  await measure();
  const clock = createSyncedClock(await measure(), steady);
  let underWay = false;
  return {
    now: () => clock.now(),
    look() {
      if (underWay) return;
      underWay = true;
      measure()
        // An outage is reported by whoever needs the server.
        .then(
          (measurement) => clock.follow(measurement),
          () => undefined,
        )
        .finally(() => (underWay = false));
    },
  };
}
