import { describe, expect, it } from 'vitest';
import type { PhoneDialog } from '../../../../web/src/lib/sip/phoneCall.ts';
import { LeftDialogStorage } from '../../../../web/src/features/workplace/dialogStorage.ts';
import { FakePhone } from '../../../support/sip/fakePhone.ts';
import type { TestAgent } from '../../../support/gateway/gateway.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { newTab } from '../../../support/workplace/workplaces.ts';
import { customer, refusesCallers, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { eventually } from '../../../support/time/waiting.ts';

const room = useWorkplaceRoom('coming-and-going');

/** A tab of the agent's browser. */
const tabOf = (agent: TestAgent) => ({ channel: new BroadcastChannel(`voice-${agent.id}`) as never });

/** A telephone that does not come up. */
function startingPhone(): FakePhone {
  const phone = new FakePhone();
  phone.line = { state: 'starting' };
  return phone;
}

describe('a page that goes', () => {
  it('gives up the call that it was dialing, and says so', async () => {
    const desk = await room.deskOf(await room.someAgent()).open();
    const { id } = await desk.workplace.dial(customer);
    desk.phone.rings();
    await desk.hasCall('ringing');
    desk.workplace.close();
    expect(desk.phone.did.slice(1)).toEqual(['hang up', 'stop']);
    await eventually(async () =>
      expect(await room.recorded(id)).toMatchObject({ end_reason: 'canceled', ended_by: 'agent' }),
    );
  });

  it('leaves who is calling to the telephone network: the agent has declined nobody', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    desk.phone.isCalledBy({ phoneNumber: customer, displayName: null });
    const { id } = await desk.hasCall('ringing');
    desk.workplace.close();
    expect(desk.phone.did).toEqual(['reject as away', 'stop']);
    expect(desk.tab.store.getItem('readyline.reports')).toBeNull();
    expect(await room.recorded(id)).toMatchObject({ state: 'ringing', end_reason: null });
  });

  it('hangs up on a caller whom the page after it could not find', async () => {
    const desk = await room.readyDesk();
    refusesCallers();
    desk.phone.isCalledBy({ phoneNumber: 'anonymous', displayName: null });
    await desk.sees('the caller', ({ call }) => call?.id === 'unrecorded');
    desk.workplace.answer();
    desk.workplace.close();
    expect(desk.phone.did).toEqual(['answer', 'stop']);
  });
});

describe('a page that is closed for good', () => {
  it('hangs up, and leaves no call to be found', async () => {
    const agent = await room.someAgent();
    const left: object[] = [];
    const browser = {
      left: new LeftDialogStorage(newTab().store, agent.id),
      onLeft: (told: object) => void left.push(told),
    };
    const { desk, call } = await room.talking(agent, browser);
    desk.workplace.close({ isForGood: true });
    expect(desk.phone.did.at(-1)).toBe('stop');
    expect(left).toEqual([{ callId: call.id, session: desk.tab.session, token: agent.token }]);
    expect(browser.left.take(Date.now())).toEqual([]);
    expect(desk.tab.store.getItem('readyline.voice')).toBeNull();
    expect(desk.tab.store.getItem('readyline.reports')).toBeNull();
  });

  it('hangs up in the dialog of the page before it, where the call was not here yet', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk } = await room.talking(agent, { tab });
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab, phone: startingPhone() }).open();
    await next.sees('that it is fetched', ({ isRecovering }) => isRecovering);
    next.workplace.close({ isForGood: true });
    expect(next.phone.did).toEqual(['release sip-call', 'stop']);
  });

  it('leaves a call at a telephone on the desk to go on', async () => {
    const agent = await room.someAgent();
    const phone = new FakePhone();
    phone.can = { ...phone.can, reportsByHand: true };
    const left: object[] = [];
    const { desk, call } = await room.talking(agent, { phone, onLeft: (told) => void left.push(told) });
    desk.workplace.close({ isForGood: true });
    expect(left).toEqual([]);
    expect(await room.recorded(call.id)).toMatchObject({ state: 'connected' });
  });
});

