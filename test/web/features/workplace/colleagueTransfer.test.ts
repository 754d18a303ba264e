import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Softphone } from '../../../../src/client/softphone.ts';
import type { CallView } from '../../../../src/contract/calls.ts';
import { FakePbx } from '../../../support/sip/fakePbx.ts';
import type { TestAgent } from '../../../support/gateway/gateway.ts';
import { eventually } from '../../../support/time/waiting.ts';
import { beginnings, happenings, TransferStory } from '../../../support/workplace/transferStory.ts';
import { customer, useWorkplaceRoom } from '../../../support/workplace/workplaceRoom.ts';
import { type Desk, newTab, type Tab } from '../../../support/workplace/workplaces.ts';

const room = useWorkplaceRoom('handing-on');

const nameOf = (agent: TestAgent) => `Agent ${agent.agentCode}`;

/** Where an agent of that PBX works. */
function deskAt(pbx: FakePbx, agent: TestAgent, tab: Tab = newTab(), url?: string): Desk {
  return room.deskOf(agent, { tab, newPhone: () => pbx.telephone(room.extensionOf(agent)) }, url);
}

async function readyAt(pbx: FakePbx, agent: TestAgent, tab?: Tab): Promise<Desk> {
  return (await deskAt(pbx, agent, tab).open()).goReady();
}

/** Ada talks to the customer; Ben is Ready. Both at one PBX. */
async function talking() {
  const pbx = new FakePbx();
  const ada = await room.someAgent();
  const ben = await room.someAgent();
  const adasTab = newTab();
  const bensTab = newTab();
  const [adas, bens] = [await readyAt(pbx, ada, adasTab), await readyAt(pbx, ben, bensTab)];
  await room.click(ada).expect(201);
  await adas.hasCall('dialing');
  adas.phone.isAnswered();
  const { id } = await adas.hasCall('connected');
  await eventually(async () => expect((await room.recorded(id)).state).toBe('connected'));
  return { pbx, ada, ben, adas, bens, adasTab, bensTab, id };
}

/** Ben's telephone rings for Ada's customer. @returns his call */
async function rings(bens: Desk): Promise<CallView> {
  return (await bens.sees('Ada’s call', ({ call, caller }) => caller !== null && call?.trigger === 'transfer')).call!;
}

