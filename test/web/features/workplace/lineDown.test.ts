import { describe, expect, it, onTestFinished } from 'vitest';
import { clickOf, dialingCall, FakeGateway } from '../../../support/gateway/fakeGateway.ts';
import type { TestAgent } from '../../../support/gateway/gateway.ts';
import type { Desk } from '../../../support/workplace/workplaces.ts';
import { customer, useWorkplaceRoom, type DeskNeeds } from '../../../support/workplace/workplaceRoom.ts';

const room = useWorkplaceRoom('line-down');
const caller = { phoneNumber: customer, displayName: 'Grace' };

/** A desk whose line to the gateway is down. */
async function cutOff(agent: TestAgent, before: (desk: Desk) => Promise<unknown>, needs: DeskNeeds = {}) {
  const { desk, line } = await room.breakableDesk(agent, needs);
  await before(desk);
  line.cut();
  await desk.sees('a lost line', (view) => view.line === 'reconnecting');
  return { desk, line };
}

const nothing = () => Promise.resolve();

describe('while the line to the gateway is down, the agent', () => {
  it('sees the call with a caller who was answered, and can hang up', async () => {
    const { desk } = await cutOff(await room.someAgent(), nothing);
    desk.phone.isCalledBy(caller);
    desk.workplace.answer();
    expect(desk.workplace.view()).toMatchObject({
      caller: null,
      call: { id: 'unrecorded', state: 'connected', phone: customer, screen_pop: { name: 'Grace' } },
    });
    desk.workplace.hangUp();
    expect(desk.phone.did).toEqual(['answer', 'hang up']);
    expect(desk.workplace.view().call).toBeNull();
  });

  it('sees that a caller whom the gateway knows was answered, held, and hung up on', async () => {
    const { desk } = await cutOff(await room.someAgent(), async (one) => {
      one.phone.isCalledBy(caller);
      await one.hasCall('ringing');
    });
    const { call } = desk.workplace.view();
    desk.workplace.answer();
    const answered = desk.workplace.view().call;
    expect(answered).toMatchObject({ id: call?.id, state: 'connected' });
    expect(answered?.answered_at).not.toBeNull();
    desk.workplace.setHeld(true);
    expect(desk.workplace.view().call).toMatchObject({ state: 'held' });
    desk.workplace.hangUp();
    expect(desk.workplace.view()).toMatchObject({
      call: { id: call?.id, state: 'ended', end_reason: 'completed', ended_by: 'agent' },
      isEngaged: true,
    });
  });

  it('sees that the customer has answered, by the gateway’s clock', async () => {
    const agent = await room.someAgent();
    const slow = { now: () => Date.now() - 3_600_000, after: () => () => {} };
    const dialing = async (desk: Desk) => {
      await room.click(agent).expect(201);
      await desk.hasCall('dialing');
    };
    const { desk } = await cutOff(agent, dialing, { timers: slow });
    desk.phone.isAnswered();
    const { call } = desk.workplace.view();
    expect(call?.state).toBe('connected');
    expect(desk.workplace.now() - Date.parse(call?.answered_at ?? '')).toBeLessThan(60_000);
  });
});

describe('a call that the gateway has ended', () => {
  const call = { ...dialingCall('01a1fd9a-df84-76de-b312-4c71c7114e02'), state: 'connected' as const };

  /** A desk at which an agent talks; the line breaks, and is back with the gateway's word that there is no call. */
  async function backAfter(reason: string): Promise<Desk> {
    const fake = await FakeGateway.start();
    onTestFinished(() => fake.close());
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
    onTestFinished(() => desk.workplace.close());
    fake.call = call;
    fake.agent = { state: 'on_call', call_id: call.id };
    await new Promise((resolve) => fake.last.emit('click_to_dial', clickOf(call.id).dial, resolve));
    fake.last.emit('call_state_changed', { ...call, state: 'dialing' });
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    fake.call = null;
    fake.agent = { state: 'not_ready', reason, call_id: null, version: 2 };
    fake.last.conn.close();
    await desk.sees('that it is back', ({ line, agent }) => line === 'connected' && agent?.reason === reason);
    return desk;
  }

  it('because it heard nothing of the agent goes on at the telephone', async () => {
    const desk = await backAfter('login');
    expect(desk.phone.did).toEqual([`dial ${customer}`]);
    expect(desk.workplace.view()).toMatchObject({
      call: { id: call.id, state: 'connected', phone: customer },
      notice: { kind: 'info' },
    });
    desk.workplace.hangUp();
    expect(desk.phone.did.at(-1)).toBe('hang up');
    expect(desk.workplace.view().call).toBeNull();
  });

  it('by a supervisor’s will is hung up', async () => {
    const desk = await backAfter('supervisor');
    expect(desk.phone.did).toEqual([`dial ${customer}`, 'hang up']);
  });
});
