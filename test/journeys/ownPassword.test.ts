import { afterAll, beforeAll, expect, it } from 'vitest';
import { gate } from '../support/time/gate.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';

let gateway: Gateway;
let company: TestCompany;
/** Where the hash of `held` is made. */
const held = 'a password that is held';
const hashing = gate();

beforeAll(async () => {
  gateway = await startGateway('memory', {
    wrap: (services) => ({
      ...services,
      passwords: {
        ...services.passwords,
        hash: (password) =>
          password === held ? hashing.pass(() => services.passwords.hash(password)) : services.passwords.hash(password),
      },
    }),
  });
  company = await gateway.company({ slug: 'own-password' });
});
afterAll(() => gateway.close());

const change = (token: string, body: object) =>
  gateway.api.put('/api/me/password').set('authorization', `Bearer ${token}`).send(body);
const me = async (token: string) => (await gateway.api.get('/api/me').set('authorization', `Bearer ${token}`)).status;
const logIn = async ({ agentCode }: TestAgent, password: string) =>
  (await gateway.api.post('/api/auth/login').send({ agent_code: agentCode, company_slug: company.slug, password }))
    .status;

it.each(['agent', 'supervisor', 'dialer', 'admin'])(
  'an agent of role %s changes the own password; only the fresh token goes on',
  async (role) => {
    const agent = await gateway.agent(company, `own-${role}`, role);
    const elsewhere = await gateway.logIn({
      agent_code: agent.agentCode,
      company_slug: company.slug,
      password: agent.password,
    });
    const answer = await change(agent.token, { current_password: agent.password, new_password: 'a better password' });
    expect(answer.status).toBe(200);
    expect(answer.body.agent).toMatchObject({ id: agent.id, agent_code: agent.agentCode, role });
    expect([await me(agent.token), await me(elsewhere), await me(answer.body.token)]).toEqual([401, 401, 200]);
    expect([await logIn(agent, agent.password), await logIn(agent, 'a better password')]).toEqual([401, 200]);
  },
);

it('a wrong current password, or a new one that is too short, changes nothing', async () => {
  const agent = await gateway.agent(company, 'own-kept');
  const wrong = await change(agent.token, { current_password: 'not mine', new_password: 'a better password' });
  expect([wrong.status, wrong.body.code, wrong.body.errors[0].path]).toEqual([
    401,
    'invalid_credentials',
    'current_password',
  ]);
  const short = await change(agent.token, { current_password: agent.password, new_password: 'short' });
  expect([short.status, short.body.errors[0].path]).toEqual([400, 'new_password']);
  expect([await me(agent.token), await logIn(agent, agent.password)]).toEqual([200, 200]);
});

it('a softphone that is given the fresh token goes on', async () => {
  const agent = await gateway.agent(company, 'own-softphone');
  const softphone = await gateway.readySoftphone(agent);
  const { body } = await change(agent.token, { current_password: agent.password, new_password: 'a better password' });
  await softphone.renewToken(body.token);
  await softphone.setReady();
  expect((await gateway.click(company, { phone_number: '+15551230001', agent_code: agent.agentCode })).status).toBe(
    201,
  );
});

it('a password that an admin sets while the own one is being changed stands', async () => {
  const agent = await gateway.agent(company, 'own-reset');
  hashing.shut();
  const changing = change(agent.token, { current_password: agent.password, new_password: held }).then(
    (answer) => answer,
  );
  await hashing.reached();
  const reset = await gateway.as(company).patch(`/api/agents/${agent.id}`).send({ password: 'set by the admin' });
  expect(reset.status).toBe(200);
  hashing.open();
  const { status, body } = await changing;
  expect([status, body.code, body.token]).toEqual([401, 'invalid_token', undefined]);
  expect([await logIn(agent, held), await logIn(agent, 'set by the admin')]).toEqual([401, 200]);
});