describe('a Ready colleague to whom a call is handed on', () => {
  it('sees the customer, who hands them on, and what that one has noted, before it rings', async () => {
    const { pbx, ada, ben, adas, bens, id } = await talking();
    await room.gateway.as(ada).put(`/api/calls/${id}/notes`).send({ notes: 'Wants the blue one' }).expect(204);
    const seen: string[] = [];
    bens.workplace.onPop(
      (pop) =>
        void seen.push(
          `${pop.trigger} ${pop.phone_number}, ` +
            `rung: ${String(pbx.telephones.get(room.extensionOf(ben))?.isFree === false)}`,
        ),
    );
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
    const { id: bensId } = await rings(bens);
    expect(seen).toEqual([`transfer ${customer}, rung: false`]);
    expect(bens.workplace.view().call).toMatchObject({
      ...{ direction: 'inbound', phone: customer, parent_call_id: id, state: 'ringing' },
      transferred_from: {
        agent_id: ada.id,
        name: nameOf(ada),
        extension: room.extensionOf(ada),
        notes: 'Wants the blue one',
      },
    });
    expect(await room.stateOf(ben)).toBe('reserved');
    expect(pbx.customer).toEqual({ at: room.extensionOf(ada), isHeld: true });

    bens.workplace.answer();
    await adas.hasCall('ended');
    await eventually(async () =>
      expect(await room.recorded(id)).toMatchObject({
        end_reason: 'transferred',
        transferred_to: room.extensionOf(ben),
      }),
    );
    expect(pbx.customer).toEqual({ at: room.extensionOf(ben), isHeld: false });
    await eventually(async () =>
      expect(await room.recorded(bensId)).toMatchObject({ state: 'connected', parent_call_id: id }),
    );
    expect([await room.stateOf(ada), await room.stateOf(ben)]).toEqual(['wrap_up', 'on_call']);
    pbx.customerLeaves();
    await eventually(async () =>
      expect(await room.recorded(bensId)).toMatchObject({ state: 'ended', end_reason: 'completed', end_detail: null }),
    );
    expect(await room.stateOf(ben)).toBe('wrap_up');
  });

  it('is talked to first where the agent wants that, and gets the customer when the agent says so', async () => {
    const { pbx, ben, adas, bens, id } = await talking();
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, true);
    await rings(bens);
    expect(adas.workplace.view()).toMatchObject({
      reservedColleague: { name: nameOf(ben) },
      consult: { name: nameOf(ben), step: 'ringing' },
    });
    bens.workplace.answer();
    await adas.sees('that they talk', ({ consult }) => consult?.step === 'talking');
    expect(pbx.customer).toMatchObject({ isHeld: true });
    adas.workplace.completeConsult();
    await eventually(async () => expect((await room.recorded(id)).end_reason).toBe('transferred'));
    expect(pbx.customer).toEqual({ at: room.extensionOf(ben), isHeld: false });
    expect(adas.workplace.view().reservedColleague).toBeNull();
  });

  it('has nothing to wrap up where the customer stays with the agent, and is Ready again', async () => {
    const { ada, pbx, ben, adas, bens, id } = await talking();
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, true);
    const { id: bensId } = await rings(bens);
    bens.workplace.answer();
    await adas.sees('that they talk', ({ consult }) => consult?.step === 'talking');
    await eventually(async () => expect((await room.recorded(bensId)).state).toBe('connected'));
    adas.workplace.endConsult();
    await eventually(async () =>
      expect(await room.recorded(bensId)).toMatchObject({ state: 'ended', end_detail: 'consulted' }),
    );
    await eventually(async () => expect(await room.stateOf(ben)).toBe('ready'));
    expect(pbx.customer).toEqual({ at: room.extensionOf(ada), isHeld: false });
    expect(await room.recorded(id)).toMatchObject({ end_reason: null });
  });

  it.each([
    ['declines', (bens: Desk) => bens.workplace.reject(), { end_reason: 'rejected' }, 'not_ready'],
    [
      'is given up by the agent',
      (_bens: Desk, adas: Desk) => adas.workplace.endConsult(),
      { end_reason: 'canceled' },
      'ready',
    ],
  ] as const)('%s: the agent has the customer again', async (_how, end, ended, state) => {
    const { ada, pbx, ben, adas, bens, id } = await talking();
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
    const { id: bensId } = await rings(bens);
    end(bens, adas);
    await adas.hasCall('connected');
    expect(adas.workplace.view()).toMatchObject({ consult: null, reservedColleague: null });
    expect(pbx.customer).toEqual({ at: room.extensionOf(ada), isHeld: false });
    await eventually(async () =>
      expect(await room.recorded(bensId)).toMatchObject({ state: 'ended', ...ended, answered_at: null }),
    );
    await eventually(async () => expect(await room.stateOf(ben)).toBe(state));
    await eventually(async () =>
      expect(await room.recorded(id)).toMatchObject({ state: 'connected', end_reason: null }),
    );
  });

  it('declines: their own softphone says so, and the agent’s does not cancel before it', async () => {
    const canceled = vi.spyOn(Softphone.prototype, 'cancelTransfer');
    onTestFinished(() => canceled.mockRestore());
    const { ben, adas, bens } = await talking();
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
    const { id } = await rings(bens);
    bens.workplace.reject();
    await adas.sees('nobody reserved', ({ reservedColleague }) => reservedColleague === null);
    await eventually(async () => expect(await room.recorded(id)).toMatchObject({ end_reason: 'rejected' }));
    expect(canceled).not.toHaveBeenCalled();
  });

  it('declines before it rings: the agent is told, and has the customer again', async () => {
    const { pbx, ada, ben, adas, bens } = await talking();
    // The PBX takes its time.
    const late = pbx.invite.bind(pbx);
    pbx.invite = (from, to, options) => {
      pbx.asked.set(from.extension, { to, options, isAnswered: false });
      from.tellConsult('calling', { to, options, isAnswered: false });
    };
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
    await bens.sees('what is about to ring', ({ call, caller }) => call?.trigger === 'transfer' && caller === null);
    bens.workplace.hangUp();
    await adas.sees('that nobody comes', ({ consult }) => consult === null);
    expect(adas.workplace.view().notice?.message).toMatchObject({ code: 'consult_unanswered' });
    await eventually(async () => expect(await room.stateOf(ben)).toBe('not_ready'));
    expect(pbx.customer).toEqual({ at: room.extensionOf(ada), isHeld: false });
    pbx.invite = late;
  });

  it('keeps the customer’s call with the agent where the PBX does not join them', async () => {
    const { pbx, ada, ben, adas, bens, id } = await talking();
    pbx.joins = false;
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, false);
    await rings(bens);
    bens.workplace.answer();
    await adas.sees('the refusal', ({ notice }) => notice?.message.code === 'transfer_refused');
    expect(adas.workplace.view()).toMatchObject({ consult: { step: 'talking' }, isHeld: true });
    adas.workplace.endConsult();
    expect(pbx.customer).toEqual({ at: room.extensionOf(ada), isHeld: false });
    await eventually(async () =>
      expect(await room.recorded(id)).toMatchObject({ state: 'connected', end_reason: null }),
    );
  });
});

