import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { arrival, createRawSockets } from '../support/gateway/rawSockets.ts';
import { eventually } from '../support/time/waiting.ts';

/** Its time stands still, so that nothing that is remembered for seconds is forgotten by itself; timers run. */
function standingClock() {
  const time = Date.now();
  return {
    now: () => time,
    after(ms: number, action: () => void) {
      const timer = setTimeout(action, ms);
      return () => clearTimeout(timer);
    },
  };
}

describe('what is revoked or changed at one gateway', () => {
  const sockets = createRawSockets();
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let boss: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2, { clock: standingClock() });
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `revoked-${companies}`, agents: 1 });
    boss = await one.agent(company, 'boss', 'supervisor');
  });
  afterEach(() => {
    gateways.endMeddling();
    sockets.closeAll();
  });
  afterAll(() => gateways.close());

  const meAtTwo = (token: string) => two.api.get('/api/me').set('authorization', `Bearer ${token}`);

  it.each([
    ['deactivated', { active: false }],
    ['given another password', { password: 'another-password' }],
    ['given another role', { role: 'agent' }],
  ])('ends every connection at the other of an agent who is %s', async (_, change) => {
    const { token } = boss;
    const begun: Promise<unknown>[] = [];
    const passive = await sockets.open(two.url, { token }, {}, (socket) =>
      begun.push(arrival(socket, 'state_snapshot')),
    );
    await Promise.all(begun);
    const replaced = arrival(passive, 'session_replaced');
    const owner = await sockets.open(two.url, { token });
    await replaced;
    const watching = await sockets.open(two.url, { token, watch: true });
    const bystander = await two.readySoftphone(company.agents[0]!);
    await meAtTwo(token).expect(200);
    const gone = [passive, owner, watching].map((socket) => arrival<string>(socket, 'disconnect'));
    await one.as(company).patch(`/api/agents/${boss.id}`).send(change).expect(200);
    expect(await Promise.all(gone)).toEqual(Array.from({ length: 3 }, () => 'io server disconnect'));
    expect((await meAtTwo(token)).body.code).toBe('invalid_token');
    expect(bystander.line).toBe('connected');
  });

  it('ends connections at the other of an agent whose softphone does not come back: the agent is not routable', async () => {
    const [agent] = company.agents;
    const softphone = await two.readySoftphone(agent!);
    await one.as(company).patch(`/api/agents/${agent!.id}`).send({ active: false }).expect(200);
    await eventually(() => softphone.line === 'refused');
    await eventually(async () => (await gateways.presenceOf(company, agent!)).connection !== 'connected');
    expect((await one.click(company, { phone_number: '+15551230001' })).body.code).toBe('no_ready_agent');
  });

  it('is an API key that the other refuses, though it has just taken it', async () => {
    const push = (key: string) =>
      two.api
        .post('/api/integrations/inbound')
        .set('X-Service-Api-Key', key)
        .send({ phone_number: '+15551230001', data: {} });
    await push(company.key).expect(200);
    const rotated = await one.as(company).put('/api/integrations').send({ rotate_api_key: true }).expect(200);
    await eventually(async () => (await push(company.key)).status === 401);
    await push(rotated.body.api_key).expect(200);
  });

  it('are settings that hold at the other', async () => {
    const softphone = await two.readySoftphone(company.agents[0]!);
    await expect(softphone.setNotReady('fishing')).rejects.toMatchObject({ code: 'invalid_request' });
    const reasons = [{ code: 'fishing', label: 'Fishing' }];
    await one.as(company).patch('/api/company').send({ not_ready_reasons: reasons }).expect(200);
    await eventually(() =>
      softphone.setNotReady('fishing').then(
        () => true,
        () => false,
      ),
    );
    expect(softphone.agent).toMatchObject({ state: 'not_ready', reason: 'fishing' });
  });

  it('is a number that nobody may dial any more, the first of the list, which the other dials no more', async () => {
    const number = '+15551230001';
    const [agent] = company.agents;
    const softphone = await two.readySoftphone(agent!);
    const { id } = await softphone.startCall(number);
    await softphone.reportProgress(id, 'ended', { end_reason: 'busy' });
    await softphone.submitDisposition(id, { code: 'no_answer' });
    await one.as(company).post('/api/do-not-dial').send({ number }).expect(201);
    await eventually(async () => (await two.click(company, { phone_number: number })).body.code === 'do_not_call');
    await expect(softphone.startCall(number)).rejects.toMatchObject({ code: 'do_not_call' });
  });

  it("is an agent's name, which the other shows", async () => {
    const [agent] = company.agents;
    const softphone = await two.readySoftphone(agent!);
    await one.as(company).patch(`/api/agents/${agent!.id}`).send({ name: 'Renamed' }).expect(200);
    await eventually(async () => {
      await softphone.setNotReady('break');
      return (await softphone.setReady()).name === 'Renamed';
    });
  });
});
