import type { Pool } from 'pg';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCallStore } from '../../../src/adapters/postgres/calls/callStore.ts';
import { createOutbox } from '../../../src/adapters/postgres/deliveries/outbox.ts';
import { readDueDeliveries } from '../../../src/adapters/postgres/deliveries/dueDeliveries.ts';
import { webhookLeases } from '../../../src/adapters/postgres/deliveries/endpointLeases.ts';
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

  const request = () => ({
    holder: newId(),
    limit: 64,
    now: start,
    leaseUntil: after(60),
    holdings: [],
    atHand: [],
    newcomersAtMost: 32,
  });
  const lease = () => stores.outbox.lease(request());

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

  /** A lease of the other gateway that stands still between its look at what waits and its lock of endpoints. */
  const startGatedLease = async (now: Date) => {
    const gate = await stores.pool.connect();
    await gate.query('SELECT pg_advisory_lock(7)');
    const gated = webhookLeases.lease.text.replace(
      'FROM waiting JOIN webhook_endpoint e',
      'FROM (SELECT pg_advisory_xact_lock(7)) gate CROSS JOIN waiting JOIN webhook_endpoint e',
    );
    expect(gated).not.toBe(webhookLeases.lease.text);
    const leasing = other.query<{ companyId: string }>(gated, [
      newId(),
      64,
      now,
      new Date(now.getTime() + 60_000),
      [],
      true,
      [],
    ]);
    await whenHeldUp(leasing);
    return {
      /** Lets it go on; whose endpoints it leased. */
      async goOn() {
        await gate.query('SELECT pg_advisory_unlock(7)');
        gate.release();
        return (await leasing).rows.map(({ companyId }) => companyId);
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

  it('leaves an endpoint alone that another gateway has leased since it began to look', async () => {
    await makeWaitingEvents(stores, company, 5);
    const theirs = await startGatedLease(start);
    expect(await lease()).toHaveLength(4);
    expect(await theirs.goOn()).toEqual([]);
  });

  it('does not send again what a holder settled, after its lease, while the other gateway was looking', async () => {
    await makeWaitingEvents(stores, company, 1);
    const { holder } = request();
    const [leased] = await stores.outbox.lease({ ...request(), holder });
    if (leased === undefined) throw new Error('nothing was leased');
    const theirs = await startGatedLease(after(60));
    expect(await stores.outbox.settle(holder, delivered(leased))).toBe(true);
    expect(await theirs.goOn()).toEqual([company.companyId]);
    const { rows } = await other.query(readDueDeliveries.text, [after(60), 64, [company.companyId], [4], []]);
    expect(rows).toEqual([]);
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
