import { createHmac } from 'node:crypto';
import { verify } from '@octokit/webhooks-methods';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway } from '../support/gateway/gateway.ts';
import { createManualClock, type ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { startWebhookReceiver, type ReceivedWebhook } from '../support/webhooks/webhookReceiver.ts';
import { deliveryIdOf, later, WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;
/** How often the dispatcher looks for what is due. */
const pollMs = 1 * seconds;
/** The schedule that integrators are told. */
const waits = [
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

describe('a webhook delivery', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms: WebhookRoom[] = [];
  let breaking = false;

  beforeAll(async () => {
    clock = createManualClock(Date.now());
    gateway = await startGateway('memory', {
      clock,
      config: { logLevel: 'silent' },
      wrap: (services) => ({
        ...services,
        calls: {
          ...services.calls,
          // Two events of one id cannot be stored, so the database rolls the whole change back.
          create: (call, events, answer) =>
            services.calls.create(call, breaking ? [...events, ...events] : events, answer),
        },
      }),
    });
  });
  const openRoom = async () => {
    const opened = await WebhookRoom.open(gateway, clock, `hooks-${rooms.length}`);
    rooms.push(opened);
    return opened;
  };
  beforeEach(async () => {
    room = await openRoom();
  });
  afterEach(() => void (breaking = false));
  afterAll(async () => {
    await gateway.close();
    await Promise.all(rooms.map((one) => one.close()));
  });

  /** Resolves when the dispatcher has looked for due deliveries at this very time. */
  const dispatched = async (other: WebhookRoom) => {
    const [delivery] = (await other.list({ limit: 1 })).deliveries;
    if (delivery === undefined) throw new Error('the other company has a delivery');
    const before = other.receiver.received.length;
    await other.post(`/api/integrations/webhook-deliveries/${delivery.id}/redeliver`);
    await other.receiver.waitFor(() => true, before + 1);
    await other.settled(delivery.id, 1);
  };

  it('is tried ten times on the schedule under one id, signed anew each time, and then is dead', async () => {
    const other = await openRoom();
    await other.arrived(await other.call());
    room.receiver.answerWith(() => 500);
    const callId = await room.call();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    for (const [made, wait] of waits.entries()) {
      const failed = await room.settled(id, made + 1);
      expect(failed).toMatchObject({ state: 'pending', last_status_code: 500, finished_at: null });
      const delay = Date.parse(failed.next_attempt_at ?? '') - clock.now();
      expect(delay).toBeGreaterThanOrEqual(wait * 0.8);
      expect(delay).toBeLessThanOrEqual(wait * 1.2);
      await clock.leap(delay - 1);
      await dispatched(other);
      expect(room.received(callId)).toHaveLength(made + 1);
      await later(clock, pollMs, () => room.received(callId).length === made + 2);
    }
    const dead = await room.settled(id, 10);
    expect(dead).toMatchObject({ state: 'dead', next_attempt_at: null, finished_at: expect.any(String) });
    await clock.leap(48 * hours);
    await dispatched(other);

    const sent = room.received(callId);
    expect(sent.map(({ headers }) => headers['x-service-attempt'])).toEqual(
      Array.from({ length: 10 }, (_, at) => String(at + 1)),
    );
    expect(new Set(sent.map(deliveryIdOf))).toEqual(new Set([id]));
    expect(new Set(sent.map(({ raw }) => raw)).size).toBe(1);
    expect(dead.log.map(({ number }) => number)).toEqual(Array.from({ length: 10 }, (_, at) => at + 1));
    for (const [at, webhook] of sent.entries()) {
      const startedAt = Date.parse(dead.log[at]?.started_at ?? '');
      expect(webhook.headers['webhook-timestamp']).toBe(String(Math.floor(startedAt / 1000)));
      await expectSigned(webhook, room.secret);
    }
    expect(new Set(sent.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
  });

  it('that is answered with a redirect has failed: the redirect is not followed', async () => {
    const elsewhere = await startWebhookReceiver();
    room.receiver.answerWith(() => ({ status: 307, headers: { location: elsewhere.url } }));
    const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
    expect(await room.settled(id, 1)).toMatchObject({ state: 'pending', last_status_code: 307 });
    expect(elsewhere.received).toEqual([]);
    await elsewhere.close();
  });

  it('that is answered with 410 is dead at once, and so is what comes after it: the endpoint is disabled', async () => {
    room.receiver.answerWith(() => 410);
    const callId = await room.answeredClick();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    expect(await room.settled(id, 1)).toMatchObject({ state: 'dead', last_status_code: 410, next_attempt_at: null });
    room.receiver.answerWith(() => 204);
    await eventually(async () => (await room.list({ state: 'pending' })).deliveries.length === 0);
    const later = await room.call();
    const given = (await room.list({ state: 'dead' })).deliveries;
    expect(given.map((one) => [one.call_id, one.sequence, one.attempts])).toEqual([
      [later, 1, 0],
      [callId, 3, 0],
      [callId, 2, 0],
      [callId, 1, 1],
    ]);
    expect(room.receiver.received).toHaveLength(1);
  });

  it.each([
    ['429 and 8 s, within once to twice the wait, is tried after 8 s', 429, '8', 8_000, 8_000],
    ['503 and 20 s, more than twice the wait, is tried after twice the wait', 503, '20', 10_000, 10_000],
    ['503 and 0 s is tried no sooner than the wait', 503, '0', 5_000, 6_000],
    ['500, which may not set the pace, is tried after the usual wait', 500, '8', 4_000, 6_000],
  ])('that is answered with %s', async (_, status, retryAfter, atLeast, atMost) => {
    room.receiver.answerWith(() => ({ status, headers: { 'retry-after': retryAfter } }));
    const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
    const { next_attempt_at } = await room.settled(id, 1);
    const delay = Date.parse(next_attempt_at ?? '') - clock.now();
    expect(delay).toBeGreaterThanOrEqual(atLeast);
    expect(delay).toBeLessThanOrEqual(atMost);
  });

  it('goes out after the earlier events of its call, however often those fail', async () => {
    let failures = 2;
    room.receiver.answerWith(() => (failures-- > 0 ? 500 : 204));
    const callId = await room.answeredClick();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    await room.settled(id, 1);
    await later(clock, 6 * seconds, () => room.received(callId).length === 2);
    await room.settled(id, 2);
    await later(clock, 6 * minutes, () => room.received(callId).length === 5);
    expect(
      room.received(callId).map(({ headers, body }) => [body.data['sequence'], headers['x-service-attempt']]),
    ).toEqual([
      [1, '1'],
      [1, '2'],
      [1, '3'],
      [2, '1'],
      [3, '1'],
    ]);
  });

  it("is not held up by another company's endpoint that hangs", async () => {
    const hanging = await openRoom();
    const answer = gate();
    answer.shut();
    hanging.receiver.answerWith(() => answer.pass(async () => 204));
    for (let calls = 0; calls < 12; calls++) await hanging.call();
    await hanging.receiver.waitFor(() => true, 4);
    for (let calls = 0; calls < 3; calls++) await room.arrived(await room.call());
    // No more than the endpoint may have in flight.
    expect(hanging.receiver.received).toHaveLength(4);
    answer.open();
    hanging.receiver.answerWith(() => 204);
    await hanging.receiver.waitFor(() => true, 12);
  });

  it('in flight when the URL changes is tried again at the new URL', async () => {
    const moved = await startWebhookReceiver();
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 500));
    const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
    await room.save({ webhook_url: moved.url });
    answer.open();
    await room.settled(id, 1);
    await later(clock, 6 * seconds, () => moved.received.length === 1);
    expect(moved.received[0]?.headers).toMatchObject({ 'x-service-delivery': id, 'x-service-attempt': '2' });
    expect((await room.settled(id, 2)).log.map(({ url }) => url)).toEqual([room.receiver.url, moved.url]);
    await moved.close();
  });

  it('in flight when the URL is cleared is given up, and may be sent again when there is a URL', async () => {
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 500));
    const callId = await room.answeredClick();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    await room.save({ webhook_url: null });
    answer.open();
    expect((await room.settled(id, 1)).log).toMatchObject([{ status_code: 500 }]);
    const given = (await room.list({ call_id: callId })).deliveries;
    expect(given.map(({ state, last_error }) => [state, last_error])).toEqual(
      Array.from({ length: 3 }, () => ['dead', 'Not sent: the webhook URL was cleared.']),
    );
    const refused = await room.post(`/api/integrations/webhook-deliveries/${id}/redeliver`);
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);

    room.receiver.answerWith(() => 204);
    const { webhook_secret } = await room.save({ webhook_url: room.receiver.url });
    await room.post(`/api/integrations/webhook-deliveries/${id}/redeliver`);
    const again = (await room.arrived(callId, 2))[1];
    expect(deliveryIdOf(again)).toBe(id);
    await expectSigned(again, webhook_secret);
  });

  it('is not written while there is no endpoint, and nothing of that time is sent later', async () => {
    await room.save({ webhook_url: null });
    const silent = await room.answeredClick();
    expect((await room.list()).deliveries).toEqual([]);
    await room.save({ webhook_url: room.receiver.url });
    await room.arrived(await room.call());
    expect(room.received(silent)).toEqual([]);
  });

  it('of a change that is rolled back is never sent', async () => {
    breaking = true;
    const refused = await gateway.click(room.company, { phone_number: '+15551230001' });
    expect([refused.status, refused.body.code]).toEqual([503, 'dependency_unavailable']);
    breaking = false;
    const callId = await room.call();
    await room.arrived(callId);
    expect(room.receiver.received.map(({ body }) => body.data['call_id'])).toEqual([callId]);
    expect((await room.list()).deliveries).toHaveLength(1);
    expect((await room.get('/api/calls')).body.calls).toHaveLength(1);
  });

  it('is signed with the newest secret, also when it was written under an older one', async () => {
    room.receiver.answerWith(() => 500);
    const callId = await room.call();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    await room.settled(id, 1);
    const { webhook_secret } = await room.save({ webhook_secret: 'rotate' });
    expect(webhook_secret).not.toBe(room.secret);
    await later(clock, 6 * seconds, () => room.received(callId).length === 2);
    const [before, after] = room.received(callId);
    await expectSigned(before, room.secret);
    await expectSigned(after, webhook_secret);
    expect(await verify(room.secret, after?.raw ?? '', String(after?.headers['x-service-signature']))).toBe(false);
  });

  it('is not signed once the secret is removed', async () => {
    await room.save({ webhook_secret: null });
    const [webhook] = await room.arrived(await room.call());
    const names = Object.keys(webhook?.headers ?? {});
    expect(names.filter((name) => name.includes('signature'))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['x-service-event', 'x-service-company', 'x-service-delivery']));
  });

  it('names the API key of its time by its prefix, and the key before works no more', async () => {
    const prefixOf = (webhook: ReceivedWebhook | undefined) => webhook?.headers['x-service-key-prefix'];
    const [before] = await room.arrived(await room.call());
    expect(prefixOf(before)).toBe(room.company.key.slice(0, 12));
    const { api_key } = await room.save({ rotate_api_key: true });
    const [after] = await room.arrived(await room.call());
    expect(prefixOf(after)).toBe(api_key.slice(0, 12));
    expect(prefixOf(after)).not.toBe(prefixOf(before));
    expect((await gateway.click(room.company, { phone_number: '+15551230001' })).body.code).toBe('invalid_api_key');
  });
});

/** Both signatures, recomputed; the library behind `verify` knows nothing of this code. */
async function expectSigned(webhook: ReceivedWebhook | undefined, secret: string): Promise<void> {
  if (webhook === undefined) throw new Error('no webhook');
  const { headers, raw } = webhook;
  expect(await verify(secret, raw, String(headers['x-service-signature']))).toBe(true);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${raw}`;
  expect(headers['webhook-id']).toBe(headers['x-service-delivery']);
  expect(String(headers['webhook-signature']).split(' ')[0]).toBe(
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
}
