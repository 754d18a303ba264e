import { createFollowingClock, type FollowingClock, type Measurement } from './followingClock.ts';

/** How often a server's time should be asked again, in milliseconds. */
export const measureEveryMs = 10_000;

export type ServerFollower = Pick<FollowingClock, 'now'> & {
  /** Asks the server for its time again, unless that is under way; a failure keeps what was measured. */
  look(): void;
};

/**
 * Follows a server's clock; see createFollowingClock for how exactly. Rejects when the server cannot be asked at first.
 * @param readTime asks the server for its time, in milliseconds since the epoch
 * @param steady milliseconds from any origin, never going back
 */
export async function followServer(readTime: () => Promise<number>, steady: () => number): Promise<ServerFollower> {
  async function measure(): Promise<Measurement> {
    const askedAt = steady();
    const serverTime = await readTime();
    return { askedAt, answeredAt: steady(), serverTime };
  }

  // The first time opens the connection and prepares what is asked, which would count as part of the round trip.
  await measure();
  const clock = createFollowingClock(await measure(), steady);
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
