import { beforeEach, describe, expect, it } from 'vitest';
import type { IntegrationOverview } from '../../src/contract/integrations.ts';
import type { Gateway } from '../support/gateway/gateway.ts';
import { gate } from '../support/time/gate.ts';
import type { ManualClock } from '../support/time/manualClock.ts';
import { eventually } from '../support/time/waiting.ts';
import { deliveryIdOf, useWebhookRooms, type WebhookRoom } from '../support/webhooks/webhookRoom.ts';

const log = '/api/integrations/webhook-deliveries';
const hourMs = 3_600_000;

describe('a webhook endpoint', () => {
  let clock: ManualClock;
  let gateway: Gateway;
  let room: WebhookRoom;
  const rooms = useWebhookRooms('endpoint');
  const openRoom = () => rooms.open();
  beforeEach(() => void ({ clock, gateway, room } = rooms));

  const overview = async (of = room): Promise<IntegrationOverview> => (await of.get('/api/integrations')).body;
  const noticed = async (of = room) => (await overview(of)).status.notices.map(({ code }) => code);
  const isoNow = (ms = 0) => new Date(clock.now() + ms).toISOString();
  const put = async (settings: object) =>
    gateway.api
      .put('/api/integrations')
      .set(await room.asAdmin())
      .send(settings);
  /** Resolves when the endpoint's health shows what is expected; attempts are settled a moment after their answer. */
  const becomes = (condition: string) =>
    eventually(async () => (await overview()).status.webhook?.condition === condition);

  describe('that an admin disables', () => {
    it('gets nothing; its events are in the log as dead, with the words, until they are recovered, in order', async () => {
      await room.save({ webhook_enabled: false });
      const since = isoNow();
      const { integration, status } = await overview();
      expect(integration).toMatchObject({ webhook_url: room.receiver.url, webhook_enabled: false });
      expect(status.webhook).toMatchObject({ condition: 'disabled', disabled_at: since, disabled_reason: 'admin' });
      expect(status.notices).toEqual([
        {
          code: 'webhook_disabled',
          detail: expect.stringMatching(/^An admin disabled the endpoint\..*webhook_enabled to true.*recover/),
          params: { reason: 'admin', recover_since: expect.stringMatching(/Z$/) },
          since,
        },
      ]);

      const calls = [await room.answeredClick(), await room.answeredClick()];
      const { deliveries } = await room.list();
      expect(deliveries).toHaveLength(6);
      for (const delivery of deliveries) {
        expect(delivery).toMatchObject({
          state: 'dead',
          attempts: 0,
          last_error: 'Not sent: the endpoint is disabled.',
        });
      }

      expect((await room.post(`${log}/recover`, { since })).body).toEqual({ redelivering: 6 });
      for (const callId of calls) {
        const sequences = (await room.arrived(callId, 3)).map(({ body }) => body.data['sequence']);
        expect(sequences).toEqual([1, 2, 3]);
      }
      expect(room.receiver.received).toHaveLength(6);
      expect((await overview()).status).toMatchObject({
        webhook: { condition: 'healthy', disabled_at: null },
        notices: [],
      });
      expect((await overview()).integration.webhook_enabled).toBe(true);
    });

    it('gives up what waits for its next attempt, and says why', async () => {
      room.receiver.answerWith(() => 500);
      const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
      await room.settled(id, 1);
      await room.save({ webhook_enabled: false });
      expect(await room.detail(id)).toMatchObject({
        state: 'dead',
        attempts: 1,
        last_error: 'Not sent: an admin had disabled the endpoint.',
        log: [{ number: 1, status_code: 500 }],
      });
    });

    it('gets what happens from then on, once it is enabled, and nothing of before', async () => {
      await room.save({ webhook_enabled: false });
      const before = await room.call();
      await room.save({ webhook_enabled: true });
      const after = await room.call();
      await room.arrived(after);
      expect(room.received(before)).toEqual([]);
      expect((await room.list({ state: 'dead' })).deliveries.map(({ call_id }) => call_id)).toEqual([before]);
    });

    it('keeps since when and why, if it was disabled already', async () => {
      room.receiver.answerWith(() => 410);
      await room.arrived(await room.call());
      await becomes('disabled');
      const before = (await overview()).status.webhook;
      await clock.leap(60_000);
      await room.save({ webhook_enabled: false });
      expect((await overview()).status.webhook).toEqual(before);
    });

    it('may be disabled as its URL is set, and takes nothing then', async () => {
      await room.save({ webhook_url: `${room.receiver.url}/2`, webhook_enabled: false });
      await room.call();
      expect((await overview()).status.webhook).toMatchObject({ condition: 'disabled', disabled_reason: 'admin' });
      expect((await room.list()).deliveries).toMatchObject([{ state: 'dead' }]);
    });
  });

  describe('that answers 410', () => {
    it.each([
      ['the same URL is set again', () => ({ webhook_url: room.receiver.url })],
      ['a new URL is set', () => ({ webhook_url: `${room.receiver.url}/new` })],
      ['an admin enables it', () => ({ webhook_enabled: true })],
    ])('is disabled at once, until %s', async (_, settings) => {
      room.receiver.answerWith(() => 410);
      await room.arrived(await room.call());
      await becomes('disabled');
      const { status } = await overview();
      const since = status.webhook?.disabled_at ?? '';
      expect(status.webhook).toMatchObject({ disabled_reason: 'gone', consecutive_failures: 0 });
      expect(status.notices).toMatchObject([
        { code: 'webhook_disabled', since, detail: expect.stringContaining('answered 410 (Gone)') },
      ]);
      // What was given up is a little older than the trouble.
      const recoverSince = new Date(Date.parse(since) - hourMs).toISOString();
      expect(status.notices[0]?.detail).toContain(`since ${recoverSince}`);

      room.receiver.answerWith(() => 204);
      await room.save(settings());
      expect((await overview()).status).toMatchObject({ webhook: { condition: 'healthy' }, notices: [] });
      await room.arrived(await room.call());
      // The endpoint is disabled first, and what it answered written down after that.
      await eventually(async () => expect((await room.list({ state: 'dead' })).deliveries).toHaveLength(1));
    });
  });

  it('that fails asks for attention: first as failing, then as paused, and is well when an admin says so', async () => {
    room.receiver.answerWith(() => 500);
    const failed = async (times: number) => {
      await room.call();
      await eventually(async () => (await overview()).status.webhook?.consecutive_failures === times);
      return (await overview()).status;
    };
    const { webhook: first } = await failed(1);
    const since = first?.failing_since ?? '';
    expect(first).toMatchObject({ condition: 'failing', paused_until: null });
    expect(await failed(2)).toMatchObject({ webhook: { condition: 'failing', failing_since: since }, notices: [] });
    expect((await failed(3)).notices).toEqual([
      {
        code: 'webhook_failing',
        detail: expect.stringContaining('The last 3 attempts'),
        params: { failures: 3 },
        since,
      },
    ]);
    for (let times = 4; times < 10; times += 1) await failed(times);
    const { webhook, notices } = await failed(10);
    expect(webhook).toMatchObject({ condition: 'paused', failing_since: since });
    const until = webhook?.paused_until ?? '';
    expect(Date.parse(until) - clock.now()).toBeGreaterThanOrEqual(30_000);
    const detail = expect.stringContaining(`Nothing is sent until ${until}`);
    expect(notices).toEqual([{ code: 'webhook_paused', detail, params: { failures: 10, until }, since }]);

    room.receiver.answerWith(() => 204);
    await room.save({ webhook_enabled: true });
    expect((await overview()).status).toMatchObject({
      webhook: { condition: 'healthy', consecutive_failures: 0, failing_since: null, paused_until: null },
      notices: [],
    });
    await room.arrived(await room.call());
  });

  describe('refuses', () => {
    it('a redelivery while it is disabled, and says how to enable it', async () => {
      await room.save({ webhook_enabled: false });
      await room.call();
      const [delivery] = (await room.list()).deliveries;
      const refused = await room.post(`${log}/${delivery?.id}/redeliver`);
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
      expect(refused.body.detail).toContain('set webhook_enabled to true');
      expect((await room.list()).deliveries).toMatchObject([{ state: 'dead', attempts: 0 }]);
    });

    it('a redelivery of what is being sent at that moment', async () => {
      const held = gate();
      held.shut();
      room.receiver.answerWith(() => held.pass(async () => 204));
      const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
      const refused = await room.post(`${log}/${id}/redeliver`);
      expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
      expect(refused.body.detail).toContain('is being sent at this moment');
      held.open();
      expect((await room.settled(id, 1)).state).toBe('delivered');
    });

    it('everything that is about it while no URL is set, and keeps what else the request held unsaved', async () => {
      const id = deliveryIdOf((await room.arrived(await room.call()))[0]);
      await room.settled(id, 1);
      await room.save({ webhook_url: null });
      const before = (await overview()).integration;
      expect(before).toMatchObject({ webhook_enabled: null, webhook_max_in_flight: null });
      for (const settings of [
        { webhook_enabled: true },
        { webhook_enabled: false },
        { webhook_max_in_flight: 8 },
        { webhook_secret: 'rotate' },
        { webhook_url: null, webhook_enabled: true },
      ]) {
        const refused = await put({ ...settings, crm_provider: 'zoho', rotate_api_key: true });
        expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
        expect(refused.body.detail).toContain('webhook_url');
      }
      for (const path of [`${log}/${id}/redeliver`, `${log}/recover`]) {
        const refused = await room.post(path, path.endsWith('recover') ? { since: isoNow(-hourMs) } : {});
        expect([refused.status, refused.body.code]).toEqual([409, 'conflict']);
        expect(refused.body.detail).toContain('set webhook_url first');
      }
      expect((await overview()).integration).toEqual(before);
    });

    it('to be changed by who is no admin, though its notices are for all', async () => {
      await room.save({ webhook_enabled: false });
      const [agent] = room.company.agents;
      const refused = await gateway.as(agent!).put('/api/integrations').send({ webhook_enabled: true });
      expect(refused.body.code).toBe('role_required');
      const read = await gateway.as(agent!).get('/api/integrations').expect(200);
      expect(read.body.status.notices).toMatchObject([{ code: 'webhook_disabled' }]);
      expect(read.text).not.toContain('/hook');
    });
  });

  it('keeps its limit through a change of URL, until it is put back', async () => {
    const limitOf = async () => (await overview()).integration.webhook_max_in_flight;
    expect(await limitOf()).toBe(4);
    await room.save({ webhook_max_in_flight: 32 });
    await room.save({ webhook_url: `${room.receiver.url}/2` });
    expect(await limitOf()).toBe(32);
    await room.save({ webhook_max_in_flight: null });
    expect(await limitOf()).toBe(4);
    await room.save({ webhook_url: null });
    await room.save({ webhook_url: room.receiver.url, webhook_max_in_flight: 1 });
    expect(await limitOf()).toBe(1);
  });

  it('of another company is neither disabled, nor enabled, nor recovered with it', async () => {
    const other = await openRoom();
    await other.save({ webhook_enabled: false });
    const theirs = await other.call();
    expect(await noticed()).toEqual([]);
    await room.save({ webhook_enabled: false });
    const ours = await room.call();
    expect((await room.post(`${log}/recover`, { since: isoNow(-hourMs) })).body).toEqual({ redelivering: 1 });
    await room.arrived(ours);
    expect(await noticed(other)).toEqual(['webhook_disabled']);
    expect((await other.list()).deliveries).toMatchObject([{ call_id: theirs, state: 'dead' }]);
    expect(other.receiver.received).toEqual([]);
  });
});
