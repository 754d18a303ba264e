import { beforeEach, describe, expect, it } from 'vitest';
import type { IntegrationOverview } from '../../src/contract/integrations.ts';
import { gate } from '../support/time/gate.ts';
import type { ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { later, useWebhookRooms, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

describe('the breaker of a webhook endpoint', () => {
  let clock: ManualClock;
  let room: WebhookRoom;
  const rooms = useWebhookRooms('breaker');
  beforeEach(() => void ({ clock, room } = rooms));

  const status = async () => (await room.get('/api/integrations')).body.status as IntegrationOverview['status'];
  const condition = async () => (await status()).webhook?.condition;
  const sent = () => room.receiver.received.length;
  /** Moves time to the end of the pause, and waits for the one probe. */
  const probe = async () => {
    const until = Date.parse((await status()).webhook?.paused_until ?? '');
    const before = sent();
    await clock.leap(until - clock.now() - 1);
    await later(clock, 1 * seconds, () => sent() === before + 1);
    return until;
  };
  const calls = async (count: number) => {
    for (let made = 0; made < count; made++) await room.call();
  };
  /** Resolves when the dispatcher has looked for due deliveries at this very time: it has served another company. */
  const dispatched = async () => {
    const other = await rooms.open();
    await other.arrived(await other.call());
  };
  const attemptsByDelivery = async () => (await room.list({ limit: 100 })).deliveries.map(({ attempts }) => attempts);
  const attemptsMade = async () => (await attemptsByDelivery()).reduce((sum, one) => sum + one, 0);

  it('opens after ten failures in a row, and what waits uses up no attempts meanwhile', async () => {
    room.receiver.answerWith(() => 500);
    await calls(30);
    await eventually(async () => (await condition()) === 'paused');
    await eventually(async () => (await attemptsMade()) === sent());
    // The tenth failure, and what was under way beside it.
    const made = sent();
    expect(made).toBeGreaterThanOrEqual(10);
    expect(made).toBeLessThanOrEqual(13);
    await clock.leap(20 * seconds);
    await calls(1);
    const attempts = await attemptsByDelivery();
    expect(await attemptsMade()).toBe(made);
    expect(attempts.filter((one) => one === 0)).toHaveLength(31 - made);
    expect(sent()).toBe(made);
  });

  it('lets one attempt probe after 30 s, then after twice as long, up to 15 minutes', async () => {
    room.receiver.answerWith(() => 500);
    await calls(15);
    await eventually(async () => (await condition()) === 'paused');
    const pauses: number[] = [];
    for (let probes = 0; probes < 7; probes++) {
      await probe();
      const probedAt = clock.now();
      await eventually(async () => (await condition()) === 'paused');
      pauses.push(Math.round((Date.parse((await status()).webhook?.paused_until ?? '') - probedAt) / seconds));
    }
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900]);
  });

  it('sends no more than one at a time while it probes, and everything once a probe succeeds, in order', async () => {
    room.receiver.answerWith(() => 500);
    await calls(14);
    const callId = await room.answeredClick();
    await eventually(async () => (await condition()) === 'paused');
    const answer = gate();
    answer.shut();
    room.receiver.answerWith(() => answer.pass(async () => 204));
    await probe();
    const probed = sent();
    await clock.leap(5 * seconds);
    await dispatched();
    expect(sent()).toBe(probed);
    answer.open();
    room.receiver.answerWith(() => 204);
    await eventually(async () => (await condition()) === 'healthy');
    await later(clock, 6 * minutes, () => room.received(callId).length >= 3);
    const { deliveries } = await room.list({ limit: 100 });
    await eventually(
      async () => (await room.list({ state: 'delivered', limit: 100 })).deliveries.length === deliveries.length,
    );
    expect(room.received(callId).map(({ body }) => body.data['sequence'])).toEqual([1, 2, 3]);
  });

  it('is closed by a test that succeeds, and not opened by tests that fail', async () => {
    room.receiver.answerWith(() => 500);
    const test = () => room.post('/api/integrations/test-webhook');
    for (let tests = 0; tests < 12; tests++) expect((await test()).body.outcome).toBe('fail');
    expect(await condition()).toBe('healthy');
    await calls(12);
    await eventually(async () => (await condition()) === 'paused');
    room.receiver.answerWith(() => 204);
    expect((await test()).body.outcome).toBe('success');
    expect(await condition()).toBe('healthy');
  });

  it('ends in a disabled endpoint after 120 hours without success, with a notice, and recovering sends all of it', async () => {
    room.receiver.answerWith(() => 500);
    await calls(12);
    await eventually(async () => (await condition()) === 'paused');
    const since = new Date(clock.now() - 1 * hours).toISOString();
    await clock.leap(119 * hours);
    await eventually(async () => (await status()).webhook?.condition === 'paused');
    const before = sent();
    await later(clock, 2 * hours, () => sent() > before);
    await eventually(async () => (await condition()) === 'disabled');
    const { webhook, notices } = await status();
    expect(webhook?.disabled_reason).toBe('failing');
    expect(notices.map(({ code }) => code)).toContain('webhook_disabled');
    await eventually(async () => (await room.list({ state: 'dead', limit: 100 })).deliveries.length === 12);
    const silent = sent();
    await clock.leap(2 * hours);
    await dispatched();
    expect(sent()).toBe(silent);

    room.receiver.answerWith(() => 204);
    expect((await room.post('/api/integrations/webhook-deliveries/recover', { since })).body).toEqual({
      redelivering: 12,
    });
    await eventually(async () => (await room.list({ state: 'delivered', limit: 100 })).deliveries.length === 12);
    expect(await condition()).toBe('healthy');
  });

  it('leaves other endpoints alone', async () => {
    room.receiver.answerWith(() => 500);
    await calls(12);
    await eventually(async () => (await condition()) === 'paused');
    await dispatched();
  });
});
