import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { CompanyId, DeliveryId } from '../../../src/domain/ids.ts';
import type { Attempt, DeliveryKey, OutboxEvent, Settlement } from '../../../src/ports/outbox.ts';
import { after, eventOf, makeCompany, newCall, openStores, type MadeCompany, type Stores } from './openStores.ts';

export const url = 'https://crm.example.com/hook';

export function attempt(number: number, more: Partial<Attempt> = {}): Attempt {
  return {
    number,
    startedAt: after(1),
    latencyMs: 120,
    url,
    requestHeaders: { 'x-service-event': 'call_started' },
    statusCode: 200,
    responseHeaders: { server: 'crm' },
    responseBody: 'ok',
    error: null,
    cause: null,
    ...more,
  };
}

export function delivered({ companyId, id }: DeliveryKey): Settlement {
  return { companyId, id, attempt: attempt(1), outcome: { state: 'delivered' } };
}

/** @param seconds after the start, when it is due again */
export function retry({ companyId, id }: DeliveryKey, seconds: number): Settlement {
  return { companyId, id, attempt: attempt(1, { statusCode: 500 }), outcome: { state: 'pending', dueAt: after(seconds) } };
}

export function dead({ companyId, id }: DeliveryKey): Settlement {
  return { companyId, id, attempt: attempt(1, { statusCode: 410 }), outcome: { state: 'dead' } };
}

export function ids(deliveries: { id: DeliveryId }[]): DeliveryId[] {
  return deliveries.map(({ id }) => id);
}

/** Names a delivery that a test knows to be there. */
export function keyOf(delivery: DeliveryKey | undefined): DeliveryKey {
  if (delivery === undefined) throw new Error('there is no delivery');
  return { companyId: delivery.companyId, id: delivery.id };
}

/** The id of what a test knows to be there. */
export function idOf(delivery: { id: DeliveryId } | undefined): DeliveryId {
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery.id;
}

/** Stores for a test file, with nothing but one company that has an endpoint before each test. */
export function useOutbox() {
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

  return {
    get stores() {
      return stores;
    },
    get company() {
      return company;
    },
    /** Names a delivery of the company. */
    key: (id: DeliveryId): DeliveryKey => ({ companyId: company.companyId, id }),
    /** Leases at `seconds` after the start, for 60 s; by default for somebody who holds nothing yet. */
    async lease(seconds = 0, { limit = 64, holder = newId(), atMost = 4, newcomersAtMost = 32 } = {}) {
      const { rows } = await stores.pool.query<{ companyId: CompanyId; held: number }>(
        `SELECT company_id AS "companyId", count(*)::int AS held FROM webhook_delivery
         WHERE state = 'in_flight' AND claim_id = $1 GROUP BY company_id`,
        [holder],
      );
      const holdings = rows.map((row) => ({ ...row, atMost }));
      return stores.outbox.lease({
        holder, limit, now: after(seconds), leaseUntil: after(seconds + 60), holdings, newcomersAtMost,
      });
    },
    async found(id: DeliveryId) {
      const lookup = await stores.outbox.find(company.companyId, id);
      if (lookup.kind !== 'found') throw new Error(lookup.kind);
      return lookup.value;
    },
    /** One call with `count` events, each written by a change of its own. */
    async callWithEvents(count: number): Promise<OutboxEvent[]> {
      const call = newCall(company, { state: 'ended', sequence: 1 });
      const events = Array.from({ length: count }, (_, n) => eventOf(call, n + 1));
      await stores.calls.create(call, events.slice(0, 1));
      for (const [n, event] of events.slice(1).entries()) {
        await stores.calls.commit({ ...call, sequence: n + 2, version: n + 2 }, [event]);
      }
      return events;
    },
  };
}
