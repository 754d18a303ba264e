import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { Attempt, OutboxEvent, Settlement } from '../../../src/ports/outbox.ts';
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

const url = 'https://crm.example.com/hook';

function attempt(number: number, more: Partial<Attempt> = {}): Attempt {
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
    ...more,
  };
}

const delivered = (id: DeliveryId): Settlement => ({ id, attempt: attempt(1), outcome: { state: 'delivered' } });
const retry = (id: DeliveryId, seconds: number): Settlement => ({
  id,
  attempt: attempt(1, { statusCode: 500 }),
  outcome: { state: 'pending', dueAt: after(seconds) },
});
const dead = (id: DeliveryId): Settlement => ({ id, attempt: attempt(1, { statusCode: 410 }), outcome: { state: 'dead' } });

/** The id of what a test knows to be there. */
function idOf(delivery: { id: DeliveryId } | undefined): DeliveryId {
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery.id;
}

describe('the outbox', () => {
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

  /** Claims at `seconds` after the start, for 60 s. */
  const claim = (seconds = 0, { limit = 64, claimId = newId() } = {}) =>
    stores.outbox.claim({ claimId, limit, now: after(seconds), leaseUntil: after(seconds + 60) });
  const ids = (claimed: { id: DeliveryId }[]) => claimed.map(({ id }) => id);
  const found = async (id: DeliveryId) => {
    const lookup = await stores.outbox.find(company.companyId, id);
    if (lookup.kind !== 'found') throw new Error(lookup.kind);
    return lookup.value;
  };
  /** One call with `count` events, each written by a change of its own. */
  const callWithEvents = async (count: number): Promise<OutboxEvent[]> => {
    const call = newCall(company, { sequence: 1 });
    const events = Array.from({ length: count }, (_, n) => eventOf(call, n + 1));
    await stores.calls.create(call, events.slice(0, 1));
    for (const [n, event] of events.slice(1).entries()) {
      await stores.calls.commit({ ...call, sequence: n + 2, version: n + 2 }, [event]);
    }
    return events;
  };

  describe('claiming', () => {
    it('hands a due delivery out once, with where it goes and how it is signed', async () => {
      await stores.integrations.update(company.companyId, () => ({
        webhookSecretEncrypted: 'cipher text',
        apiKey: { hash: 'the hash', prefix: 'rl_1' },
      }));
      const [event] = await makeWaitingEvents(stores, company, 1);
      expect(await claim(-1)).toEqual([]);
      expect(await claim()).toEqual([
        { ...event, companyId: company.companyId, attempts: 0, url, secretEncrypted: 'cipher text', apiKeyPrefix: 'rl_1' },
      ]);
      expect(await claim()).toEqual([]);
    });

    it('has no more in flight per endpoint than it may, and takes the oldest first', async () => {
      const events = await makeWaitingEvents(stores, company, 6);
      const claimId = newId();
      const first = await claim(0, { claimId });
      expect(ids(first)).toEqual(ids(events.slice(0, 4)));
      expect(await claim(1)).toEqual([]);
      expect(await stores.outbox.settle(newId(), delivered(idOf(first[0])))).toBe(false);
      expect(await stores.outbox.settle(claimId, delivered(idOf(first[0])))).toBe(true);
      expect(ids(await claim(2))).toEqual(ids(events.slice(4, 5)));
    });

    it('gives every endpoint its turn before any gets its second delivery', async () => {
      const companies = [company, await makeCompany(stores, url), await makeCompany(stores, url)];
      for (const each of companies) await makeWaitingEvents(stores, each, 4);
      const claimed = await claim(0, { limit: 3 });
      expect(new Set(claimed.map(({ companyId }) => companyId)).size).toBe(3);
    });

    it('does not let one endpoint that hangs, with many waiting, starve another', async () => {
      const hanging = company;
      await makeWaitingEvents(stores, hanging, 200);
      const healthy = await makeCompany(stores, url);
      await makeWaitingEvents(stores, healthy, 50);
      let [served, stuck] = [0, 0];
      for (let round = 0; served < 50 && round < 20; round++) {
        const claimId = newId();
        for (const delivery of await claim(round, { limit: 8, claimId })) {
          if (delivery.companyId === hanging.companyId) stuck += 1;
          else if (await stores.outbox.settle(claimId, delivered(delivery.id))) served += 1;
        }
      }
      expect([served, stuck]).toEqual([50, 4]);
    });

    it('serves endpoints in turn where there are more than one claim can serve', async () => {
      const companies = [company];
      while (companies.length < 10) companies.push(await makeCompany(stores, url));
      for (const each of companies) await makeWaitingEvents(stores, each, 10);
      const served = new Map<string, number>();
      for (let round = 0; round < 10; round++) {
        const claimId = newId();
        for (const delivery of await claim(round, { limit: 3, claimId })) {
          served.set(delivery.companyId, (served.get(delivery.companyId) ?? 0) + 1);
          await stores.outbox.settle(claimId, delivered(delivery.id));
        }
      }
      expect([...served.values()]).toEqual(companies.map(() => 3));
    });

    it('never gives one delivery to two claimers, nor an endpoint more than it may have in flight', async () => {
      const companies = [company];
      while (companies.length < 5) companies.push(await makeCompany(stores, url));
      for (const each of companies) await makeWaitingEvents(stores, each, 60);
      const seen: DeliveryId[] = [];
      let overbooked = 0;
      const watch = async () => {
        const { rows } = await stores.pool.query<{ count: string }>(
          `SELECT count(*) FROM webhook_delivery WHERE state = 'in_flight' GROUP BY company_id HAVING count(*) > 4`,
        );
        overbooked += rows.length;
      };
      const work = async () => {
        while (seen.length < 300) {
          const claimId = newId();
          const claimed = await claim(1, { limit: 16, claimId });
          await watch();
          for (const { id } of claimed) {
            seen.push(id);
            expect(await stores.outbox.settle(claimId, delivered(id))).toBe(true);
          }
        }
      };
      await Promise.all([work(), work(), work(), work(), work(), work()]);
      expect(seen).toHaveLength(300);
      expect(new Set(seen).size).toBe(300);
      expect(overbooked).toBe(0);
    });

    it('goes on claiming while calls write events under the same endpoint', async () => {
      const writing = makeWaitingEvents(stores, company, 100);
      const seen = new Set<DeliveryId>();
      while (seen.size < 100) {
        const claimId = newId();
        for (const { id } of await claim(1, { claimId })) {
          seen.add(id);
          await stores.outbox.settle(claimId, delivered(id));
        }
      }
      expect(seen).toEqual(new Set(ids(await writing)));
    });
  });

  describe('the events of one call', () => {
    const settleFirst = async (seconds: number, expected: OutboxEvent | undefined, settlement: Settlement) => {
      const claimId = newId();
      const claimed = await claim(seconds, { claimId });
      expect(ids(claimed)).toEqual([expected?.id]);
      expect(await stores.outbox.settle(claimId, settlement)).toBe(true);
    };

    it('go out in sequence, one after the other', async () => {
      const [one, two, three] = await callWithEvents(3);
      if (!one || !two || !three) throw new Error('no events');
      await settleFirst(0, one, delivered(one.id));
      await settleFirst(1, two, retry(two.id, 300));
      expect(await claim(299)).toEqual([]);
      await settleFirst(300, two, delivered(two.id));
      await settleFirst(301, three, delivered(three.id));
    });

    it('wait neither for one that was given up nor for those of another call', async () => {
      const [one, two] = await callWithEvents(2);
      const [foreign] = await callWithEvents(1);
      if (!one || !two || !foreign) throw new Error('no events');
      const claimId = newId();
      expect(ids(await claim(0, { claimId }))).toEqual([one.id, foreign.id]);
      await stores.outbox.settle(claimId, dead(one.id));
      expect(ids(await claim(1))).toEqual([two.id]);
    });

    it('fall due together with the retry that they wait for, those written later too', async () => {
      const [one, two] = await callWithEvents(2);
      if (!one || !two) throw new Error('no events');
      await settleFirst(0, one, retry(one.id, 300));
      expect((await found(two.id)).dueAt).toEqual(after(300));
      const lookup = await stores.calls.find(company.companyId, one.callId ?? newCall(company).id);
      if (lookup.kind !== 'found') throw new Error(lookup.kind);
      const third = eventOf(lookup.value, 3);
      await stores.calls.commit({ ...lookup.value, sequence: 3, version: lookup.value.version + 1 }, [third]);
      expect((await found(third.id)).dueAt).toEqual(after(300));
      expect(await stores.outbox.redeliver(company.companyId, one.id, after(10))).toEqual({ kind: 'found', value: true });
      await settleFirst(10, one, delivered(one.id));
      await settleFirst(10, two, delivered(two.id));
      await settleFirst(10, third, delivered(third.id));
    });
  });

  describe('a lease that ends', () => {
    it('makes the delivery due again, and its first holder can settle no more', async () => {
      const [event] = await makeWaitingEvents(stores, company, 1);
      const [first, second] = [newId(), newId()];
      await claim(0, { claimId: first });
      expect(await claim(59)).toEqual([]);
      const again = await claim(60, { claimId: second });
      expect(again).toMatchObject([{ id: event?.id, attempts: 1 }]);
      const id = idOf(again[0]);
      expect(await stores.outbox.settle(first, retry(id, 500))).toBe(false);
      expect(await found(id)).toMatchObject({ state: 'in_flight', log: [] });
      expect(await stores.outbox.settle(second, delivered(id))).toBe(true);
      expect(await stores.outbox.settle(second, delivered(id))).toBe(false);
      expect((await found(id)).log).toHaveLength(1);
    });

    it('frees its place at the endpoint', async () => {
      const events = await makeWaitingEvents(stores, company, 5);
      expect(await claim(0)).toHaveLength(4);
      expect(ids(await claim(60)).toSorted()).toEqual([...ids(events.slice(0, 3)), events[4]?.id].toSorted());
    });
  });

  describe('settling', () => {
    it('keeps what was sent and answered, and when it is due again or was finished', async () => {
      const [event] = await makeWaitingEvents(stores, company, 1);
      const id = idOf(event);
      const [first, second] = [newId(), newId()];
      await claim(0, { claimId: first });
      const failed = attempt(1, { statusCode: null, responseHeaders: null, responseBody: null, error: 'timed out' });
      await stores.outbox.settle(first, { id, attempt: failed, outcome: { state: 'pending', dueAt: after(5) } });
      expect(await found(id)).toMatchObject({
        state: 'pending', attempts: 1, dueAt: after(5), lastStatusCode: null, lastError: 'timed out', finishedAt: null,
      });
      await claim(5, { claimId: second });
      const succeeded = attempt(2, { startedAt: after(6) });
      await stores.outbox.settle(second, { id, attempt: succeeded, outcome: { state: 'delivered' } });
      expect(await found(id)).toMatchObject({
        state: 'delivered',
        attempts: 2,
        lastStatusCode: 200,
        lastError: null,
        finishedAt: new Date(after(6).getTime() + 120),
        log: [failed, succeeded],
      });
      expect(await claim(1_000)).toEqual([]);
    });

    it('keeps an answer that is no text', async () => {
      const [event] = await makeWaitingEvents(stores, company, 1);
      const id = idOf(event);
      const claimId = newId();
      await claim(0, { claimId });
      const binary = { responseBody: '\0PNG\ud83d', responseHeaders: { 'x-odd': 'a\0b' }, error: '\0', latencyMs: 1.5 };
      await stores.outbox.settle(claimId, { id, attempt: attempt(1, binary), outcome: { state: 'dead' } });
      expect((await found(id)).log).toMatchObject([
        { responseBody: '\ufffdPNG\ufffd', responseHeaders: { 'x-odd': 'a\ufffdb' }, error: '\ufffd', latencyMs: 2 },
      ]);
    });
  });

  describe('a delivery that its writer sends itself', () => {
    const ping = (): OutboxEvent => ({
      id: toId<DeliveryId>(newId()),
      event: 'integration_test',
      callId: null,
      sequence: null,
      body: '{}',
    });

    it('is in flight at once and settled like any other', async () => {
      const event = ping();
      const claimId = newId();
      const claimed = await stores.outbox.addClaimed(company.companyId, event, { claimId, leaseUntil: after(30) });
      expect(claimed).toEqual({
        ...event, companyId: company.companyId, attempts: 0, url, secretEncrypted: null, apiKeyPrefix: null,
      });
      expect(await claim()).toEqual([]);
      expect(await stores.outbox.settle(claimId, delivered(event.id))).toBe(true);
      expect(await found(event.id)).toMatchObject({ state: 'delivered', createdAt: start, attempts: 1 });
    });

    it('is not written where no endpoint is set', async () => {
      const { companyId } = await makeCompany(stores);
      const claimed = await stores.outbox.addClaimed(companyId, ping(), { claimId: newId(), leaseUntil: after(30) });
      expect(claimed).toBeNull();
      expect(await stores.outbox.latest(companyId)).toBeNull();
    });
  });

  describe('reading', () => {
    it('lists the deliveries of the company, newest first, filtered, page by page', async () => {
      const events = (await makeWaitingEvents(stores, company, 3)).toReversed();
      await makeWaitingEvents(stores, await makeCompany(stores, url), 1);
      const { outbox } = stores;
      const first = await outbox.list(company.companyId, {}, { cursor: null, limit: 2 });
      expect(ids(first.items)).toEqual(ids(events.slice(0, 2)));
      const second = await outbox.list(company.companyId, {}, { cursor: first.nextCursor, limit: 2 });
      expect([ids(second.items), second.nextCursor]).toEqual([ids(events.slice(2)), null]);
      expect(await outbox.latest(company.companyId)).toEqual(first.items[0]);
      const all = { cursor: null, limit: 10 };
      expect((await outbox.list(company.companyId, { state: 'dead' }, all)).items).toEqual([]);
      expect((await outbox.list(company.companyId, { event: 'call_started', state: 'pending' }, all)).items).toHaveLength(3);
      const callId = events[1]?.callId;
      if (!callId) throw new Error('no call');
      expect(ids((await outbox.list(company.companyId, { callId }, all)).items)).toEqual([events[1]?.id]);
    });

    it('tells a foreign id from an unknown one', async () => {
      const other = await makeCompany(stores, url);
      const [event] = await makeWaitingEvents(stores, other, 1);
      const id = idOf(event);
      const unknown = toId<DeliveryId>(newId());
      const { outbox } = stores;
      expect(await outbox.find(company.companyId, id)).toEqual({ kind: 'wrong_company' });
      expect(await outbox.find(company.companyId, unknown)).toEqual({ kind: 'unknown' });
      expect(await outbox.redeliver(company.companyId, id, after(9))).toEqual({ kind: 'wrong_company' });
      expect(await outbox.redeliver(company.companyId, unknown, after(9))).toEqual({ kind: 'unknown' });
      expect(await outbox.find(other.companyId, id)).toMatchObject({ value: { dueAt: start } });
    });

    it('measures what waits', async () => {
      expect(await stores.outbox.backlog(start)).toEqual({ pending: 0, inFlight: 0, oldestDueSeconds: 0 });
      await makeWaitingEvents(stores, company, 6);
      await claim(10);
      expect(await stores.outbox.backlog(after(12.5))).toEqual({ pending: 2, inFlight: 4, oldestDueSeconds: 12.5 });
      expect(await stores.outbox.backlog(after(-1))).toEqual({ pending: 2, inFlight: 4, oldestDueSeconds: 0 });
    });
  });

  describe('redelivering', () => {
    it('makes a finished delivery due with a fresh schedule, but not one in flight', async () => {
      const [event] = await makeWaitingEvents(stores, company, 1);
      const id = idOf(event);
      const claimId = newId();
      await claim(0, { claimId });
      expect(await stores.outbox.redeliver(company.companyId, id, after(1))).toEqual({ kind: 'found', value: false });
      await stores.outbox.settle(claimId, delivered(id));
      expect(await stores.outbox.redeliver(company.companyId, id, after(100))).toEqual({ kind: 'found', value: true });
      expect(await found(id)).toMatchObject({ state: 'pending', attempts: 0, dueAt: after(100), finishedAt: null });
      expect(await claim(100)).toMatchObject([{ id, attempts: 0 }]);
    });

    it('takes a delivery from a holder whose lease has ended', async () => {
      const [event] = await makeWaitingEvents(stores, company, 1);
      const id = idOf(event);
      const claimId = newId();
      await claim(0, { claimId });
      expect(await stores.outbox.redeliver(company.companyId, id, after(60))).toEqual({ kind: 'found', value: true });
      expect(await stores.outbox.settle(claimId, delivered(id))).toBe(false);
    });

    it('brings back what the company lost since a time', async () => {
      const other = await makeCompany(stores, url);
      const lost = await makeWaitingEvents(stores, company, 2);
      await makeWaitingEvents(stores, other, 1);
      const claimId = newId();
      for (const { id } of await claim(0, { claimId })) await stores.outbox.settle(claimId, dead(id));
      expect(await stores.outbox.redeliverDeadSince(company.companyId, after(1), after(100))).toBe(0);
      expect(await stores.outbox.redeliverDeadSince(company.companyId, start, after(100))).toBe(2);
      expect(ids(await claim(100))).toEqual(ids(lost));
    });
  });
});
