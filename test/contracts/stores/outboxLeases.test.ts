import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { healthAfter, healthyEndpoint, type EndpointHealth } from '../../../src/domain/endpointHealth.ts';
import { after, makeCompany, makeWaitingEvents, start } from './openStores.ts';
import { delivered, idOf, ids, keyOf, retry, url, useOutbox } from './outboxRoom.ts';

describe('the outbox', () => {
  const room = useOutbox();
  const statesOf = async () => {
    const { items } = await room.stores.outbox.list(room.company.companyId, {}, { cursor: null, limit: 50 });
    return items.map(({ state }) => state).toSorted();
  };
  const disable = (health: EndpointHealth) =>
    healthAfter(health, { verdict: 'gone', startedAt: start, endedAt: start });

  describe('a holder', () => {
    it('keeps an endpoint by renewing its lease, and hears what it has lost', async () => {
      await makeWaitingEvents(room.stores, room.company, 3);
      const [first, second] = [newId(), newId()];
      const { companyId } = room.company;
      const leased = await room.lease(0, { holder: first });
      expect(await room.stores.outbox.renew(first, [companyId], after(100))).toEqual([companyId]);
      expect(await room.lease(99, { holder: second })).toEqual([]);
      expect(await room.lease(100, { holder: second })).toHaveLength(3);
      expect(await room.stores.outbox.renew(first, [companyId], after(200))).toEqual([]);
      expect(await room.stores.outbox.settle(first, delivered(keyOf(leased[0])))).toBe(false);
      expect(await room.stores.outbox.settle(second, delivered(keyOf(leased[0])))).toBe(true);
    });

    it('gives its endpoints back, all but some: what waits there is as it was, and what was sent is still written down', async () => {
      const events = await makeWaitingEvents(room.stores, room.company, 4);
      const [holder, other] = [newId(), newId()];
      const leased = await room.lease(0, { holder });
      await room.stores.outbox.release(other);
      await room.stores.outbox.release(holder, [room.company.companyId]);
      expect(await room.lease(1, { holder: other })).toEqual([]);
      await room.stores.outbox.release(holder);
      expect(await room.stores.outbox.settle(holder, delivered(keyOf(leased[0])))).toBe(true);
      expect(await room.found(idOf(leased[1]))).toMatchObject({ state: 'pending', dueAt: start, attempts: 0 });
      expect(ids(await room.lease(1, { holder: other }))).toEqual(ids(events.slice(1)));
      expect(await room.stores.outbox.settle(holder, delivered(keyOf(leased[1])))).toBe(false);
    });

    it('puts off what it could not try, as long as nobody else serves the endpoint', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const [holder, other] = [newId(), newId()];
      await room.lease(0, { holder });
      await room.stores.outbox.putOff(other, room.key(idOf(event)), after(9));
      expect((await room.found(idOf(event))).dueAt).toEqual(start);
      await room.stores.outbox.putOff(holder, room.key(idOf(event)), after(9));
      await room.stores.outbox.release(holder);
      expect(await room.lease(8)).toEqual([]);
      expect(ids(await room.lease(9))).toEqual([event?.id]);
    });

    it('that knows itself to be alone takes over from all others', async () => {
      const company = await makeCompany(room.stores, url);
      await makeWaitingEvents(room.stores, room.company, 2);
      const [gone, alive] = [newId(), newId()];
      await room.lease(0, { holder: gone });
      await makeWaitingEvents(room.stores, company, 1);
      await room.lease(0, { holder: alive });
      await room.stores.outbox.releaseOthers(alive);
      expect((await room.lease(1)).map(({ companyId }) => companyId)).toEqual([
        room.company.companyId,
        room.company.companyId,
      ]);
    });
  });

  describe('the health of an endpoint', () => {
    const failures = (health: EndpointHealth) => ({ ...health, consecutiveFailures: health.consecutiveFailures + 1 });

    it('is decided on what is stored, by one at a time', async () => {
      const { outbox } = room.stores;
      await Promise.all(Array.from({ length: 8 }, () => outbox.changeHealth(room.company.companyId, url, failures)));
      expect((await room.stores.integrations.find(room.company.companyId)).webhookHealth).toEqual({
        ...healthyEndpoint,
        consecutiveFailures: 8,
      });
    });

    it('is not judged by attempts at another URL, nor where there is none', async () => {
      const { outbox } = room.stores;
      expect(await outbox.changeHealth(room.company.companyId, 'https://old.example.com/', disable)).toBeNull();
      const none = await makeCompany(room.stores);
      expect(await outbox.changeHealth(none.companyId, url, disable)).toBeNull();
    });

    it('keeps a paused endpoint from being leased, and lets one delivery probe it afterwards', async () => {
      await makeWaitingEvents(room.stores, room.company, 6);
      const { outbox } = room.stores;
      await outbox.changeHealth(room.company.companyId, url, (health) => ({
        ...health,
        consecutiveFailures: 10,
        failingSince: start,
        pausedUntil: after(30),
      }));
      expect(await room.lease(29)).toEqual([]);
      const holder = newId();
      const probes = await room.lease(30, { holder });
      expect(probes).toHaveLength(1);
      expect(await room.lease(31, { holder })).toEqual([]);
      expect(await room.lease(31)).toEqual([]);
      await outbox.settle(holder, retry(keyOf(probes[0]), 300));
      expect(await room.lease(32, { holder })).toHaveLength(1);
    });

    it('gives up what waits when it becomes disabled, and what comes back or is written later', async () => {
      const events = await makeWaitingEvents(room.stores, room.company, 6);
      const { outbox } = room.stores;
      const holder = newId();
      const [sent, arrived, refused] = await room.lease(0, { holder });
      await outbox.changeHealth(room.company.companyId, url, disable);
      expect(await outbox.settle(holder, retry(keyOf(refused), 300))).toBe(true);
      expect(await outbox.moveToDead(room.company.companyId, 100, after(1))).toBe(5);
      expect(await room.found(idOf(events[5]))).toMatchObject({
        lastError: 'Not sent: the endpoint answered 410 (Gone) and was disabled.',
        lastCause: { code: 'not_sent_gone' },
      });

      expect(await outbox.settle(holder, retry(keyOf(sent), 300))).toBe(true);
      expect(await outbox.settle(holder, delivered(keyOf(arrived)))).toBe(true);
      expect(await statesOf()).toEqual(['dead', 'dead', 'dead', 'dead', 'dead', 'delivered']);
      for (const one of [sent, refused]) {
        expect(await room.found(idOf(one))).toMatchObject({
          attempts: 1,
          lastStatusCode: 500,
          finishedAt: expect.any(Date),
        });
      }

      const [late] = await makeWaitingEvents(room.stores, room.company, 1);
      const [, second] = await room.callWithEvents(2);
      for (const event of [late, second]) {
        expect(await room.found(idOf(event))).toMatchObject({
          state: 'dead',
          lastError: 'Not sent: the endpoint is disabled.',
          lastCause: { code: 'not_sent_disabled' },
        });
      }
      expect(await room.lease(1_000)).toEqual([]);
    });
  });
});
