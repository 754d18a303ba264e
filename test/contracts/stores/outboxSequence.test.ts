import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { LeasedDelivery, OutboxEvent, Settlement } from '../../../src/ports/outbox.ts';
import { after, eventOf, makeWaitingEvents, newCall } from './openStores.ts';
import { dead, delivered, idOf, ids, retry, useOutbox } from './outboxRoom.ts';

describe('the outbox', () => {
  const room = useOutbox();

  describe('the events of one call', () => {
    const settleFirst = async (
      seconds: number,
      expected: OutboxEvent | undefined,
      settlementOf: (leased: LeasedDelivery) => Settlement,
    ) => {
      const holder = newId();
      const leased = await room.lease(seconds, { holder });
      expect(ids(leased)).toEqual([expected?.id]);
      for (const one of leased) expect(await room.stores.outbox.settle(holder, settlementOf(one))).toBe(true);
      await room.stores.outbox.release(holder);
    };

    it('go out in sequence, one after the other', async () => {
      const [one, two, three] = await room.callWithEvents(3);
      if (!one || !two || !three) throw new Error('no events');
      await settleFirst(0, one, delivered);
      await settleFirst(1, two, (leased) => retry(leased, 300));
      expect(await room.lease(299)).toEqual([]);
      await settleFirst(300, two, delivered);
      await settleFirst(301, three, delivered);
    });

    it('wait neither for one that was given up nor for those of another call', async () => {
      const [one, two] = await room.callWithEvents(2);
      const [foreign] = await room.callWithEvents(1);
      if (!one || !two || !foreign) throw new Error('no events');
      const holder = newId();
      expect(ids(await room.lease(0, { holder }))).toEqual([one.id, foreign.id]);
      await room.stores.outbox.settle(holder, dead(room.key(one.id)));
      expect(ids(await room.lease(1, { holder }))).toEqual([two.id]);
    });

    it('fall due together with the retry that they wait for, those written later too', async () => {
      const [one, two] = await room.callWithEvents(2);
      if (!one || !two) throw new Error('no events');
      await settleFirst(0, one, (leased) => retry(leased, 300));
      expect((await room.found(two.id)).dueAt).toEqual(after(300));
      const lookup = await room.stores.calls.find(room.company.companyId, one.callId ?? newCall(room.company).id);
      if (lookup.kind !== 'found') throw new Error(lookup.kind);
      const third = eventOf(lookup.value, 3);
      await room.stores.calls.commit({ ...lookup.value, sequence: 3, version: lookup.value.version + 1 }, [third]);
      expect((await room.found(third.id)).dueAt).toEqual(after(300));
      expect(await room.stores.outbox.redeliver(room.company.companyId, one.id, after(10))).toEqual({
        kind: 'found',
        value: true,
      });
      await settleFirst(10, one, delivered);
      await settleFirst(10, two, delivered);
      await settleFirst(10, third, delivered);
    });
  });

  describe('a lease that ends', () => {
    it('lets another holder send the delivery, and the first one can settle it no more', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const [first, second] = [newId(), newId()];
      await room.lease(0, { holder: first });
      expect(await room.lease(59)).toEqual([]);
      const again = await room.lease(60, { holder: second });
      expect(again).toMatchObject([{ id: event?.id, attempts: 0 }]);
      const id = idOf(again[0]);
      expect(await room.stores.outbox.settle(first, retry(room.key(id), 500))).toBe(false);
      expect(await room.found(id)).toMatchObject({ state: 'pending', log: [] });
      expect(await room.stores.outbox.settle(second, delivered(room.key(id)))).toBe(true);
      expect(await room.stores.outbox.settle(second, delivered(room.key(id)))).toBe(false);
      expect((await room.found(id)).log).toHaveLength(1);
    });

    it('leaves the line as it was', async () => {
      const events = await makeWaitingEvents(room.stores, room.company, 5);
      expect(await room.lease(0)).toHaveLength(4);
      expect(ids(await room.lease(60))).toEqual(ids(events.slice(0, 4)));
    });
  });
});
