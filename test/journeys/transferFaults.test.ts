import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone, SoftphoneOptions } from '../../src/client/softphone.ts';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, type MeddledGateway, startGateways } from '../support/gateway/gateways.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { gate } from '../support/time/gate.ts';
import { eventually } from '../support/time/waiting.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';

const customer = '+15551230001';
const takes: Partial<SoftphoneOptions> = { acceptTransfer: () => true };

describe('a call that is handed on to a colleague at another gateway', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let ada: TestAgent;
  let ben: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `handing-on-${companies}`, agents: 2, wrapUpSeconds: 600 });
    await one.as(company).put('/api/telephony').send({ mode: 'sip', sip_wss_url: 'wss://pbx.example/ws' }).expect(200);
    [ada, ben] = company.agents as [TestAgent, TestAgent];
    for (const [place, agent] of [ada, ben].entries()) {
      await one
        .as(company)
        .patch(`/api/agents/${agent.id}`)
        .send({ sip_user: String(1001 + place), sip_secret: 'secret' })
        .expect(200);
    }
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const callsOf = async (agent: TestAgent) =>
    (await two.as(company).get('/api/calls').query({ agent_id: agent.id }).expect(200)).body.calls as {
      id: string;
      state: string;
      end_reason: string | null;
    }[];
  const present = (agent: TestAgent) => gateways.presenceOf(company, agent);

  /** Ada talks to the customer at one gateway. @returns her call */
  async function talks(softphone: Softphone): Promise<string> {
    const dialing = nextEvent(softphone, 'dial');
    await one.click(company, { phone_number: customer, agent_id: ada.id }).expect(201);
    const [{ call_id: id }] = await dialing;
    await softphone.reportProgress(id, 'connected');
    return id;
  }

  /** Whatever Ben's softphone is told that could be shown. */
  function shownTo(softphone: Softphone): string[] {
    const shown: string[] = [];
    softphone.on('pop', ({ trigger }) => void shown.push(trigger));
    softphone.on('call', ({ state, trigger }) => void shown.push(`${trigger} ${state}`));
    return shown;
  }

  it('reserves them, is recorded, and tells who hands it on', async () => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
    const id = await talks(adas);
    const ringing = nextEvent(bens, 'call', ({ state }) => state === 'ringing');
    const started = await adas.startTransfer(id, { agentId: ben.id });
    expect(started).toMatchObject({ agent: { id: ben.id, agent_code: ben.agentCode }, extension: '1002' });
    expect((await ringing)[0]).toMatchObject({
      id: started.call_id,
      parent_call_id: id,
      trigger: 'transfer',
      phone: customer,
    });
    expect(await present(ben)).toMatchObject({ state: 'reserved', reservedFor: 'ring', callId: started.call_id });
    const conversation = (await one.as(company).get(`/api/calls/${id}/conversation`).expect(200)).body.calls as {
      id: string;
    }[];
    expect(conversation.map((call) => call.id)).toEqual([id, started.call_id]);
    // Ada is an agent: of the conversation she sees her own call.
    const own = (await one.as(ada).get(`/api/calls/${id}/conversation`).expect(200)).body.calls as { id: string }[];
    expect(own.map((call) => call.id)).toEqual([id]);
  });

  it('is told on the wallboard with who hands it on, whoever looks when', async () => {
    const boss = await one.agent(company, 'boss', 'supervisor');
    const adas = await one.readySoftphone(ada);
    await two.readySoftphone(ben, takes);
    const before = await WatchedWallboard.open(two.url, boss.token);
    const { call_id: theirs } = await adas.startTransfer(await talks(adas), { agentId: ben.id });
    await eventually(() => before.statesOf(theirs).length > 0);
    const after = await WatchedWallboard.open(one.url, boss.token);
    const [told] = before.callChanges.filter(({ id }) => id === theirs);
    const listed = after.callLists[0]?.find(({ id }) => id === theirs);
    expect([told?.handed_on_by, listed?.handed_on_by]).toEqual([`Agent ${ada.agentCode}`, `Agent ${ada.agentCode}`]);
    for (const { watcher } of [before, after]) watcher.close();
  });

  it('tells the agent when the colleague will not come', async () => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
    const { call_id: theirs } = await adas.startTransfer(await talks(adas));
    const told = nextEvent(adas, 'transferEnded');
    await bens.reportProgress(theirs, 'ended', { end_reason: 'rejected', ended_by: 'agent' });
    expect(await told).toEqual([{ call_id: theirs, end_reason: 'rejected' }]);
    await inState(bens, 'not_ready');
  });

  it.each([
    ['declines', { acceptTransfer: (): boolean => false }, 'rejected'],
    [
      'does not answer the offer',
      { acceptTransfer: (): Promise<boolean> => new Promise(() => undefined) },
      'delivery_failed',
    ],
  ] as const)('is nobody’s but the agent’s where the only colleague’s softphone %s', async (_how, options, reason) => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, options)];
    const id = await talks(adas);
    await expect(adas.startTransfer(id)).rejects.toMatchObject({ code: 'no_ready_agent' });
    await inState(bens, 'not_ready');
    expect(await present(ben)).toMatchObject({ reason });
    expect(await callsOf(ben)).toEqual([]);
    expect(await callsOf(ada)).toMatchObject([{ id, state: 'connected' }]);
    expect(bens.pop).toBeNull();
  });

  it('leaves alone colleagues whose softphones take no such calls, and asks the next', async () => {
    const cem = await one.agent(company, 'c300');
    await one.as(company).patch(`/api/agents/${cem.id}`).send({ sip_user: '1003', sip_secret: 'secret' }).expect(200);
    const adas = await one.readySoftphone(ada);
    const olds = await two.readySoftphone(ben);
    const shown = shownTo(olds);
    await two.readySoftphone(cem, takes);
    expect(await adas.startTransfer(await talks(adas))).toMatchObject({ agent: { id: cem.id } });
    expect(await present(ben)).toMatchObject({ state: 'ready', claimId: null });
    expect(shown).toEqual([]);
  });

  it('frees a colleague who was reserved before the agent asked anew, its first answer lost', async () => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
    const id = await talks(adas);
    const { call_id: first } = await adas.startTransfer(id);
    const again = await adas.startTransfer(id);
    expect(again.call_id).not.toBe(first);
    expect(await callsOf(ben)).toMatchObject([
      { id: again.call_id, state: 'ringing' },
      { id: first, state: 'ended', end_reason: 'canceled' },
    ]);
    await bens.reportProgress(again.call_id, 'connected');
    await expect(adas.startTransfer(id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already'),
    });
    // What is canceled too late changes nothing.
    await adas.cancelTransfer(again.call_id);
    await adas.cancelTransfer(first);
    expect(await callsOf(ben)).toMatchObject([{ state: 'connected' }, { state: 'ended' }]);
  });

  it('is not for others to cancel, nor for a softphone that was replaced', async () => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
    const { call_id: theirs } = await adas.startTransfer(await talks(adas));
    await expect(bens.cancelTransfer(theirs)).rejects.toMatchObject({ code: 'not_found' });
    await two.softphone(ada).connect();
    await eventually(() => adas.line === 'replaced');
    await expect(adas.cancelTransfer(theirs)).rejects.toThrow();
    expect(await callsOf(ben)).toMatchObject([{ id: theirs, state: 'ringing' }]);
  });

  it('counts as a question alone only while the agent’s softphone is there to say otherwise', async () => {
    const line = await openBreakableLine(one.url);
    const adas = one.softphone(ada, { url: line.url });
    await adas.connect();
    await adas.setReady();
    const bens = await two.readySoftphone(ben, takes);
    const id = await talks(adas);
    const { call_id: theirs } = await adas.startTransfer(id);
    await bens.reportProgress(theirs, 'connected');
    line.cut();
    await eventually(async () => (await present(ada)).connection !== 'connected');
    // The customer has talked to Ben; Ada's softphone could not tell yet that she handed them on.
    await bens.reportProgress(theirs, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    await inState(bens, 'wrap_up');
    line.mend();
    await line.close();
  });

  it('is wrapped up by the colleague whose call was over before it was known to be handed on', async () => {
    const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
    const id = await talks(adas);
    const { call_id: theirs } = await adas.startTransfer(id);
    await bens.reportProgress(theirs, 'connected');
    await bens.reportProgress(theirs, 'ended', { end_reason: 'completed', ended_by: 'customer' });
    expect(await callsOf(ben)).toMatchObject([{ end_reason: 'completed', end_detail: 'consulted' }]);
    await adas.reportProgress(id, 'ended', { end_reason: 'transferred', transferred_to: '1002' });
    expect(await callsOf(ben)).toMatchObject([{ end_reason: 'completed', end_detail: null }]);
  });

  it.each(['offer', 'commit', 'recordCall'] as const)(
    'frees the colleague when the agent’s gateway stands still for good (%s), and nothing is recorded later',
    async (step) => {
      const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
      const id = await talks(adas);
      const shown = shownTo(bens);
      const standing = gate();
      standing.shut();
      one.meddling.gates[step] = standing;
      const asked = adas.startTransfer(id, { agentId: ben.id }).then(
        () => 'reserved',
        () => 'refused',
      );
      await standing.reached();
      for (const line of [one.meddling.toRedis, one.meddling.toPostgres]) line.hold();
      await gateways.lapseReservation(company, ben);
      await eventually(async () => (await two.meddling.presenceOf(company, ben)).state !== 'reserved');
      gateways.endMeddling();
      expect(await asked).toBe('refused');
      await eventually(async () => expect((await callsOf(ben)).filter(({ state }) => state !== 'ended')).toEqual([]));
      expect(shown.filter((one) => one === 'transfer ringing')).toEqual([]);
      expect(await callsOf(ada)).toMatchObject([{ id, state: 'connected' }]);
    },
  );

  it.each(['offer', 'commit', 'recordCall'] as const)(
    'is refused where a store fails (%s): nobody is reserved, and nothing is recorded or told',
    async (step) => {
      const [adas, bens] = [await one.readySoftphone(ada), await two.readySoftphone(ben, takes)];
      const id = await talks(adas);
      const shown = shownTo(bens);
      const broken = gate();
      broken.fail(new Error('the store failed'));
      one.meddling.gates[step] = broken;
      await expect(adas.startTransfer(id, { agentId: ben.id })).rejects.toThrow();
      gateways.endMeddling();
      await eventually(async () => (await present(ben)).state !== 'reserved');
      expect(await callsOf(ben)).toEqual([]);
      expect(shown.filter((one) => one.endsWith('ringing'))).toEqual([]);
      expect(await callsOf(ada)).toMatchObject([{ id, state: 'connected' }]);
      await bens.setReady();
      expect(await adas.startTransfer(id, { agentId: ben.id })).toMatchObject({ agent: { id: ben.id } });
    },
  );
});
