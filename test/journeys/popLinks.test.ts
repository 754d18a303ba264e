import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type Gateway, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';

const minute = 60_000;
const [grace, ada] = ['+15551230001', '+15551230002'];
const clock = createLeapingClock();
let gateway: Gateway;
let ours: TestCompany;
let theirs: TestCompany;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
  ours = await gateway.company({ slug: 'ours', agents: 2 });
  theirs = await gateway.company({ slug: 'theirs', agents: 1 });
  await push(ours, grace, { name: 'Grace Hopper' });
  await push(ours, ada, { name: 'Ada Byron' });
  await push(theirs, grace, { name: 'Somebody of theirs' });
});
afterAll(() => gateway.close());

const push = (company: TestCompany, phone_number: string, data: object) =>
  gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number, data })
    .expect(200);
const sessions = '/api/integrations/cti/pop-sessions';

/** What a new link's fragment holds. */
async function linkTo(
  phone: string,
  { company = ours, call }: { company?: TestCompany; call?: string } = {},
): Promise<string> {
  const { body } = await gateway.api
    .post('/api/integrations/cti/pop-links')
    .set('X-Service-Api-Key', company.key)
    .send({ phone, call_id: call })
    .expect(201);
  const url = new URL(body.url, gateway.url);
  expect([url.pathname, url.search]).toEqual(['/pop', `?company=${company.id}`]);
  return url.hash.replace('#link=', '');
}
const open = (link: string) => gateway.api.post(sessions).send({ link });
const read = (token: string, query = '') => gateway.api.get(sessions + query).set('X-Pop-Token', token);
const tokenTo = async (...of: Parameters<typeof linkTo>): Promise<string> =>
  (await open(await linkTo(...of)).expect(201)).body.token;
/** One character in the middle is another one. */
const edited = (text: string) => text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41);

