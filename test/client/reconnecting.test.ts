import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Softphone } from '../../src/client/softphone.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { agentView, clickOf, FakeGateway, session } from '../support/gateway/fakeGateway.ts';
import { eventually } from '../support/time/waiting.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

describe('softphones whose gateway has crashed', () => {
  const softphones: Softphone[] = [];
  let gateway: FakeGateway;
  beforeEach(async () => {
    gateway = await FakeGateway.start();
  });
  afterEach(async () => {
    for (const softphone of softphones.splice(0)) softphone.close();
    await gateway.close();
  });

  it('come back one after the other, with the session they had', async () => {
    const count = 60;
    for (let n = 0; n < count; n++) softphones.push(new Softphone({ url: gateway.url, token: 't' }));
    await Promise.all(softphones.map((softphone) => softphone.connect()));
    const back = softphones.map(async (softphone) => {
      await nextEvent(softphone, 'line', (state) => state === 'connected');
      return performance.now();
    });
    for (const line of gateway.lines.slice()) line.conn.close();
    const times = (await Promise.all(back)).sort((one, other) => one - other);
    expect(gateway.auths.slice(count)).toEqual(Array.from({ length: count }, () => ({ token: 't', session })));
    // In no quarter of the time between the first and the last did most of them come.
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const quarters = [0, 0, 0, 0];
    for (const time of times) quarters[Math.min(3, Math.floor(((time - first) / (last - first)) * 4))]! += 1;
    expect(Math.max(...quarters)).toBeLessThan(count / 2);
  });

  it('learn what went by from the snapshot, though a change of state comes before it', async () => {
    const callId = '01a1fd9a-df84-76de-b312-4c71c7114e01';
    gateway.agent = { state: 'on_call', call_id: callId, version: 5 };
    const softphone = new Softphone({ url: gateway.url, token: 't' });
    softphones.push(softphone);
    await softphone.connect();
    const popped = nextEvent(softphone, 'pop');
    gateway.last.emit('crm_screen_pop', clickOf(callId).pop, () => {});
    await popped;

    gateway.answers = false;
    gateway.agent = { state: 'ready', call_id: null, version: 8 };
    const closed = nextEvent(softphone, 'popClosed');
    const before = gateway.lines.length;
    gateway.last.conn.close();
    await eventually(async () => gateway.lines.length > before);
    gateway.last.emit('agent_state_changed', agentView(gateway.agent));
    gateway.sendSnapshot(gateway.last);
    expect((await closed)[0]).toBe(callId);
    expect(softphone.pop).toBeNull();
  });
});

describe('a softphone whose machine has slept', () => {
  it('knows within seconds that its connection is gone, though nothing has closed', async () => {
    const gateway = await FakeGateway.start();
    const line = await openBreakableLine(gateway.url);
    const softphone = new Softphone({ url: line.url, token: 't' });
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      await softphone.connect();
      line.hold();
      vi.advanceTimersByTime(2_000);
      expect(softphone.line).toBe('connected');
      vi.setSystemTime(Date.now() + 600_000);
      vi.advanceTimersByTime(2_000);
      expect(softphone.line).toBe('reconnecting');
    } finally {
      vi.useRealTimers();
      softphone.close();
      await line.close();
      await gateway.close();
    }
  });
});

describe('a softphone whose token is renewed while the line is down', () => {
  const expired = { code: 'token_expired', detail: 'The token has expired.' } as const;
  let gateway: FakeGateway;
  let softphone: Softphone;
  const lines: string[] = [];
  beforeEach(async () => {
    gateway = await FakeGateway.start();
    softphone = new Softphone({ url: gateway.url, token: 'old' });
    await softphone.connect();
    lines.length = 0;
    softphone.on('line', (state) => lines.push(state));
  });
  afterEach(async () => {
    softphone.close();
    await gateway.close();
  });
  const tokens = () => gateway.auths.map((auth) => (auth as { token: string }).token);

  it('comes back with the fresh one', async () => {
    gateway.last.conn.close();
    await nextEvent(softphone, 'line', (state) => state === 'reconnecting');
    expect(await softphone.renewToken('new')).toBeNull();
    await nextEvent(softphone, 'line', (state) => state === 'connected');
    expect([tokens(), lines]).toEqual([
      ['old', 'new'],
      ['reconnecting', 'connected'],
    ]);
  });

  it('comes back with the fresh one though the old one is being refused', async () => {
    let refuse = () => {};
    gateway.refusal = new Promise((resolve) => (refuse = () => resolve(expired)));
    gateway.last.conn.close();
    await eventually(() => gateway.knocks === 2);
    expect(await softphone.renewToken('new')).toBeNull();
    gateway.refusal = null;
    refuse();
    await nextEvent(softphone, 'line', (state) => state === 'connected');
    expect([tokens(), lines]).toEqual([
      ['old', 'new'],
      ['reconnecting', 'connected'],
    ]);
  });

  it('keeps the fresh one when the line breaks before it is acknowledged', async () => {
    const asked = new Promise<void>((resolve) => gateway.last.on('renew_token', () => resolve()));
    const renewed = softphone.renewToken('new');
    await asked;
    gateway.last.conn.close();
    expect(await renewed).toBeNull();
    await nextEvent(softphone, 'line', (state) => state === 'connected');
    expect(tokens()).toEqual(['old', 'new']);
  });

  it('takes the softphone back with the fresh one', async () => {
    gateway.last.emit('session_replaced');
    await nextEvent(softphone, 'line', (state) => state === 'replaced');
    const { last } = gateway;
    const gone = new Promise<void>((resolve) => last.once('disconnect', () => resolve()));
    last.conn.close();
    await gone;
    await eventually(async () => (await softphone.renewToken('new')) === null);
    await softphone.connect();
    expect(tokens()).toEqual(['old', 'new']);
  });
});
