import { performance } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { createFollowingClock, type Measurement } from '../../domain/followingClock.ts';
import type { Clock } from '../../ports/clock.ts';
import { run } from './statements/prepared.ts';

/** How often the database's time is asked again. */
const measureEveryMs = 10_000;

/** In milliseconds: the driver's dates would cut them. */
const readTime = {
  name: 'read_time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "serverTime"',
};

export type DatabaseClock = Clock & {
  /** Follows no longer; `now` runs on by the last measurement. */
  stop(): void;
};

/**
 * The database's time, so that all gateways date alike what they store there: leases, due times, calls, tokens.
 * Rejects when the database cannot be reached; a later failure keeps the last measurement.
 * @param timers of the process, for `after`: what is to happen in a second happens in a second
 */
export async function startDatabaseClock(pool: Pool, timers: Pick<Clock, 'after'>): Promise<DatabaseClock> {
  const steady = () => performance.now();

  async function measure(): Promise<Measurement> {
    const askedAt = steady();
    const [row] = await run<{ serverTime: number }>(pool, readTime, []);
    if (row === undefined) throw new Error('the database told no time');
    return { askedAt, answeredAt: steady(), serverTime: row.serverTime };
  }

  // Opens the connection, which would count as part of the round trip, and prepares the statement.
  await measure();
  const clock = createFollowingClock(await measure(), steady);
  let underWay = false;
  const timer = setInterval(() => {
    if (underWay) return;
    underWay = true;
    measure()
      // Whoever needs the database tells of its outage.
      .then((measurement) => clock.follow(measurement), () => undefined)
      .finally(() => (underWay = false));
  }, measureEveryMs);
  timer.unref();
  return { now: () => clock.now(), after: (ms, action) => timers.after(ms, action), stop: () => clearInterval(timer) };
}
