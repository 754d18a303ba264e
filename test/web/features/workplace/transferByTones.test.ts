import { describe, expect, it } from 'vitest';
import { FakePhone } from '../../../support/sip/fakePhone.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import type { Desk } from '../../../support/workplace/workplaces.ts';

const room = useWorkplaceRoom('by-tones');

/** A telephone whose PBX hands calls on by tones alone. */
function newPhone(): FakePhone {
  const phone = new FakePhone();
  phone.can = { ...phone.can, transfer: 'tones' };
  return phone;
}

/** Ada talks to the customer, Ben is Ready, and Ada has asked for him. */
async function handingOn() {
  const [ada, ben] = [await room.someAgent(), await room.someAgent()];
  const bens = await room.readyDesk(ben, { newPhone });
  const { desk: adas, call } = await room.talking(ada, { newPhone });
  await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
  expect(adas.phone.did.at(-1)).toBe(`transfer ${room.extensionOf(ben)}`);
  const { call: bensCall } = await bens.sees('Ada’s call', ({ call: one }) => one?.trigger === 'transfer');
  expect(bensCall).toMatchObject({ parent_call_id: call.id, phone: customer, state: 'ringing' });
  const handedOn = { reason: 'transferred', endedBy: 'agent', transferredTo: room.extensionOf(ben) } as const;
  return { ada, ben, adas, bens, id: call.id, bensId: bensCall!.id, handedOn };
}

/** The PBX calls Ben for the customer: no header says for which call. */
async function rings({ phone, ...desk }: Desk): Promise<void> {
  phone.isCalledBy({ phoneNumber: customer, displayName: null });
  await eventually(() => desk.workplace.view().caller !== null);
}

describe('a colleague to whom a PBX hands a call on by tones', () => {
  it('talks to the agent first where the PBX lets them, and has the customer once the agent hangs up', async () => {
    const { ada, adas, ben, bens, id, bensId, handedOn } = await handingOn();
    await rings(bens);
    bens.workplace.answer();
    await eventually(async () => expect((await room.recorded(bensId)).state).toBe('connected'));
    expect(adas.workplace.view()).toMatchObject({
      isTransferring: true,
      reservedColleague: { name: `Agent ${ben.agentCode}` },
    });
    adas.phone.ends(handedOn);
    await eventually(async () =>
      expect(await room.recorded(id)).toMatchObject({
        end_reason: 'transferred',
        transferred_to: room.extensionOf(ben),
      }),
    );
    expect(await room.recorded(bensId)).toMatchObject({ state: 'connected', parent_call_id: id });
    expect([await room.stateOf(ada), await room.stateOf(ben)]).toEqual(['wrap_up', 'on_call']);
  });

  it('keeps ringing where the PBX takes the customer from the agent at once', async () => {
    const { adas, ben, bens, id, bensId, handedOn } = await handingOn();
    adas.phone.ends(handedOn);
    await eventually(async () => expect((await room.recorded(id)).end_reason).toBe('transferred'));
    await rings(bens);
    expect(await room.stateOf(ben)).toBe('reserved');
    bens.workplace.answer();
    await eventually(async () => expect((await room.recorded(bensId)).state).toBe('connected'));
  });

  it('is Ready again where the agent says that the call is back', async () => {
    const { adas, ben, bens, id, bensId } = await handingOn();
    adas.workplace.keepCall(adas.key);
    await eventually(async () => expect(await room.stateOf(ben)).toBe('ready'));
    expect(adas.workplace.view()).toMatchObject({ isTransferring: false, reservedColleague: null });
    expect(await room.recorded(bensId)).toMatchObject({ state: 'ended', end_detail: 'transfer_canceled' });
    expect(await room.recorded(id)).toMatchObject({ state: 'connected' });
    expect(bens.workplace.view().caller).toBeNull();
  });

  it('who declines leaves the call with the agent, who is told', async () => {
    const { adas, bens, id, bensId } = await handingOn();
    await rings(bens);
    bens.workplace.reject();
    await eventually(async () => expect((await room.recorded(bensId)).state).toBe('ended'));
    await eventually(() => adas.phone.did.at(-1) === 'keep: unreachable');
    expect(adas.workplace.view()).toMatchObject({ isTransferring: false, reservedColleague: null });
    expect(await room.recorded(id)).toMatchObject({ state: 'connected' });
  });
});

it('a call that is not the one in front is not taken for back', async () => {
  const { desk } = await room.talking(await room.someAgent(), { newPhone });
  desk.workplace.transfer(desk.key, '1001');
  desk.workplace.keepCall(desk.key + 1);
  expect(desk.workplace.view().isTransferring).toBe(true);
});
