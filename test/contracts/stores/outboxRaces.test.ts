import type { Pool } from 'pg';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallStore } from '../../../src/adapters/postgres/calls/callStore.ts';
import { createOutbox } from '../../../src/adapters/postgres/deliveries/outbox.ts';
import { leaseDeliveries } from '../../../src/adapters/postgres/deliveries/leaseDeliveries.ts';
import {
  after,
  eventOf,
  makeCompany,
  makeWaitingEvents,
  newCall,
  openStores,
  start,
  type MadeCompany,
  type Stores,
} from './openStores.ts';
import { delivered, url } from './outboxRoom.ts';

describe('the outbox between gateways', () => {
  let stores: Stores;
  let company: MadeCompany;
  let other: Pool;

  beforeEach(async () => {
    stores = await openStores();
    company = await makeCompany(stores, url);
    other = stores.openSession();
  });
  afterEach(async () => {
    await other.end();
    await stores.close();
  });

  const request = () => ({ holder: newId(), limit: 64, now: start, leaseUntil: after(60), holdings: [], newcomersAtMost: 32 });
  const lease = () => stores.outbox.lease(request());
  const inFlight = async () => {
    const { items } = await stores.outbox.list(company.companyId, { state: 'in_flight' }, { cursor: null, limit: 50 });
    return items.length;
  };

  /** Returns when the other gateway, or one that it holds up, waits for a lock; or when `done` has happened. */
  const whenHeldUp = async (done: Promise<unknown>) => {
    let over = false;
    const note = () => (over = true);
    done.then(note, note);
    while (!over) {
      const { rows } = await stores.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      if (rows.length > 0) return;
      await nextTurn();
    }
  };

  /** A lease of the other gateway that stands still between its look at the deliveries and its lock of endpoints. */
  const startGatedClaim = async (now: Date) => {
    const gate = await stores.pool.connect();
    await gate.query('SELECT pg_advisory_lock(7)');
    const gated = leaseDeliveries.text.replace(
      'FROM waiting\n    JOIN webhook_endpoint e',
      'FROM (SELECT pg_advisory_xact_lock(7)) gate CROSS JOIN waiting JOIN webhook_endpoint e',
    );
    const leasing = other.query<{ id: string }>(gated, [
      newId(), 64, now, new Date(now.getTime() + 60_000), [], [], [], 32,
    ]);
    await whenHeldUp(leasing);
    return {
      /** Lets it go on; what it leased. */
      async goOn() {
        await gate.query('SELECT pg_advisory_unlock(7)');
        gate.release();
        return (await leasing).rows;
      },
    };
  };

  it('passes over an endpoint that another gateway is leasing from, without waiting', async () => {
    const free = await makeCompany(stores, url);
    await makeWaitingEvents(stores, company, 2);
    await other.query('BEGIN');
    const theirs = await createOutbox({ ...stores, pool: other }).lease(request());
    expect(theirs.map(({ companyId }) => companyId)).toEqual([company.companyId, company.companyId]);
    await makeWaitingEvents(stores, free, 1);
    expect((await lease()).map(({ companyId }) => companyId)).toEqual([free.companyId]);
    await other.query('ROLLBACK');
    expect(await lease()).toHaveLength(2);
  });

  it('leaves an endpoint alone that was served after the lease began to look', async () => {
    const [first] = await makeWaitingEvents(stores, company, 5);
    if (first === undefined) throw new Error('no event');
    const theirs = await startGatedClaim(start);
    await stores.pool.query(`UPDATE webhook_delivery SET state = 'dead' WHERE id = $1`, [first.id]);
    const redelivered = await stores.outbox.redeliver(company.companyId, first.id, after(-9));
    expect(redelivered).toEqual({ kind: 'found', value: true });
    const ours = await stores.outbox.lease({ ...request(), limit: 1 });
    expect(ours).toMatchObject([{ id: first.id }]);
    expect(await theirs.goOn()).toEqual([]);
    expect(await inFlight()).toBe(1);
  });

  it('does not send again what a holder settled, after its lease, while the lease was looking', async () => {
    await makeWaitingEvents(stores, company, 1);
    const { holder } = request();
    const [leased] = await stores.outbox.lease({ ...request(), holder });
    if (leased === undefined) throw new Error('nothing was leased');
    const theirs = await startGatedClaim(after(60));
    expect(await stores.outbox.settle(holder, delivered(leased))).toBe(true);
    expect(await theirs.goOn()).toEqual([]);
    expect(await stores.outbox.latest(company.companyId)).toMatchObject({ state: 'delivered' });
  });

  it('gives up an event that is being written while the webhook URL is cleared', async () => {
    const call = newCall(company, { state: 'ended', sequence: 1 });
    await other.query('BEGIN');
    await createCallStore({ ...stores, pool: other }).create(call, [eventOf(call, 1)]);
    const clearing = stores.integrations.update(company.companyId, () => ({ webhookUrl: null }));
    await whenHeldUp(clearing);
    await other.query('COMMIT');
    await clearing;
    expect(await stores.outbox.moveToDead(company.companyId, 100, start)).toBe(1);
    expect(await stores.outbox.latest(company.companyId)).toMatchObject({ state: 'dead' });
  });

  it('writes no event under an endpoint that is being cleared', async () => {
    const call = newCall(company, { state: 'ended', sequence: 1 });
    await other.query('BEGIN');
    await other.query('DELETE FROM webhook_endpoint WHERE company_id = $1', [company.companyId]);
    const writing = stores.calls.create(call, [eventOf(call, 1)]);
    await whenHeldUp(writing);
    await other.query('COMMIT');
    await writing;
    expect(await stores.outbox.latest(company.companyId)).toBeNull();
    expect(await stores.calls.find(company.companyId, call.id)).toMatchObject({ kind: 'found' });
  });

  it('lets a call write events under an endpoint that is being leased from, without waiting', async () => {
    await makeWaitingEvents(stores, company, 1);
    await other.query('BEGIN');
    await createOutbox({ ...stores, pool: other }).lease(request());
    await makeWaitingEvents(stores, company, 1);
    await other.query('ROLLBACK');
    expect(await lease()).toHaveLength(2);
  });
});
