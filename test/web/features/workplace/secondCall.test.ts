import { describe, expect, it } from 'vitest';
import type { CrmScreenPop } from '../../../../src/contract/socket.ts';
import type { Sounds } from '../../../../web/src/features/workplace/call/callEffects.ts';
import type { WorkplaceView } from '../../../../web/src/features/workplace/workplace.ts';
import type { FakeCall } from '../../../support/sip/fakePhone.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { type Desk, newTab } from '../../../support/workplace/workplaces.ts';
import { type DeskNeeds, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';

const room = useWorkplaceRoom('second-calls');

const grace = { phoneNumber: '+15551230099', displayName: 'Grace' };
const ended = { reason: 'completed', endedBy: 'customer' } as const;

/** The agent talks to a customer, and Grace calls. */
async function called(needs: DeskNeeds = {}) {
  const agent = await room.someAgent();
  const { desk, call } = await room.talking(agent, needs);
  const beside = desk.phone.isCalledBesideBy(grace);
  const { other } = await desk.sees('who calls', (view) => view.other?.call != null);
  return { agent, desk, beside, first: call.id, second: other!.call!.id };
}

/** The agent has turned to Grace. */
async function turned(needs: DeskNeeds = {}) {
  const story = await called(needs);
  const { desk, first, second } = story;
  desk.workplace.turnToOther();
  await desk.sees('Grace', isWith(second));
  const both = ['held', 'connected'].map((state) => [state, null]);
  await eventually(async () => expect(await states(first, second)).toEqual(both));
  return story;
}

const isWith = (callId: string) => (view: WorkplaceView) => view.call?.id === callId && view.call.state === 'connected';
const states = (...ids: string[]) =>
  Promise.all(ids.map(async (id) => [(await room.recorded(id)).state, (await room.recorded(id)).end_reason]));

describe('who calls during a call', () => {
  it('is shown beside it, by name and line, and heard softly; the call goes on as it was', async () => {
    const heard: string[] = [];
    const sounds: Sounds = {
      ring: (which) => heard.push(which),
      silence: () => heard.push('silence'),
      chime: () => {},
    };
    const { desk, first, second } = await called({ sounds });
    const { call, caller, other, pop } = desk.workplace.view();
    expect(other).toMatchObject({
      caller: grace,
      isTurning: false,
      call: { id: second, state: 'ringing', phone: '+15551230099', customer_name: 'Grace' },
    });
    expect([call?.id, call?.state, caller, pop?.call_id]).toEqual([first, 'connected', null, first]);
    expect(heard.at(-1)).toBe('waiting');
    expect(desk.phone.did.filter((did) => did.includes('reject'))).toEqual([]);
  });

  it('is answered with the other on hold, and is the one whom page and CRM show from then on', async () => {
    const pops: CrmScreenPop[] = [];
    const { desk, first, second, beside } = await called();
    desk.workplace.onPop((pop) => pops.push(pop));
    expect(pops).toEqual([]);
    desk.workplace.turnToOther();
    const { other, pop, isHeld } = await desk.sees('Grace', isWith(second));
    expect([other?.call?.id, other?.caller, pop?.call_id, isHeld]).toEqual([first, null, second, false]);
    expect(pops.map((told) => told.call_id)).toEqual([second]);
    await eventually(async () =>
      expect(await states(first, second)).toEqual([
        ['held', null],
        ['connected', null],
      ]),
    );
    expect(beside.dialog?.isHeld).toBe(false);
    expect(desk.phone.dialog?.isHeld).toBe(true);
  });

  it('is answered once the network has put the other on hold, and not where it does not', async () => {
    const { desk, first, second, beside } = await called();
    desk.phone.isSlowToHold = true;
    desk.workplace.turnToOther();
    expect(desk.workplace.view().other).toMatchObject({ isTurning: true });
    desk.phone.isHolding(false);
    await desk.sees('that it is not', ({ other }) => other?.isTurning === false);
    expect([desk.workplace.view().call?.id, beside.dialog]).toEqual([first, null]);
    desk.workplace.turnToOther();
    desk.phone.isHolding(true);
    await desk.sees('Grace', isWith(second));
  });

  it('and hangs up while the other is being put on hold leaves the agent with that one', async () => {
    const { desk, first, beside } = await called();
    desk.phone.isSlowToHold = true;
    desk.workplace.turnToOther();
    beside.ends({ reason: 'missed', endedBy: 'customer' });
    desk.phone.isSlowToHold = false;
    desk.phone.isHolding(true);
    await desk.sees('the customer again', (view) => isWith(first)(view) && view.other === null && !view.isHeld);
  });

  it.each([
    ['declined', (desk: Desk) => desk.workplace.rejectOther(), 'rejected'],
    ['gone', (_: Desk, beside: FakeCall) => beside.ends({ reason: 'canceled', endedBy: 'customer' }), 'canceled'],
  ])('and is %s counts as missed; the agent talks on', async (_, how, reason) => {
    const { desk, beside, first, second } = await called();
    how(desk, beside);
    await desk.sees('nobody else', ({ other }) => other === null);
    await eventually(async () => expect(await states(second)).toEqual([['ended', reason]]));
    expect(isWith(first)(desk.workplace.view())).toBe(true);
    await eventually(async () => expect((await room.liveStateOf(desk.agent)).second_call_id).toBeNull());
  });

  it('and is passed on is not missed; the agent talks on', async () => {
    const { desk, first, second } = await called();
    desk.workplace.passOn(desk.workplace.view().other!.key, '1002');
    expect(desk.phone.did.at(-1)).toBe('beside: pass on to 1002');
    await desk.sees('nobody else', ({ other }) => other === null);
    await eventually(async () => expect(await states(second)).toEqual([['ended', 'canceled']]));
    expect(await room.recorded(second)).toMatchObject({ end_detail: 'passed_on', transferred_to: '1002' });
    expect(isWith(first)(desk.workplace.view())).toBe(true);
  });

  it('rings on when the call ends, as any caller does, and is answered so', async () => {
    const heard: string[] = [];
    const sounds: Sounds = {
      ring: (which) => heard.push(which),
      silence: () => heard.push('silence'),
      chime: () => {},
    };
    const { desk, second } = await called({ sounds });
    desk.phone.ends(ended);
    await desk.sees('Grace', ({ call, caller, other }) => caller !== null && call?.id === second && other === null);
    expect(heard.at(-1)).toBe('incoming');
    desk.workplace.answer();
    await desk.sees('Grace', isWith(second));
  });

  it('hears that the agent is busy where the company wants it, and while a call is about to be handed on', async () => {
    const agent = await room.someAgent();
    const { desk } = await room.talking(agent);
    desk.workplace.consult(desk.key, '1002');
    desk.phone.isCalledBesideBy(grace);
    expect(desk.phone.did.at(-1)).toBe('beside: reject as busy');
    const { turnedAway } = await desk.sees('who called', (view) => view.turnedAway !== null);
    expect(await room.recorded(turnedAway!)).toMatchObject({ end_detail: 'agent_busy' });
    desk.workplace.endConsult();
    await room.asAdmin(room.gateway.api.patch('/api/company').send({ call_waiting: false })).expect(200);
    await desk.sees('the setting', ({ settings }) => settings?.call_waiting === false);
    desk.phone.isCalledBesideBy({ phoneNumber: '+15551230098', displayName: null });
    expect(desk.phone.did.at(-1)).toBe('beside: reject as busy');
    await desk.sees('who called', (view) => view.turnedAway !== turnedAway);
    await room.asAdmin(room.gateway.api.patch('/api/company').send({ call_waiting: true })).expect(200);
  });
});

describe('an agent with two calls', () => {
  it('turns from one to the other and back, each with its customer', async () => {
    const { desk, first, second } = await turned();
    desk.workplace.turnToOther();
    const { other, pop } = await desk.sees('the first', isWith(first));
    expect([other?.call?.id, pop?.call_id]).toEqual([second, first]);
    await eventually(async () =>
      expect(await states(first, second)).toEqual([
        ['connected', null],
        ['held', null],
      ]),
    );
    desk.workplace.turnToOther();
    await desk.sees('Grace', isWith(second));
  });

  it('has the one on hold before them when the other ends, takes it back, and wraps both up', async () => {
    const { desk, beside, first, second } = await turned();
    beside.ends(ended);
    await desk.sees('the first, on hold', ({ call, isHeld }) => call?.id === first && isHeld);
    desk.workplace.setHeld(false);
    await desk.sees('the first', isWith(first));
    desk.workplace.hangUp();
    await desk.sees('its wrap-up', ({ agent, call }) => agent?.state === 'wrap_up' && call?.id === first);
    await desk.workplace.submitDisposition(first, { code: 'resolved' });
    await desk.sees('that of the second', ({ agent, call, pop }) =>
      [agent?.call_id, call?.id, pop?.call_id].every((id) => id === second),
    );
    await desk.workplace.submitDisposition(second, { code: 'resolved' });
    await desk.sees('Ready', ({ agent }) => agent?.state === 'ready');
  });

  it('may lose the one on hold, and wraps it up after the other', async () => {
    const { desk, first, second } = await turned();
    desk.phone.ends(ended);
    await desk.sees('Grace alone', (view) => isWith(second)(view) && view.other === null);
    await desk.sees('it at the gateway', ({ agent }) => agent?.call_id === second);
    desk.workplace.hangUp();
    await desk.sees('the wrap-up', ({ agent, call }) => agent?.state === 'wrap_up' && call?.id === second);
    await desk.workplace.submitDisposition(second, { code: 'resolved' });
    await desk.sees('that of the first', ({ agent, call }) => agent?.state === 'wrap_up' && call?.id === first);
  });

  it('finds both after a reload: whom they talked to, and whom they had on hold', async () => {
    const tab = newTab();
    const { agent, desk, first, second } = await turned({ tab });
    desk.workplace.close();
    expect(desk.phone.did.at(-1)).toBe('abandon');
    const next = await room.deskOf(agent, { tab }).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call-beside', 'take over sip-call beside']));
    next.phone.isAnswered();
    next.phone.takenBeside().isAnswered();
    const { other } = await next.sees('Grace', (view) => isWith(second)(view) && view.other?.call != null);
    expect(other?.call?.id).toBe(first);
    expect(await states(first, second)).toEqual([
      ['held', null],
      ['connected', null],
    ]);
    next.workplace.turnToOther();
    await next.sees('the first', isWith(first));
  });

  it('finds both after a reload before the gateway had heard that the second was answered', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk, line } = await room.breakableDesk(agent, { tab });
    const { id: first } = (await room.talkingAt(desk, agent)).call;
    desk.phone.isCalledBesideBy(grace);
    const { other } = await desk.sees('who calls', (view) => view.other?.call != null);
    const second = other!.call!.id;
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    desk.workplace.turnToOther();
    await desk.sees('Grace', isWith(second));
    desk.workplace.close();
    const next = await room.deskOf(agent, { tab }).open();
    await eventually(() => expect(next.phone.did).toEqual(['take over sip-call', 'take over sip-call-beside beside']));
    next.phone.isAnswered();
    next.phone.takenBeside().isAnswered();
    const view = await next.sees('Grace', (one) => isWith(second)(one) && one.other?.call?.id === first);
    expect([view.isHeld, view.other?.call?.state]).toEqual([false, 'held']);
  });

  it('leaves nobody behind when the page is closed for good', async () => {
    const left: string[] = [];
    const { desk, first, second } = await turned({ onLeft: ({ callId }) => left.push(callId) });
    desk.workplace.close({ isForGood: true });
    expect(left.toSorted()).toEqual([first, second].toSorted());
    expect(desk.phone.did.at(-1)).toBe('stop');
  });
});
