import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Softphone } from '../../../../src/client/softphone.ts';
import { FakePhone } from '../../../support/sip/fakePhone.ts';
import { newTab, type Desk } from '../../../support/workplace/workplaces.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { gate } from '../../../support/time/gate.ts';
import { eventually } from '../../../support/time/waiting.ts';

const room = useWorkplaceRoom('transfer');
const handedOn = { reason: 'transferred', endedBy: 'agent', transferredTo: '1001' } as const;
const record = { state: 'ended', end_reason: 'transferred', ended_by: 'agent', transferred_to: '1001' };

/** The network has agreed to hand the call on. */
function agrees({ phone }: Desk): void {
  phone.dialog = { ...phone.dialog!, transferTo: '1001' };
  phone.tellsMedia({ isTransferring: true });
}

describe('a call that the agent hands on', () => {
  it('is recorded so, from hold too, and is wrapped up', async () => {
    const agent = await room.someAgent();
    const { desk, call } = await room.talking(agent);
    desk.workplace.setHeld(true);
    await desk.hasCall('held');
    desk.workplace.transfer(desk.key, '1001');
    expect(desk.phone.did.at(-1)).toBe('transfer 1001');
    expect(desk.workplace.view()).toMatchObject({ isTransferring: true, isHeld: true });
    desk.phone.ends(handedOn);
    expect(await desk.hasCall('ended')).toMatchObject(record);
    await eventually(async () => expect(await room.recorded(call.id)).toMatchObject(record));
    expect(await room.stateOf(agent)).toBe('wrap_up');
    expect(desk.workplace.view().isTransferring).toBe(false);
  });

  it('stays as it was where the network refuses, and the agent is told', async () => {
    const { desk, call } = await room.talking(await room.someAgent());
    desk.workplace.setHeld(true);
    await desk.hasCall('held');
    desk.workplace.transfer(desk.key, '1001');
    desk.phone.tellsMedia({ isTransferring: false });
    desk.phone.emit('problem', { code: 'transfer_refused', who: '1001', sipCode: 603 });
    expect(desk.workplace.view()).toMatchObject({
      isTransferring: false,
      isHeld: true,
      notice: { kind: 'problem', message: { code: 'transfer_refused' } },
    });
    desk.workplace.setHeld(false);
    await eventually(async () =>
      expect(await room.recorded(call.id)).toMatchObject({
        state: 'connected',
        end_reason: null,
        transferred_to: null,
      }),
    );
  });

  it('is talked over with somebody first: it is on hold, and hanging up leaves the customer alone', async () => {
    const { desk, call } = await room.talking(await room.someAgent());
    desk.workplace.consult(desk.key, '1001');
    expect(desk.workplace.view()).toMatchObject({
      isHeld: true,
      consult: { to: '1001', step: 'calling', with: 'colleague' },
    });
    await eventually(async () => expect(await room.recorded(call.id)).toMatchObject({ state: 'held' }));
    desk.workplace.hangUp();
    expect(desk.phone.did.at(-1)).toBe('end consult');
    expect(desk.workplace.view()).toMatchObject({ isHeld: false, consult: null });
    desk.phone.tellsMedia({ consult: { to: '1001', step: 'talking', with: 'customer' } });
    desk.workplace.hangUp();
    expect(desk.phone.did.at(-1)).toBe('hang up');
    expect(await desk.hasCall('ended')).toMatchObject({ end_reason: 'completed' });
    expect(desk.workplace.view().consult).toBeNull();
  });

  it('is handed on to whom it was talked over with', async () => {
    const { desk, call } = await room.talking(await room.someAgent());
    desk.workplace.consult(desk.key, '1001');
    desk.workplace.completeConsult();
    expect(desk.phone.did.at(-1)).toBe('complete');
    expect(desk.workplace.view().isTransferring).toBe(true);
    desk.phone.ends(handedOn);
    await eventually(async () => expect(await room.recorded(call.id)).toMatchObject(record));
    expect(desk.workplace.view().consult).toBeNull();
  });

  it('is that call alone, whatever has taken its place since it was chosen', async () => {
    const { desk } = await room.talking(await room.someAgent());
    const { key } = desk;
    desk.phone.ends({ reason: 'completed', endedBy: 'customer' });
    await desk.hasCall('ended');
    desk.phone.isCalledBy({ phoneNumber: '+15551230077', displayName: null });
    await desk.sees('who calls', ({ caller }) => caller !== null);
    desk.workplace.passOn(key, '1001');
    desk.workplace.answer();
    await desk.hasCall('connected');
    const before = desk.phone.did.length;
    desk.workplace.transfer(key, '1001');
    desk.workplace.consult(key, '1001');
    await desk.workplace.transferTo(key, 'anybody', true);
    expect(desk.phone.did.slice(before)).toEqual([]);
    expect(desk.workplace.view()).toMatchObject({ isTransferring: false, consult: null, reservedColleague: null });
  });

  it('is asked about no more once it has been moved to somebody else', async () => {
    const { desk } = await room.talking(await room.someAgent());
    desk.workplace.transfer(desk.key, '1001');
    desk.phone.tells({ type: 'moved', step: 'begun', who: '2002' });
    expect(desk.workplace.view().isTransferring).toBe(true);
    desk.phone.tells({ type: 'moved', step: 'done', who: '2002' });
    expect(desk.workplace.view().isTransferring).toBe(false);
  });

  it('is shown as handed on while the gateway is out of reach, which learns of it later', async () => {
    const agent = await room.someAgent();
    const { desk, line } = await room.breakableDesk(agent);
    await room.click(agent).expect(201);
    await desk.hasCall('dialing');
    desk.phone.isAnswered();
    const { id } = await desk.hasCall('connected');
    await eventually(async () => (await room.recorded(id)).state === 'connected');
    line.cut();
    await desk.sees('a lost line', (view) => view.line === 'reconnecting');
    desk.workplace.transfer(desk.key, '1001');
    desk.phone.ends(handedOn);
    expect(desk.workplace.view().call).toMatchObject({ id, ...record });
    line.mend();
    await eventually(async () => expect(await room.recorded(id)).toMatchObject(record));
  });

  it('is known to the page after a reload, which finds it gone', async () => {
    const agent = await room.someAgent();
    const tab = newTab();
    const { desk, call } = await room.talking(agent, { tab });
    desk.workplace.transfer(desk.key, '1001');
    agrees(desk);
    desk.workplace.close();
    const phone = new FakePhone();
    const taken = vi.spyOn(phone, 'takeOver');
    const next = await room.deskOf(agent, { tab, phone }).open();
    await eventually(() =>
      expect(taken).toHaveBeenCalledWith(
        expect.any(Number),
        expect.objectContaining({ callId: 'sip-call', transferTo: '1001' }),
      ),
    );
    phone.ends(handedOn);
    expect(await next.hasCall('ended')).toMatchObject(record);
    await eventually(async () => expect(await room.recorded(call.id)).toMatchObject(record));
    expect(next.workplace.view().notice).toBeNull();
  });

  it('before the gateway has recorded it was answered all the same', async () => {
    const agent = await room.someAgent();
    const desk = await room.readyDesk(agent);
    const recording = gate();
    // oxlint-disable-next-line typescript/unbound-method -- called with its own softphone below
    const { incomingCall } = Softphone.prototype;
    const asked = vi.spyOn(Softphone.prototype, 'incomingCall').mockImplementation(function (
      this: Softphone,
      ...about
    ) {
      return recording.pass(() => incomingCall.apply(this, about));
    });
    onTestFinished(() => asked.mockRestore());
    recording.shut();
    desk.phone.isCalledBy({ phoneNumber: customer, displayName: null });
    await recording.reached();
    desk.workplace.answer();
    desk.workplace.transfer(desk.key, '1001');
    desk.phone.ends(handedOn);
    recording.open();
    await eventually(async () =>
      expect(await room.callsOf(agent)).toMatchObject([{ ...record, answered_at: expect.any(String) }]),
    );
    await eventually(async () => expect(await room.stateOf(agent)).toBe('wrap_up'));
  });

  it('at a desk phone is told by the agent, to nobody in particular', async () => {
    const phone = new FakePhone();
    phone.can = { mute: false, hold: false, dtmf: false, transfer: null, incoming: false, reportsByHand: true };
    const { desk, call } = await room.talking(await room.someAgent(), { phone });
    desk.workplace.reportEnded({ reason: 'transferred', endedBy: 'agent' });
    await desk.hasCall('ended');
    await eventually(async () =>
      expect(await room.recorded(call.id)).toMatchObject({ ...record, transferred_to: null }),
    );
  });
});