describe('a page that comes after a reload', () => {
  it('tells what the one before could not: that the call was answered, and has ended', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk, line } = await room.breakableDesk(agent, { tab });
    await room.click(agent).expect(201);
    const { id } = await desk.hasCall('dialing');
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    desk.phone.isAnswered();
    desk.workplace.hangUp();
    expect(desk.workplace.isNeeded).toBe(true);
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab }).open();
    expect(await next.hasCall('ended')).toMatchObject({ id, end_reason: 'completed', ended_by: 'agent' });
    expect((await room.recorded(id)).answered_at).not.toBeNull();
    expect(next.workplace.isNeeded).toBe(false);
    expect(tab.store.getItem('readyline.reports')).toBeNull();
  });

  it('ends the call at the customer’s too when its telephone does not come up', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk, call } = await room.talking(agent, { tab });
    desk.workplace.close();
    const timers = createManualClock(Date.now());
    const next = await room.deskOf(agent, { tab, timers, phone: startingPhone() }).open();
    await next.sees('that it is fetched', ({ isRecovering }) => isRecovering);
    await timers.advance(45_000);
    await next.hasCall('ended');
    expect(next.phone.did).toEqual(['release sip-call']);
    expect(await room.recorded(call.id)).toMatchObject({ end_reason: 'failed' });
  });

  it('ends it too when the take-over is refused', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk } = await room.talking(agent, { tab });
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab }).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.ends({ reason: 'failed', sipCode: 420, stands: true });
    await next.hasCall('ended');
    expect(next.phone.did).toEqual(['take over sip-call', 'release sip-call']);
  });

  it('ends it too when the agent hangs up before the voice is back', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk } = await room.talking(agent, { tab });
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab, phone: startingPhone() }).open();
    await next.sees('that it is fetched', ({ isRecovering }) => isRecovering);
    expect(next.phone.did).toEqual([]);
    next.workplace.hangUp();
    expect(await next.hasCall('ended')).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
    expect(next.phone.did).toContain('release sip-call');
  });

  it('is muted where the one before was', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk } = await room.talking(agent, { tab });
    desk.workplace.setMuted(true);
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab }).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.isAnswered();
    await next.sees('that it is muted', ({ call, isMuted }) => call?.state === 'connected' && isMuted);
  });

  it('holds the call that the one before held, without a moment in which it goes on', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk } = await room.talking(agent, { tab });
    desk.workplace.setHeld(true);
    await desk.hasCall('held');
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab }).open();
    const seen = new Set<string | undefined>();
    next.workplace.subscribe(() => seen.add(next.workplace.view().call?.state));
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.isAnswered();
    expect(next.workplace.view()).toMatchObject({ isHeld: true, isRecovering: false });
    next.workplace.hangUp();
    await next.hasCall('ended');
    expect([...seen]).toEqual(['held', 'ended']);
  });
});

