import { describe, expect, it } from 'vitest';
import { FakePhone } from '../../../support/sip/fakePhone.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { customer, refusesCallers, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { newTab } from '../../../support/workplace/workplaces.ts';
import { eventually } from '../../../support/time/waiting.ts';

const room = useWorkplaceRoom('coupled');

describe('a click', () => {
  it('is dialed by the telephone, and every step of the call is recorded', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    expect(desk.phone.did).toEqual([`dial ${customer}`]);
    desk.phone.rings();
    await desk.hasCall('ringing');
    desk.phone.isAnswered();
    await desk.hasCall('connected');
    desk.workplace.setHeld(true);
    expect((await desk.hasCall('held')).answered_at).not.toBeNull();
    desk.workplace.setHeld(false);
    await desk.hasCall('connected');
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    const { id } = await desk.hasCall('ended');
    expect(await room.recorded(id)).toMatchObject({ end_reason: 'completed', ended_by: 'customer' });
    await desk.sees('wrap-up', (view) => view.agent?.state === 'wrap_up');
  });

  it('is declined while the telephone is not ready', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    desk.phone.becomes({ state: 'unavailable', why: 'connection_lost', retrying: true });
    await room.click(agent).expect(503);
    expect(desk.phone.did).toEqual([]);
  });

  it('keeps the SIP code of a call that was refused', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.ends({ reason: 'busy', endedBy: 'customer', sipCode: 486 });
    expect(await desk.hasCall('ended')).toMatchObject({ end_reason: 'busy', ended_by: 'customer', sip_code: 486 });
  });
});

describe('a lost line to the gateway', () => {
  it('does not lose what the telephone did meanwhile', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    desk.phone.rings();
    desk.phone.isAnswered();
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    line.mend();
    const call = await desk.hasCall('ended');
    expect(call).toMatchObject({ end_reason: 'completed', ended_by: 'customer' });
    expect(call.answered_at).not.toBeNull();
  });

  it('does not keep the agent from hanging up at once', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    await desk.hasCall('connected');
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    desk.workplace.hangUp();
    expect(desk.phone.did.at(-1)).toBe('hang up');
    line.mend();
    expect(await desk.hasCall('ended')).toMatchObject({ end_reason: 'completed', ended_by: 'agent' });
  });

  it('is tried at once when the page has reason to hope, and only then', async () => {
    const { desk, line } = await room.breakableDesk(await room.someAgent());
    desk.workplace.hurry();
    expect(desk.workplace.view().line).toBe('connected');
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    line.mend();
    desk.workplace.hurry();
    expect(desk.workplace.view().line).toBe('connecting');
    await desk.sees('a line', (view) => view.line === 'connected');
    expect(desk.workplace.view().agent?.state).toBe('ready');
  });
});

