import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

describe('agent codes and e-mail addresses', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let anna: TestAgent;

  beforeAll(async () => {
    gateway = await startGateway('memory');
    company = await gateway.company({ slug: 'spelling' });
    anna = await gateway.agent(company, 'Anna.A101');
    await change(anna, { email: ' Anna@Spelling.Example ' }).expect(200);
  });
  afterAll(() => gateway.close());

  const change = (agent: TestAgent, body: object) => gateway.as(company).patch(`/api/agents/${agent.id}`).send(body);
  const create = (body: object) =>
    gateway
      .as(company)
      .post('/api/agents')
      .send({ name: 'Another', password: 'a-password', ...body });

  it('log in however they are spelled, and are shown as they were given', async () => {
    const names = [
      ...['anna.a101', 'ANNA.A101', ' Anna.a101\t', 'Ａｎｎａ.A101'].map((agent_code) => ({ agent_code })),
      ...['anna@spelling.example', ' ANNA@SPELLING.EXAMPLE '].map((email) => ({ email })),
      { agent_code: 'anna.A101', company_slug: ' Spelling' },
    ];
    for (const name of names) {
      const { status, body } = await gateway.api.post('/api/auth/login').send({ ...name, password: anna.password });
      expect([name, status, body.agent?.agent_code]).toEqual([name, 200, 'Anna.A101']);
      expect(body.agent.email).toBe('anna@spelling.example');
    }
  });

  it('name the agent of a click however they are spelled', async () => {
    await gateway.readySoftphone(anna);
    const clicked = await gateway.click(company, { phone_number: '+15551230001', agent_code: ' anna.a101 ' });
    expect([clicked.status, clicked.body.agent]).toEqual([
      201,
      { id: anna.id, agent_code: 'Anna.A101', name: 'Agent Anna.A101' },
    ]);
  });

  it('are taken however they are spelled, but for the agent itself', async () => {
    const other = await gateway.agent(company, 'other');
    for (const [answer, path] of [
      [await create({ agent_code: 'ANNA.a101' }), 'agent_code'],
      [await create({ agent_code: ' anna.a101 ' }), 'agent_code'],
      [await create({ agent_code: 'free', email: 'ANNA@spelling.example' }), 'email'],
      [await change(other, { agent_code: 'anna.a101' }), 'agent_code'],
      [await change(other, { email: ' anna@SPELLING.example' }), 'email'],
    ] as const) {
      expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([409, 'conflict', path]);
    }
    expect((await change(anna, { agent_code: 'ANNA.a101' })).body.agent_code).toBe('ANNA.a101');
    expect((await change(anna, { agent_code: ' Anna.A101 ' })).body.agent_code).toBe('Anna.A101');
    const elsewhere = await gateway.company({ slug: 'elsewhere' });
    expect((await gateway.agent(elsewhere, 'anna.a101')).id).not.toBe(anna.id);
  });
});
