import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createDeliveryNotifier,
  type Notifications,
} from '../../../../src/adapters/postgres/deliveries/deliveryNotifier.ts';
import { createPool } from '../../../../src/adapters/postgres/pool.ts';
import { toId, type NodeId } from '../../../../src/domain/ids.ts';
import { openBreakableLine, type BreakableLine } from '../../../support/gateway/breakableLine.ts';
import { createManualClock, type ManualClock } from '../../../support/time/manualClock.ts';
import { createDatabase, type TestDatabase } from '../../../support/stores/postgres.ts';
import { eventually } from '../../../support/time/waiting.ts';

type Gateway = Notifications & {
  clock: ManualClock;
  /** How often its dispatcher was woken. */
  woken: number;
  problems: string[];
  /** For how long it set each of its timers. */
  waits: number[];
};

describe('notifications between gateways', () => {
  let database: TestDatabase;
  let pool: Pool;
  let line: BreakableLine;
  let opened: Gateway[];

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    pool = createPool({ url: database.url, max: 1, applicationName: 'the test' });
    line = await openBreakableLine(database.url);
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((gateway) => gateway.close()));
    await line.close();
    await pool.end();
    // Fails when a connection was left behind.
    await database.drop();
  });

  /** A gateway that listens. @param through the breakable line */
  async function gateway({ through = false } = {}): Promise<Gateway> {
    const manual = createManualClock(0);
    const waits: number[] = [];
    const after = (ms: number, action: () => void) => {
      waits.push(ms);
      return manual.after(ms, action);
    };
    const clock = { ...manual, after };
    const url = new URL(database.url);
    if (through) {
      url.host = new URL(line.url).host;
      url.search = '';
    }
    const problems: string[] = [];
    const onProblem = (_message: string, error: unknown) => void problems.push(String(error));
    const notifications = createDeliveryNotifier({
      url: url.href,
      nodeId: toId<NodeId>(randomUUID()),
      clock,
      onProblem,
    });
    const made = { ...notifications, clock, problems, waits, woken: 0 };
    opened.push(made);
    await made.listen(() => (made.woken += 1));
    return made;
  }

  /** Two that have heard each other come. */
  async function pair(options: { through?: boolean } = {}): Promise<[Gateway, Gateway]> {
    const one = await gateway(options);
    const two = await gateway();
    await eventually(() => one.woken === 2 && two.woken === 1);
    one.woken = two.woken = 0;
    return [one, two];
  }

  /** The connections that listen, or listened last. */
  async function listeners(): Promise<number[]> {
    const { rows } = await pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'readyline notifications' ORDER BY backend_start`,
    );
    return rows.map(({ pid }) => pid);
  }

  it('wake the others, not the one who announces', async () => {
    const [one, two] = await pair();
    await one.announce();
    await two.announce();
    await eventually(() => one.woken > 0 && two.woken > 0);
    await one.announce();
    await eventually(() => two.woken === 2);
    expect(one.woken).toBe(1);
  });

  it('come back by themselves when the server ends the connection, and wake both sides', async () => {
    const [one, two] = await pair();
    await pool.query('SELECT pg_terminate_backend($1)', [(await listeners())[0]]);
    await eventually(() => one.problems.length === 1);
    // Meanwhile it neither hears nor tells.
    await two.announce();
    await one.announce();
    expect([one.woken, two.woken]).toEqual([0, 0]);
    await one.clock.advance(250);
    await eventually(() => one.woken === 1 && two.woken === 1);
    await two.announce();
    await eventually(() => one.woken === 2);
    await one.announce();
    await eventually(() => two.woken === 2);
    expect(one.problems).toHaveLength(1);
  });

  it('find out that a connection is dead on which nothing comes any more', async () => {
    const [one, two] = await pair({ through: true });
    line.hold();
    await two.announce();
    await one.clock.advance(10_000);
    expect(one.problems).toEqual([]);
    await one.clock.advance(5_000);
    expect(one.problems).toEqual(['Error: no answer in time']);
    line.release();
    await one.clock.advance(250);
    await eventually(() => one.woken === 1);
    await two.announce();
    await eventually(() => one.woken === 2);
  });

  it('keep a connection that answers', async () => {
    const [one] = await pair();
    const before = await listeners();
    for (let probes = 0; probes < 3; probes++) {
      await one.clock.advance(10_000);
      // The next is planned once this one is answered.
      await one.announce();
    }
    expect(one.problems).toEqual([]);
    expect(await listeners()).toEqual(before);
  });

  it('do not take a connection that does not hear itself, as behind a pooler', async () => {
    // In place of the server's own, it tells nobody.
    await pool.query(`ALTER FUNCTION pg_catalog.pg_notify RENAME TO pg_notify_of_the_server;
      CREATE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE sql AS ''`);
    const one = await gateway();
    expect(one.problems).toEqual([expect.stringContaining('pooler')]);
    await one.announce();
    expect([one.woken, one.problems.length]).toEqual([0, 1]);
    await pool.query(
      'DROP FUNCTION pg_catalog.pg_notify; ALTER FUNCTION pg_catalog.pg_notify_of_the_server RENAME TO pg_notify',
    );
    await one.clock.advance(250);
    await eventually(() => one.woken === 1);
  });

  it('try again at growing intervals while there is no server, and say so once', async () => {
    const [one, two] = await pair({ through: true });
    one.waits.length = 0;
    line.cut();
    for (const [tries, wait] of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000].entries()) {
      await eventually(() => one.waits.length === tries + 1);
      expect(one.waits.at(-1)).toBe(wait);
      await one.clock.advance(wait);
    }
    await eventually(() => one.waits.length === 9);
    expect([one.problems.length, one.woken, two.woken]).toEqual([1, 0, 0]);
    line.mend();
    await one.clock.advance(10_000);
    await eventually(() => one.woken === 1 && two.woken === 1);
  });

  it('end in the midst of it', async () => {
    const [one, two] = await pair();
    await pool.query('SELECT pg_terminate_backend($1)', [(await listeners())[0]]);
    await eventually(() => one.problems.length === 1);
    await one.close();
    await one.close();
    await one.clock.advance(60_000);
    await two.close();
    await two.announce();
    await eventually(async () => (await listeners()).length === 0);
    expect([one.woken, two.problems]).toEqual([0, []]);
  });
});
