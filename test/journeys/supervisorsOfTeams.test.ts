import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId } from '../../src/domain/ids.ts';
import type { Services } from '../../src/usecases/services.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startGateways } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { WatchedWallboard } from '../support/gateway/watchedWallboard.ts';
import { createManualClock } from '../support/time/manualClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

async function startSome(count: number): Promise<{ all: readonly Gateway[]; close: () => Promise<void> }> {
  if (count > 1) return startGateways(count);
  const gateway = await startGateway('memory');
  return { all: [gateway], close: () => gateway.close() };
}

describe.each([
  { name: 'one gateway', count: 1 },
  { name: 'two gateways', count: 2 },
])('the wallboard of a supervisor of some teams, with $name', ({ count }) => {
  let gateways: Awaited<ReturnType<typeof startSome>>;
  /** Where the softphones are, and what admins change arrives. */
  let here: Gateway;
  /** Where the supervisors are. */
  let there: Gateway;
  let company: TestCompany;
  let inside: TestAgent;
  let outside: TestAgent;
  let supervisor: TestAgent;
  let sales: string;
  let service: string;
  let companies = 0;
  const wallboards: WatchedWallboard[] = [];
  const sockets = createRawSockets();

  beforeAll(async () => {
    gateways = await startSome(count);
    const [first, last] = [gateways.all[0], gateways.all.at(-1)];
    if (first === undefined || last === undefined) throw new Error('there is a gateway');
    [here, there] = [first, last];
  });
  beforeEach(async () => {
    companies += 1;
    company = await here.company({ slug: `led-${companies}`, agents: 2, wrapUpSeconds: 0 });
    [inside, outside] = company.agents as [TestAgent, TestAgent];
    supervisor = await here.agent(company, 'boss', 'supervisor');
    [sales, service] = [await team('sales', [inside]), await team('service', [outside])];
    await lead([sales]);
  });
  afterEach(() => {
    for (const wallboard of wallboards.splice(0)) wallboard.watcher.close();
    sockets.closeAll();
  });
  afterAll(() => gateways.close());

  const team = async (code: string, agents: TestAgent[]): Promise<string> =>
    (
      await here
        .as(company)
        .post('/api/teams')
        .send({ code, name: code, agent_ids: agents.map(({ id }) => id) })
        .expect(201)
    ).body.id;
  const members = (id: string, agents: TestAgent[]) =>
    here
      .as(company)
      .patch(`/api/teams/${id}`)
      .send({ agent_ids: agents.map((agent) => agent.id) })
      .expect(200);
  const lead = (led_team_ids: string[] | null, who = supervisor) =>
    here.as(company).patch(`/api/agents/${who.id}`).send({ led_team_ids }).expect(200);
  async function watch(token = supervisor.token): Promise<WatchedWallboard> {
    const wallboard = await WatchedWallboard.open(there.url, token);
    wallboards.push(wallboard);
    return wallboard;
  }
  const shown = ({ agentLists }: WatchedWallboard) =>
    (agentLists.at(-1) ?? []).map(({ agent_id }) => agent_id).toSorted();
  const changed = ({ agentChanges, callChanges }: WatchedWallboard) =>
    new Set([...agentChanges, ...callChanges].map(({ agent_id }) => agent_id));

  it('shows agents and calls of these teams, in its lists and as they change, and no clicks', async () => {
    const [first, second] = [await here.readySoftphone(inside), await here.readySoftphone(outside)];
    const [theirs, others] = [await first.startCall(phone_number), await second.startCall(phone_number)];
    const [wallboard, everything] = [await watch(), await watch(company.adminToken)];
    expect([
      shown(wallboard),
      wallboard.callLists.at(-1)?.map(({ id }) => id),
      wallboard.clickLists.at(-1),
      wallboard.teamIds,
    ]).toEqual([[inside.id], [theirs.id], [], [sales]]);
    expect([shown(everything), everything.callLists.at(-1)?.length, everything.teamIds]).toEqual([
      [inside.id, outside.id].toSorted(),
      2,
      null,
    ]);

    for (const [softphone, call] of [
      [second, others],
      [first, theirs],
    ] as const) {
      await softphone.reportProgress(call.id, 'connected');
      await softphone.reportProgress(call.id, 'ended');
    }
    await here.click(company, { phone_number }).expect(201);
    await eventually(() => wallboard.statesOf(theirs.id).includes('ended'));
    await eventually(() => everything.clicks.dialed === 1 && everything.statesOf(others.id).includes('ended'));
    expect(changed(wallboard)).toEqual(new Set([inside.id]));
    expect(changed(everything)).toEqual(new Set([inside.id, outside.id]));
    expect(wallboard.clickLists).toEqual([[]]);
  });

  it('follows at once when other teams are led, and shows nothing of the former ones any more', async () => {
    const [first, second] = [await here.readySoftphone(inside), await here.readySoftphone(outside)];
    const call = await first.startCall(phone_number);
    const wallboard = await watch();
    await lead([service]);
    await eventually(() => shown(wallboard)[0] === outside.id);
    await eventually(() => wallboard.callLists.length === 2);
    expect([shown(wallboard), wallboard.callLists.at(-1), wallboard.teamIds]).toEqual([[outside.id], [], [service]]);
    const before = wallboard.agentChanges.length + wallboard.callChanges.length;
    await first.reportProgress(call.id, 'connected');
    await first.reportProgress(call.id, 'ended');
    await second.setNotReady('meal');
    await eventually(() => wallboard.agentChanges.some(({ reason }) => reason === 'meal'));
    expect([...wallboard.agentChanges, ...wallboard.callChanges].length - before).toBe(1);
    expect(wallboard.lines.map(({ state }) => state)).toEqual(['connecting', 'connected']);

    await lead(null);
    await eventually(() => shown(wallboard).length === 2);
    await eventually(() => wallboard.clickLists.length === 3);
    await first.setNotReady('break');
    await eventually(() =>
      wallboard.agentChanges.some(({ agent_id, reason }) => agent_id === inside.id && reason === 'break'),
    );
  });

  it('follows at once when others are in the team, and when the team is removed', async () => {
    for (const agent of [inside, outside]) await here.readySoftphone(agent);
    const wallboard = await watch();
    await members(sales, [inside, outside]);
    await eventually(() => shown(wallboard).length === 2);
    await members(sales, [outside]);
    await eventually(() => shown(wallboard).length === 1);
    expect(shown(wallboard)).toEqual([outside.id]);
    await here.as(company).delete(`/api/teams/${sales}`).expect(204);
    await eventually(() => shown(wallboard).length === 0);
    expect(wallboard.teamIds).toEqual([]);
  });

  it('limits one who saw everybody while the wallboard is open', async () => {
    const boss = await here.agent(company, 'other', 'supervisor');
    const [, second] = [await here.readySoftphone(inside), await here.readySoftphone(outside)];
    const wallboard = await watch(boss.token);
    expect(shown(wallboard)).toHaveLength(2);
    await lead([sales], boss);
    await eventually(() => shown(wallboard).length === 1);
    await second.setNotReady('meal');
    await (await here.readySoftphone(inside)).setNotReady('break');
    await eventually(() => wallboard.agentChanges.some(({ reason }) => reason === 'break'));
    expect(changed(wallboard)).toEqual(new Set([inside.id]));
  });

  it('takes nothing from the supervisor’s own softphone, which tells of these teams alone as well', async () => {
    const softphone = there.softphone(supervisor);
    await softphone.connect();
    const heard: { event: string; agent: string | undefined }[] = [];
    await sockets.open(there.url, { token: supervisor.token, watch: true }, {}, (socket) =>
      socket.onAny((event: string, told: { agent_id?: string }) => heard.push({ event, agent: told.agent_id })),
    );
    await eventually(() => heard.some(({ event }) => event === 'clicks_snapshot'));
    await softphone.setReady();
    await inState(softphone, 'ready');
    await here.readySoftphone(outside);
    await here.readySoftphone(inside);
    await eventually(() => heard.some(({ agent }) => agent === inside.id));
    expect(new Set(heard.flatMap(({ agent }) => agent ?? []))).toEqual(new Set([supervisor.id, inside.id]));
    expect(
      (await here.as(supervisor).put(`/api/agents/${supervisor.id}/state`).send({ state: 'not_ready' }).expect(200))
        .body.state,
    ).toBe('not_ready');
  });

  it('acts over a connection by the rights of now, not by those with which it was opened', async () => {
    const first = await here.readySoftphone(inside);
    const call = await first.startCall(phone_number);
    await first.reportProgress(call.id, 'connected');
    await first.reportProgress(call.id, 'ended');
    const own = there.softphone(supervisor);
    await own.connect();
    await lead([service]);
    await eventually(async () => (await there.as(supervisor).get(`/api/agents/${inside.id}`)).status === 404);
    await expect(own.submitDisposition(call.id, { code: 'resolved' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a wallboard that was not told of a change of rights', () => {
  it('follows within half a minute', async () => {
    const clock = createManualClock(Date.now());
    let services: Services | null = null;
    const gateway = await startGateway('memory', { clock, wrap: (inside) => (services = inside) });
    const company = await gateway.company({ slug: 'untold', agents: 2 });
    const supervisor = await gateway.agent(company, 'boss', 'supervisor');
    const [inside] = company.agents as [TestAgent];
    for (const agent of company.agents) await gateway.readySoftphone(agent);
    const { body } = await gateway
      .as(company)
      .post('/api/teams')
      .send({ code: 'sales', name: 'Sales', agent_ids: [inside.id] })
      .expect(201);
    const wallboard = await WatchedWallboard.open(gateway.url, supervisor.token);
    // As another gateway would, whose message is lost.
    await services!.agents.update(toId(company.id), toId(supervisor.id), { ledTeamIds: [toId(body.id)] });
    await passTime(clock, 31_000, () => wallboard.agentLists.at(-1)?.length === 1);
    expect([wallboard.agentLists.at(-1)?.[0]?.agent_id, wallboard.teamIds]).toEqual([inside.id, [body.id]]);
    wallboard.watcher.close();
    await gateway.close();
  });
});
