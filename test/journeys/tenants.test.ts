import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';

const phone_number = '+15551230001';

describe.each(['memory', 'redis'] as const)('two companies on one gateway (%s)', (storage) => {
  let gateway: Gateway;
  let redWebhooks: WebhookReceiver;
  let blueWebhooks: WebhookReceiver;
  let red: TestCompany;
  let blue: TestCompany;

  beforeAll(async () => {
    [gateway, redWebhooks, blueWebhooks] = await Promise.all([
      startGateway(storage),
      startWebhookReceiver(),
      startWebhookReceiver(),
    ]);
    red = await gateway.company({ slug: 'red', agents: 1, webhookUrl: redWebhooks.url });
    blue = await gateway.company({ slug: 'blue', agents: 1, webhookUrl: blueWebhooks.url });
  });
  afterAll(async () => {
    await gateway.close();
    await redWebhooks.close();
    await blueWebhooks.close();
  });

  const agentOf = (company: TestCompany) => company.agents[0] ?? expect.fail('the company has one agent');
  const asAdmin = (company: TestCompany) => ({ authorization: `Bearer ${company.adminToken}` });
  const push = (company: TestCompany, name: string) =>
    gateway.api
      .post('/api/integrations/inbound')
      .set('X-Service-Api-Key', company.key)
      .send({ phone_number, data: { name } })
      .expect(200);
  const lookUp = (company: TestCompany) =>
    gateway.api.get('/api/integrations/lookup').query({ phone: phone_number }).set('X-Service-Api-Key', company.key);

  it('know the same phone number by different names, and forget it each for itself', async () => {
    await push(red, 'Rosa');
    expect((await lookUp(blue)).status).toBe(404);
    await push(blue, 'Bruno');
    expect((await lookUp(red)).body.screen_pop.name).toBe('Rosa');
    expect((await lookUp(blue)).body.screen_pop.name).toBe('Bruno');
    await gateway.api
      .delete('/api/integrations/inbound')
      .query({ phone: phone_number })
      .set('X-Service-Api-Key', blue.key)
      .expect(204);
    expect((await lookUp(blue)).status).toBe(404);
    expect((await lookUp(red)).status).toBe(200);
  });

  it('have agents of the same code, who say at log-in which company they mean', async () => {
    const { agentCode, password } = agentOf(red);
    const login = { agent_code: agentCode, password };
    const undecided = await gateway.api.post('/api/auth/login').send(login);
    expect([undecided.status, undecided.body.code]).toEqual([401, 'invalid_credentials']);
    expect(undecided.body.detail).toContain('company_slug');
    for (const company of [red, blue]) {
      const decided = await gateway.api
        .post('/api/auth/login')
        .send({ ...login, company_slug: company.slug })
        .expect(200);
      expect(decided.body.agent).toMatchObject({ company_id: company.id, company_slug: company.slug });
    }
  });

  it('dial each from its own agents, pop on their screens alone, and hear of their own calls alone', async () => {
    const redPhone = await gateway.readySoftphone(agentOf(red));
    const bluePhone = await gateway.readySoftphone(agentOf(blue));
    let bluePops = 0;
    bluePhone.on('pop', () => (bluePops += 1));
    const watching = io(gateway.url, { auth: { token: blue.adminToken, watch: true }, transports: ['websocket'] });
    const seen: string[] = [];
    watching.on('agent_state_changed', (agent: { agent_id: string }) => seen.push(agent.agent_id));
    const snapshot = new Promise<{ agents: { agent_id: string }[] }>((resolve) =>
      watching.once('agents_snapshot', resolve),
    );
    expect((await snapshot).agents.map((agent) => agent.agent_id)).toEqual([agentOf(blue).id]);

    const dialing = nextEvent(redPhone, 'dial');
    const clicked = await gateway.click(red, { phone_number });
    expect(clicked.body.agent.id).toBe(agentOf(red).id);
    await dialing;
    // The code is looked up in the caller's company: this is blue's own agent.
    const second = await gateway.click(blue, { phone_number, agent_code: agentOf(red).agentCode });
    expect(second.body.agent.id).toBe(agentOf(blue).id);
    expect(bluePops).toBe(1);
    expect((await gateway.click(red, { phone_number })).body.code).toBe('no_ready_agent');

    await redWebhooks.waitFor(() => true, 2);
    await blueWebhooks.waitFor(() => true, 2);
    expect(new Set(redWebhooks.received.map(({ body }) => body.company_id))).toEqual(new Set([red.id]));
    expect(new Set(blueWebhooks.received.map(({ body }) => body.company_id))).toEqual(new Set([blue.id]));
    expect(seen).not.toContain(agentOf(red).id);
    watching.disconnect();
  });

  it('list their own agents, calls and deliveries alone', async () => {
    for (const [company, other] of [
      [red, blue],
      [blue, red],
    ] as const) {
      const agents = await gateway.api.get('/api/agents').set(asAdmin(company)).expect(200);
      expect(agents.body.agents.map((agent: { id: string }) => agent.id)).not.toContain(agentOf(other).id);
      const calls = await gateway.api.get('/api/calls').set(asAdmin(company)).expect(200);
      expect(calls.body.calls.map((call: { agent_id: string }) => call.agent_id)).toEqual([agentOf(company).id]);
      const log = await gateway.api.get('/api/integrations/webhook-deliveries').set(asAdmin(company)).expect(200);
      expect(log.body.deliveries).toHaveLength(2);
    }
  });
});
