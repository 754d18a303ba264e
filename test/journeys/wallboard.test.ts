import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startGateways } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';

const phone_number = '+15551230001';

async function startSome(count: number): Promise<{ all: readonly Gateway[]; close: () => Promise<void> }> {
  if (count > 1) return startGateways(count);
  const gateway = await startGateway('memory');
  return { all: [gateway], close: () => gateway.close() };
}

describe.each([
  { name: 'one gateway', count: 1 },
  { name: 'two gateways', count: 2 },
])('the wallboard of $name', ({ count }) => {
  let gateways: Awaited<ReturnType<typeof startSome>>;
  /** Where the softphones are, and most of the clicks arrive. */
  let here: Gateway;
  /** Where the supervisors are. */
  let there: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let supervisor: TestAgent;
  let companies = 0;
  const wallboards: WatchedWallboard[] = [];

  beforeAll(async () => {
    gateways = await startSome(count);
    const [first, last] = [gateways.all[0], gateways.all.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there is a gateway');
    [here, there] = [first, last];
  });
  beforeEach(async () => {
    companies += 1;
    company = await here.company({ slug: `wallboard-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [first] = company.agents;
    if (first === undefined) throw new Error('the company has agents');
    agent = first;
    supervisor = await here.agent(company, 'boss', 'supervisor');
  });
  afterEach(() => {
    for (const wallboard of wallboards.splice(0)) wallboard.watcher.close();
  });
  afterAll(() => gateways.close());

  async function watch(url = there.url, token = supervisor.token): Promise<WatchedWallboard> {
    const wallboard = await WatchedWallboard.open(url, token);
    wallboards.push(wallboard);
    return wallboard;
  }
  const dialed = async (): Promise<string> =>
    (await here.click(company, { phone_number, screen_pop: { name: 'Ada Lovelace' } }).expect(201)).body.call_id;

  it('shows a call from the dial to its end', async () => {
    const wallboard = await watch();
    expect([wallboard.agentLists, wallboard.callLists, wallboard.clickLists]).toEqual([[[]], [[]], [[]]]);
    const softphone = await here.readySoftphone(agent);
    const callId = await dialed();
    await softphone.reportProgress(callId, 'ringing');
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'held');
    await softphone.reportProgress(callId, 'ended');
    await eventually(() => wallboard.statesOf(callId).includes('ended'));
    expect(wallboard.statesOf(callId)).toEqual(['dialing', 'ringing', 'connected', 'held', 'ended']);
    expect(wallboard.callChanges[0]).toEqual({
      ...{ id: callId, agent_id: agent.id, direction: 'outbound', trigger: 'click_to_dial', state: 'dialing' },
      ...{
        phone: phone_number,
        caller: null,
        name: 'Ada Lovelace',
        external_system: null,
        record_url: null,
        source: null,
        handed_on_by: null,
        created_at: expect.any(String),
        answered_at: null,
        version: 1,
      },
    });
    expect(wallboard.callChanges.map(({ answered_at }) => answered_at !== null)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    const states = wallboard.agentChanges.filter(({ agent_id }) => agent_id === agent.id).map(({ state }) => state);
    expect(states).toEqual(expect.arrayContaining(['not_ready', 'ready', 'on_call']));
  });

  it('shows calls that the softphone begins, by hand and at a ring', async () => {
    const wallboard = await watch();
    const softphone = await here.readySoftphone(agent);
    const byHand = await softphone.startCall(phone_number);
    await softphone.reportProgress(byHand.id, 'ended');
    const { call: rung } = await softphone.incomingCall('+15551230002', 'Grace');
    await eventually(() => wallboard.statesOf(rung.id).length > 0);
    expect(wallboard.statesOf(byHand.id)).toEqual(['dialing', 'ended']);
    expect(wallboard.callChanges.at(-1)).toMatchObject({
      direction: 'inbound',
      trigger: 'inbound_ring',
      state: 'ringing',
      name: 'Grace',
    });
  });

  it('counts each click once, by what came of it, wherever it arrived', async () => {
    const wallboard = await watch();
    await here.click(company, { phone_number }).expect(503);
    await here.click(company, { phone_number, agent_code: agent.agentCode }).expect(503);
    await there.click(company, { phone_number, agent_code: 'nobody' }).expect(404);
    await there.click(company, { phone_number: 'no number' }).expect(400);
    await wallboard.shows({ no_ready_agent: 1, agent_not_ready: 1, failed: 2 });

    const softphone = await here.readySoftphone(agent);
    const key = { 'Idempotency-Key': 'one-and-the-same' };
    const { body } = await here.click(company, { phone_number }, key).expect(201);
    expect((await there.click(company, { phone_number }, key).expect(201)).body).toEqual(body);
    await softphone.reportProgress(body.call_id, 'ended');
    await softphone.setReady();
    await there.click(company, { phone_number }).expect(201);
    // Bad input is none of the wallboard's business: it was never looked at.
    await here.click(company, { phone_number, colour: 'green' }).expect(400);
    await here.click(company, { phone_number }).expect(503);
    await wallboard.shows({ dialed: 2, no_ready_agent: 2, agent_not_ready: 1, failed: 2 });
    const late = await watch();
    expect(late.clicks).toEqual(wallboard.clicks);
    expect(late.clickLists[0]?.every(({ at }) => Date.parse(at) % (15 * 60_000) === 0)).toBe(true);
  });

  it('is whole again after the line was away, and shows no call that ended meanwhile', async () => {
    const line = await openBreakableLine(there.url);
    const [first, second] = [await here.readySoftphone(agent), await here.readySoftphone(company.agents[1] ?? agent)];
    const ended = await dialed();
    const wallboard = await watch(line.url);
    expect(wallboard.callLists.at(-1)?.map(({ id }) => id)).toEqual([ended]);
    line.cut();
    await eventually(() => wallboard.watcher.line === 'reconnecting');
    const onIt = first.agent?.call_id === ended ? first : second;
    await nextEventOrNow(onIt, ended);
    await onIt.reportProgress(ended, 'ended');
    await onIt.setNotReady('break');
    const lasting = await dialed();
    line.mend();
    await eventually(() => wallboard.callLists.length === 2);
    await eventually(() => wallboard.clickLists.at(-1) !== undefined && wallboard.clicks.dialed === 2);
    expect(wallboard.callLists.at(-1)).toMatchObject([{ id: lasting, state: 'dialing', name: 'Ada Lovelace' }]);
    const states = wallboard.agentLists
      .at(-1)
      ?.map(({ state }) => state)
      .sort();
    expect(states).toEqual(['not_ready', 'on_call']);
    wallboard.watcher.close();
    await line.close();
  });

  it('shows nothing of another company', async () => {
    const others = await here.company({ slug: `others-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [stranger] = others.agents;
    if (stranger === undefined) throw new Error('the company has one agent');
    await here.readySoftphone(agent);
    await dialed();
    const wallboard = await watch(there.url, others.adminToken);
    expect([wallboard.agentLists, wallboard.callLists, wallboard.clicks.dialed]).toEqual([[[]], [[]], 0]);
    const ours = await watch();
    await here.click(company, { phone_number }).expect(503);
    await ours.shows({ dialed: 1, no_ready_agent: 1 });

    const softphone = await here.readySoftphone(stranger);
    const theirs = await softphone.startCall(phone_number);
    await here.click(others, { phone_number }).expect(503);
    await wallboard.shows({ no_ready_agent: 1 });
    await eventually(() => wallboard.statesOf(theirs.id).length > 0);
    expect(new Set(wallboard.agentChanges.map(({ agent_id }) => agent_id))).toEqual(new Set([stranger.id]));
    expect(new Set(wallboard.callChanges.map(({ id }) => id))).toEqual(new Set([theirs.id]));
    expect(ours.callChanges.some(({ id }) => id === theirs.id)).toBe(false);
  });

  it('is for supervisors and admins alone', async () => {
    const refused = new WatchedWallboard(there.url, agent.token);
    wallboards.push(refused);
    refused.watcher.connect();
    await eventually(() => refused.watcher.line === 'refused');
    expect(refused.lines.at(-1)?.refusal).toMatchObject({ code: 'role_required' });
    const forged = new WatchedWallboard(there.url, `${supervisor.token}x`);
    wallboards.push(forged);
    forged.watcher.connect();
    await eventually(() => forged.watcher.line === 'refused');

    const sockets = createRawSockets();
    const heard: string[] = [];
    await sockets.open(there.url, { token: agent.token }, {}, (socket) =>
      socket.onAny((event: string) => heard.push(event)),
    );
    await eventually(() => heard.includes('state_snapshot'));
    const wallboard = await watch();
    const other = await here.readySoftphone(company.agents[1] ?? agent);
    await other.startCall(phone_number);
    await here.click(company, { phone_number }).expect(503);
    await wallboard.shows({ no_ready_agent: 1 });
    expect(wallboard.callChanges).toHaveLength(1);
    sockets.closeAll();
    expect(heard.filter((event) => /agents|live|calls|clicks/.test(event))).toEqual([]);
  });
});

/** Resolves when a softphone knows of its call, now or soon. */
async function nextEventOrNow(softphone: Parameters<typeof nextEvent>[0], callId: string): Promise<void> {
  if (softphone.agent?.call_id !== callId) await nextEvent(softphone, 'agent', (state) => state.call_id === callId);
}
