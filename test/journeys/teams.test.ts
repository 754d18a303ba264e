import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { bearer } from '../support/gateway/populatedGateway.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

describe.each(['memory', 'redis'] as const)('a team (%s)', (storage) => {
  let gateway: Gateway;
  let company: TestCompany;
  let agents: [TestAgent, TestAgent, TestAgent, TestAgent];
  let made = 0;

  beforeAll(async () => {
    gateway = await startGateway(storage);
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    company = await gateway.company({ slug: `teams-${String((made += 1))}`, agents: 4, wrapUpSeconds: 0 });
    agents = company.agents as typeof agents;
  });

  const admin = () => gateway.as({ ...company, token: company.adminToken });
  const create = async (code: string, members: TestAgent[]) =>
    (
      await gateway.api
        .post('/api/teams')
        .set(bearer(company.adminToken))
        .send({ code, name: code, agent_ids: members.map(({ id }) => id) })
        .expect(201)
    ).body;
  const change = (id: string, body: object) =>
    gateway.api.patch(`/api/teams/${id}`).set(bearer(company.adminToken)).send(body);
  const click = (body: object = {}) => gateway.click(company, { phone_number: '+15551230001', ...body });
  const dialed = async (body: object) => (await click(body).expect(201)).body.agent.id as string;

  it('narrows a click to its agents, the one idle longest first', async () => {
    const [a, b, c, d] = agents;
    await create('sales', [b, d]);
    // In this order they have been idle.
    for (const agent of [a, d, c, b]) await gateway.readySoftphone(agent);
    expect([await dialed({ team_code: 'sales' }), await dialed({ team_code: ' SALES ' })]).toEqual([d.id, b.id]);
    const refused = (await click({ team_code: 'sales' }).expect(503)).body;
    expect([refused.code, refused.detail]).toEqual(['no_ready_agent', 'No agent of the team is Ready.']);
    expect([await dialed({}), await dialed({})]).toEqual([a.id, c.id]);
  });

  it('has agents who are in another team as well, and nobody gets two calls', async () => {
    const [a, b, c, d] = agents;
    await create('sales', [a, b, c]);
    await create('service', [b, c, d]);
    for (const agent of agents) await gateway.readySoftphone(agent);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => click({ team_code: index % 2 === 0 ? 'sales' : 'service' })),
    );
    const taken = answers.filter(({ status }) => status === 201).map(({ body }) => body.agent.id as string);
    expect(taken.toSorted()).toEqual(agents.map(({ id }) => id).toSorted());
    expect(answers.filter(({ status }) => status !== 201).map(({ body }) => body.code)).toEqual(
      Array(8).fill('no_ready_agent'),
    );
  });

  it('narrows whom a click falls back to, and not the agent who is named', async () => {
    const [a, b, c] = agents;
    await create('sales', [b]);
    for (const agent of [c, b, a]) await gateway.readySoftphone(agent);
    expect(await dialed({ agent_id: a.id, team_code: 'sales' })).toBe(a.id);
    expect(await dialed({ agent_id: a.id, team_code: 'sales', fallback: 'any' })).toBe(b.id);
    expect((await click({ agent_id: a.id, team_code: 'sales', fallback: 'any' }).expect(503)).body.code).toBe(
      'no_ready_agent',
    );
  });

  it('that the company has not is 404, and nobody is called', async () => {
    await gateway.readySoftphone(agents[0]);
    const other = await gateway.company({ slug: `${company.slug}-other`, agents: 1 });
    await gateway.api
      .post('/api/teams')
      .set(bearer(other.adminToken))
      .send({ code: 'theirs', name: 'Theirs' })
      .expect(201);
    expect((await click({ team_code: 'theirs' }).expect(404)).body.code).toBe('unknown_team');
    expect((await gateway.as(company).get('/api/calls').expect(200)).body.calls).toEqual([]);
    expect(await dialed({})).toBe(agents[0].id);
  });

  it('is followed at once by clicks when it changes', async () => {
    const [a, b] = agents;
    const team = await create('sales', [a]);
    for (const agent of [a, b]) await gateway.readySoftphone(agent);
    await change(team.id, { agent_ids: [b.id] }).expect(200);
    expect(await dialed({ team_code: 'sales' })).toBe(b.id);
    await gateway.api.delete(`/api/teams/${team.id}`).set(bearer(company.adminToken)).expect(204);
    expect((await click({ team_code: 'sales' }).expect(404)).body.code).toBe('unknown_team');
    expect(await dialed({})).toBe(a.id);
  });

  it('takes no code twice, no agent of another company or twice, and no change over another', async () => {
    const other = await gateway.company({ slug: `${company.slug}-strangers`, agents: 1 });
    const team = await create('sales', [agents[0]]);
    const refusals: [object, number, string | undefined][] = [
      [{ agent_ids: [agents[0].id, other.agents[0]!.id] }, 400, 'agent_ids.1'],
      [{ agent_ids: [unknownId] }, 400, 'agent_ids.0'],
      [{ agent_ids: [agents[1].id, agents[1].id.toUpperCase()] }, 400, 'agent_ids'],
      [{ name: 'Other', version: 7 }, 409, undefined],
    ];
    for (const [body, status, path] of refusals)
      expect((await change(team.id, body).expect(status)).body.errors?.[0]?.path).toBe(path);
    expect(
      (
        await gateway.api
          .post('/api/teams')
          .set(bearer(company.adminToken))
          .send({ code: 'Sales ', name: 'Again' })
          .expect(409)
      ).body.errors,
    ).toMatchObject([{ path: 'code', code: 'taken' }]);
    expect((await gateway.as(company).get('/api/teams').expect(200)).body.teams).toEqual([team]);
    expect((await change(team.id, { name: 'Selling', version: 1 }).expect(200)).body).toMatchObject({
      name: 'Selling',
      version: 2,
      agent_ids: [agents[0].id],
    });
  });

  it('filters the calls', async () => {
    const [a, b] = agents;
    const team = await create('sales', [b]);
    for (const agent of [a, b]) await gateway.readySoftphone(agent);
    const [one, other] = [await dialed({ agent_id: a.id }), await dialed({ agent_id: b.id })];
    const callsOf = async (query: string) =>
      (await admin().get(`/api/calls?${query}`).expect(200)).body.calls.map(
        ({ agent_id }: { agent_id: string }) => agent_id,
      );
    expect([await callsOf(''), await callsOf(`team_id=${team.id}`)]).toEqual([[other, one], [b.id]]);
    expect([await callsOf(`team_id=${unknownId}`), await callsOf(`team_id=${team.id}&agent_id=${a.id}`)]).toEqual([
      [],
      [],
    ]);
  });
});
