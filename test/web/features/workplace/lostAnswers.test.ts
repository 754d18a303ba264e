import { describe, expect, it } from 'vitest';
import { clickOf, dialingCall, FakeGateway } from '../../../support/gateway/fakeGateway.ts';
import { createManualClock } from '../../../support/time/manualClock.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { eventually } from '../../../support/time/waiting.ts';

const room = useWorkplaceRoom('lost-answers');
const caller = { phoneNumber: customer, displayName: 'Grace' };

describe('a call by hand whose answer is lost', () => {
  it('is given up, and leaves the agent neither in a call without a voice nor without a word', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    line.holdAnswers();
    const dialed = desk.workplace.dial(customer).catch(() => 'not answered');
    await eventually(async () => expect((await room.callsOf(agent))[0]?.state).toBe('dialing'));
    expect(await dialed).toBe('not answered');
    line.release();
    const call = await desk.hasCall('ended');
    expect(call).toMatchObject({ end_reason: 'failed' });
    expect(desk.phone.did).toEqual([]);
    expect(desk.workplace.view().notice?.message).toMatchObject({ code: 'lost', call: { phone: customer } });
    expect(await room.recorded(call.id)).toMatchObject({ state: 'ended' });
    // It does not stand over the next call.
    desk.phone.isCalledBy({ phoneNumber: '+15551230099', displayName: null });
    expect(desk.workplace.view()).toMatchObject({ caller: { phoneNumber: '+15551230099' }, notice: null });
  });

  it('is dialed where the gateway tells of the call by other means in time', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    line.holdAnswers();
    const dialed = desk.workplace.dial(customer);
    await eventually(async () => expect((await room.callsOf(agent))[0]?.state).toBe('dialing'));
    line.release();
    const { id } = await dialed;
    expect(desk.phone.did).toEqual([`dial ${customer}`]);
    desk.phone.isAnswered();
    expect(await desk.hasCall('connected')).toMatchObject({ id });
  });
});

describe('a call by hand that the gateway is yet to record', () => {
  it('goes on though somebody calls meanwhile, who hears that the agent is busy', async () => {
    const { desk, line } = await room.breakableDesk(await room.someAgent());
    line.holdAnswers();
    const dialed = desk.workplace.dial(customer);
    desk.phone.isCalledBy({ phoneNumber: '+15551230099', displayName: null });
    line.release();
    const { id } = await dialed;
    expect(desk.phone.did).toEqual(['reject as busy', `dial ${customer}`]);
    desk.phone.isAnswered();
    expect(await desk.hasCall('connected')).toMatchObject({ id });
  });
});

describe('a caller of whom the gateway’s answer is lost', () => {
  it.each([
    ['', customer],
    [', whose number the network tells in its own way', '0015551230001'],
  ])('is the call that the gateway tells of when the line is back%s', async (_how, phoneNumber) => {
    const agent = await room.someAgent();
    const timers = createManualClock(Date.now());
    const { desk, line } = await room.breakableDesk(agent, { timers });
    line.holdAnswers();
    desk.phone.isCalledBy({ ...caller, phoneNumber });
    await eventually(async () => expect((await room.callsOf(agent))[0]?.state).toBe('ringing'));
    desk.workplace.answer();
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    // The gateway is to be told again by then, and will have no place for a second call.
    await timers.advance(2_000);
    line.mend();
    line.release();
    const { call } = await desk.sees(
      'the gateway’s call',
      (view) => view.call !== null && view.call.id !== 'unrecorded',
    );
    expect(call).toMatchObject({ state: 'connected', direction: 'inbound', phone: customer });
    // Whatever the gateway has said to that is here before this.
    await desk.workplace.setNotReady('break');
    desk.workplace.hangUp();
    expect(await desk.hasCall('ended')).toMatchObject({ id: call?.id, end_reason: 'completed', ended_by: 'agent' });
  });
});

describe('a caller and a click in the same moment', () => {
  it('make one call: the click wins, and the caller hears that the agent is busy', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    line.holdAnswers();
    const clicked = room.click(agent).then(({ status }) => status);
    // The agent is the click's by now, and the page does not know it yet.
    await eventually(async () => expect(await room.stateOf(agent)).toBe('reserved'));
    desk.phone.isCalledBy(caller);
    line.release();
    await desk.hasCall('dialing');
    expect(await clicked).toBe(201);
    expect(desk.phone.did).toEqual(['reject as busy', `dial ${customer}`]);
  });

  it('are no reason to hang up on a caller who has been answered', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    line.holdAnswers();
    const clicked = room.click(agent).then(({ status }) => status);
    await eventually(async () => expect(await room.stateOf(agent)).toBe('reserved'));
    desk.phone.isCalledBy(caller);
    desk.workplace.answer();
    line.release();
    expect(await clicked).not.toBe(201);
    await desk.sees('the caller', ({ call }) => call?.direction === 'inbound' && call.state === 'connected');
    expect(desk.phone.did).toEqual(['answer']);
  });

  it('of whom the click was accepted first: the caller hears at once that the agent is busy', async () => {
    const fake = await FakeGateway.start();
    fake.settings = {
      ...{
        dispositions: [],
        not_ready_reasons: [],
        wrap_up_seconds: 30,
        wrap_up_max_seconds: 600,
        default_country: null,
      },
      telephony: { mode: 'desk_phone', scheme: 'tel', no_answer_seconds: 60 },
    };
    const desk = await room.deskOf(await room.someAgent(), {}, fake.url).open();
    const call = dialingCall('01a1fd9a-df84-76de-b312-4c71c7114e01');
    const accepted = await new Promise((resolve) => fake.last.emit('click_to_dial', clickOf(call.id).dial, resolve));
    expect(accepted).toEqual({ ok: true });
    desk.phone.isCalledBy(caller);
    expect(desk.phone.did).toEqual(['reject as busy']);
    fake.last.emit('call_state_changed', call);
    await desk.hasCall('dialing');
    expect(desk.phone.did).toEqual(['reject as busy', `dial ${customer}`]);
    desk.workplace.close();
    await fake.close();
  });
});
