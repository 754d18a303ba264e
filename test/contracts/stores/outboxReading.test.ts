import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { toId, type DeliveryId } from '../../../src/domain/ids.ts';
import { after, makeCompany, makeWaitingEvents, start } from './openStores.ts';
import { dead, delivered, idOf, ids, retry, url, useOutbox } from './outboxRoom.ts';

describe('the outbox', () => {
  const room = useOutbox();

  describe('reading', () => {
    it('lists the deliveries of the company, newest first, filtered, page by page', async () => {
      const events = (await makeWaitingEvents(room.stores, room.company, 3)).toReversed();
      await makeWaitingEvents(room.stores, await makeCompany(room.stores, url), 1);
      const { outbox } = room.stores;
      const first = await outbox.list(room.company.companyId, {}, { cursor: null, limit: 2 });
      expect(ids(first.items)).toEqual(ids(events.slice(0, 2)));
      const second = await outbox.list(room.company.companyId, {}, { cursor: first.nextCursor, limit: 2 });
      expect([ids(second.items), second.nextCursor]).toEqual([ids(events.slice(2)), null]);
      expect(await outbox.latest(room.company.companyId)).toEqual(first.items[0]);
      const all = { cursor: null, limit: 10 };
      expect((await outbox.list(room.company.companyId, { state: 'dead' }, all)).items).toEqual([]);
      expect(
        (await outbox.list(room.company.companyId, { event: 'call_started', state: 'pending' }, all)).items,
      ).toHaveLength(3);
      const callId = events[1]?.callId;
      if (!callId) throw new Error('no call');
      expect(ids((await outbox.list(room.company.companyId, { callId }, all)).items)).toEqual([events[1]?.id]);
    });

    it('tells a foreign id from an unknown one', async () => {
      const other = await makeCompany(room.stores, url);
      const [event] = await makeWaitingEvents(room.stores, other, 1);
      const id = idOf(event);
      const unknown = toId<DeliveryId>(newId());
      const { outbox } = room.stores;
      expect(await outbox.find(room.company.companyId, id)).toEqual({ kind: 'wrong_company' });
      expect(await outbox.find(room.company.companyId, unknown)).toEqual({ kind: 'unknown' });
      expect(await outbox.redeliver(room.company.companyId, id, after(9))).toEqual({ kind: 'wrong_company' });
      expect(await outbox.redeliver(room.company.companyId, unknown, after(9))).toEqual({ kind: 'unknown' });
      expect(await outbox.find(other.companyId, id)).toMatchObject({ value: { dueAt: start } });
    });
  });

  describe('redelivering', () => {
    it('makes a finished delivery due with a fresh schedule, but not one that is being sent', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const id = idOf(event);
      const holder = newId();
      await room.lease(0, { holder });
      expect(await room.stores.outbox.redeliver(room.company.companyId, id, after(1))).toEqual({
        kind: 'found',
        value: false,
      });
      expect(await room.stores.outbox.settle(holder, delivered(room.key(id)))).toBe(true);
      expect(await room.stores.outbox.redeliver(room.company.companyId, id, after(100))).toEqual({
        kind: 'found',
        value: true,
      });
      expect(await room.found(id)).toMatchObject({
        state: 'pending',
        attempts: 0,
        dueAt: after(100),
        finishedAt: null,
      });
      expect(await room.lease(100)).toMatchObject([{ id, attempts: 0 }]);
    });

    it('takes a delivery from a holder whose lease has ended', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 2);
      const id = idOf(event);
      const holder = newId();
      await room.lease(0, { holder });
      await room.stores.outbox.settle(holder, retry(room.key(id), 50));
      await room.lease(50, { holder });
      expect(await room.stores.outbox.redeliver(room.company.companyId, id, after(110))).toEqual({
        kind: 'found',
        value: true,
      });
      // An attempt of the former schedule.
      expect(await room.stores.outbox.settle(holder, delivered({ ...room.key(id), attempts: 1 }))).toBe(false);
      expect(await room.found(id)).toMatchObject({ state: 'pending', attempts: 0 });
    });

    it('brings back what the company lost since a time', async () => {
      const other = await makeCompany(room.stores, url);
      const lost = await makeWaitingEvents(room.stores, room.company, 2);
      await makeWaitingEvents(room.stores, other, 1);
      const holder = newId();
      for (const delivery of await room.lease(0, { holder })) await room.stores.outbox.settle(holder, dead(delivery));
      await room.stores.outbox.release(holder);
      expect(await room.stores.outbox.redeliverDeadSince(room.company.companyId, after(1), after(100))).toBe(0);
      expect(await room.stores.outbox.redeliverDeadSince(room.company.companyId, start, after(100))).toBe(2);
      expect(ids(await room.lease(100))).toEqual(ids(lost));
    });
  });
});
