import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HubspotFake } from '../support/crm/hubspotFake.ts';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { nextEvent } from '../support/gateway/softphoneEvents.ts';

const ada = { name: 'Ada Byron', email: 'ada@example.org', phone: '(415) 555-2671', openTickets: 2 };
const adaNumber = '+14155552671';

describe('a company that is connected to its CRM', () => {
  let crm: HubspotFake;
  let gateway: Gateway;
  let company: TestCompany;
  let companies = 0;

  beforeAll(async () => {
    // Every company of this file has the same account: there a second passes with every search.
    let now = 0;
    crm = await HubspotFake.open(() => (now += 1_000));
    gateway = await startGateway('memory', { config: { crmBaseUrls: new Map([['hubspot', crm.url]]) } });
  });
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `pulling-${companies}`, agents: 1, wrapUpSeconds: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await crm.close();
  });

  const admin = () => gateway.as(company);
  const connect = (credentials: object = { access_token: crm.accessToken }, more: object = {}) =>
    admin()
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials, ...more });
  const lookUp = (phone: string) =>
    gateway.api.get('/api/integrations/lookup').query({ phone }).set('X-Service-Api-Key', company.key);
  const isSearch = ({ path }: { path: string }) => path.endsWith('/contacts/search');
  const searches = () => crm.heard.filter(isSearch).length;
  /** A number that nobody has asked for yet. */
  let lastNumber = 0;
  const freshNumber = () => `+1415556${String((lastNumber += 1)).padStart(4, '0')}`;
  const known = (more: object = {}) => {
    const phone = freshNumber();
    const id = crm.addPerson({ ...ada, phone: phone.slice(2), ...more });
    return { phone, id };
  };

  it('says who the gateway is there, and keeps the credentials to itself', async () => {
    const { body } = await connect().expect(200);
    expect(body.connection).toMatchObject({
      provider: 'hubspot',
      name: 'HubSpot',
      state: 'connected',
      keep_seconds: 600,
    });
    const read = await admin().get('/api/integrations/crm').expect(200);
    expect(read.body).toEqual(body);
    const overview = await admin().get('/api/integrations').expect(200);
    expect(overview.body.integration).toMatchObject({ crm_provider: 'hubspot', mode: 'pull' });
    expect(overview.body.status.crm.connection).toBe('connected');
    expect(JSON.stringify([body, read.body, overview.body])).not.toContain(crm.accessToken);
  });

  it('is not connected by credentials that the CRM refuses, and stays as it was', async () => {
    await connect().expect(200);
    const before = await admin().get('/api/integrations/crm').expect(200);
    const { body } = await connect({ access_token: 'of-nobody' }).expect(400);
    expect(body.errors).toEqual([
      {
        path: 'credentials',
        message: 'are refused by HubSpot: Authentication credentials not found or expired.',
        code: 'refused_by_crm',
        params: { name: 'HubSpot', words: 'Authentication credentials not found or expired.' },
      },
    ]);
    expect((await admin().get('/api/integrations/crm').expect(200)).body).toEqual(before.body);
  });

  it.each([
    ['a provider that the gateway does not know', { provider: 'nobody', credentials: {} }, 'provider'],
    ['a credential that is missing', { provider: 'hubspot', credentials: {} }, 'credentials'],
    [
      'an option that there is not',
      { provider: 'hubspot', credentials: { access_token: 'x' }, options: { colour: 'red' } },
      'options',
    ],
  ])('is refused %s', async (_name, request, path) => {
    const { body } = await admin().put('/api/integrations/crm').send(request).expect(400);
    expect(body.errors[0].path).toMatch(new RegExp(`^${path}`));
    expect((await admin().get('/api/integrations/crm').expect(200)).body).toEqual({ connection: null, inbound: [] });
  });

  it('is asked for a number that nobody has pushed', async () => {
    await connect().expect(200);
    const { phone, id } = known();
    const { body } = await lookUp(phone).expect(200);
    expect(body.screen_pop).toMatchObject({
      name: ada.name,
      email: ada.email,
      phone,
      external_system: 'hubspot',
      external_id: id,
    });
    expect(body.screen_pop.crm).toMatchObject({ open_tickets: 2 });
    expect(body.screen_pop.record_url).toContain(`/record/0-1/${id}`);
  });

  it('is asked once for a number, however often it is wanted', async () => {
    await connect().expect(200);
    const before = searches();
    const { phone } = known();
    await Promise.all(Array.from({ length: 10 }, () => lookUp(phone).expect(200)));
    await lookUp(phone).expect(200);
    // The tickets are counted by another search.
    expect(searches() - before).toBe(1);
  });

  it('is not asked again soon for a number that nobody has', async () => {
    await connect().expect(200);
    const before = searches();
    const phone = freshNumber();
    expect((await lookUp(phone).expect(404)).body.code).toBe('unknown_phone');
    await lookUp(phone).expect(404);
    expect(searches() - before).toBe(1);
  });

  it('is not asked for what was pushed', async () => {
    await connect().expect(200);
    const before = searches();
    const { phone } = known();
    const push = { phone_number: phone, data: { name: 'As pushed' } };
    await gateway.api.post('/api/integrations/inbound').set('X-Service-Api-Key', company.key).send(push).expect(200);
    expect((await lookUp(phone).expect(200)).body.screen_pop.name).toBe('As pushed');
    expect(searches()).toBe(before);
  });

  it('offers all records that have the number', async () => {
    await connect().expect(200);
    const { phone, id } = known();
    const other = crm.addPerson({ ...ada, name: 'Ada of another company', phone });
    const { body } = await lookUp(phone).expect(200);
    expect(body.screen_pop.candidates.map((one: { id: string }) => one.id).sort()).toEqual([id, other].sort());
    expect(body.screen_pop.name).toBeUndefined();
  });

  it('shows in a trial all records that have the number', async () => {
    await connect().expect(200);
    const { phone, id } = known();
    const other = crm.addPerson({ ...ada, name: 'Ada of another company', phone });
    const { body } = await admin().post('/api/integrations/crm/preview').send({ phone_number: phone }).expect(200);
    expect(body).toMatchObject({ outcome: 'several', phone_number: phone });
    expect(body.screen_pop.candidates.map((one: { id: string }) => one.id).sort()).toEqual([id, other].sort());
  });

  it('says until when a CRM that does not answer is left alone', async () => {
    const view = async () => (await admin().get('/api/integrations/crm').expect(200)).body.connection;
    await connect().expect(200);
    expect((await view()).paused_until).toBeNull();
    const end = crm.failAll({ kind: 'reset' }, isSearch);
    for (let asked = 0; asked < 5; asked += 1) await lookUp(freshNumber());
    end();
    expect(Date.parse((await view()).paused_until)).toBeGreaterThan(Date.now());
    expect((await view()).paused_because).toBe('no_answer');
    await connect().expect(200);
    expect((await view()).paused_until).toBeNull();
  });

  it('does not delay a click, and completes the screen pop when it answers', async () => {
    await connect().expect(200);
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const softphone = await gateway.readySoftphone(agent);
    const { phone, id } = known();
    const completed = nextEvent(softphone, 'call', (call) => call.screen_pop?.external_id === id);
    const { body } = await gateway
      .click(company, { phone_number: phone, screen_pop: { vip_tier: 'from the click' } })
      .expect(201);
    const [call] = await completed;
    expect(call).toMatchObject({ id: body.call_id, screen_pop: { name: ada.name, vip_tier: 'from the click' } });
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body.screen_pop).toMatchObject({
      name: ada.name,
      external_id: id,
    });
  });

  it('costs no click when it does not answer', async () => {
    await connect().expect(200);
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    await gateway.readySoftphone(agent);
    crm.failNext({ kind: 'hang' }, isSearch);
    const { body } = await gateway.click(company, { phone_number: freshNumber() }).expect(201);
    expect(body.screen_pop.name).toBeUndefined();
  });

  it('is left alone when it refuses the credentials, until an admin has looked after it', async () => {
    await connect().expect(200);
    crm.failNext({ kind: 'answer', answer: { status: 401, body: '{"message":"The token has expired."}' } }, isSearch);
    await lookUp(freshNumber()).expect(404);
    const { body } = await admin().get('/api/integrations/crm').expect(200);
    expect(body.connection).toMatchObject({ state: 'needs_attention', detail: 'The token has expired.' });
    const before = searches();
    await lookUp(freshNumber()).expect(404);
    expect(searches()).toBe(before);
    await admin().post('/api/integrations/check').expect(200);
    await lookUp(known().phone).expect(200);
  });

  it('is left alone for a while when it has failed five times in a row', async () => {
    await connect().expect(200);
    const end = crm.failAll({ kind: 'reset' }, isSearch);
    for (let time = 0; time < 5; time++) await lookUp(freshNumber()).expect(404);
    end();
    const before = crm.heard.length;
    await lookUp(freshNumber()).expect(404);
    expect(crm.heard.length).toBe(before);
  });

  it('tells what would be shown for a number, and keeps nothing of it', async () => {
    await connect().expect(200);
    const { phone } = known();
    const { body } = await admin().post('/api/integrations/crm/preview').send({ phone_number: phone }).expect(200);
    expect(body).toMatchObject({ phone_number: phone, outcome: 'one', screen_pop: { name: ada.name } });
    const before = searches();
    await lookUp(phone).expect(200);
    expect(searches() - before).toBe(1);
  });

  it('is asked no more when it was disconnected, and what it told is forgotten', async () => {
    await connect().expect(200);
    const { phone } = known();
    await lookUp(phone).expect(200);
    await admin().put('/api/integrations/crm').send({ provider: 'hubspot', credentials: null }).expect(200);
    const before = searches();
    await lookUp(phone).expect(404);
    expect(searches()).toBe(before);
    expect((await admin().get('/api/integrations').expect(200)).body.integration.mode).toBe('push');
  });

  it('is not for agents to see or change', async () => {
    const [agent] = company.agents;
    if (agent === undefined) throw new Error('the company has one agent');
    const asAgent = gateway.as(agent);
    await asAgent.get('/api/integrations/crm').expect(403);
    await asAgent
      .put('/api/integrations/crm')
      .send({ provider: 'hubspot', credentials: { access_token: crm.accessToken } })
      .expect(403);
    await asAgent.post('/api/integrations/check').expect(403);
    await asAgent.post('/api/integrations/crm/preview').send({ phone_number: adaNumber }).expect(403);
  });
});
