import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DialingPlatform } from '../support/cti/dialingPlatform.ts';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { FakeAsterisk } from '../support/cti/fakeAsterisk.ts';
import { platforms, type About, type PlatformSends } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, type MeddledGateway, startGateways } from '../support/gateway/gateways.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const customer = '+15551230001';
/** As often as a gateway looks for connections to listen at. */
const lookMs = 5_000;

const clock = createLeapingClock();
let gateway: Gateway;
let genesys: FakeGenesys;
let asterisk: FakeAsterisk;
let company: TestCompany;
let ada: TestAgent;
let companies = 0;

beforeAll(async () => {
  [genesys, asterisk] = await Promise.all([FakeGenesys.start(), FakeAsterisk.start()]);
  gateway = await startGateway('memory', { clock, config: { ctiBaseUrls: new Map([['genesys', genesys.url]]) } });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([genesys.close(), asterisk.close()]);
});

const pathOf = (connector: string) => `/api/integrations/cti/connections/${connector}`;
const connectionOf = async (connector: string, to = gateway) =>
  (await to.as(company).get('/api/integrations/cti/connections').expect(200)).body.connections.find(
    (one: { connector: string }) => one.connector === connector,
  );
const callsOf = async () => (await gateway.as(company).get('/api/calls').expect(200)).body.calls;

describe.each([
  ['genesys', () => genesys],
  ['asterisk', () => asterisk],
] as const)('a gateway that listens at %s', (connector, platformOf) => {
  let platform: DialingPlatform;
  let sends: PlatformSends;
  beforeEach(async () => {
    platform = platformOf();
    sends = platforms.find((one) => one.connector === connector)!;
    companies += 1;
    company = await gateway.company({ slug: `listening-${companies}`, agents: 1 });
    ada = company.agents[0]!;
    platform.agents.add(ada.agentCode);
    await gateway.as(company).post('/api/integrations/cti/connections').send({ connector }).expect(201);
  });
  afterEach(async () => {
    await gateway.as(company).delete(pathOf(connector)).expect(204);
    await passTime(clock, lookMs, () => platform.lines.size === 0);
    platform.agents.clear();
  });

  const listen = (account: Record<string, string> = platform.settings) =>
    gateway.as(company).patch(pathOf(connector)).send({ listens: true, account }).expect(204);
  const isListened = () => passTime(clock, 0, () => platform.lines.size === 1);
  const about = (more: Partial<About> = {}): About => ({
    callId: 'c-1',
    agent: ada.agentCode,
    customer,
    at: clock.now(),
    ...more,
  });

  it('hears of a whole call, though nothing comes to the address', async () => {
    await listen();
    await isListened();
    expect(platform.tell(sends.ringing!(about()))).toBe(1);
    await eventually(async () =>
      expect(await callsOf()).toMatchObject([
        { state: 'ringing', source: connector, agent_id: ada.id, phone: customer },
      ]),
    );
    platform.tell(sends.answered(about({ at: clock.now() + 1 })));
    await eventually(async () => expect(await callsOf()).toMatchObject([{ state: 'connected' }]));
    platform.tell(sends.ended(about({ at: clock.now() + 2 })));
    await eventually(async () => expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'completed' }]));
    expect(await connectionOf(connector)).toMatchObject({
      listens: true,
      listening_error: null,
      last_received_at: expect.any(String),
    });
  });

  it('listens again where the line broke, and says meanwhile that it cannot', async () => {
    await listen();
    await isListened();
    const stillRefused = platform.failAll({
      kind: 'answer',
      answer: { status: 503, body: '{"message":"Maintenance"}' },
    });
    for (const line of platform.lines) line.terminate();
    await passTime(clock, 0, async () => (await connectionOf(connector)).listening_error !== null);
    await passTime(clock, 3 * lookMs, async () => /Maintenance/.test((await connectionOf(connector)).listening_error));
    stillRefused();
    await passTime(clock, 120_000, () => platform.lines.size === 1);
    await eventually(async () => (await connectionOf(connector)).listening_error === null);
    platform.tell(sends.answered(about()));
    await eventually(async () => expect(await callsOf()).toMatchObject([{ state: 'connected' }]));
  });

  it('says that the account was refused, and listens once it is right', async () => {
    await listen({ ...platform.settings, ...platform.wrongSettings });
    await passTime(clock, 0, async () => /401/.test((await connectionOf(connector)).listening_error ?? ''));
    expect(platform.lines.size).toBe(0);
    await listen();
    await passTime(clock, 0, () => platform.lines.size === 1);
    await eventually(async () => (await connectionOf(connector)).listening_error === null);
  });

  it('hangs up where it is no longer to listen', async () => {
    await listen();
    await isListened();
    await gateway.as(company).patch(pathOf(connector)).send({ listens: false }).expect(204);
    await passTime(clock, lookMs, () => platform.lines.size === 0);
    expect(platform.tell(sends.answered(about()))).toBe(0);
  });

  it('takes no harm from what is no event, and ends a line that tells megabytes', async () => {
    await listen();
    await isListened();
    const [line] = platform.lines;
    for (const text of ['', 'no json', '[]', '{"type":7}', JSON.stringify({ type: 'ChannelCreated', channel: null })])
      line!.send(text);
    line!.send(Buffer.from([0xff, 0xfe, 0x00]));
    platform.tell(sends.answered(about()));
    await eventually(async () => expect(await callsOf()).toMatchObject([{ state: 'connected' }]));
    line!.send('x'.repeat(2 * 1024 * 1024));
    await passTime(clock, 0, async () => /1 MiB/.test((await connectionOf(connector)).listening_error ?? ''));
    await passTime(clock, 2 * lookMs, () => platform.lines.size === 1);
  });

  it('needs an account', async () => {
    const { body } = await gateway.as(company).patch(pathOf(connector)).send({ listens: true }).expect(409);
    expect(body.cause).toMatchObject({ code: 'platform_account_not_set' });
    expect((await connectionOf(connector)).listens).toBe(false);
  });
});

