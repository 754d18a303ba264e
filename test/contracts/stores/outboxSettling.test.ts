import { v7 as newId } from 'uuid';
import { describe, expect, it } from 'vitest';
import { toId, type DeliveryId } from '../../../src/domain/ids.ts';
import type { OutboxEvent } from '../../../src/ports/outbox.ts';
import { after, makeCompany, makeWaitingEvents, start } from './openStores.ts';
import { attempt, delivered, idOf, ids, url, useOutbox } from './outboxRoom.ts';

const timedOut = { code: 'answer_timeout', params: { host: 'crm.example.com', seconds: 10 } } as const;

describe('the outbox', () => {
  const room = useOutbox();

  describe('settling', () => {
    it('keeps what was sent and answered, and when it is due again or was finished', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const id = idOf(event);
      const [first, second] = [newId(), newId()];
      await room.lease(0, { holder: first });
      const failed = attempt(1, {
        statusCode: null,
        responseHeaders: null,
        responseBody: null,
        error: 'timed out',
        cause: timedOut,
      });
      await room.stores.outbox.settle(first, {
        ...room.key(id),
        attempt: failed,
        outcome: { state: 'pending', dueAt: after(5) },
      });
      expect(await room.found(id)).toMatchObject({
        state: 'pending',
        attempts: 1,
        dueAt: after(5),
        lastStatusCode: null,
        lastError: 'timed out',
        lastCause: timedOut,
        finishedAt: null,
      });
      await room.stores.outbox.release(first);
      await room.lease(5, { holder: second });
      const succeeded = attempt(2, { startedAt: after(6) });
      await room.stores.outbox.settle(second, { ...room.key(id), attempt: succeeded, outcome: { state: 'delivered' } });
      expect(await room.found(id)).toMatchObject({
        state: 'delivered',
        attempts: 2,
        lastStatusCode: 200,
        lastError: null,
        lastCause: null,
        finishedAt: new Date(after(6).getTime() + 120),
        log: [failed, succeeded],
      });
      expect(await room.lease(1_000)).toEqual([]);
    });

    it('tells no cause of an error that a gateway without causes wrote over another', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const id = idOf(event);
      const holder = newId();
      await room.lease(0, { holder });
      const failed = attempt(1, { statusCode: null, error: 'timed out', cause: timedOut });
      await room.stores.outbox.settle(holder, { ...room.key(id), attempt: failed, outcome: { state: 'dead' } });
      await room.stores.pool.query(`UPDATE webhook_delivery SET last_error = 'refused' WHERE id = $1`, [id]);
      expect(await room.found(id)).toMatchObject({
        lastError: 'refused',
        lastCause: null,
        log: [{ error: 'timed out', cause: timedOut }],
      });
    });

    it('keeps an answer that is no text', async () => {
      const [event] = await makeWaitingEvents(room.stores, room.company, 1);
      const id = idOf(event);
      const holder = newId();
      await room.lease(0, { holder });
      const binary = { responseBody: '\0PNG\ud83d', responseHeaders: { 'x-odd': 'a\0b' }, error: '\0', latencyMs: 1.5 };
      await room.stores.outbox.settle(holder, {
        ...room.key(id),
        attempt: attempt(1, binary),
        outcome: { state: 'dead' },
      });
      expect((await room.found(id)).log).toMatchObject([
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

    it('is left to its sender, and settled like any other, whoever serves the endpoint', async () => {
      const event = ping();
      const own = await room.stores.outbox.addOwn(room.company.companyId, event, after(30));
      expect(own).toEqual({
        ...event,
        companyId: room.company.companyId,
        attempts: 0,
        dueAt: start,
        url,
        secretEncrypted: null,
        secretPreviousEncrypted: null,
        apiKeyPrefix: null,
        callGoesOn: false,
        endpoint: { maxInFlight: 4, consecutiveFailures: 0 },
      });
      const [waiting] = await makeWaitingEvents(room.stores, room.company, 1);
      expect(ids(await room.lease())).toEqual([waiting?.id]);
      expect(await room.stores.outbox.settle(newId(), delivered(room.key(event.id)))).toBe(true);
      expect(await room.found(event.id)).toMatchObject({ state: 'delivered', createdAt: start, attempts: 1 });
    });

    it('is not written where no endpoint is set', async () => {
      const { companyId } = await makeCompany(room.stores);
      expect(await room.stores.outbox.addOwn(companyId, ping(), after(30))).toBeNull();
      expect(await room.stores.outbox.latest(companyId)).toBeNull();
    });
  });
});
