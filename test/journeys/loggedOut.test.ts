import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestAgent, TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways, type MeddledGateway } from '../support/gateway/gateways.ts';
import { inState } from '../support/gateway/softphoneEvents.ts';
import { eventually } from '../support/time/waiting.ts';

const phone_number = '+15551230001';

describe('an agent whom a supervisor has logged out while the page is open', () => {
  let gateways: Gateways;
  let one: MeddledGateway;
  let two: MeddledGateway;
  let company: TestCompany;
  let agent: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateways = await startGateways(2);
    [one, two] = [gateways.at(0), gateways.at(1)];
  });
  beforeEach(async () => {
    companies += 1;
    company = await one.company({ slug: `out-${companies}`, agents: 1 });
    const [only] = company.agents;
    if (only === undefined) throw new Error('the company has one agent');
    agent = only;
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  const logOut = () => one.as(company).put(`/api/agents/${agent.id}/state`).send({ state: 'offline' }).expect(200);

  it.each([
    ['at the gateway that hears of it', 0],
    ['at another gateway', 1],
  ])('stays out when the presence store loses its data (%s)', async (_, place) => {
    const softphone = await gateways.at(place).readySoftphone(agent);
    await logOut();
    await inState(softphone, 'offline');
    await gateways.redis.flushdb();
    const clicked = await one.click(company, { phone_number });
    expect([clicked.status, clicked.body.code]).toEqual([503, 'no_ready_agent']);
    await expect(gateways.presenceOf(company, agent)).rejects.toThrow('the agent is offline');
  });

  it('may log in at another desk, also where the old page is connected to the same gateway', async () => {
    const old = await two.readySoftphone(agent);
    for (const wish of ['break', 'meal']) await old.setNotReady(wish);
    await logOut();
    await inState(old, 'offline');
    const fresh = await two.readySoftphone(agent);
    expect(fresh.line).toBe('connected');
    expect((await one.click(company, { phone_number })).body.agent?.id).toBe(agent.id);
  });
});

describe('a softphone whose session was opened, though the answer of the store was lost', () => {
  it('leaves nobody connected when it goes away', async () => {
    const gateways = await startGateways(1);
    try {
      const gateway = gateways.at(0);
      const company = await gateway.company({ slug: 'lost-answer', agents: 1 });
      const [agent] = company.agents;
      if (agent === undefined) throw new Error('the company has one agent');
      gateway.meddling.loseAnswers('commit');
      const softphone = gateway.softphone(agent);
      const connecting = softphone.connect().catch(() => undefined);
      await eventually(async () => (await gateways.redis.keys(`*:agent:${agent.id}`)).length > 0);
      softphone.close();
      await connecting;
      gateway.meddling.end();
      await eventually(async () => (await gateways.presenceOf(company, agent)).connection === 'reconnecting');
    } finally {
      await gateways.close();
    }
  });
});
