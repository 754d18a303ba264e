import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from 'vitest';
import type { GatewayProcess } from '../../demo/cluster/gatewayProcess.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import { gate } from '../support/time/gate.ts';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { spawnGateway } from '../support/gateway/gatewayProcess.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { Watcher } from '../support/gateway/watcher.ts';

const phone_number = '+15551230001';
describe('a gateway that dies', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let dataDir: string;
  let dying: GatewayProcess;
  let url: string;
  let company: TestCompany;
  let first: TestAgent;
  let second: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
    dataDir = await mkdtemp(join(tmpdir(), 'readyline-dying-'));
  });
  beforeEach(async () => {
    dying = await spawnGateway(dataDir, { env: gateways.environment });
    url = await dying.url();
    companies += 1;
    company = await one.company({ slug: `orphaned-${companies}`, agents: 2, wrapUpSeconds: 0 });
    const [longest, other] = company.agents;
    if (longest === undefined || other === undefined) throw new Error('the company has two agents');
    [first, second] = [longest, other];
  });
  afterEach(async () => {
    gateways.endMeddling();
    sockets.closeAll();
    if (!dying.hasEnded) await dying.kill('SIGKILL');
  });
  afterAll(async () => {
    await gateways.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const present = (agent = first) => gateways.presenceOf(company, agent);

  /** Kills the gateway, and spares the test the wait for the end of its lease. */
  async function die(agent = first): Promise<void> {
    const { nodeId } = await present(agent);
    if (nodeId === null) throw new Error('the agent is connected to the gateway that dies');
    await dying.kill('SIGKILL');
    await gateways.lapse(nodeId);
  }

  /** As the softphone of a page that was given another gateway. */
  async function comeBack(softphone: Softphone, agent: TestAgent): Promise<Softphone> {
    const session = softphone.session ?? '';
    softphone.close();
    const back = two.softphone(agent, { session });
    await back.connect();
    return back;
  }

  it('loses its agents their connection once, though two survivors release them at the same moment', async () => {
    const watcher = await Watcher.open(sockets, one.url, company.adminToken);
    await one.readySoftphone(first, { url });
    const { version } = await present();
    for (const { meddling } of gateways.all) meddling.takesEveryTurn = true;
    const commits = gateways.all.map(({ meddling }) => {
      const commit = gate();
      commit.shut();
      meddling.gates.commit = commit;
      return commit;
    });
    await die();
    for (const commit of commits) await commit.reached();
    for (const commit of commits) commit.open();
    await watcher.sees(first.id, ({ connection }) => connection === 'reconnecting');
    await eventually(async () => (await gateways.redis.zcard('readyline:{nodes}:leases')) === 2);
    expect(await present()).toMatchObject({ state: 'ready', connection: 'reconnecting', version: version + 1 });
    expect(watcher.of(first.id).filter(({ connection }) => connection === 'reconnecting')).toHaveLength(1);
  });

  it('costs no click: the next agent has it, and nobody waits for the dead', async () => {
    await one.readySoftphone(first, { url });
    await two.readySoftphone(second);
    await dying.kill('SIGKILL');
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(second.id);
    // Or the survivors knew already, and did not even ask.
    expect(one.meddling.offers.filter((outcome) => outcome !== 'unreachable')).toEqual(['acknowledged']);
    expect(await present()).toMatchObject({ state: 'ready', connection: 'reconnecting', claimId: null });
  });

  it('leaves its agents state and place in the idle order, for when they are back', async () => {
    const softphone = await one.readySoftphone(first, { url });
    await two.readySoftphone(second);
    const { idleSince } = await present();
    await die();
    await eventually(async () => (await present()).connection === 'reconnecting');
    const back = await comeBack(softphone, first);
    expect(await present()).toMatchObject({ state: 'ready', connection: 'connected', idleSince });
    const dialing = nextEvent(back, 'dial');
    expect((await one.click(company, { phone_number }).expect(201)).body.agent.id).toBe(first.id);
    await dialing;
  });

  it('leaves its agents Not Ready who do not come back in time', async () => {
    const watcher = await Watcher.open(sockets, two.url, company.adminToken);
    await one.readySoftphone(first, { url });
    await die();
    await eventually(async () => (await present()).connection === 'reconnecting');
    await gateways.age(company, first, 31_000);
    await watcher.sees(first.id, ({ state, reason }) => state === 'not_ready' && reason === 'connection_lost');
    expect(watcher.of(first.id).filter(({ connection }) => connection === 'lost')).toHaveLength(1);
  });

  it('leaves a call to the agent who comes back, and ends it as failed for one who does not', async () => {
    const [returning, vanished] = [await one.readySoftphone(first, { url }), await one.readySoftphone(second, { url })];
    const calls = new Map<Softphone, string>();
    for (const softphone of [returning, vanished]) {
      const dialing = nextEvent(softphone, 'dial');
      const { body } = await one.click(company, { phone_number }).expect(201);
      await dialing;
      await softphone.reportProgress(body.call_id, 'connected');
      calls.set(softphone, body.call_id);
    }
    await die();
    for (const agent of [first, second]) {
      await eventually(async () => (await present(agent)).connection === 'reconnecting');
    }
    const back = await comeBack(returning, first);
    const kept = calls.get(returning) ?? '';
    expect(back.agent).toMatchObject({ state: 'on_call', call_id: kept });
    await back.reportProgress(kept, 'ended');
    vanished.close();
    await gateways.age(company, second, 31_000);
    await eventually(async () => (await present(second)).connection === 'lost');
    await gateways.age(company, second, 270_000);
    const callOf = async (softphone: Softphone) =>
      (
        await one
          .as(company)
          .get(`/api/calls/${calls.get(softphone)}`)
          .expect(200)
      ).body;
    await eventually(async () => (await callOf(vanished)).state === 'ended');
    expect(await callOf(vanished)).toMatchObject({ end_reason: 'failed', ended_by: 'system' });
    expect(await callOf(returning)).toMatchObject({ end_reason: 'completed' });
    await eventually(
      async () => (await one.as(company).get(`/api/agents/${second.id}/state`)).body.state === 'offline',
    );
  });
});
