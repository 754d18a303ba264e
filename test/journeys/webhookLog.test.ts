import { beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../demo/cluster/freePort.ts';
import { explainStatus } from '../../src/domain/webhookAnswers.ts';
import type { Gateway } from '../support/gateway/gateway.ts';
import type { ManualClock } from '../support/time/manualClock.ts';
import { deliveryIdOf, later, useWebhookRooms, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const log = '/api/integrations/webhook-deliveries';

describe('an admin', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms = useWebhookRooms('log');
  const openRoom = () => rooms.open();
  beforeEach(() => void ({ clock, gateway, room } = rooms));

  describe('who tests the webhook', () => {
    const test = async () => (await room.post('/api/integrations/test-webhook')).body;

    it('sees success, with the status and how long it took', async () => {
      expect(await test()).toEqual({ outcome: 'success', status_code: 204, latency_ms: expect.any(Number) });
      const [webhook] = room.receiver.received;
      expect(webhook?.body).toMatchObject({
        event: 'integration_test',
        data: { requested_by: { agent_code: 'admin' } },
      });
      expect((await room.list()).deliveries).toMatchObject([
        { id: deliveryIdOf(webhook), event: 'integration_test', state: 'delivered', call_id: null, sequence: null },
      ]);
    });

    it('sees that it is skipped while there is no URL, and nothing is written', async () => {
      await room.save({ webhook_url: null });
      expect(await test()).toEqual({
        outcome: 'skipped',
        detail: 'No webhook_url is set.',
        cause: { code: 'not_sent_without_url' },
      });
      expect((await room.list()).deliveries).toEqual([]);
    });

    it('sees the status of an endpoint that refuses; the test is not tried again', async () => {
      room.receiver.answerWith(() => 500);
      expect(await test()).toEqual({
        outcome: 'fail',
        status_code: 500,
        latency_ms: expect.any(Number),
        detail: explainStatus(500),
        cause: { code: 'answered_500', params: { status: 500 } },
      });
      await clock.leap(10_000);
      await room.arrived(await room.call());
      expect(room.receiver.received.filter(({ body }) => body.event === 'integration_test')).toHaveLength(1);
      expect((await room.list({ event: 'integration_test' })).deliveries).toMatchObject([
        { state: 'dead', attempts: 1 },
      ]);
    });

    it.each([
      [
        'a port where nobody listens',
        async () => `http://127.0.0.1:${await freePort()}/hook`,
        /^127\.0\.0\.1 port \d+ refused the connection: nothing listens there\.$/,
        'connect_refused',
      ],
      [
        'a name that does not exist',
        async () => 'https://no-such-host.invalid/hook',
        /^The host name no-such-host\.invalid could not be resolved\.$/,
        'dns_failed',
      ],
    ])('learns of %s what is the matter', async (_, urlOf, reason, code) => {
      await room.save({ webhook_url: await urlOf() });
      expect(await test()).toEqual({
        outcome: 'fail',
        latency_ms: expect.any(Number),
        detail: expect.stringMatching(reason),
        cause: expect.objectContaining({ code }),
      });
    });

    it('cannot point it into a private network', async () => {
      const refused = await gateway.api
        .put('/api/integrations')
        .set(await room.asAdmin())
        .send({ webhook_url: 'https://10.0.0.7/hook' });
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
      expect(refused.body.errors).toMatchObject([
        { path: 'webhook_url', code: 'host_not_public', params: { host: '10.0.0.7' } },
      ]);
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
        const page: Awaited<ReturnType<typeof room.list>> = await room.list({
          limit: 2,
          ...(cursor === null ? {} : { cursor }),
        });
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
    });

    it('filters by time, from the one and up to but without the other', async () => {
      const times: number[] = [];
      const calls: string[] = [];
      for (let made = 0; made < 4; made += 1) {
        calls.push(await room.call());
        times.push(clock.now());
        await clock.leap(60_000);
      }
      const at = (made: number, ms = 0) => new Date((times[made] ?? 0) + ms).toISOString();
      const listed = async (query: Record<string, string>) =>
        (await room.list(query)).deliveries.map(({ call_id }) => calls.indexOf(call_id ?? ''));
      expect(await listed({ since: at(1) })).toEqual([3, 2, 1]);
      expect(await listed({ since: at(1, 1) })).toEqual([3, 2]);
      expect(await listed({ until: at(1) })).toEqual([0]);
      expect(await listed({ until: at(1, 1) })).toEqual([1, 0]);
      expect(await listed({ since: at(1), until: at(3) })).toEqual([2, 1]);
      expect(await listed({ since: at(1), until: at(1) })).toEqual([]);
      expect(await listed({ since: at(1), until: at(3), call_id: calls[2] ?? '' })).toEqual([2]);
      expect(await listed({ since: at(1), until: at(3), event: 'disposition' })).toEqual([]);
      // The same moments by a clock nine and a half hours ahead; a plus sign that nobody encoded arrives as a space.
      const ahead = (made: number) => `${new Date((times[made] ?? 0) + 34_200_000).toISOString().slice(0, -1)}+09:30`;
      expect(await listed({ since: ahead(1), until: ahead(3).replace('+', ' ') })).toEqual([2, 1]);
      expect((await room.post(`${log}/recover`, { since: ahead(0) })).body).toEqual({ redelivering: 0 });
      const { next_cursor: cursor } = await room.list({ since: at(0), until: at(3), limit: 1 });
      expect(await listed({ since: at(0), until: at(3), cursor: cursor ?? '' })).toEqual([1, 0]);
    });

    it('does not see what another company was sent, at whatever time', async () => {
      const other = await openRoom();
      const theirs = await other.call();
      await other.arrived(theirs);
      const since = new Date(clock.now() - 60_000).toISOString();
      const until = new Date(clock.now() + 60_000).toISOString();
      for (const query of [{ since }, { until }, { since, until }, { since, call_id: theirs }]) {
        expect((await room.list(query)).deliveries).toEqual([]);
        expect((await other.list(query)).deliveries).toHaveLength(1);
      }
    });

    it.each([
      ['state=lost', 'state'],
      ['event=call_finished', 'event'],
      ['call_id=7', 'call_id'],
      ['since=', 'since'],
      ['since=yesterday', 'since'],
      ['since=1763715600', 'since'],
      ['since=2026-11-21', 'since'],
      ['since=0000-01-01T00:00:00Z', 'since'],
      ['since=2026-02-30T00:00:00Z', 'since'],
      ['since=2026-11-21T09:00:00%2B25:00', 'since'],
      ['since=0001-01-01T00:00:00%2B01:00', 'since'],
      ['since=9999-12-31T23:59:59-01:00', 'since'],
      ['since=2026-11-21T09:00:00Z%00', 'since'],
      ["since=2026-11-21T09:00:00Z'--", 'since'],
      ['since[gte]=2026-11-21T09:00:00Z', 'since[gte]'],
      ['until=-1', 'until'],
      ['until=%F0%9F%98%80', 'until'],
      ['since=2026-11-21T09:00:00Z&since=2026-11-21T10:00:00Z', 'since'],
      ['since=2026-11-21T09:00:00.001Z&until=2026-11-21T09:00:00Z', 'until'],
      ['until=2026-11-21T09:00:00Z&before=1', 'before'],
    ])('is told what is wrong with %s', async (query, path) => {
      const { status, body } = await room.get(`${log}?${query}`);
      expect([status, body.code, body.errors.map((error: { path: string }) => error.path)]).toEqual([
        400,
        'invalid_request',
        [path],
      ]);
    });

    it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'])(
      'may ask for times as far away as %s',
      async (time) => {
        const callId = await room.call();
        const isPast = time < '2000';
        for (const [name, holds] of [
          ['since', isPast],
          ['until', !isPast],
        ] as const) {
          const { deliveries } = await room.list({ [name]: time });
          expect(deliveries.map(({ call_id }) => call_id)).toEqual(holds ? [callId] : []);
        }
        expect((await room.post(`${log}/recover`, { since: time })).body).toEqual({ redelivering: 0 });
      },
    );

    it('sees what was sent and what came back at each attempt', async () => {
      room.receiver.answerWith(() => ({ status: 500, headers: { 'x-because': 'maintenance' } }));
      const callId = await room.call();
      const id = deliveryIdOf((await room.arrived(callId))[0]);
      await room.settled(id, 1);
      room.receiver.answerWith(() => 204);
      await later(clock, 6_000, () => room.received(callId).length === 2);
      const detail = await room.settled(id, 2);
      const [first, second] = room.received(callId);
      expect(detail).toMatchObject({
        id,
        event: 'call_started',
        call_id: callId,
        sequence: 1,
        state: 'delivered',
        attempts: 2,
      });
      expect([detail.body, detail.raw_body]).toEqual([first?.body, first?.raw]);
      expect(detail.log).toMatchObject([
        {
          number: 1,
          url: room.receiver.url,
          status_code: 500,
          response_headers: { 'x-because': 'maintenance' },
          error: explainStatus(500),
          error_cause: { code: 'answered_500', params: { status: 500 } },
        },
        { number: 2, status_code: 204, response_body: '', error: null, error_cause: null },
      ]);
      expect(detail.log[1]?.request_headers['X-Service-Signature']).toBe(second?.headers['x-service-signature']);
      expect(JSON.stringify(detail)).not.toContain(room.secret);
    });

    it("sees in the integration's status how the last delivery went", async () => {
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

    it("is told when a delivery is another company's, or nobody's", async () => {
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
      await room.save({ webhook_enabled: true });
      await room.post(`${log}/${id}/redeliver`);
      await room.arrived(callId, 2);
      const failed = await room.settled(id, 1);
      expect(failed.state).toBe('pending');
      expect(Date.parse(failed.next_attempt_at ?? '') - clock.now()).toBeLessThanOrEqual(6_000);
    });

    it('everything that was given up since a time, and nothing else', async () => {
      const arrivedAlready = await room.call();
      await room.arrived(arrivedAlready);
      await room.save({ webhook_enabled: false });
      const before = await room.call();
      await clock.leap(60_000);
      const since = new Date(clock.now()).toISOString();
      const after = [await room.call(), await room.call()];
      expect((await room.post(`${log}/recover`, { since })).body).toEqual({ redelivering: 2 });
      for (const callId of after) await room.arrived(callId);
      expect((await room.list({ state: 'dead' })).deliveries.map(({ call_id }) => call_id)).toEqual([before]);
      expect(room.received(before)).toHaveLength(0);
      expect(room.received(arrivedAlready)).toHaveLength(1);
      expect((await room.post(`${log}/recover`, { since })).body).toEqual({ redelivering: 0 });
      expect((await room.post(`${log}/recover`, { since: 'yesterday' })).body.code).toBe('invalid_request');
    });
  });
});
