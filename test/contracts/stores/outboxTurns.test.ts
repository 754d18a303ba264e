import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type CompanyId, toId, type DeliveryId } from '../../../src/domain/ids.ts';
import { after, makeCompany, makeWaitingEvents, start } from './openStores.ts';
import { delivered, idOf, ids, keyOf, url, useOutbox } from './outboxRoom.ts';

describe('the outbox', () => {
  const room = useOutbox();

  describe('leasing endpoints', () => {
    it('hands a due delivery out once, with where it goes and how it is signed', async () => {
      await room.stores.integrations.update(room.company.companyId, () => ({
        webhookSecretEncrypted: 'cipher text',
        apiKey: { hash: 'the hash', prefix: 'rl_1' },
      }));
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      expect(await room.lease(-1)).toEqual([]);
      expect(await room.lease()).toEqual([
        {
          ...event,
          companyId: room.company.companyId,
          attempts: 0,
          dueAt: start,
          url,
          secretEncrypted: 'cipher text',
          secretPreviousEncrypted: null,
          apiKeyPrefix: 'rl_1',
          callGoesOn: false,
          endpoint: { maxInFlight: 4, consecutiveFailures: 0 },
        },
      ]);
      expect(await room.lease()).toEqual([]);
    });

    it('leaves a body over 4 KiB where it is, until it is sent', async () => {
      const [large, small] = await makeWaitingEvents(room.stores, room.company, 2);
      const resize = (id: string | undefined, bytes: number) =>
        room.stores.pool.query("UPDATE webhook_delivery SET body = repeat('x', $2) WHERE id = $1", [id, bytes]);
      await resize(large?.id, 4_097);
      await resize(small?.id, 4_096);
      const leased = await room.lease();
      expect(leased.map(({ id, body }) => [id, body?.length ?? null])).toEqual([
        [large?.id, null],
        [small?.id, 4_096],
      ]);
      const { companyId } = room.company;
      const stranger = await makeCompany(room.stores);
      expect((await room.stores.outbox.bodyOf(companyId, idOf(leased[0])))?.length).toBe(4_097);
      expect(await room.stores.outbox.bodyOf(companyId, toId<DeliveryId>(newId()))).toBeNull();
      expect(await room.stores.outbox.bodyOf(stranger.companyId, idOf(leased[0]))).toBeNull();
    });

    it('gives of each endpoint as many as it may have in flight, or as the holder has room for, the oldest first', async () => {
      const events = await makeWaitingEvents(room.stores, room.company, 9);
      const holder = newId();
      const first = await room.lease(0, { holder });
      expect(ids(first)).toEqual(ids(events.slice(0, 4)));
      expect(await room.lease(1, { holder })).toEqual([]);
      expect(await room.stores.outbox.settle(newId(), delivered(keyOf(first[0])))).toBe(false);
      expect(await room.stores.outbox.settle(holder, delivered(keyOf(first[0])))).toBe(true);
      expect(ids(await room.lease(2, { holder }))).toEqual(ids(events.slice(4, 5)));
      expect(ids(await room.lease(3, { holder, atMost: 7 }))).toEqual(ids(events.slice(5, 8)));
    });

    it('leaves an endpoint to the one holder who serves it, until it gives it back', async () => {
      const events = await makeWaitingEvents(room.stores, room.company, 5);
      const holder = newId();
      const first = await room.lease(0, { holder });
      for (const delivery of first) {
        expect(await room.lease(1)).toEqual([]);
        await room.stores.outbox.settle(holder, delivered(delivery));
      }
      expect(await room.lease(2)).toEqual([]);
      await room.stores.outbox.release(holder);
      expect(ids(await room.lease(2))).toEqual([events[4]?.id]);
    });

    it('does not count a test that an admin runs at another gateway', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const ping = {
        id: toId<DeliveryId>(newId()),
        event: 'integration_test',
        callId: null,
        sequence: null,
        body: '{}',
      } as const;
      await room.stores.outbox.addOwn(room.company.companyId, ping, after(60));
      expect(ids(await room.lease())).toEqual([event?.id]);
    });

    it('gives every endpoint its turn before any gets its second delivery', async () => {
      const companies = [room.company, await makeCompany(room.stores, url), await makeCompany(room.stores, url)];
      for (const each of companies) await makeWaitingEvents(room.stores, each, 4);
      const leased = await room.lease(0, { limit: 3 });
      expect(new Set(leased.map(({ companyId }) => companyId)).size).toBe(3);
    });

    it('does not let one endpoint that hangs, with many waiting, starve another', async () => {
      const hanging = room.company;
      await makeWaitingEvents(room.stores, hanging, 200);
      const healthy = await makeCompany(room.stores, url);
      await makeWaitingEvents(room.stores, healthy, 50);
      let [served, stuck] = [0, 0];
      const holder = newId();
      for (let round = 0; served < 50 && round < 20; round++) {
        for (const delivery of await room.lease(round, { limit: 8, holder })) {
          if (delivery.companyId === hanging.companyId) stuck += 1;
          else if (await room.stores.outbox.settle(holder, delivered(delivery))) served += 1;
        }
      }
      expect([served, stuck]).toEqual([50, 4]);
    });

    it('serves endpoints in turn where there are more than one lease can serve', async () => {
      const companies = [room.company];
      while (companies.length < 10) companies.push(await makeCompany(room.stores, url));
      for (const each of companies) await makeWaitingEvents(room.stores, each, 10);
      const served = new Map<string, number>();
      for (let round = 0; round < 10; round++) {
        const holder = newId();
        for (const delivery of await room.lease(round, { limit: 3, holder })) {
          served.set(delivery.companyId, (served.get(delivery.companyId) ?? 0) + 1);
          await room.stores.outbox.settle(holder, delivered(delivery));
        }
        await room.stores.outbox.release(holder);
      }
      expect([...served.values()]).toEqual(companies.map(() => 3));
    });

    it('never gives one delivery to two holders, nor an endpoint more than it may have in flight', async () => {
      const companies = [room.company];
      while (companies.length < 5) companies.push(await makeCompany(room.stores, url));
      for (const each of companies) await makeWaitingEvents(room.stores, each, 60);
      const seen: DeliveryId[] = [];
      let overbooked = 0;
      const served = new Set<CompanyId>();
      const work = async () => {
        while (seen.length < 300) {
          const holder = newId();
          const leased = await room.lease(1, { limit: 16, holder });
          const theirs = new Set(leased.map(({ companyId }) => companyId));
          for (const companyId of theirs) {
            if (served.has(companyId) || leased.filter((one) => one.companyId === companyId).length > 4)
              overbooked += 1;
            served.add(companyId);
          }
          for (const delivery of leased) {
            seen.push(delivery.id);
            expect(await room.stores.outbox.settle(holder, delivered(delivery))).toBe(true);
          }
          for (const companyId of theirs) served.delete(companyId);
          await room.stores.outbox.release(holder);
        }
      };
      await Promise.all([work(), work(), work(), work(), work(), work()]);
      expect(seen).toHaveLength(300);
      expect(new Set(seen).size).toBe(300);
      expect(overbooked).toBe(0);
    });

    it('goes on leasing while calls write events under the same endpoint', async () => {
      const writing = makeWaitingEvents(room.stores, room.company, 100);
      const seen = new Set<DeliveryId>();
      while (seen.size < 100) {
        const holder = newId();
        for (const delivery of await room.lease(1, { holder })) {
          seen.add(delivery.id);
          await room.stores.outbox.settle(holder, delivered(delivery));
        }
        await room.stores.outbox.release(holder);
      }
      expect(seen).toEqual(new Set(ids(await writing)));
    });
  });
});
