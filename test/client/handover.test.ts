import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Softphone, type SoftphoneOptions } from '../../src/client/softphone.ts';
import type { OfferAck } from '../../src/contract/socket.ts';
import { agentView, clickOf, dialingCall, FakeGateway, session } from '../support/gateway/fakeGateway.ts';
import { openSwitchboard, type Switchboard } from '../support/gateway/switchboard.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

describe('a softphone whose gateway is about to close', () => {
  let here: FakeGateway;
  let there: FakeGateway;
  let balancer: Switchboard;
  let softphone: Softphone;
  let lines: string[];
  const told: { pops: string[]; dials: string[]; closed: string[] } = { pops: [], dials: [], closed: [] };

  beforeEach(async () => {
    [here, there] = await Promise.all([FakeGateway.start(), FakeGateway.start()]);
    balancer = await openSwitchboard(here.url);
    await connect();
  });
  afterEach(async () => {
    softphone.close();
    await balancer.close();
    await Promise.all([here.close(), there.close()]);
  });

  async function connect(options: Partial<SoftphoneOptions> = {}): Promise<void> {
    softphone?.close();
    softphone = new Softphone({ url: balancer.url, token: 'first', ...options });
    await softphone.connect();
    lines = [];
    Object.assign(told, { pops: [], dials: [], closed: [] });
    softphone.on('line', (state) => lines.push(state));
    softphone.on('pop', ({ pop_id }) => told.pops.push(pop_id));
    softphone.on('dial', ({ call_id }) => told.dials.push(call_id));
    softphone.on('popClosed', (callId) => told.closed.push(callId));
  }
  /** The balancer leads elsewhere, and the gateway says good-bye. */
  function sayGoodbye(within_ms = 10_000): void {
    balancer.leadTo(there.url);
    here.last.emit('gateway_closing', { within_ms });
  }
  const hasMoved = () => eventually(() => there.lines.length === 1 && !here.last.connected);

  it('moves with its token and session, and its page sees no gap', async () => {
    sayGoodbye();
    await hasMoved();
    expect(there.auths).toEqual([{ token: 'first', session }]);
    expect([softphone.line, lines]).toEqual(['connected', []]);
    there.last.emit('agent_state_changed', agentView({ state: 'not_ready', reason: 'meal', version: 9 }));
    await nextEvent(softphone, 'agent', ({ reason }) => reason === 'meal');
  });

  it('keeps the old connection until the new one is ready to serve', async () => {
    there.answers = false;
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    here.last.emit('agent_state_changed', agentView({ reason: 'still here', version: 5 }));
    await nextEvent(softphone, 'agent', ({ reason }) => reason === 'still here');
    expect(here.last.connected).toBe(true);
    there.sendSnapshot(there.last);
    await hasMoved();
    expect(lines).toEqual([]);
  });

  it('does not take the gateway’s dropping the old connection for a loss, nor for a take-over', async () => {
    there.answers = false;
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    const old = here.last;
    old.emit('session_replaced');
    old.conn.close();
    await eventually(() => !old.connected);
    there.sendSnapshot(there.last);
    await nextEvent(softphone, 'snapshot');
    expect([softphone.line, lines, here.lines.length]).toEqual(['connected', [], 1]);
  });

  it('waits with the move for what it has asked, and asks of the new gateway what comes meanwhile', async () => {
    let answerFirst: (() => void) | null = null;
    here.last.on('set_state', (_, acknowledge) => {
      answerFirst = () => acknowledge({ ok: true, agent: agentView({ version: 2 }) });
    });
    there.answers = false;
    const first = softphone.setReady();
    await eventually(() => answerFirst !== null);
    sayGoodbye();
    await eventually(() => balancer.connections === 2);
    expect(there.lines).toEqual([]);
    (answerFirst as (() => void) | null)?.();
    await first;
    await eventually(() => there.lines.length === 1);
    const second = softphone.setNotReady('meal');
    there.last.on('set_state', (requested, acknowledge) =>
      acknowledge({ ok: true, agent: agentView({ state: 'not_ready', reason: requested.reason ?? null, version: 3 }) }),
    );
    there.sendSnapshot(there.last);
    expect((await second).reason).toBe('meal');
    expect(lines).toEqual([]);
  });

  it('asks anew what the old gateway could not answer any more', async () => {
    const wishes: unknown[] = [];
    here.last.on('set_state', (requested) => wishes.push(requested));
    const ready = softphone.setReady();
    await eventually(() => wishes.length === 1);
    const moved = nextEvent(softphone, 'snapshot');
    // The patience with what is under way ends, and the old gateway drops a connection whose session has moved.
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    there.last.on('set_state', (requested, acknowledge) => {
      wishes.push(requested);
      acknowledge({ ok: true, agent: agentView({ version: 4 }) });
    });
    await moved;
    here.last.conn.close();
    expect((await ready).version).toBe(4);
    expect([wishes, lines]).toEqual([[{ state: 'ready' }, { state: 'ready' }], []]);
  });

  it('acknowledges on the old connection the offer that came on it, and dials once when the new one says so', async () => {
    let accept: (accepted: boolean) => void = () => {};
    let asked = 0;
    await connect({ acceptOffer: () => new Promise((resolve) => ((asked += 1), (accept = resolve))) });
    const callId = randomUUID();
    const { pop, dial } = clickOf(callId);
    const acks: OfferAck[] = [];
    here.agent = there.agent = { state: 'reserved', call_id: callId };
    here.last.emit('crm_screen_pop', pop, (ack) => acks.push(ack));
    here.last.emit('click_to_dial', dial, (ack) => acks.push(ack));
    await eventually(() => asked === 1);
    const arrived = nextEvent(softphone, 'snapshot');
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    await arrived;
    expect([here.last.connected, acks]).toEqual([true, [{ ok: true }]]);
    // Repeated by the new gateway, it is the same offer.
    const again: OfferAck[] = [];
    there.last.emit('crm_screen_pop', pop, (ack) => again.push(ack));
    there.last.emit('click_to_dial', dial, (ack) => again.push(ack));
    await eventually(() => again.length === 1);
    accept(true);
    await eventually(() => acks.length === 2 && again.length === 2 && !here.last.connected);
    expect([...acks, ...again]).toEqual(Array.from({ length: 4 }, () => ({ ok: true })));
    there.last.emit('call_state_changed', dialingCall(callId));
    there.last.emit('call_state_changed', dialingCall(callId));
    there.last.emit('agent_state_changed', agentView({ version: 20 }));
    await nextEvent(softphone, 'agent', ({ version }) => version === 20);
    expect([told, asked, lines]).toEqual([{ pops: [callId], dials: [callId], closed: [] }, 1, []]);
  });

  it('dials once what is dialed by the snapshot of the new gateway, and closes a pop once', async () => {
    const [dialed, dropped] = [randomUUID(), randomUUID()];
    here.agent = there.agent = { state: 'on_call', call_id: dialed };
    there.call = dialingCall(dialed);
    const acks: OfferAck[] = [];
    here.last.emit('click_to_dial', clickOf(dialed).dial, (ack) => acks.push(ack));
    await eventually(() => acks.length === 1);
    sayGoodbye();
    await hasMoved();
    there.last.emit('call_state_changed', dialingCall(dialed));
    for (let times = 0; times < 2; times++) {
      there.last.emit('offer_rescinded', { call_id: dropped, claim_id: dropped, reason: 'canceled' });
    }
    there.last.emit('agent_state_changed', agentView({ version: 20 }));
    await nextEvent(softphone, 'agent', ({ version }) => version === 20);
    expect(told).toEqual({ pops: [], dials: [dialed], closed: [dropped] });
  });

  it('keeps the old connection while nobody takes it, and tries again', async () => {
    balancer.leadTo(null);
    here.last.emit('gateway_closing', { within_ms: 10_000 });
    here.last.emit('agent_state_changed', agentView({ version: 5 }));
    await nextEvent(softphone, 'agent', ({ version }) => version === 5);
    balancer.leadTo(there.url);
    await hasMoved();
    expect(lines).toEqual([]);
  });

  it('reconnects at once when the gateway closed before another one took it', async () => {
    balancer.leadTo(null);
    here.last.emit('gateway_closing', { within_ms: 0 });
    here.last.emit('agent_state_changed', agentView({ version: 5 }));
    await nextEvent(softphone, 'agent', ({ version }) => version === 5);
    // Not before: it would move without having lost anything.
    softphone.on('line', (state) => state === 'reconnecting' && balancer.leadTo(there.url));
    const connected = nextEvent(softphone, 'line', (state) => state === 'connected');
    here.last.conn.close();
    await connected;
    expect([lines, there.auths]).toEqual([['reconnecting', 'connected'], [{ token: 'first', session }]]);
  });

  it('takes the fresh token along', async () => {
    there.answers = false;
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    const renewed = softphone.renewToken('second');
    const tokens: string[] = [];
    there.last.on('renew_token', ({ token }, acknowledge) => {
      tokens.push(token);
      acknowledge({ ok: true, expires_at: '2030-01-01T00:00:00.000Z' });
    });
    there.sendSnapshot(there.last);
    await renewed;
    expect(tokens).toEqual(['second']);
  });

  it('becomes passive when another device takes over during the move', async () => {
    there.answers = false;
    sayGoodbye();
    await eventually(() => there.lines.length === 1);
    const replaced = nextEvent(softphone, 'line', (state) => state === 'replaced');
    there.last.emit('session_replaced');
    await eventually(() => !there.last.connected);
    here.last.emit('session_replaced');
    await replaced;
    expect(lines).toEqual(['replaced']);
  });
});