describe('a caller', () => {
  const caller = { phoneNumber: customer, displayName: 'Grace' };

  it('is shown with the card, and answered', async () => {
    const desk = await room.readyDesk();
    desk.phone.isCalledBy(caller);
    const { pop } = await desk.sees('the card', (view) => view.pop !== null && view.call?.state === 'ringing');
    expect(pop).toMatchObject({ phone_number: customer, direction: 'inbound' });
    expect(desk.workplace.view().caller).toEqual(caller);
    desk.workplace.answer();
    await desk.hasCall('connected');
    expect(desk.workplace.view().caller).toBeNull();
  });

  it('who is another one by and by is the customer of the call from then on', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    desk.phone.isCalledBy({ phoneNumber: '1001', displayName: 'Ben' });
    // The gateway may not have told yet what call that is.
    desk.phone.isWith(caller);
    await desk.sees('the card', ({ pop }) => pop?.phone_number === customer && pop.screen_pop.name === 'Grace');
    desk.workplace.answer();
    const { id } = await desk.hasCall('connected');
    expect(desk.workplace.view().call).toMatchObject({ phone: customer, caller: null });
    expect(await room.recorded(id)).toMatchObject({ phone: customer });
    desk.phone.isWith({ phoneNumber: '+15551230098', displayName: null });
    await desk.sees(
      'the next one',
      ({ call, pop }) => call?.phone === '+15551230098' && pop?.phone_number === '+15551230098',
    );
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    expect(await desk.hasCall('ended')).toMatchObject({ phone: '+15551230098' });
  });

  it('of a call that the agent has made stays whom the agent has called', async () => {
    const { desk, call } = await room.talking(await room.someAgent());
    desk.phone.isWith({ phoneNumber: '+15551230098', displayName: null });
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    expect(await desk.hasCall('ended')).toMatchObject({ id: call.id, phone: call.phone });
  });

  it('who is declined makes the agent Not Ready', async () => {
    const desk = await room.readyDesk();
    desk.phone.isCalledBy(caller);
    await desk.hasCall('ringing');
    desk.workplace.reject();
    expect(await desk.hasCall('ended')).toMatchObject({ end_reason: 'rejected', ended_by: 'agent' });
    await desk.sees('Not Ready', ({ agent }) => agent?.state === 'not_ready' && agent.reason === 'rejected');
  });

  it('is told that the agent is busy during another call, of which the agent hears, and which goes on', async () => {
    const agent = await room.someAgent();
    const { desk, call } = await room.talking(agent);
    desk.phone.turnsAway({ phoneNumber: '+15551230099', displayName: 'Grace' });
    const { notice, turnedAway } = await desk.sees('who called', (view) => view.notice !== null);
    expect(notice).toMatchObject({
      kind: 'info',
      message: { code: 'turned_away', who: { phone: '+15551230099', customer_name: 'Grace' } },
    });
    expect(await room.recorded(turnedAway!)).toMatchObject({
      state: 'ended',
      end_reason: 'missed',
      end_detail: 'agent_busy',
    });
    expect(desk.workplace.view().call).toMatchObject({ id: call.id, state: 'connected' });
  });

  it('is told that the agent is busy in the wrap-up of another call', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.ends({ reason: 'failed' });
    await desk.sees('wrap-up', (view) => view.agent?.state === 'wrap_up');
    desk.phone.isCalledBy(caller);
    await desk.sees('nobody', (view) => view.caller === null);
    expect(desk.phone.did.at(-1)).toBe('reject as busy');
  });

  it.each([
    ['anonymous', null],
    ['200', '200'],
  ])('whom the network tells as %s is answered as any, and wrapped up', async (phoneNumber, told) => {
    const desk = await room.readyDesk();
    desk.phone.isCalledBy({ phoneNumber, displayName: null });
    const { id } = await desk.hasCall('ringing');
    const { pop } = await desk.sees('the card', (view) => view.pop !== null);
    expect(pop).toMatchObject({ call_id: id, phone_number: null, ...(told !== null && { caller: told }) });
    desk.workplace.answer();
    await desk.hasCall('connected');
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    await desk.sees('wrap-up', (view) => view.agent?.state === 'wrap_up');
    await desk.workplace.submitDisposition(id, { code: 'resolved' });
    expect(await room.recorded(id)).toMatchObject({
      phone: null,
      caller: told,
      end_reason: 'completed',
      disposition: { code: 'resolved' },
    });
  });

  it('whom the gateway does not take is answered, while no click comes through', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    refusesCallers();
    desk.phone.isCalledBy({ phoneNumber: 'anonymous', displayName: null });
    await desk.sees('the caller', ({ call }) => call?.id === 'unrecorded' && call.state === 'ringing');
    desk.workplace.answer();
    await desk.hasCall('connected');
    await room.click(agent).expect(503);
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    await desk.sees('Ready', (view) => view.agent?.state === 'ready' && view.call === null);
  });
});

describe('the gateway’s word', () => {
  it('ends the call at the telephone: a supervisor frees the agent', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    await desk.hasCall('connected');
    await room.gateway
      .as(room.company)
      .put(`/api/agents/${agent.id}/state`)
      .send({ state: 'not_ready', force: true })
      .expect(200);
    await desk.hasCall('ended');
    expect(desk.phone.did.at(-1)).toBe('hang up');
  });
});

describe('dialing by hand', () => {
  it('is recorded, and given up by the agent', async () => {
    const desk = await room.deskOf(await room.someAgent()).open();
    const call = await desk.workplace.dial(customer);
    expect(desk.phone.did).toEqual([`dial ${customer}`]);
    desk.workplace.hangUp();
    expect(await desk.hasCall('ended')).toMatchObject({ id: call.id, end_reason: 'canceled', ended_by: 'agent' });
  });

  it('is refused while the telephone is not ready, and so is Ready', async () => {
    const mute = new FakePhone();
    mute.line = { state: 'unavailable', why: 'microphone_missing', retrying: false };
    const desk = await room.deskOf(await room.someAgent(), { phone: mute }).open();
    await expect(desk.workplace.dial(customer)).rejects.toMatchObject({ why: { why: 'microphone_missing' } });
    await desk.workplace.setReady();
    const notice = { kind: 'problem', message: { code: 'cannot_go_ready', line: mute.line } };
    expect(desk.workplace.view()).toMatchObject({ agent: { state: 'not_ready' }, notice });
  });
});