describe('a page that comes after one at which somebody was calling', () => {
  async function comesBack(needs: Parameters<typeof room.deskOf>[1] = {}) {
    const agent = await room.someAgent();
    const tab = newTab();
    const before = await room.readyDesk(agent, { tab });
    before.phone.isCalledBy({ phoneNumber: customer, displayName: 'Grace' });
    const { id } = await before.hasCall('ringing');
    before.workplace.close();
    const desk = room.deskOf(agent, { tab, ...needs });
    let pops = 0;
    desk.workplace.onPop(() => (pops += 1));
    await desk.open();
    await desk.sees('that the call may come back', ({ isRecovering, call }) => isRecovering && call?.id === id);
    return { agent, desk, id, pops: () => pops };
  }

  it.each([customer, '5551230001'])(
    'rings for the same call when the network tries again as %s',
    async (phoneNumber) => {
      const { agent, desk, id, pops } = await comesBack();
      desk.phone.isCalledBy({ phoneNumber, displayName: 'Grace' });
      await desk.sees('the caller', ({ caller, isRecovering }) => caller !== null && !isRecovering);
      desk.workplace.answer();
      expect(await desk.hasCall('connected')).toMatchObject({ id });
      await eventually(async () => expect(await room.recorded(id)).toMatchObject({ state: 'connected' }));
      expect(await room.callsOf(agent)).toHaveLength(1);
      expect(pops()).toBe(0);
      expect(desk.workplace.view().pop).toMatchObject({ call_id: id });
    },
  );

  it('is Ready again when the network has found somebody else', async () => {
    const timers = createManualClock(Date.now());
    const { agent, desk, id } = await comesBack({ timers });
    await timers.advance(15_000);
    await desk.hasCall('ended');
    expect(await room.recorded(id)).toMatchObject({ end_reason: 'canceled', ended_by: 'customer' });
    await eventually(async () => expect(await room.stateOf(agent)).toBe('ready'));
  });

  it('takes another caller instead, and ends the first one’s call', async () => {
    const timers = createManualClock(Date.now());
    const { agent, desk, id } = await comesBack({ timers });
    desk.phone.isCalledBy({ phoneNumber: '+15551230099', displayName: null });
    await eventually(async () => expect(await room.recorded(id)).toMatchObject({ end_reason: 'canceled' }));
    await eventually(async () => {
      await timers.advance(2_000);
      expect(await room.callsOf(agent)).toMatchObject([{ phone: '+15551230099', state: 'ringing' }, { id }]);
    });
    expect(desk.phone.did).toEqual([]);
  });

  it('lets the agent give it up', async () => {
    const { agent, desk, id } = await comesBack();
    desk.workplace.hangUp();
    expect(await desk.hasCall('ended')).toMatchObject({ id, end_reason: 'canceled', ended_by: 'agent' });
    await eventually(async () => expect(await room.stateOf(agent)).toBe('ready'));
    expect(desk.workplace.view().isRecovering).toBe(false);
  });
});

describe('a page in another tab than one that was closed', () => {
  const leftBy = (agent: TestAgent) => ({ left: new LeftDialogStorage(newTab().store, agent.id) });

  it('fetches the call', async () => {
    const agent = await room.someAgent();
    const browser = leftBy(agent);
    const { desk, call } = await room.talking(agent, browser);
    desk.workplace.close();
    const next = await room.deskOf(agent, browser).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.isAnswered();
    await next.sees('its voice', ({ isRecovering }) => !isRecovering);
    expect(await next.hasCall('connected')).toMatchObject({ id: call.id });
    expect(browser.left.take(Date.now())).toEqual([]);
  });

  it('hangs up where the gateway has ended the call meanwhile', async () => {
    const agent = await room.someAgent();
    const browser = leftBy(agent);
    const { desk, call } = await room.talking(agent, browser);
    desk.workplace.close();
    const wish = { state: 'not_ready', force: true };
    await room
      .asAdmin(room.gateway.api.put(`/api/agents/${agent.id}/state`))
      .send(wish)
      .expect(200);
    const next = await room.deskOf(agent, browser).open();
    await eventually(() => expect(next.phone.did).toEqual(['release sip-call']));
    expect(await room.recorded(call.id)).toMatchObject({ state: 'ended' });
  });

  it('leaves alone what was left for too long, and what other agents have left', () => {
    const { store } = newTab();
    const dialog = { callId: 'sip-call' } as PhoneDialog;
    const left = new LeftDialogStorage(store, 'ada');
    left.leave({ callId: 'call', dialog }, 0);
    expect(left.take(119_999)).toEqual([{ callId: 'call', dialog }]);
    left.leave({ callId: 'call', dialog }, 0);
    expect(new LeftDialogStorage(store, 'bob').take(1)).toEqual([]);
    expect(left.take(120_000)).toEqual([]);
  });
});

