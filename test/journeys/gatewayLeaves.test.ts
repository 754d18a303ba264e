import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toId, type CompanyId } from '../../src/domain/ids.ts';
import { companiesKey, companyKeys, agentKey, leasesKey } from '../../src/adapters/redis/keys.ts';
import { gate } from '../support/time/gate.ts';
import { startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { createRawSockets } from '../support/gateway/rawSockets.ts';
import { inState, nextEvent } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';
import { Watcher } from '../support/gateway/watcher.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const phone_number = '+15551230001';

describe('gateways that share the work', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let three: MeddledGateway;
  let receiver: WebhookReceiver;
  let company: TestCompany;
  let agent: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(3);
    [one, two, three] = [gateways.at(0), gateways.at(1), gateways.at(2)];
    receiver = await startWebhookReceiver();
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({
      slug: `shared-${companies}`,
      agents: 1,
      wrapUpSeconds: 3_600,
      webhookUrl: receiver.url,
    });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
  });
  afterEach(() => {
    gateways.endMeddling();
    sockets.closeAll();
  });
  afterAll(async () => {
    await gateways.close();
    await receiver.close();
  });

  const present = () => gateways.presenceOf(company, agent);

  it('end a wrap-up once, though all of them see that it is over', async () => {
    const watcher = await Watcher.open(sockets, one.url, company.adminToken);
    const softphone = await two.readySoftphone(agent);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'ended');
    await inState(softphone, 'wrap_up');
    const { version } = await present();
    const commits = gateways.all.map(({ meddling }) => {
      const commit = gate();
      commit.shut();
      meddling.gates.commit = commit;
      return commit;
    });
    const companyId = toId<CompanyId>(company.id);
    await gateways.redis.hset(agentKey(companyId, toId(agent.id)), 'expiresAt', 1);
    await gateways.redis.zadd(companyKeys(companyId).deadlines, 1, agent.id);
    // Each gateway that looks at a company sets the time of the next look; all are to find the wrap-up over.
    const looks = new Set(commits);
    for (const commit of commits) void commit.reached().then(() => looks.delete(commit));
    await eventually(async () => {
      await gateways.redis.zadd(companiesKey, 0, companyId);
      return looks.size === 0;
    });
    for (const commit of commits) commit.open();
    await inState(softphone, 'ready');
    for (const gateway of gateways.all) await gateway.api.get('/api/health').expect(200);
    expect(await present()).toMatchObject({ state: 'ready', version: version + 1 });
    await watcher.sees(agent.id, (state) => state.version === version + 1);
    expect(watcher.of(agent.id).filter((state) => state.version > version)).toHaveLength(1);
  });

  it('send each webhook once, in its order', async () => {
    const softphone = await two.readySoftphone(agent);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'connected');
    await softphone.reportProgress(body.call_id, 'ended');
    await three.as(agent).post(`/api/calls/${body.call_id}/disposition`).send({ code: 'resolved' }).expect(200);
    const ofCall = () => receiver.received.filter(({ body: { data } }) => data['call_id'] === body.call_id);
    await eventually(() => ofCall().length >= 4);
    for (const gateway of gateways.all) await gateway.api.get('/api/health').expect(200);
    const sequences = ofCall()
      .map(({ body: { data } }) => Number(data['sequence']))
      .sort((a, b) => a - b);
    expect(sequences).toEqual([1, 2, 3, 4]);
    expect(ofCall().every(({ headers }) => headers['x-service-attempt'] === '1')).toBe(true);
  });

  it('let one of them go without waiting for its lease', async () => {
    const leaving = await startGateway('redis', { config: gateways.config });
    const softphone = await leaving.readySoftphone(agent);
    const { nodeId, idleSince } = await present();
    expect(nodeId).not.toBeNull();
    await leaving.close();
    const [seconds] = await gateways.redis.time();
    expect(await gateways.redis.zrange(leasesKey, `${Number(seconds) * 1_000}`, '+inf', 'BYSCORE')).not.toContain(
      nodeId,
    );
    expect(await present()).toMatchObject({ state: 'ready', connection: 'reconnecting' });
    const session = softphone.session ?? '';
    const back = one.softphone(agent, { session });
    await back.connect();
    expect(await present()).toMatchObject({ state: 'ready', connection: 'connected', idleSince });
    const dialing = nextEvent(back, 'dial');
    await two.click(company, { phone_number }).expect(201);
    await dialing;
  });

  it('leave the last one all the work', async () => {
    const leaving = await startGateway('redis', { config: gateways.config });
    const softphone = await one.readySoftphone(agent);
    await leaving.close();
    await gateways.stopRenewing(two);
    await gateways.stopRenewing(three);
    const dialing = nextEvent(softphone, 'dial');
    const { body } = await one.click(company, { phone_number }).expect(201);
    await dialing;
    await softphone.reportProgress(body.call_id, 'ended');
    await softphone.submitDisposition(body.call_id, { code: 'resolved' });
    await inState(softphone, 'ready');
  });
});
