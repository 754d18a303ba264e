import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openBreakableLine } from '../support/breakableLine.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway.ts';
import { startGateways } from '../support/gateways.ts';
import { createRawSockets } from '../support/rawSockets.ts';
import { nextEvent } from '../support/softphoneEvents.ts';
import { eventually } from '../support/time.ts';
import { WatchedWall } from '../support/watchedWall.ts';

const phone_number = '+15551230001';

async function startSome(count: number): Promise<{ all: readonly Gateway[]; close: () => Promise<void> }> {
  if (count > 1) return startGateways(count);
  const gateway = await startGateway('memory');
  return { all: [gateway], close: () => gateway.close() };
}

describe.each([
  { name: 'one gateway', count: 1 },
  { name: 'two gateways', count: 2 },
])('the wall of $name', { timeout: 60_000 }, ({ count }) => {
  let gateways: Awaited<ReturnType<typeof startSome>>;
  /** Where the softphones are, and most of the clicks arrive. */
  let here: Gateway;
  /** Where the supervisors are. */
  let there: Gateway;
  let company: TestCompany;
  let agent: TestAgent;
  let supervisor: TestAgent;
  let companies = 0;
  const walls: WatchedWall[] = [];

  beforeAll(async () => {
    gateways = await startSome(count);
    const [first, last] = [gateways.all[0], gateways.all.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there is a gateway');
    [here, there] = [first, last];
  }, 60_000);
  beforeEach(async () => {
    companies += 1;
    company = await here.company({ slug: `wall-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [first] = company.agents;
    if (first === undefined) throw new Error('the company has agents');
    agent = first;
    supervisor = await here.agent(company, 'boss', 'supervisor');
  });
  afterEach(() => {
    for (const wall of walls.splice(0)) wall.watcher.close();
  });
  afterAll(() => gateways.close());

  async function watch(url = there.url, token = supervisor.token): Promise<WatchedWall> {
    const wall = await WatchedWall.open(url, token);
    walls.push(wall);
    return wall;
  }
  const dialed = async (): Promise<string> =>
    (await here.click(company, { phone_number, screen_pop: { name: 'Ada Lovelace' } }).expect(201)).body.call_id;

  it('shows a call from the dial to its end', async () => {
    const wall = await watch();
    expect([wall.agentLists, wall.callLists, wall.clickLists]).toEqual([[[]], [[]], [[]]]);
    const softphone = await here.readySoftphone(agent);
    const callId = await dialed();
    await softphone.reportProgress(callId, 'ringing');
    await softphone.reportProgress(callId, 'connected');
    await softphone.reportProgress(callId, 'held');
    await softphone.reportProgress(callId, 'ended');
    await eventually(() => wall.statesOf(callId).includes('ended'));
    expect(wall.statesOf(callId)).toEqual(['dialing', 'ringing', 'connected', 'held', 'ended']);
    expect(wall.callChanges[0]).toEqual({
      ...{ id: callId, agent_id: agent.id, direction: 'outbound', trigger: 'click_to_dial', state: 'dialing' },
      ...{ phone: phone_number, caller: null, name: 'Ada Lovelace', created_at: expect.any(String), answered_at: null, version: 1 },
    });
    expect(wall.callChanges.map(({ answered_at }) => answered_at !== null)).toEqual([false, false, true, true, true]);
    const states = wall.agentChanges.filter(({ agent_id }) => agent_id === agent.id).map(({ state }) => state);
    expect(states).toEqual(expect.arrayContaining(['not_ready', 'ready', 'on_call']));
  });

  it('shows calls that the softphone begins, by hand and at a ring', async () => {
    const wall = await watch();
    const softphone = await here.readySoftphone(agent);
    const byHand = await softphone.startCall(phone_number);
    await softphone.reportProgress(byHand.id, 'ended');
    const { call: rung } = await softphone.incomingCall('+15551230002', 'Grace');
    await eventually(() => wall.statesOf(rung.id).length > 0);
    expect(wall.statesOf(byHand.id)).toEqual(['dialing', 'ended']);
    expect(wall.callChanges.at(-1)).toMatchObject({ direction: 'inbound', trigger: 'inbound_ring', state: 'ringing', name: 'Grace' });
  });

  it('counts each click once, by what came of it, wherever it arrived', async () => {
    const wall = await watch();
    await here.click(company, { phone_number }).expect(503);
    await here.click(company, { phone_number, agent_code: agent.agentCode }).expect(503);
    await there.click(company, { phone_number, agent_code: 'nobody' }).expect(404);
    await there.click(company, { phone_number: 'no number' }).expect(400);
    await wall.shows({ no_ready_agent: 1, agent_not_ready: 1, failed: 2 });

    const softphone = await here.readySoftphone(agent);
    const key = { 'Idempotency-Key': 'one-and-the-same' };
    const { body } = await here.click(company, { phone_number }, key).expect(201);
    expect((await there.click(company, { phone_number }, key).expect(201)).body).toEqual(body);
    await softphone.reportProgress(body.call_id, 'ended');
    await softphone.setReady();
    await there.click(company, { phone_number }).expect(201);
    // Bad input is none of the wall's business: it was never looked at.
    await here.click(company, { phone_number, colour: 'green' }).expect(400);
    await here.click(company, { phone_number }).expect(503);
    await wall.shows({ dialed: 2, no_ready_agent: 2, agent_not_ready: 1, failed: 2 });
    const late = await watch();
    expect(late.clicks).toEqual(wall.clicks);
    expect(late.clickLists[0]?.every(({ at }) => Date.parse(at) % (15 * 60_000) === 0)).toBe(true);
  });

  it('is whole again after the line was away, and shows no call that ended meanwhile', async () => {
    const line = await openBreakableLine(there.url);
    const [first, second] = [await here.readySoftphone(agent), await here.readySoftphone(company.agents[1] ?? agent)];
    const ended = await dialed();
    const wall = await watch(line.url);
    expect(wall.callLists.at(-1)?.map(({ id }) => id)).toEqual([ended]);
    line.cut();
    await eventually(() => wall.watcher.line === 'reconnecting');
    const onIt = first.agent?.call_id === ended ? first : second;
    await nextEventOrNow(onIt, ended);
    await onIt.reportProgress(ended, 'ended');
    await onIt.setNotReady('break');
    const lasting = await dialed();
    line.mend();
    await eventually(() => wall.callLists.length === 2);
    await eventually(() => wall.clickLists.at(-1) !== undefined && wall.clicks.dialed === 2);
    expect(wall.callLists.at(-1)).toMatchObject([{ id: lasting, state: 'dialing', name: 'Ada Lovelace' }]);
    const states = wall.agentLists.at(-1)?.map(({ state }) => state).sort();
    expect(states).toEqual(['not_ready', 'on_call']);
    wall.watcher.close();
    await line.close();
  });

  it('shows nothing of another company', async () => {
    const others = await here.company({ slug: `others-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [stranger] = others.agents;
    if (stranger === undefined) throw new Error('the company has one agent');
    await here.readySoftphone(agent);
    await dialed();
    const wall = await watch(there.url, others.adminToken);
    expect([wall.agentLists, wall.callLists, wall.clicks.dialed]).toEqual([[[]], [[]], 0]);
    const ours = await watch();
    await here.click(company, { phone_number }).expect(503);
    await ours.shows({ dialed: 1, no_ready_agent: 1 });

    const softphone = await here.readySoftphone(stranger);
    const theirs = await softphone.startCall(phone_number);
    await here.click(others, { phone_number }).expect(503);
    await wall.shows({ no_ready_agent: 1 });
    await eventually(() => wall.statesOf(theirs.id).length > 0);
    expect(new Set(wall.agentChanges.map(({ agent_id }) => agent_id))).toEqual(new Set([stranger.id]));
    expect(new Set(wall.callChanges.map(({ id }) => id))).toEqual(new Set([theirs.id]));
    expect(ours.callChanges.some(({ id }) => id === theirs.id)).toBe(false);
  });

  it('is for supervisors and admins alone', async () => {
    const refused = new WatchedWall(there.url, agent.token);
    walls.push(refused);
    refused.watcher.connect();
    await eventually(() => refused.watcher.line === 'refused');
    expect(refused.lines.at(-1)?.refusal).toMatchObject({ code: 'role_required' });
    const forged = new WatchedWall(there.url, `${supervisor.token}x`);
    walls.push(forged);
    forged.watcher.connect();
    await eventually(() => forged.watcher.line === 'refused');

    const sockets = createRawSockets();
    const heard: string[] = [];
    await sockets.open(there.url, { token: agent.token }, {}, (socket) => socket.onAny((event: string) => heard.push(event)));
    await eventually(() => heard.includes('state_snapshot'));
    const wall = await watch();
    const other = await here.readySoftphone(company.agents[1] ?? agent);
    await other.startCall(phone_number);
    await here.click(company, { phone_number }).expect(503);
    await wall.shows({ no_ready_agent: 1 });
    expect(wall.callChanges).toHaveLength(1);
    sockets.closeAll();
    expect(heard.filter((event) => /agents|live|calls|clicks/.test(event))).toEqual([]);
  });
});

/** Resolves when a softphone knows of its call, now or soon. */
async function nextEventOrNow(softphone: Parameters<typeof nextEvent>[0], callId: string): Promise<void> {
  if (softphone.agent?.call_id !== callId) await nextEvent(softphone, 'agent', (state) => state.call_id === callId);
}