describe('a second tab', () => {
  it('that is a duplicate of the first asks it for the voice all the same', async () => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk } = await room.talking(agent, { ...tabOf(agent), timers });
    const copy = newTab();
    copy.store.setItem('readyline.voice', desk.tab.store.getItem('readyline.voice') ?? '');
    const next = await room.deskOf(agent, { ...tabOf(agent), tab: copy, phone: startingPhone() }).open();
    await desk.sees('that it was replaced', ({ line }) => line === 'replaced');
    // The first one gives it away, and forgets it.
    await eventually(() => expect(desk.tab.store.getItem('readyline.voice')).toBeNull());
    await timers.advance(10_000);
    expect(desk.phone.did).not.toContain('stop');
    next.phone.becomes({ state: 'ready' });
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
  });

  it('has the voice before the first one lets go of it, however long its telephone takes', async () => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk } = await room.talking(agent, { ...tabOf(agent), timers });
    const next = await room.deskOf(agent, { ...tabOf(agent), phone: startingPhone() }).open();
    await desk.sees('that it was replaced', ({ line }) => line === 'replaced');
    await next.sees('that it is fetched', ({ isRecovering }) => isRecovering);
    await eventually(() => expect(next.tab.store.getItem('readyline.voice')).toContain('sip-call'));
    await timers.advance(10_000);
    expect(desk.phone.did).not.toContain('abandon');
    expect(desk.phone.did).not.toContain('stop');
    next.phone.becomes({ state: 'ready' });
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.isAnswered();
    await eventually(() => expect(desk.phone.did.at(-1)).toBe('abandon'));
    await next.hasCall('connected');
  });

  it('that gives the call up tells the first one, which hangs up', async () => {
    const agent = await room.someAgent();
    const { desk, call } = await room.talking(agent, tabOf(agent));
    const next = await room.deskOf(agent, tabOf(agent)).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.ends({ reason: 'failed', stands: true });
    await next.hasCall('ended');
    await eventually(() => expect(desk.phone.did.at(-1)).toBe('stop'));
    expect(await room.recorded(call.id)).toMatchObject({ end_reason: 'failed' });
  });

  it('that says nothing any more leaves the first one to hang up', async () => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk } = await room.talking(agent, { ...tabOf(agent), timers });
    const next = await room.deskOf(agent, { ...tabOf(agent), phone: startingPhone() }).open();
    await eventually(() => expect(next.tab.store.getItem('readyline.voice')).toContain('sip-call'));
    next.workplace.close();
    await timers.advance(45_000);
    expect(desk.phone.did.at(-1)).toBe('stop');
  });

  it('does not get the voice from one that is still the agent’s softphone', async () => {
    const agent = await room.someAgent();
    const clock = createManualClock(Date.now());
    let wasAsked = false;
    const after = (ms: number, action: () => void) => {
      wasAsked ||= ms === 1_500;
      return clock.after(ms, action);
    };
    const { desk, call } = await room.talking(agent, { ...tabOf(agent), timers: { ...clock, after } });
    const stranger = new BroadcastChannel(`voice-${agent.id}`);
    const given: unknown[] = [];
    stranger.onmessage = ({ data }) => void given.push(data);
    stranger.postMessage({ type: 'ask', callId: call.id });
    await eventually(() => expect(wasAsked).toBe(true));
    await clock.advance(1_500);
    desk.workplace.hangUp();
    expect(await desk.hasCall('ended')).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
    expect(given).toEqual([]);
    stranger.close();
  });

  it('gives way to the first one again, which has the voice still', async () => {
    const agent = await room.someAgent();
    const { desk, call } = await room.talking(agent, tabOf(agent));
    const next = await room.deskOf(agent, { ...tabOf(agent), phone: startingPhone() }).open();
    await eventually(() => expect(next.tab.store.getItem('readyline.voice')).toContain('sip-call'));
    desk.workplace.takeOver();
    await desk.sees('its call', (view) => view.line === 'connected' && view.call?.state === 'connected');
    await next.sees('that it was replaced', ({ line }) => line === 'replaced');
    desk.workplace.hangUp();
    expect(await desk.hasCall('ended')).toMatchObject({ id: call.id, end_reason: 'completed', ended_by: 'agent' });
    expect(next.phone.did).toEqual(['stop']);
  });
});