describe('Ready of an agent whose state a platform sets', () => {
  it.each([
    [
      'needs the telephone of this page where that dials',
      'softphone',
      { kind: 'problem', message: { code: 'cannot_go_ready' } },
    ],
    ['is asked of the platform whatever the telephone of this page does, where that does not dial', 'nobody', null],
  ] as const)('%s', async (_what, dialVia, notice) => {
    const agent = await room.someAgent();
    const asAdmin = room.gateway.as(room.company);
    const { body } = await asAdmin.post('/api/integrations/cti/connections').send({ connector: 'five9' }).expect(201);
    await asAdmin.patch('/api/integrations/cti/connections/five9').send({ dial_via: dialVia }).expect(204);
    const mute = new FakePhone();
    mute.line = { state: 'unavailable', why: 'microphone_missing', retrying: false };
    const desk = await room.deskOf(agent, { phone: mute }).open();
    await room.gateway.api
      .post(new URL(body.url, room.gateway.url).pathname)
      .send({ event: 'agent_state', agent_id: agent.agentCode, state: 'not_ready' })
      .expect(200);
    await desk.sees('the platform', ({ agent: seen }) => seen?.platform?.dials_by === dialVia);
    const refusal = await desk.workplace.setReady().then(
      () => null,
      (error: unknown) => error,
    );
    // Five9 cannot be asked, and says so, once the request has come as far.
    if (notice === null) expect(refusal).toMatchObject({ refusal: { cause: { code: 'platform_owned' } } });
    else expect([refusal, desk.workplace.view().notice]).toMatchObject([null, notice]);
  });
});

describe('a telephone that goes away', () => {
  const gone = { state: 'unavailable', why: 'connection_lost', retrying: true } as const;

  it('takes its agent out of the line after 5 s, and puts them back when it is there again', async () => {
    const timers = createManualClock(Date.now());
    const desk = await room.readyDesk(undefined, { timers });
    desk.phone.becomes(gone);
    await timers.advance(4_999);
    expect(desk.workplace.view().agent?.state).toBe('ready');
    await timers.advance(1);
    await desk.sees('Not Ready', (view) => view.agent?.state === 'not_ready' && view.notice?.kind === 'problem');
    desk.phone.becomes({ state: 'ready' });
    await desk.sees('Ready', (view) => view.agent?.state === 'ready' && view.notice?.kind === 'info');
  });

  it('leaves an agent Not Ready who has said something else meanwhile', async () => {
    const timers = createManualClock(Date.now());
    const desk = await room.readyDesk(undefined, { timers });
    desk.phone.becomes(gone);
    await timers.advance(5_000);
    await desk.sees('Not Ready', (view) => view.agent?.state === 'not_ready' && view.notice !== null);
    await desk.workplace.setNotReady('break');
    const states = new Set<string | undefined>();
    desk.workplace.subscribe(() => states.add(desk.workplace.view().agent?.state));
    desk.phone.becomes({ state: 'ready' });
    // Whatever the telephone's return has set off, the gateway has answered before this.
    await desk.workplace.setNotReady('meal');
    expect([...states]).toEqual(['not_ready']);
  });
});

describe('a page that comes after another one', () => {
  it('in the same tab fetches the voice of the call', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk, call } = await room.talking(agent, { tab });
    desk.workplace.close();
    expect(desk.phone.did.at(-1)).toBe('abandon');
    const next = await room.deskOf(agent, { tab }).open();
    await next.sees('that it is fetched', ({ isRecovering }) => isRecovering);
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    next.phone.isAnswered();
    await next.sees(
      'the call',
      (view) => view.call?.id === call.id && view.call.state === 'connected' && !view.isRecovering,
    );
  });

  it('in another tab gets it from the one before, which says no more', async () => {
    const agent = await room.someAgent();
    const name = `voice-${agent.id}`;
    const { desk, call } = await room.talking(agent, { channel: new BroadcastChannel(name) as never });
    const next = await room.deskOf(agent, { channel: new BroadcastChannel(name) as never }).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call']));
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    expect(desk.tab.store.getItem('readyline.reports')).toBeNull();
    next.phone.isAnswered();
    await desk.sees('that it was replaced', ({ line }) => line === 'replaced');
    expect(desk.phone.did).toContain('withdraw');
    await next.sees('the call', (view) => view.call?.id === call.id && view.call.state === 'connected');
    expect(await room.recorded(call.id)).toMatchObject({ state: 'connected' });
  });

  it('elsewhere ends a call that it cannot fetch, and the one before hangs up', async () => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk, call } = await room.talking(agent, { timers });
    const next = await room.deskOf(agent).open();
    const { notice } = await next.sees('why', (view) => view.notice !== null);
    expect(notice?.message.code).toBe('lost');
    await next.hasCall('ended');
    expect(await room.recorded(call.id)).toMatchObject({ end_reason: 'failed' });
    await desk.sees('that it was replaced', ({ line }) => line === 'replaced');
    expect(desk.phone.did).not.toContain('stop');
    await timers.advance(5_000);
    expect(desk.phone.did.at(-1)).toBe('stop');
  });
});
