import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Softphone } from '../../src/client/softphone.ts';
import { gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { Watcher } from '../support/gateway/watcher.ts';

const phone_number = '+15551230001';

describe('a gateway that stands still for a while', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let first: TestAgent;
  let second: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(3);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `stopped-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [longest, other] = company.agents;
    if (longest === undefined || other === undefined) throw new Error('the company has two agents');
    [first, second] = [longest, other];
  });
  afterEach(() => {
    gateways.endMeddling();
    sockets.closeAll();
  });
  afterAll(() => gateways.close());

  const present = () => gateways.presenceOf(company, first);
  const isConnected = async () => (await present()).connection === 'connected';

  /** Names all that a softphone tells its page of its line. */
  function linesOf(softphone: Softphone): string[] {
    const lines: string[] = [];
    softphone.on('line', (line) => lines.push(line));
    return lines;
  }

  it('for longer than its lease finds its softphones Ready again, without a line broken', async () => {
    const watcher = await Watcher.open(sockets, one.url, company.adminToken);
    const softphone = await two.readySoftphone(first);
    const { idleSince } = await present();
    const lines = linesOf(softphone);
    const commit = gate();
    commit.shut();
    two.meddling.gates.commit = commit;
    await gateways.stopRenewing(two);
    await watcher.sees(first.id, ({ connection }) => connection === 'reconnecting');
    expect((await one.click(company, { phone_number })).body.code).toBe('no_ready_agent');
    gateways.endMeddling();
    await eventually(isConnected);
    expect(await present()).toMatchObject({ state: 'ready', idleSince, nodeId: two.meddling.nodeId });
    const dialing = nextEvent(softphone, 'dial');
    await one.click(company, { phone_number }).expect(201);
    await dialing;
    expect(lines).toEqual([]);
  });

  it('and misses what was said meanwhile finds its softphones Ready again', async () => {
    const watcher = await Watcher.open(sockets, one.url, company.adminToken);
    const softphone = await two.readySoftphone(first);
    const lines = linesOf(softphone);
    two.meddling.toRedis.cut();
    await gateways.lapse(two.meddling.nodeId);
    await watcher.sees(first.id, ({ connection }) => connection === 'reconnecting');
    two.meddling.toRedis.mend();
    await eventually(() => gateways.hears(two));
    await eventually(isConnected);
    const dialing = nextEvent(softphone, 'dial');
    await one.click(company, { phone_number }).expect(201);
    await dialing;
    expect(lines).toEqual([]);
  });

  it('and misses a state that a supervisor set brings its softphone up to date', async () => {
    const softphone = await two.readySoftphone(first);
    two.meddling.toRedis.cut();
    await one.as(company).put(`/api/agents/${first.id}/state`).send({ state: 'not_ready' }).expect(200);
    expect(softphone.agent?.state).toBe('ready');
    const told = inState(softphone, 'not_ready');
    two.meddling.toRedis.mend();
    await told;
    expect(softphone.agent).toMatchObject({ state: 'not_ready', reason: 'supervisor' });
    expect(softphone.line).toBe('connected');
  });

  it('and misses that its agent was logged out ends the connection', async () => {
    const softphone = await two.readySoftphone(first);
    two.meddling.toRedis.cut();
    await one.as(company).put(`/api/agents/${first.id}/state`).send({ state: 'offline' }).expect(200);
    const dropped = nextEvent(softphone, 'line', (line) => line === 'reconnecting');
    two.meddling.toRedis.mend();
    await dropped;
  });

  it('while it is offered a call costs its agent nothing, and shows nothing when it goes on', async () => {
    const softphone = await two.readySoftphone(first);
    await one.readySoftphone(second);
    const { idleSince } = await present();
    const shown: string[] = [];
    softphone.on('pop', ({ call_id }) => shown.push(call_id));
    softphone.on('dial', ({ call_id }) => shown.push(call_id));
    two.meddling.toRedis.hold();
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(second.id);
    expect(one.meddling.offers).toEqual(['unreachable', 'acknowledged']);
    expect(await present()).toMatchObject({ state: 'ready', connection: 'reconnecting', idleSince });
    two.meddling.toRedis.release();
    await eventually(isConnected);
    expect(shown).toEqual([]);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    expect(new Set(shown)).toEqual(new Set([body.call_id]));
  });

  it('between its look at the claim and the softphone shows nothing for a claim that is over', async () => {
    const softphone = await two.readySoftphone(first);
    const shown: string[] = [];
    softphone.on('pop', ({ call_id }) => shown.push(call_id));
    const looking = gate();
    looking.shut();
    two.meddling.gates.find = looking;
    expect((await one.click(company, { phone_number, agent_id: first.id })).body.code).toBe('agent_not_ready');
    expect(await present()).toMatchObject({ state: 'ready', connection: 'reconnecting' });
    looking.open();
    two.meddling.gates.find = gate();
    await eventually(isConnected);
    expect(softphone.agent?.state).toBe('ready');
    expect(shown).toEqual([]);
  });
});

describe('a message between gateways that is lost', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let three: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(3);
    [one, two, three] = [gateways.at(0), gateways.at(1), gateways.at(2)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `unheard-${companies}`, agents: 1, wrapUpSeconds: 0 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  it('does not keep a softphone from dialing what it has acknowledged', async () => {
    const softphone = await two.readySoftphone(agent);
    const dials: string[] = [];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    one.meddling.lost.add('callChanged');
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'connected');
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'ready');
    expect(dials).toEqual([body.call_id]);
  });

  it('does not make a softphone dial, or keep the pop of, an offer that was taken back', async () => {
    const softphone = await two.readySoftphone(agent);
    const dials: string[] = [];
    softphone.on('dial', ({ call_id }) => dials.push(call_id));
    one.meddling.lost.add('rescind');
    for (const gateway of [one, three]) gateway.meddling.lost.add('agentChanged');
    const confirming = gate();
    confirming.shut();
    one.meddling.gates.commit = confirming;
    const clicking = one.click(company, { phone_number, agent_id: agent.id }).then((answer) => answer);
    await confirming.reached();
    expect(softphone.pop).not.toBeNull();
    const free = { state: 'not_ready', force: true };
    await three.as(company).put(`/api/agents/${agent.id}/state`).send(free).expect(200);
    confirming.open();
    expect((await clicking).body.code).toBe('agent_not_ready');
    // What a gateway had yet to say must stay unsaid until the softphone knows by itself.
    await eventually(() => softphone.pop === null);
    gateways.endMeddling();
    await softphone.setReady();
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    expect(dials).toEqual([body.call_id]);
  });
});