it('knows the users of Genesys Cloud by their e-mail addresses before anything is told of them', async () => {
  company = await gateway.company({ slug: 'met-users', agents: 1 });
  const [agent] = company.agents;
  await gateway.as(company).patch(`/api/agents/${agent!.id}`).send({ email: 'ada@met-users.example' }).expect(200);
  genesys.agents.add('user-1').add('user-2');
  genesys.emails.set('user-1', 'Ada@Met-Users.example');
  await gateway.as(company).post('/api/integrations/cti/connections').send({ connector: 'genesys' }).expect(201);
  await gateway.as(company).patch(pathOf('genesys')).send({ listens: true, account: genesys.settings }).expect(204);
  await passTime(clock, 0, async () => {
    const { body } = await gateway
      .as(company)
      .get(`${pathOf('genesys')}/agents`)
      .expect(200);
    return body.agents.length === 2;
  });
  const { body } = await gateway
    .as(company)
    .get(`${pathOf('genesys')}/agents`)
    .expect(200);
  expect(body.agents).toMatchObject([
    { platform_id: 'user-1', agent_id: agent!.id, matched_by: 'email' },
    { platform_id: 'user-2', agent_id: null },
  ]);
  await gateway.as(company).delete(pathOf('genesys')).expect(204);
  await passTime(clock, lookMs, () => genesys.lines.size === 0);
  genesys.agents.clear();
  genesys.emails.clear();
});

it('hears users of Genesys Cloud who come later, on the line that is open, within minutes', async () => {
  company = await gateway.company({ slug: 'later-users', agents: 2 });
  const [agent, later] = company.agents;
  genesys.agents.add(agent!.agentCode);
  await gateway.as(company).post('/api/integrations/cti/connections').send({ connector: 'genesys' }).expect(201);
  await gateway.as(company).patch(pathOf('genesys')).send({ listens: true, account: genesys.settings }).expect(204);
  await passTime(clock, 0, () => genesys.lines.size === 1);
  const [line] = genesys.lines;
  const sends = platforms.find(({ connector }) => connector === 'genesys')!;
  const told = () => sends.answered({ callId: 'c-1', agent: later!.agentCode, customer, at: clock.now() });
  expect(genesys.tell(told())).toBe(0);
  const known = async () =>
    (
      await gateway
        .as(company)
        .get(`${pathOf('genesys')}/agents`)
        .expect(200)
    ).body.agents.length;
  // From when it has met them all it counts until it asks again.
  await eventually(async () => (await known()) === 1);
  genesys.agents.add(later!.agentCode);
  const minutesLater = async (comesTrue: () => boolean | Promise<boolean>) => {
    clock.jump(5 * 60_000);
    await eventually(comesTrue);
  };
  await minutesLater(async () => (await known()) === 2);
  expect(genesys.tell(told())).toBe(1);
  expect([...genesys.lines]).toEqual([line]);
  await eventually(async () => expect(await callsOf()).toMatchObject([{ state: 'connected', agent_id: later!.id }]));
  // Why nobody new is heard is said, and those who are heard are heard on.
  const stillRefused = genesys.failAll(
    { kind: 'answer', answer: { status: 403, body: '{"message":"Missing permission"}' } },
    ({ path }) => path.startsWith('/api/v2/users'),
  );
  await minutesLater(async () => /Missing permission/.test((await connectionOf('genesys')).listening_error ?? ''));
  expect(genesys.tell(told())).toBe(1);
  stillRefused();
  await minutesLater(async () => (await connectionOf('genesys')).listening_error === null);
  await gateway.as(company).delete(pathOf('genesys')).expect(204);
  await passTime(clock, lookMs, () => genesys.lines.size === 0);
  genesys.agents.clear();
});

