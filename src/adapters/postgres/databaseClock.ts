import { performance } from 'node:perf_hooks';
import type { Pool } from 'pg';
import { measureEveryMs, syncWithServer } from '../../domain/clockSync.ts';
import type { Clock } from '../../ports/clock.ts';
import { run } from './queries.ts';

/** In milliseconds: the driver's dates would cut them. */
const readTime = {
  name: 'read_time',
  text: 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "serverTime"',
};

export type DatabaseClock = Clock & {
  /** Measures no more; `now` goes on by the last measurement. */
  stop(): void;
};

/**
 * The database's time, so that all gateways date alike what they store there: leases, due times, calls, tokens.
 * Rejects when the database cannot be reached.
 * @param timers of the process, for `after`: what is to happen in a second happens in a second
 */
export async function startDatabaseClock(pool: Pool, timers: Pick<Clock, 'after'>): Promise<DatabaseClock> {
  const ask = async () => {
    const [row] = await run<{ serverTime: number }>(pool, readTime, []);
    if (row === undefined) throw new Error('the database told no time');
    return row.serverTime;
  };
  const clock = await syncWithServer(ask, () => performance.now());
  const timer = setInterval(() => clock.look(), measureEveryMs);
  timer.unref();
  return { now: () => clock.now(), after: (ms, action) => timers.after(ms, action), stop: () => clearInterval(timer) };
}
