import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';

describe('the language of a company', () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await gateway.company({ slug: 'spanish', agents: 1 });
  });
  afterAll(() => gateway.close());

  const languageAtLogIn = async () => {
    const [agent] = company.agents;
    const login = { agent_code: agent?.agentCode, company_slug: company.slug, password: agent?.password };
    return (
      (await gateway.api.post('/api/auth/login').send(login).expect(200)).body as {
        agent: { company_language: unknown };
      }
    ).agent.company_language;
  };

  it('is none until an admin sets it, and is told to pages with the log-in', async () => {
    expect(await languageAtLogIn()).toBeNull();
    const changed = await gateway.as(company).patch('/api/company').send({ language: 'es' }).expect(200);
    expect(changed.body).toMatchObject({ language: 'es' });
    expect(await languageAtLogIn()).toBe('es');
    const me = await gateway.as(company).get('/api/me').expect(200);
    expect(me.body).toMatchObject({ company_language: 'es' });
  });

  it('can be cleared, and stays as it is where a change does not name it', async () => {
    await gateway.as(company).patch('/api/company').send({ language: 'fr' }).expect(200);
    expect((await gateway.as(company).patch('/api/company').send({ name: 'Seguros' }).expect(200)).body).toMatchObject({
      language: 'fr',
    });
    expect((await gateway.as(company).patch('/api/company').send({ language: null }).expect(200)).body).toMatchObject({
      language: null,
    });
  });

  it('is one that the pages speak', async () => {
    const refused = await gateway.as(company).patch('/api/company').send({ language: 'pl' }).expect(400);
    expect(refused.body).toMatchObject({ code: 'invalid_request', errors: [{ path: 'language' }] });
  });

  it('is of the company that a log-in names: one that fits several is told to', async () => {
    const [one, two] = [
      await gateway.company({ slug: 'one', agents: 1 }),
      await gateway.company({ slug: 'two', agents: 1 }),
    ];
    const [first, second] = [one.agents[0], two.agents[0]];
    const login = { agent_code: first?.agentCode, password: first?.password };
    // The same code and password in both, as of people who work for both.
    await gateway
      .as(two)
      .patch(`/api/agents/${second?.id ?? ''}`)
      .send(login)
      .expect(200);
    const refused = await gateway.api.post('/api/auth/login').send(login).expect(401);
    expect(refused.body).toMatchObject({ code: 'invalid_credentials', errors: [{ path: 'company_slug' }] });
  });
});
