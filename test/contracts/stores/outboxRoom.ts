import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { DeliveryId } from '../../../src/domain/ids.ts';
import type { Attempt, DeliveryKey, LeasedDelivery, OutboxEvent, Settlement } from '../../../src/ports/outbox.ts';
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

/** A delivery, with how many attempts at it were made. */
type Tried = DeliveryKey & { attempts?: number };

export function delivered({ companyId, id, attempts = 0 }: Tried): Settlement {
  return { companyId, id, attempt: attempt(attempts + 1), outcome: { state: 'delivered' } };
}

/** @param seconds after the start, when it is due again */
export function retry({ companyId, id, attempts = 0 }: Tried, seconds: number): Settlement {
  return {
    companyId,
    id,
    attempt: attempt(attempts + 1, { statusCode: 500 }),
    outcome: { state: 'pending', dueAt: after(seconds) },
  };
}

export function dead({ companyId, id, attempts = 0 }: Tried): Settlement {
  return { companyId, id, attempt: attempt(attempts + 1, { statusCode: 410 }), outcome: { state: 'dead' } };
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
  /** What each holder was given. */
  let given: Map<string, LeasedDelivery[]>;

  beforeAll(async () => {
    stores = await openStores();
  });
  afterAll(() => stores.close());
  beforeEach(async () => {
    await stores.pool.query('TRUNCATE company CASCADE');
    company = await makeCompany(stores, url);
    given = new Map();
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
      const before = given.get(holder) ?? [];
      const { rows } = await stores.pool.query<{ id: DeliveryId }>(
        `SELECT d.id FROM webhook_delivery d JOIN unnest($1::uuid[], $2::int[]) AS given (id, attempts)
          ON given.id = d.id AND given.attempts = d.attempts
         WHERE d.state = 'pending'`,
        [ids(before), before.map(({ attempts }) => attempts)],
      );
      const unsettled = new Set(ids(rows));
      const atHand = before.filter(({ id }) => unsettled.has(id));
      const holdings = [...new Set(atHand.map(({ companyId }) => companyId))].map((companyId) => {
        return { companyId, held: atHand.filter((one) => one.companyId === companyId).length, atMost };
      });
      const leased = await stores.outbox.lease({
        holder,
        limit,
        now: after(seconds),
        leaseUntil: after(seconds + 60),
        holdings,
        atHand: ids(atHand),
        newcomersAtMost,
      });
      given.set(holder, [...atHand, ...leased]);
      return leased;
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