describe('two gateways', () => {
  let room: Gateways;
  beforeEach(async () => {
    room = await startGateways(2, { clock });
    company = await room.at(0).company({ slug: 'listened-by-one', agents: 1 });
    ada = company.agents[0]!;
    await room.at(0).as(company).post('/api/integrations/cti/connections').send({ connector: 'asterisk' }).expect(201);
    await room
      .at(0)
      .as(company)
      .patch(pathOf('asterisk'))
      .send({ listens: true, account: asterisk.settings })
      .expect(204);
    await passTime(clock, lookMs, () => asterisk.lines.size === 1);
  });
  afterEach(async () => {
    await room.close();
    await eventually(() => asterisk.lines.size === 0);
  });

  /** Which of both listens, and the other. */
  async function both(): Promise<[listener: MeddledGateway, other: MeddledGateway]> {
    const client = new pg.Client({ connectionString: room.config.databaseUrl ?? '' });
    await client.connect();
    const { rows } = await client.query<{ id: string }>('SELECT listener_id AS id FROM cti_connection');
    await client.end();
    return rows[0]?.id === room.at(0).meddling.nodeId ? [room.at(0), room.at(1)] : [room.at(1), room.at(0)];
  }

  it('listen by one of them alone, and by the other when that one leaves', async () => {
    const [listener, other] = await both();
    await clock.advance(4 * lookMs);
    expect(asterisk.lines.size).toBe(1);
    await listener.close();
    await passTime(clock, 2 * lookMs, () => asterisk.lines.size === 1);
    asterisk.tell(
      platforms
        .find(({ connector }) => connector === 'asterisk')!
        .answered({ callId: 'c-1', agent: ada.agentCode, customer, at: clock.now() }),
    );
    await eventually(async () =>
      expect((await other.as(company).get('/api/calls').expect(200)).body.calls).toMatchObject([
        { state: 'connected' },
      ]),
    );
  });

  it('listen by the other when the one cannot reach the database, and never by both', async () => {
    const [listener, other] = await both();
    const [line] = asterisk.lines;
    listener.meddling.toPostgres.cut();
    await passTime(clock, 30_000, () => asterisk.lines.size === 1 && !asterisk.lines.has(line!));
    expect(other.meddling.nodeId).not.toBe(listener.meddling.nodeId);
  });
});

it('the settings say of the chosen platform whether it is connected, has told something, and can be listened to', async () => {
  company = await gateway.company({ slug: 'says-so', agents: 1 });
  const told = async () => (await gateway.as(company).get('/api/integrations').expect(200)).body.status.cti;
  await gateway.as(company).put('/api/integrations').send({ cti_connector: 'genesys' }).expect(200);
  expect(await told()).toMatchObject({ connection: 'not_connected' });
  await gateway.as(company).post('/api/integrations/cti/connections').send({ connector: 'genesys' }).expect(201);
  expect(await told()).toEqual({
    connection: 'connected',
    detail: 'Genesys Cloud is connected, and has told nothing yet.',
  });
  await gateway.as(company).put('/api/integrations').send({ cti_connector: 'none' }).expect(200);
  expect(await told()).toMatchObject({ connection: 'connected' });
  await gateway.as(company).put('/api/integrations').send({ cti_connector: 'avaya' }).expect(200);
  expect((await told()).detail).toMatch(/^Genesys Cloud is connected, .+ Avaya is named in webhooks\. /);
  await gateway
    .as(company)
    .patch(pathOf('genesys'))
    .send({ listens: true, account: { ...genesys.settings, client_secret: 'wrong' } })
    .expect(204);
  await passTime(clock, lookMs, async () => (await told()).connection === 'needs_attention');
  await gateway.as(company).delete(pathOf('genesys')).expect(204);
  expect(await told()).toMatchObject({ connection: 'not_connected' });
});
