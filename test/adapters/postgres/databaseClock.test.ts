import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDatabaseClock, type DatabaseClock } from '../../../src/adapters/postgres/databaseClock.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

const noTimers = { after: () => () => {} };

describe('the database clock', () => {
  let database: TestDatabase;
  let pool: Pool;
  let clock: DatabaseClock | null;

  beforeEach(async () => {
    clock = null;
    database = await createDatabase();
    pool = createPool({ url: database.url, max: 2, applicationName: 'clock test' });
  });
  afterEach(async () => {
    vi.useRealTimers();
    clock?.stop();
    await pool.end();
    await database.drop();
  });

  const databaseTime = async (): Promise<number> => {
    const { rows } = await pool.query<{ time: number }>(
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS time',
    );
    return rows[0]?.time ?? Number.NaN;
  };

  /** Between two looks at the database's own clock; how exact it is depends on the round trip, which is within them. */
  const expectToFollow = async (followed: DatabaseClock) => {
    const roundTripAtMostMs = 1_000;
    const before = await databaseTime();
    const told = followed.now();
    const after = await databaseTime();
    expect(told).toBeGreaterThan(before - roundTripAtMostMs);
    expect(told).toBeLessThan(after + roundTripAtMostMs);
  };

  it.each([-600_000, 600_000])("tells the database's time though the machine is %d ms off", async (offMs) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
    clock = await startDatabaseClock(pool, noTimers);
    await expectToFollow(clock);
  });

  it("does not notice when somebody sets the machine's clock", async () => {
    clock = await startDatabaseClock(pool, noTimers);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    await expectToFollow(clock);
  });

  it('measures again every 10 s, and keeps what it knows when the database cannot be asked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const asked = vi.spyOn(pool, 'query');
    clock = await startDatabaseClock(pool, noTimers);
    expect(asked).toHaveBeenCalledTimes(2);
    asked.mockImplementationOnce(() => {
      throw new Error('the database is away');
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveBeenCalledTimes(3);
    await expectToFollow(clock);
    asked.mockClear();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(asked).toHaveBeenCalledTimes(1);
    await asked.mock.results[0]?.value;
    clock.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('does not start without a database', async () => {
    const nowhere = createPool({ url: 'postgresql://nobody@127.0.0.1:1/none', max: 1, applicationName: 'clock test' });
    await expect(startDatabaseClock(nowhere, noTimers)).rejects.toThrow('ECONNREFUSED');
    await nowhere.end();
  });

  it('leaves timers to the process', async () => {
    const cancel = () => {};
    const after = vi.fn<Clock['after']>(() => cancel);
    clock = await startDatabaseClock(pool, { after });
    const action = () => {};
    expect(clock.after(5, action)).toBe(cancel);
    expect(after).toHaveBeenCalledExactlyOnceWith(5, action);
  });
});
