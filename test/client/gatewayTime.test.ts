import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Softphone } from '../../src/client/softphone.ts';
import type { OfferAck } from '../../src/contract/socket.ts';
import { clickOf, FakeGateway } from '../support/gateway/fakeGateway.ts';

const callId = '7d9f0a4e-5a37-4a86-9a4c-0d8b5b3f6a10';
const hourMs = 3_600_000;

describe('a softphone judges whether an offer came too late', () => {
  let gateway: FakeGateway;
  let softphone: Softphone;

  beforeEach(async () => {
    gateway = await FakeGateway.start();
    softphone = new Softphone({ url: gateway.url, token: 'first' });
  });
  afterEach(async () => {
    vi.useRealTimers();
    softphone.close();
    await gateway.close();
  });

  /** What the softphone answers to a click whose offer lasts so much longer by the gateway's clock. */
  const offered = async (lastsMs: number): Promise<OfferAck[]> => {
    const { pop, dial } = clickOf(callId);
    const expires_at = new Date(Date.now() + gateway.aheadMs + lastsMs).toISOString();
    const acks = [
      new Promise<OfferAck>((resolve) => void gateway.last.emit('crm_screen_pop', { ...pop, expires_at }, resolve)),
      new Promise<OfferAck>((resolve) => void gateway.last.emit('click_to_dial', { ...dial, expires_at }, resolve)),
    ];
    return Promise.all(acks);
  };
  // Far from the time itself: how long a message is on its way shows in what a softphone measures.
  const accepted = [{ ok: true }, { ok: true }];
  const tooLate = [
    { ok: false, error: { code: 'expired' } },
    { ok: false, error: { code: 'expired' } },
  ];

  it.each([-hourMs, hourMs])("by the gateway's clock, from which its machine's is %d ms away", async (aheadMs) => {
    gateway.aheadMs = aheadMs;
    await softphone.connect();
    expect(await offered(30_000)).toEqual(accepted);
    expect(await offered(-3_000)).toEqual(tooLate);
  });

  it.each([-hourMs, hourMs])("after somebody set its machine's clock by %d ms", async (jumpMs) => {
    await softphone.connect();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jumpMs });
    gateway.aheadMs = -jumpMs;
    expect(await offered(30_000)).toEqual(accepted);
    expect(await offered(-3_000)).toEqual(tooLate);
    expect(Math.abs(softphone.now() - (Date.now() - jumpMs))).toBeLessThan(1_000);
  });

  it('after its machine slept so shortly that the connection lived on', async () => {
    await softphone.connect();
    // The steady clock of most browsers stands still meanwhile.
    const asleepMs = 6_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + asleepMs });
    expect(await offered(-3_000)).toEqual(tooLate);
    expect(await offered(30_000)).toEqual(accepted);
    expect(softphone.pop?.call_id).toBe(callId);
  });

  it('at once, where the gateway is one of before that does not tell its time', async () => {
    await softphone.connect();
    gateway.last.removeAllListeners('read_time');
    gateway.last.onAny((event: string, _payload: unknown, acknowledge: (ack: object) => void) => {
      if (event === 'read_time')
        acknowledge({ ok: false, error: { code: 'not_found', detail: 'There is no such event.' } });
    });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - hourMs });
    gateway.aheadMs = hourMs;
    expect(await offered(30_000)).toEqual(accepted);
  });

  it('shows nothing of one that was taken back while it asked for the time', async () => {
    await softphone.connect();
    gateway.last.removeAllListeners('read_time');
    const asked = new Promise<() => void>((resolve) =>
      gateway.last.on('read_time', (_nothing, acknowledge) =>
        resolve(() => acknowledge({ ok: true, server_time: new Date().toISOString() })),
      ),
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    const answers = offered(30_000);
    const closed = new Promise<void>((resolve) => softphone.once('popClosed', () => resolve()));
    const tellTime = await asked;
    gateway.last.emit('offer_rescinded', { call_id: callId, claim_id: callId, reason: 'canceled' });
    await closed;
    tellTime();
    expect(await answers).toEqual(tooLate);
    expect(softphone.pop).toBeNull();
  });
});