describe('whom a call is handed on to', () => {
  it('is whoever has been Ready for the longest time, of a team where one is named', async () => {
    const { pbx, ben, adas, bens } = await talking();
    const cem = await room.someAgent();
    const cems = await readyAt(pbx, cem);
    await room.gateway
      .as(room.company)
      .post('/api/teams')
      .send({ code: 'second', name: 'Second line', agent_ids: [cem.id] })
      .expect(201);
    await adas.workplace.transferTo(adas.key, { teamCode: 'second' }, true);
    await rings(cems);
    adas.workplace.endConsult();
    await adas.hasCall('connected');
    await adas.workplace.transferTo(adas.key, 'anybody', true);
    await rings(bens);
    expect(adas.workplace.view().reservedColleague).toEqual({ name: nameOf(ben) });
    adas.workplace.endConsult();
  });

  it('is nobody who is not Ready, there, of the company, or another: the customer is not put on hold', async () => {
    const { pbx, ada, ben, adas, bens, id } = await talking();
    await bens.workplace.setNotReady('break');
    const stranger = await room.gateway.company({ slug: `strangers-${Date.now()}`, agents: 1 });
    const noAccount = await room.gateway.agent(room.company, `desk-${Date.now()}`);
    const refused = async (target: Parameters<typeof adas.workplace.transferTo>[1]) =>
      adas.workplace.transferTo(adas.key, target, false).then(
        () => 'taken',
        (error: unknown) => (error as { code?: string }).code,
      );
    expect(await refused({ agentId: ben.id })).toBe('agent_not_ready');
    expect(await refused({ agentId: ada.id })).toBe('conflict');
    expect(await refused({ agentId: noAccount.id })).toBe('conflict');
    expect(await refused({ agentId: stranger.agents[0]!.id })).toBe('wrong_company');
    expect(await refused({ agentId: id })).toBe('unknown_agent');
    expect(await refused({ teamCode: 'none' })).toBe('unknown_team');
    expect(adas.workplace.view()).toMatchObject({ consult: null, isHeld: false, reservedColleague: null });
    expect(pbx.whereabouts).toEqual([{ at: room.extensionOf(ada), isHeld: false }]);
    expect(await room.callsOf(ben)).toEqual([]);
    expect(bens.workplace.view().pop).toBeNull();
  });

  it('is one at a time', async () => {
    const { pbx, ben, adas, bens } = await talking();
    const cem = await room.someAgent();
    await readyAt(pbx, cem);
    await adas.workplace.transferTo(adas.key, { agentId: ben.id }, true);
    await rings(bens);
    await expect(adas.workplace.transferTo(adas.key, { agentId: cem.id }, true)).rejects.toMatchObject({
      why: 'in_call',
    });
    expect(await room.stateOf(cem)).toBe('ready');
  });
});

describe('whatever happens while a call is handed on', () => {
  it('the customer is with one agent, or on hold with one, and the records tell so', async () => {
    const some = fc.array(fc.constantFrom(...happenings), { minLength: 2, maxLength: 9 });
    // A page that lost its line hears of the next try, and waits for a ring that may not come, for so long.
    await fc.assert(
      fc.asyncProperty(beginnings, some, async (first, others) => {
        await (await TransferStory.begin(room)).holds([first, ...others]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });
});