describe('a link to the pop page', () => {
  it('shows its customer to whoever opens it, of its own company alone', async () => {
    for (const [company, name] of [
      [ours, 'Grace Hopper'],
      [theirs, 'Somebody of theirs'],
    ] as const) {
      const { body } = await read(await tokenTo(grace, { company })).expect(200);
      expect(body).toMatchObject({
        phone: grace,
        found: true,
        screen_pop: { name },
        call: null,
        summary: null,
        has_contacts: false,
      });
    }
  });

  it('shows no other number, whatever is asked for', async () => {
    const { body } = await read(
      await tokenTo('tel:+15551230001;ext=12'),
      `?phone=${encodeURIComponent(ada)}&call=x`,
    ).expect(200);
    expect(body).toMatchObject({ phone: grace, screen_pop: { name: 'Grace Hopper' } });
  });

  it('may be opened once', async () => {
    const link = await linkTo(grace);
    await open(link).expect(201);
    expect((await open(link).expect(401)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('ends with the key that it was made with', async () => {
    const company = await gateway.company({ slug: 'rotates' });
    await push(company, grace, { name: 'Grace Hopper' });
    const [link, token] = [await linkTo(grace, { company }), await tokenTo(grace, { company })];
    await read(token).expect(200);
    await gateway.as(company).put('/api/integrations').send({ rotate_api_key: true }).expect(200);
    expect((await read(token).expect(401)).body).toMatchObject({ code: 'invalid_token' });
    expect((await open(link).expect(401)).body).toMatchObject({ code: 'invalid_token' });
  });

  it.each(['agent', 'supervisor', 'admin', 'dialer'] as const)(
    'has the rights of the %s who made it, and ends with that account',
    async (role) => {
      const maker = await gateway.agent(ours, `maker-${role}`, role);
      const made = await gateway.as(maker).post('/api/integrations/cti/pop-links').send({ phone: grace }).expect(201);
      const link = new URL(made.body.url, gateway.url).hash.replace('#link=', '');
      const other = await gateway.as(maker).post('/api/integrations/cti/pop-links').send({ phone: grace }).expect(201);
      const { token } = (await open(link).expect(201)).body;
      const asMaker = (await gateway.as(maker).get('/api/integrations/cti/pop').query({ phone: grace }).expect(200))
        .body;
      expect((await read(token).expect(200)).body).toEqual(asMaker);
      await gateway.as(ours).patch(`/api/agents/${maker.id}`).send({ active: false }).expect(200);
      expect((await read(token).expect(401)).body).toMatchObject({ code: 'invalid_token' });
      await open(new URL(other.body.url, gateway.url).hash.replace('#link=', '')).expect(401);
    },
  );

  it('may be opened for five minutes, and read for an hour', async () => {
    const [late, inTime] = [await linkTo(grace), await linkTo(grace)];
    clock.jump(5 * minute - 1_000);
    const { token } = (await open(inTime).expect(201)).body;
    clock.jump(2_000);
    expect((await open(late).expect(401)).body).toMatchObject({ code: 'invalid_token' });
    clock.jump(59 * minute);
    await read(token).expect(200);
    clock.jump(minute);
    expect((await read(token).expect(401)).body).toMatchObject({ code: 'invalid_token' });
  });

  it('is of no use when it was edited, and neither of its tokens stands for the other', async () => {
    const link = await linkTo(grace);
    const token = await tokenTo(grace);
    for (const wrong of [edited(link), link.slice(0, -4), token, 'nobodys', ours.key]) await open(wrong).expect(401);
    for (const wrong of [edited(token), link, 'nobodys', ours.key, ours.adminToken])
      expect((await read(wrong).expect(401)).body).toMatchObject({ code: 'invalid_token' });
    await open(link).expect(201);
  });

  it('opens nothing else', async () => {
    const token = await tokenTo(grace);
    const paths = [
      '/api/me',
      '/api/calls',
      '/api/integrations',
      `/api/integrations/lookup?phone=%2B15551230001`,
      '/api/integrations/cti/pop?phone=%2B15551230001',
      '/api/crm/contacts',
    ];
    for (const path of paths) {
      for (const headers of [
        { Authorization: `Bearer ${token}` },
        { 'X-Service-Api-Key': token },
        { 'X-API-Key': token },
        { 'X-Pop-Token': token },
      ]) {
        expect((await gateway.api.get(path).set(headers)).status, `${path} ${Object.keys(headers).join('')}`).toBe(401);
      }
    }
  });

  it('holds no key and no number that could be read', async () => {
    const link = await linkTo(grace);
    const decoded = link
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      .join(' ');
    for (const text of [grace.slice(1), ours.key, ours.id]) expect(`${link} ${decoded}`).not.toContain(text);
  });

  it('is made for phone numbers alone', async () => {
    const made = await gateway.as(ours.agents[0]!).post('/api/integrations/cti/pop-links').send({ phone: 'anonymous' });
    expect([made.status, made.body.code]).toEqual([400, 'invalid_phone']);
  });
});

describe('the state of the call', () => {
  it('is told by our id and by the platform’s, to whom it concerns, while it is with that number', async () => {
    const [agent, colleague] = [ours.agents[0]!, ours.agents[1]!];
    const { body: connection } = await gateway
      .as(ours)
      .post('/api/integrations/cti/connections')
      .send({ connector: 'genesys' })
      .expect(201);
    const tell = (event: string) =>
      gateway.api
        .post(new URL(connection.url, gateway.url).pathname)
        .send({
          event,
          call_id: 'conversation-1',
          agent_id: agent.agentCode,
          agent_name: agent.agentCode,
          customer_number: grace,
          direction: 'inbound',
        })
        .expect(200);
    await tell('ringing');
    const [{ id }] = (await gateway.as(ours).get('/api/calls').expect(200)).body.calls;
    const token = await tokenTo(grace, { call: 'conversation-1' });
    const stateFor = async (who: Parameters<Gateway['as']>[0], call: string, phone: string) =>
      (await gateway.as(who).get('/api/integrations/cti/pop').query({ phone, call }).expect(200)).body.call?.state ??
      null;
    expect((await read(token).expect(200)).body.call).toMatchObject({ state: 'ringing', direction: 'inbound' });
    expect(await stateFor(agent, id, grace)).toBe('ringing');
    expect(await stateFor(agent, 'conversation-1', grace)).toBe('ringing');
    expect(await stateFor(colleague, id, grace)).toBeNull();
    expect(await stateFor(agent, id, ada)).toBeNull();
    expect(await stateFor(theirs, id, grace)).toBeNull();
    await tell('answered');
    expect((await read(token, '?again=true').expect(200)).body.call).toMatchObject({ state: 'connected' });
    await tell('ended');
    expect((await read(token, '?again=true').expect(200)).body.call).toMatchObject({ state: 'ended' });
  });
});

describe('the pop page', () => {
  it('shows nothing to an agent of another company than it is for', async () => {
    const ask = (company: string) =>
      gateway.as(ours.agents[0]!).get('/api/integrations/cti/pop').query({ phone: grace, company });
    await ask(ours.id).expect(200);
    expect((await ask(theirs.id).expect(403)).body).toMatchObject({ code: 'wrong_company' });
  });

  const ancestors = async (path: string) => {
    const page = await gateway.api.get(path).expect(200);
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(page.headers['x-frame-options']).toBeUndefined();
    return /frame-ancestors ([^;]*)/.exec(page.headers['content-security-policy'] as string)?.[1];
  };

  it('may be held by the pages that the company names, and by no others', async () => {
    const origins = ['https://desktop.example.com', 'https://apps.example.net:8443'];
    const saved = await gateway
      .as(ours)
      .put('/api/integrations')
      .send({ pop_frame_ancestors: [...origins, ...origins] })
      .expect(200);
    expect(saved.body.integration.pop_frame_ancestors).toEqual(origins);
    expect(await ancestors(`/pop?company=${ours.id}&phone=x`)).toBe(`'self' ${origins.join(' ')}`);
    for (const path of [
      '/pop',
      `/pop?company=${theirs.id}`,
      '/pop?company=nobody',
      '/pop?company=0190a000-0000-7000-8000-0000000000ff',
    ])
      expect(await ancestors(path)).toBe("'self'");
    await gateway.as(ours).put('/api/integrations').send({ pop_frame_ancestors: null }).expect(200);
    expect(await ancestors(`/pop?company=${ours.id}`)).toBe("'self'");
  });

  it.each(['api_key', 'key', 'token', 'X-API-Key', 'x-service-api-key'])(
    'takes no %s in its address, and says what to do',
    async (name) => {
      const answer = await gateway.api.get(`/pop?phone=%2B15551230001&${name}=secret`);
      expect([answer.status, answer.type]).toEqual([400, 'text/plain']);
      expect(answer.text).toContain('pop-links');
      expect(answer.text).not.toContain('secret');
    },
  );
});
