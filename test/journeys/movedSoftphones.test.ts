import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Socket } from 'socket.io-client';
import { openBreakableLine } from '../support/gateway/breakableLine.ts';
import { gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { arrival, ask, createRawSockets } from '../support/gateway/rawSockets.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

describe('a softphone that connects to another gateway', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let colleague: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `moved-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [mover, other] = company.agents;
    if (mover === undefined || other === undefined) throw new Error('the company has two agents');
    [agent, colleague] = [mover, other];
  });
  afterEach(() => {
    gateways.endMeddling();
    sockets.closeAll();
  });
  afterAll(() => gateways.close());

  const present = () => gateways.presenceOf(company, agent);

  /** A connection without the client's manners, with the names of all that it was told. */
  async function rawSoftphone(
    gateway: MeddledGateway,
    auth: object = {},
  ): Promise<{ socket: Socket; told: string[]; session: string }> {
    const told: string[] = [];
    const snapshots: Promise<{ session: string }>[] = [];
    const socket = await sockets.open(gateway.url, { token: agent.token, ...auth }, {}, (opening) => {
      opening.onAny((event: string) => told.push(event));
      snapshots.push(arrival(opening, 'state_snapshot'));
    });
    const [snapshot] = await Promise.all(snapshots);
    return { socket, told, session: snapshot?.session ?? '' };
  }

  it('as a second tab takes over: the first is told, becomes passive and changes nothing more', async () => {
    const before = await rawSoftphone(one);
    await ask(before.socket, 'set_state', { state: 'ready' });
    const replaced = arrival(before.socket, 'session_replaced');
    const after = await two.readySoftphone(agent);
    await replaced;
    expect(before.socket.connected).toBe(true);
    const { version } = await present();
    const callId = '01890a5d-ac96-774b-bcce-b302099a8057';
    const attempts: [string, object][] = [
      ['set_state', { state: 'offline' }],
      ['start_call', { phone_number }],
      ['incoming_call', { phone_number }],
      ['call_progress', { call_id: callId, state: 'ended' }],
      ['submit_disposition', { call_id: callId, code: 'resolved' }],
    ];
    for (const [event, payload] of attempts) {
      expect(await ask(before.socket, event, payload)).toMatchObject({
        ok: false,
        error: { code: 'session_replaced' },
      });
    }
    expect(await present()).toMatchObject({ state: 'ready', version, nodeId: two.meddling.nodeId });

    before.told.length = 0;
    const dialing = nextEvent(after, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    expect((await dialing)[0].call_id).toBe(body.call_id);
    await after.reportProgress(body.call_id, 'ended');
    await inState(after, 'ready');
    before.socket.disconnect();
    await after.setNotReady('break');
    expect(before.told).toEqual([]);
    expect(await present()).toMatchObject({ state: 'not_ready', reason: 'break', connection: 'connected' });
  });

  it('takes over though the gateway of the first hears of it late: what the first sends changes nothing', async () => {
    const before = await rawSoftphone(one);
    one.meddling.toRedis.hold();
    const after = await two.readySoftphone(agent);
    const asked = ask(before.socket, 'set_state', { state: 'offline' });
    const replaced = arrival(before.socket, 'session_replaced');
    one.meddling.toRedis.release();
    // Refused, or failed because its gateway stood still for too long.
    expect(await asked).toMatchObject({ ok: false });
    await replaced;
    expect(await present()).toMatchObject({ state: 'ready', connection: 'connected', nodeId: two.meddling.nodeId });
    expect(after.agent?.state).toBe('ready');
  });

  it('stays the owner when both gateways are connected to at once, and one of the two is told', async () => {
    const commits = [gate(), gate()];
    for (const [place, commit] of commits.entries()) {
      commit.shut();
      gateways.at(place).meddling.gates.commit = commit;
    }
    const opened = [one, two].map((gateway) => rawSoftphoneThatMayLose(gateway));
    for (const commit of commits) await commit.reached();
    for (const commit of commits) commit.open();
    const both = await Promise.all(opened);
    await eventually(() => both.filter(({ told }) => told.includes('session_replaced')).length === 1);
    const owner = both.find(({ told }) => !told.includes('session_replaced'));
    if (owner === undefined) throw new Error('one of the two is the owner');
    expect(await ask(owner.socket, 'set_state', { state: 'ready' })).toMatchObject({ ok: true });
    expect(both.filter(({ told }) => told.includes('session_replaced'))).toHaveLength(1);
  });

  async function rawSoftphoneThatMayLose(gateway: MeddledGateway) {
    const told: string[] = [];
    const socket = await sockets.open(gateway.url, { token: agent.token }, {}, (opening) => {
      opening.onAny((event: string) => told.push(event));
    });
    return { socket, told };
  }

  it('with its session keeps state and idle place; the old connection is closed without a word', async () => {
    const before = await rawSoftphone(one);
    await ask(before.socket, 'set_state', { state: 'ready' });
    await one.readySoftphone(colleague);
    const { idleSince } = await present();
    const closed = arrival(before.socket, 'disconnect');
    before.told.length = 0;
    const after = two.softphone(agent, { session: before.session });
    const snapshot = await after.connect();
    await closed;
    expect(snapshot).toMatchObject({ session: before.session, agent: { state: 'ready' } });
    expect(before.told.filter((event) => event !== 'agent_state_changed')).toEqual([]);
    expect(await present()).toMatchObject({
      state: 'ready',
      idleSince,
      connection: 'connected',
      nodeId: two.meddling.nodeId,
    });
    const dialing = nextEvent(after, 'dial');
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(agent.id);
    await dialing;
  });

  it('with its session does not wait for an old connection whose line is dead', async () => {
    const line = await openBreakableLine(one.url);
    const connected = async () =>
      Number(/^readyline_softphones (\d+)$/m.exec((await one.api.get('/metrics')).text)?.[1]);
    const others = await connected();
    const before = await one.readySoftphone(agent, { url: line.url });
    line.hold();
    const session = before.session ?? '';
    const after = two.softphone(agent, { session });
    await after.connect();
    // The old one is given up at its gateway; its end, noted late, changes nothing.
    await eventually(async () => (await connected()) === others);
    expect(await present()).toMatchObject({ state: 'ready', connection: 'connected', nodeId: two.meddling.nodeId });
    before.close();
    await line.close();
    await after.setNotReady('break');
    expect(await present()).toMatchObject({ state: 'not_ready', connection: 'connected' });
  });

  it('with its session keeps its call, and reports its end there', async () => {
    const before = await one.readySoftphone(agent);
    const dialing = nextEvent(before, 'dial');
    const { body } = await two.click(company, { phone_number }).expect(201);
    await dialing;
    await before.reportProgress(body.call_id, 'connected');
    const session = before.session ?? '';
    before.close();
    const after = two.softphone(agent, { session });
    const snapshot = await after.connect();
    expect(snapshot).toMatchObject({
      agent: { state: 'on_call', call_id: body.call_id },
      call: { id: body.call_id, state: 'connected' },
    });
    await after.reportProgress(body.call_id, 'ended');
    await inState(after, 'ready');
  });

  it('with a session that another softphone has replaced meanwhile is told so at any gateway', async () => {
    const before = await one.readySoftphone(agent);
    const session = before.session ?? '';
    before.close();
    const owner = await two.readySoftphone(agent);
    for (const gateway of [one, two]) {
      const late = gateway.softphone(agent, { session });
      await expect(late.connect()).rejects.toMatchObject({ code: 'session_replaced' });
      late.close();
    }
    expect(owner.line).toBe('connected');
    expect(await present()).toMatchObject({ state: 'ready', nodeId: two.meddling.nodeId });
  });

  it('while a click is on its way is offered that click where it is now', async () => {
    const before = await rawSoftphone(one);
    await ask(before.socket, 'set_state', { state: 'ready' });
    const offering = gate();
    offering.shut();
    two.meddling.gates.offer = offering;
    const clicking = two.click(company, { phone_number }).then((answer) => answer);
    await offering.reached();
    const after = two.softphone(agent, { session: before.session });
    await after.connect();
    const dialing = nextEvent(after, 'dial');
    offering.open();
    const { status, body } = await clicking;
    expect(status).toBe(201);
    expect((await dialing)[0].call_id).toBe(body.call_id);
    expect(before.told).not.toContain('click_to_dial');
  });
});
