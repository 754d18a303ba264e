import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pruneDeliveries } from '../../../src/adapters/postgres/deliveries/deliveryLog.ts';
import type { DeliveryState } from '../../../src/contract/vocabulary.ts';
import { conditionOf, type EndpointHealth, healthyEndpoint } from '../../../src/domain/endpointHealth.ts';
import { idsUntil } from '../../../src/domain/ids.ts';
import { keepDeliveriesMs, pruneDeliveries as prune } from '../../../src/usecases/retention.ts';
import { after, type MadeCompany, makeCompany, openStores, start, type Stores } from './openStores.ts';
import { url } from './outboxRoom.ts';

const day = 24 * 3_600;

type Row = { state: DeliveryState; createdAt: Date; dueAt?: Date; idAt?: Date };

describe('keeping the deliveries', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE company CASCADE');
    company = await makeCompany(stores, url);
  });

  /** One delivery as it is stored, with an attempt. */
  async function keep({ state, createdAt, dueAt = createdAt, idAt = createdAt }: Row, of = company): Promise<string> {
    const id = uuidv7({ msecs: idAt.getTime() });
    await stores.pool.query(
      `INSERT INTO webhook_delivery (id, company_id, event, body, state, due_at, created_at)
       VALUES ($1, $2, 'call_started', '{}', $3, $4, $5)`,
      [id, of.companyId, state, dueAt, createdAt],
    );
    await stores.pool.query(
      `INSERT INTO webhook_attempt (company_id, id, delivery_id, number, started_at, latency_ms, url, request_headers)
       VALUES ($1, $2, $3, 1, $4, 1, $5, '{}')`,
      [of.companyId, uuidv7(), id, createdAt, url],
    );
    return id;
  }

  /** A further company whose endpoint does so. */
  async function companyWith(health: Partial<EndpointHealth>): Promise<MadeCompany> {
    const made = await makeCompany(stores, url);
    await stores.integrations.update(made.companyId, () => ({ webhookHealth: { ...healthyEndpoint, ...health } }));
    return made;
  }

  async function kept(): Promise<string[]> {
    const { rows } = await stores.pool.query<{ id: string }>('SELECT id FROM webhook_delivery ORDER BY id');
    return rows.map(({ id }) => id);
  }

  async function count(table: 'webhook_delivery' | 'webhook_attempt'): Promise<number> {
    const { rows } = await stores.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    return rows[0]?.count ?? Number.NaN;
  }

  describe('measuring what waits', () => {
    it('finds nothing where nothing waits', async () => {
      await keep({ state: 'delivered', createdAt: start });
      expect(await stores.outbox.backlog(after(60))).toEqual({
        deliveries: { due: 0, scheduled: 0, paused: 0 },
        oldestDueSeconds: { due: 0, scheduled: 0, paused: 0 },
        endpoints: { healthy: 1, failing: 0, paused: 0, disabled: 0 },
      });
    });

    it('tells what each delivery waits for, and since when the oldest is due', async () => {
      const failing = { consecutiveFailures: 10, failingSince: start };
      const paused = await companyWith({ ...failing, pausedUntil: after(300) });
      const probed = await companyWith({ ...failing, pausedUntil: after(50) });
      await keep({ state: 'pending', createdAt: start, dueAt: after(90) });
      await keep({ state: 'pending', createdAt: start, dueAt: after(97.5) });
      await keep({ state: 'pending', createdAt: start, dueAt: after(100.001) });
      await keep({ state: 'pending', createdAt: start, dueAt: after(20) }, paused);
      await keep({ state: 'pending', createdAt: start, dueAt: after(10) }, probed);
      const { deliveries, oldestDueSeconds } = await stores.outbox.backlog(after(100));
      expect(deliveries).toEqual({ due: 2, scheduled: 1, paused: 2 });
      expect(oldestDueSeconds).toEqual({ due: 10, scheduled: 0, paused: 90 });
    });

    it('counts no delivery under a disabled endpoint', async () => {
      const disabled = await companyWith({ disabled: { at: start, reason: 'admin' } });
      await keep({ state: 'pending', createdAt: start }, disabled);
      const { deliveries } = await stores.outbox.backlog(after(9));
      expect(deliveries).toEqual({ due: 0, scheduled: 0, paused: 0 });
    });

    it('counts the endpoints by the condition that the domain tells', async () => {
      const failing = { consecutiveFailures: 3, failingSince: start };
      const healths: Partial<EndpointHealth>[] = [
        {},
        failing,
        { ...failing, pausedUntil: after(60) },
        { ...failing, pausedUntil: after(61) },
        { ...failing, pausedUntil: after(61), disabled: { at: start, reason: 'failing' } },
      ];
      const expected = { healthy: 1, failing: 0, paused: 0, disabled: 0 };
      for (const health of healths) {
        await companyWith(health);
        expected[conditionOf({ ...healthyEndpoint, ...health }, after(60).getTime())] += 1;
      }
      expect((await stores.outbox.backlog(after(60))).endpoints).toEqual(expected);
      expect(expected).toEqual({ healthy: 2, failing: 2, paused: 1, disabled: 1 });
    });
  });

  describe('pruning', () => {
    it('deletes what was finished and is old enough, with its attempts, and never what waits', async () => {
      const old = after(-30 * day - 0.001);
      await keep({ state: 'delivered', createdAt: old });
      await keep({ state: 'dead', createdAt: after(-400 * day) });
      const rest = [
        await keep({ state: 'pending', createdAt: old, dueAt: after(60) }),
        await keep({ state: 'delivered', createdAt: after(-30 * day) }),
        await keep({ state: 'dead', createdAt: start }),
      ];
      expect(await stores.outbox.prune(after(-30 * day), 100)).toBe(2);
      expect(await kept()).toEqual(rest.toSorted());
      expect(await count('webhook_attempt')).toBe(rest.length);
    });

    it('goes by when a delivery was written, where the clock of its id went wrong', async () => {
      const early = await keep({ state: 'dead', createdAt: after(-29 * day), idAt: after(-31 * day) });
      await keep({ state: 'dead', createdAt: after(-31 * day), idAt: after(-30 * day + 60) });
      expect(await stores.outbox.prune(after(-30 * day), 100)).toBe(1);
      expect(await kept()).toEqual([early]);
    });

    it('deletes the oldest first, so many at once', async () => {
      const ids: string[] = [];
      for (const days of [40, 39, 38]) ids.push(await keep({ state: 'delivered', createdAt: after(-days * day) }));
      expect(await stores.outbox.prune(start, 2)).toBe(2);
      expect(await kept()).toEqual(ids.slice(2));
    });

    it('leaves what is being sent again at this moment', async () => {
      const id = await keep({ state: 'dead', createdAt: after(-31 * day) });
      const session = stores.openSession();
      await session.query('BEGIN');
      await session.query("UPDATE webhook_delivery SET state = 'pending' WHERE id = $1", [id]);
      expect(await stores.outbox.prune(start, 10)).toBe(0);
      await session.query('COMMIT');
      await session.end();
      expect(await stores.outbox.prune(start, 10)).toBe(0);
      expect(await kept()).toEqual([id]);
    });

    it('goes on until nothing is left, 30 days after the events by the clock', async () => {
      const many = 2_500;
      await keepMany(many, after(-1 * day));
      const last = await keep({ state: 'delivered', createdAt: start });
      const services = { ...stores, clock: stores.clock };
      const { signal } = new AbortController();
      await prune(services, signal);
      expect(await count('webhook_delivery')).toBe(many + 1);
      await stores.clock.advance(keepDeliveriesMs);
      await prune(services, signal);
      expect(await kept()).toEqual([last]);
      expect(await count('webhook_attempt')).toBe(1);
      await stores.clock.advance(1);
      await prune(services, signal);
      expect(await kept()).toEqual([]);
    });

    it('ends after the batch under way when it is told to, and goes on the next time', async () => {
      await keepMany(2_500, after(-1 * day));
      const before = after(keepDeliveriesMs);
      const ending = new AbortController();
      const batches: number[] = [];
      const outbox: Stores['outbox'] = {
        ...stores.outbox,
        async prune(_before, limit) {
          const pruned = await stores.outbox.prune(before, limit);
          batches.push(pruned);
          if (batches.length === 1) ending.abort();
          return pruned;
        },
      };
      await prune({ outbox, clock: stores.clock }, ending.signal);
      expect(batches).toEqual([1_000]);
      await prune({ outbox, clock: stores.clock }, new AbortController().signal);
      expect(batches).toEqual([1_000, 1_000, 500, 0]);
    });

    it('finds what is old by its id, however much is kept', async () => {
      await keepMany(20_000, start);
      await stores.pool.query('ANALYZE webhook_delivery');
      const { name, text } = pruneDeliveries;
      const session = stores.openSession();
      await session.query('SET plan_cache_mode = force_generic_plan');
      await session.query(`PREPARE ${name} AS ${text}`);
      const bound = after(60);
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) EXECUTE ${name}('${idsUntil(bound)}', ` +
          `'${bound.toISOString()}', 1000)`,
      );
      await session.end();
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan.match(/using webhook_delivery_(?:id_idx|pkey)/g)).toHaveLength(2);
      expect(plan).not.toContain('Seq Scan');
    });
  });

  /** So many delivered deliveries, each with an attempt, a millisecond apart. */
  async function keepMany(many: number, from: Date): Promise<void> {
    const times = Array.from({ length: many }, (_, n) => new Date(from.getTime() + n));
    const ids = times.map((time) => uuidv7({ msecs: time.getTime() }));
    await stores.pool.query(
      `INSERT INTO webhook_delivery (id, company_id, event, body, state, due_at, created_at)
       SELECT id, $3, 'call_started', '{}', 'delivered', at, at
       FROM unnest($1::uuid[], $2::timestamptz[]) AS row (id, at)`,
      [ids, times, company.companyId],
    );
    await stores.pool.query(
      `INSERT INTO webhook_attempt (company_id, id, delivery_id, number, started_at, latency_ms, url, request_headers)
       SELECT $2, gen_random_uuid(), id, 1, now(), 1, '', '{}' FROM unnest($1::uuid[]) AS id`,
      [ids, company.companyId],
    );
  }
});
