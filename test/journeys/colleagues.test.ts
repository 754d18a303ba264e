import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { eventually } from '../support/time/waiting.ts';

describe('colleagues', () => {
  let gateway: Gateway;
  let company: TestCompany;
  let [ada, grace, alan]: TestAgent[] = [];

  beforeAll(async () => {
    gateway = await startGateway('memory');
    company = await gateway.company({ slug: 'acme', agents: 3 });
    [ada, grace, alan] = company.agents;
  });
  afterAll(() => gateway.close());

  const found = async (query = '', who: TestAgent = ada!) =>
    (await gateway.as(who).get(`/api/colleagues?${query}`).expect(200)).body.colleagues as {
      agent_code: string;
      state: string;
      since: string | null;
    }[];
  const codes = async (query?: string) => (await found(query)).map(({ agent_code, state }) => `${agent_code} ${state}`);

  it('are listed with what they are doing and since when, whoever is Ready first', async () => {
    const softphone = await gateway.readySoftphone(alan!);
    await eventually(async () => expect((await codes())[0]).toBe('a102 ready'));
    const [first] = await found('limit=1');
    expect(first).toMatchObject({ since: softphone.agent?.since });
    await softphone.setNotReady('break');
    const other = await gateway.readySoftphone(grace!);
    await eventually(async () =>
      expect(await codes()).toEqual(['a101 ready', 'a102 not_ready', 'admin offline', 'a100 offline']),
    );
    expect(await codes('state=not_ready')).toEqual(['a102 not_ready']);
    expect((await found('q=a100'))[0]).toMatchObject({ state: 'offline', since: null });
    softphone.close();
    other.close();
  });

  it('can be those of a team, of this company alone', async () => {
    const stranger = await gateway.company({ slug: 'strangers', agents: 1 });
    await gateway
      .as(company)
      .post('/api/teams')
      .send({ code: 'Sales', name: 'Sales', agent_ids: [grace!.id] })
      .expect(201);
    await gateway
      .as(stranger)
      .post('/api/teams')
      .send({ code: 'theirs', name: 'Theirs', agent_ids: [stranger.agents[0]!.id] })
      .expect(201);
    expect((await found('team_code=sales')).map(({ agent_code }) => agent_code)).toEqual(['a101']);
    const refused = await gateway.as(ada!).get('/api/colleagues?team_code=theirs').expect(404);
    expect(refused.body).toMatchObject({ code: 'unknown_team' });
    expect((await found('', stranger.agents[0])).map(({ agent_code }) => agent_code)).not.toContain('a101');
    await gateway.as(ada!).get('/api/colleagues?state=sleeping').expect(400);
    await gateway.as(ada!).get('/api/colleagues?limit=51').expect(400);
  });

  it('are found where they were in the version before, too', async () => {
    const [now, before] = await Promise.all(
      ['/api/colleagues?limit=2', '/api/crm/colleagues?limit=2'].map((path) => gateway.as(ada!).get(path).expect(200)),
    );
    expect(before!.body.colleagues).toHaveLength(2);
    expect(before!.body.colleagues.map(({ id }: { id: string }) => id)).toEqual(
      now!.body.colleagues.map(({ id }: { id: string }) => id),
    );
    const wrong = await gateway.as(ada!).post('/api/crm/colleagues').expect(405);
    expect(wrong.headers['allow']).toContain('GET');
  });
});
