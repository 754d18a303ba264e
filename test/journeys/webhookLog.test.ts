import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway } from '../support/gateway.ts';
import { createManualClock, type ManualClock } from '../support/manualClock.ts';
import { freePort } from '../../demo/cluster/freePort.ts';
import { deliveryIdOf, later, WebhookRoom } from '../support/webhookRoom.ts';

const log = '/api/integrations/webhook-deliveries';

describe('an admin', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms: WebhookRoom[] = [];

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', { clock });
  });
  const openRoom = async () => {
    const opened = await WebhookRoom.open(gateway, clock, `log-${rooms.length}`);
    rooms.push(opened);
    return opened;
  };
  beforeEach(async () => {
    room = await openRoom();
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all(rooms.map((one) => one.close()));
  });

  describe('who tests the webhook', () => {
    const test = async () => (await room.post('/api/integrations/test-webhook')).body;

    it('sees success, with the status and how long it took', async () => {
      expect(await test()).toEqual({ outcome: 'success', status_code: 204, latency_ms: expect.any(Number) });
      const [webhook] = room.receiver.received;
      expect(webhook?.body).toMatchObject({ event: 'integration_test', data: { requested_by: { agent_code: 'admin' } } });
      expect((await room.list()).deliveries).toMatchObject([
        { id: deliveryIdOf(webhook), event: 'integration_test', state: 'delivered', call_id: null, sequence: null },
      ]);
    });

    it('sees that it is skipped while there is no URL, and nothing is written', async () => {
      await room.save({ webhook_url: null });
      expect(await test()).toEqual({ outcome: 'skipped', detail: 'No webhook_url is set.' });
      expect((await room.list()).deliveries).toEqual([]);
    });

    it('sees the status of an endpoint that refuses; the test is not tried again', async () => {
      room.receiver.answerWith(() => 500);
      expect(await test()).toEqual({
        outcome: 'fail',
        status_code: 500,
        latency_ms: expect.any(Number),
        detail: 'The endpoint answered 500; only 2xx counts as received.',
      });
      await clock.leap(10_000);
      await room.arrived(await room.call());
      expect(room.receiver.received.filter(({ body }) => body.event === 'integration_test')).toHaveLength(1);
      expect((await room.list({ event: 'integration_test' })).deliveries).toMatchObject([{ state: 'dead', attempts: 1 }]);
    });

    it.each([
      ['a port where nobody listens', async () => `http://127.0.0.1:${await freePort()}/hook`],
      ['a name that does not exist', async () => 'https://no-such-host.invalid/hook'],
    ])('learns of %s no more than that it cannot be reached', async (_, urlOf) => {
      await room.save({ webhook_url: await urlOf() });
      expect(await test()).toEqual({
        outcome: 'fail',
        latency_ms: expect.any(Number),
        detail: 'The endpoint could not be reached.',
      });
    });

    it('cannot point it into a private network', async () => {
      const refused = await gateway.api
        .put('/api/integrations')
        .set(await room.asAdmin())
        .send({ webhook_url: 'https://10.0.0.7/hook' });
      expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([400, 'invalid_request', 'webhook_url']);
    });
  });

  describe('who reads the log', () => {
    it('finds every delivery, newest first, page by page', async () => {
      const calls = [];
      for (let made = 0; made < 5; made++) calls.push(await room.call());
      await room.receiver.waitFor(() => true, 5);
      const seen: (string | null)[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page: Awaited<ReturnType<typeof room.list>> = await room.list({ limit: 2, ...(cursor === null ? {} : { cursor }) });
        seen.push(...page.deliveries.map(({ call_id }) => call_id));
        cursor = page.next_cursor;
        pages += 1;
      } while (cursor !== null);
      expect(pages).toBe(3);
      expect(seen).toEqual(calls.toReversed());
    });

    it('filters by event, state and call', async () => {
      const clicked = await room.answeredClick();
      await room.arrived(clicked, 3);
      room.receiver.answerWith(() => 410);
      const refused = await room.call();
      const id = deliveryIdOf((await room.arrived(refused))[0]);
      await room.settled(id, 1);
      const listed = async (query: Record<string, string>) =>
        (await room.list(query)).deliveries.map(({ event, call_id }) => [event, call_id]);
      expect(await listed({ event: 'call_started' })).toEqual([
        ['call_started', refused],
        ['call_started', clicked],
      ]);
      expect(await listed({ state: 'dead' })).toEqual([['call_started', refused]]);
      expect(await listed({ call_id: clicked })).toEqual([
        ['call_answered', clicked],
        ['call_started', clicked],
        ['cti_click_to_dial', clicked],
      ]);
      expect(await listed({ call_id: clicked, state: 'dead' })).toEqual([]);
      expect((await room.get(`${log}?state=lost`)).body.code).toBe('invalid_request');
    });

    it('sees what was sent and what came back at each attempt', async () => {
      room.receiver.answerWith(() => ({ status: 500, headers: { 'x-because': 'maintenance' } }));
      const callId = await room.call();
      const id = deliveryIdOf((await room.arrived(callId))[0]);
      await room.settled(id, 1);
      room.receiver.answerWith(() => 204);
      await later(clock, 6_000, () => room.received(callId).length === 2);
      const detail = await room.settled(id, 2);
      const [first, second] = room.received(callId);
      expect(detail).toMatchObject({ id, event: 'call_started', call_id: callId, sequence: 1, state: 'delivered', attempts: 2 });
      expect(detail.body).toEqual(first?.body);
      expect(detail.log).toMatchObject([
        {
          number: 1,
          url: room.receiver.url,
          status_code: 500,
          response_headers: { 'x-because': 'maintenance' },
          error: 'The endpoint answered 500; only 2xx counts as received.',
        },
        { number: 2, status_code: 204, response_body: '', error: null },
      ]);
      expect(detail.log[1]?.request_headers['X-Service-Signature']).toBe(second?.headers['x-service-signature']);
      expect(JSON.stringify(detail)).not.toContain(room.secret);
    });

    it('sees in the integration\'s status how the last delivery went', async () => {
      expect((await room.get('/api/integrations')).body.status).toMatchObject({ connected: true, last_delivery: null });
      room.receiver.answerWith(() => 500);
      const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
      await room.settled(id, 1);
      expect((await room.get('/api/integrations')).body.status.last_delivery).toMatchObject({
        id,
        event: 'call_started',
        state: 'pending',
        status_code: 500,
      });
    });

    it('is told when a delivery is another company\'s, or nobody\'s', async () => {
      const other = await openRoom();
      const id = deliveryIdOf((await other.arrived(await other.call()))[0]);
      const nobodys = '00000000-0000-4000-8000-000000000000';
      const codes = [];
      for (const target of [id, nobodys]) {
        codes.push((await room.get(`${log}/${target}`)).body.code);
        codes.push((await room.post(`${log}/${target}/redeliver`)).body.code);
      }
      expect(codes).toEqual(['wrong_company', 'wrong_company', 'not_found', 'not_found']);
      expect((await room.list()).deliveries).toEqual([]);
      expect(other.receiver.received).toHaveLength(1);
    });
  });

  describe('who sends again', () => {
    it('a delivery that had arrived: it comes once more under its id, as attempt 1', async () => {
      const callId = await room.call();
      const id = deliveryIdOf((await room.arrived(callId))[0]);
      await room.settled(id, 1);
      const answer = await room.post(`${log}/${id}/redeliver`);
      expect([answer.status, answer.body.id]).toEqual([200, id]);
      const [first, again] = await room.arrived(callId, 2);
      expect(again?.headers).toMatchObject({ 'x-service-delivery': id, 'x-service-attempt': '1' });
      expect(again?.raw).toBe(first?.raw);
      expect((await room.settled(id, 1)).log).toHaveLength(2);
    });

    it('a delivery that is dead: it has the whole schedule before it again', async () => {
      room.receiver.answerWith(() => 410);
      const callId = await room.call();
      const id = deliveryIdOf((await room.arrived(callId))[0]);
      await room.settled(id, 1);
      room.receiver.answerWith(() => 500);
      await room.post(`${log}/${id}/redeliver`);
      await room.arrived(callId, 2);
      const failed = await room.settled(id, 1);
      expect(failed.state).toBe('pending');
      expect(Date.parse(failed.next_attempt_at ?? '') - clock.now()).toBeLessThanOrEqual(6_000);
    });

    it('everything that was given up since a time, and nothing else', async () => {
      room.receiver.answerWith(() => 410);
      const dead = async () => {
        const callId = await room.call();
        await room.settled(deliveryIdOf((await room.arrived(callId))[0]), 1);
        return callId;
      };
      const before = await dead();
      await clock.leap(60_000);
      const since = new Date(clock.now()).toISOString();
      const after = [await dead(), await dead()];
      room.receiver.answerWith(() => 204);
      const arrivedAlready = await room.call();
      await room.arrived(arrivedAlready);
      expect((await room.post(`${log}/recover`, { since })).body).toEqual({ redelivering: 2 });
      for (const callId of after) await room.arrived(callId, 2);
      expect((await room.list({ state: 'dead' })).deliveries.map(({ call_id }) => call_id)).toEqual([before]);
      expect(room.received(before)).toHaveLength(1);
      expect(room.received(arrivedAlready)).toHaveLength(1);
      expect((await room.post(`${log}/recover`, { since })).body).toEqual({ redelivering: 0 });
      expect((await room.post(`${log}/recover`, { since: 'yesterday' })).body.code).toBe('invalid_request');
    });
  });
});
