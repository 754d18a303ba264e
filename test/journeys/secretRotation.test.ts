import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { IntegrationOverview } from '../../src/contract/integrations.ts';
import { webhookEvents } from '../../src/contract/vocabulary.ts';
import type { ManualClock } from '../support/time/manualClock.ts';
import { type ReceivedWebhook, startWebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { deliveryIdOf, useWebhookRooms, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const dayMs = 24 * 3_600_000;

/** Whether a receiver that has this secret takes the webhook, by each of the ways there are. */
async function verifies(secret: string, webhook: ReceivedWebhook | undefined) {
  if (webhook === undefined) throw new Error('there is no webhook');
  const { headers, raw } = webhook;
  const signed = async (name: string) => {
    const signature = headers[name];
    return typeof signature === 'string' ? await verify(secret, raw, signature) : 'absent';
  };
  return {
    current: await signed('x-service-signature'),
    previous: await signed('x-service-signature-previous'),
    standard: verifiesStandard(secret, webhook),
  };
}

/** The library compares with the machine's time; the gateway's runs ahead of it. */
function verifiesStandard(secret: string, { headers, raw }: ReceivedWebhook): boolean {
  vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
  try {
    new Webhook(secret).verify(raw, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  } finally {
    vi.useRealTimers();
  }
}

const byCurrent = { current: true, previous: 'absent', standard: true };
const byCurrentOfTwo = { current: true, previous: false, standard: true };
const byPrevious = { current: false, previous: true, standard: true };
const byNone = { current: false, previous: 'absent', standard: false };
const byNoneOfTwo = { current: false, previous: false, standard: false };

describe('a webhook secret', () => {
  let clock: ManualClock;
  let room: WebhookRoom;
  const rooms = useWebhookRooms('secrets');
  const openRoom = () => rooms.open();
  beforeEach(() => void ({ clock, room } = rooms));

  const rotate = async (of = room) => (await of.save({ webhook_secret: 'rotate' })).webhook_secret;
  const overview = async (of = room): Promise<IntegrationOverview> => (await of.get('/api/integrations')).body;
  const overlapOf = ({ integration, status }: IntegrationOverview) => ({
    until: integration.webhook_secret_previous_until,
    notices: status.notices.filter(({ code }) => code === 'webhook_secret_overlap').map(({ since }) => since),
  });
  /** A webhook that is sent at this moment. */
  const sent = async (of = room) => {
    const before = of.receiver.received.length;
    expect((await of.post('/api/integrations/test-webhook')).body).toMatchObject({ outcome: 'success' });
    return of.receiver.received[before];
  };

  it('signs along for 24 hours after it was replaced, and no longer', async () => {
    const old = room.secret;
    const callId = await room.call();
    const [first] = await room.arrived(callId);
    expect(await verifies(old, first)).toEqual(byCurrent);
    expect(overlapOf(await overview())).toEqual({ until: null, notices: [] });

    const rotatedAt = clock.now();
    const secret = await rotate();
    const during = { until: new Date(rotatedAt + dayMs).toISOString(), notices: [new Date(rotatedAt).toISOString()] };
    expect(overlapOf(await overview())).toEqual(during);
    for (const webhook of [await sent(), (await room.arrived(await room.call()))[0]]) {
      expect(await verifies(secret, webhook)).toEqual(byCurrentOfTwo);
      expect(await verifies(old, webhook)).toEqual(byPrevious);
    }

    await clock.leap(dayMs - 1);
    expect(overlapOf(await overview())).toEqual(during);
    expect(await verifies(old, await sent())).toEqual(byPrevious);

    await clock.leap(1);
    expect(overlapOf(await overview())).toEqual({ until: null, notices: [] });
    const after = await sent();
    expect(await verifies(secret, after)).toEqual(byCurrent);
    expect(await verifies(old, after)).toEqual(byNone);
  });

  it('that was replaced can verify every event, as can the new one', async () => {
    await room.save({ webhook_events: [...webhookEvents] });
    const secret = await rotate();
    const callId = await room.click();
    await room.answer(callId, { end_reason: 'transferred' });
    await room.post(`/api/calls/${callId}/disposition`, { code: 'resolved' });
    await room.arrived(callId, 6);
    await room.post('/api/crm/contacts', { name: 'Grace' });
    const { body: pipeline } = await room.post('/api/crm/pipelines', { name: 'Sales', stages: [{ name: 'New' }] });
    await room.post('/api/crm/deals', { name: '50 licences', stage_id: pipeline.stages[0].id });
    await room.post('/api/crm/tasks', { title: 'Offer', due_at: new Date(clock.now()).toISOString() });
    const { body: view } = await room.post('/api/reports/views', {
      name: 'Yesterday',
      shared: true,
      filter: { range: 'yesterday' },
    });
    await room.put(`/api/reports/views/${view.id}/schedule`, { every: 'day', time: '07:00', time_zone: 'UTC' });
    await room.post(`/api/reports/views/${view.id}/runs`);
    await room.receiver.waitFor(({ body }) => body.data['call_id'] === undefined, 4);
    await sent();
    const { received } = room.receiver;
    expect(received.map(({ body }) => body.event).sort()).toEqual([...webhookEvents].sort());
    for (const webhook of received) {
      expect([await verifies(secret, webhook), await verifies(room.secret, webhook)]).toEqual([
        byCurrentOfTwo,
        byPrevious,
      ]);
    }
  });

  it('signs a retry as it is at that time, not as it was at the event', async () => {
    room.receiver.answerWith(() => 500);
    const callId = await room.call();
    const id = deliveryIdOf((await room.arrived(callId))[0]);
    await room.settled(id, 1);
    room.receiver.answerWith(() => 204);
    const secret = await rotate();
    await room.post(`/api/integrations/webhook-deliveries/${id}/redeliver`);
    const [, again] = await room.arrived(callId, 2);
    expect([await verifies(secret, again), await verifies(room.secret, again)]).toEqual([byCurrentOfTwo, byPrevious]);
  });

  it('that was replaced is dropped by the next rotation, which keeps the one in between', async () => {
    const second = await rotate();
    await clock.leap(3_600_000);
    const third = await rotate();
    expect(overlapOf(await overview()).until).toBe(new Date(clock.now() + dayMs).toISOString());
    const webhook = await sent();
    expect(await Promise.all([third, second, room.secret].map((secret) => verifies(secret, webhook)))).toEqual([
      byCurrentOfTwo,
      byPrevious,
      byNoneOfTwo,
    ]);
  });

  it('goes with the one before it when it is cleared; one that is made then is alone', async () => {
    await rotate();
    await room.save({ webhook_secret: null });
    expect((await overview()).integration).toMatchObject({
      webhook_secret_set: false,
      webhook_secret_previous_until: null,
    });
    expect((await overview()).status.notices.map(({ code }) => code)).toEqual(['webhook_unsigned']);
    const unsigned = await sent();
    expect(Object.keys(unsigned?.headers ?? {}).filter((name) => name.includes('signature'))).toEqual([]);
    const secret = await rotate();
    expect(overlapOf(await overview())).toEqual({ until: null, notices: [] });
    const webhook = await sent();
    expect([await verifies(secret, webhook), await verifies(room.secret, webhook)]).toEqual([byCurrent, byNone]);
  });

  it('moves with the webhook to another URL, the one before it too, and goes when the URL is cleared', async () => {
    const secret = await rotate();
    const moved = await startWebhookReceiver();
    expect(await room.save({ webhook_url: moved.url })).not.toHaveProperty('webhook_secret');
    await room.post('/api/integrations/test-webhook');
    const [webhook] = moved.received;
    expect([await verifies(secret, webhook), await verifies(room.secret, webhook)]).toEqual([
      byCurrentOfTwo,
      byPrevious,
    ]);
    await moved.close();

    await room.save({ webhook_url: null });
    const cleared = await room.get('/api/integrations');
    expect(cleared.body.integration).toMatchObject({ webhook_secret_set: false, webhook_secret_previous_until: null });
    expect(cleared.body.status).toMatchObject({ webhook: null, notices: [] });
    const first = (await room.save({ webhook_url: room.receiver.url })).webhook_secret;
    const anew = await sent();
    expect([await verifies(first, anew), await verifies(secret, anew)]).toEqual([byCurrent, byNone]);
  });

  it('is replaced and moved by one request', async () => {
    const { webhook_secret: secret } = await room.save({
      webhook_url: `${room.receiver.url}/2`,
      webhook_secret: 'rotate',
    });
    const webhook = await sent();
    expect([await verifies(secret, webhook), await verifies(room.secret, webhook)]).toEqual([
      byCurrentOfTwo,
      byPrevious,
    ]);
  });

  it('is replaced twice by two admins at once: both secrets that were shown verify', async () => {
    const shown = await Promise.all([rotate(), rotate()]);
    const webhook = await sent();
    const answers = await Promise.all(shown.map((secret) => verifies(secret, webhook)));
    expect(answers.toSorted((a, b) => Number(b.current) - Number(a.current))).toEqual([byCurrentOfTwo, byPrevious]);
    expect(await verifies(room.secret, webhook)).toEqual(byNoneOfTwo);
  });

  it('of another company is untouched', async () => {
    const other = await openRoom();
    await rotate();
    expect(overlapOf(await overview(other))).toEqual({ until: null, notices: [] });
    expect(await verifies(other.secret, await sent(other))).toEqual(byCurrent);
  });

  it('is never read back, neither the one nor the other', async () => {
    const secret = await rotate();
    const id = deliveryIdOf(await sent());
    const answers = [await room.get('/api/integrations'), await room.get(`/api/integrations/webhook-deliveries/${id}`)];
    for (const text of answers.map((answer) => answer.text)) {
      expect([secret, room.secret].filter((one) => text.includes(one.slice('whsec_'.length)))).toEqual([]);
    }
  });
});
