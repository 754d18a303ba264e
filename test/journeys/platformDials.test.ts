import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tombstoneMs } from '../../src/domain/platformRounds.ts';
import { claimTtlMs } from '../../src/domain/presence.ts';
import type { Dialed, DialingPlatform } from '../support/cti/dialingPlatform.ts';
import { FakeFinesse } from '../support/cti/fakeFinesse.ts';
import { FakeFive9 } from '../support/cti/fakeFive9.ts';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { FakeNice } from '../support/cti/fakeNice.ts';
import { FakeWebex } from '../support/cti/fakeWebex.ts';
import { type Course, FakeAsterisk, faultsOfOriginate } from '../support/cti/fakeAsterisk.ts';
import { PlatformDesk } from '../support/cti/platformDesk.ts';
import type { Sent } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhooks/webhookReceiver.ts';
import { eventually } from '../support/time/waiting.ts';

const customer = '+15551230001';
const reset = { kind: 'reset' } as const;
const clock = createLeapingClock();

let gateway: Gateway;
let genesys: FakeGenesys;
let asterisk: FakeAsterisk;
let finesse: FakeFinesse;
let five9: FakeFive9;
let nice: FakeNice;
let webex: FakeWebex;
let receiver: WebhookReceiver;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let companies = 0;

beforeAll(async () => {
  [genesys, asterisk, finesse, five9, nice, webex, receiver] = await Promise.all([
    FakeGenesys.start(),
    FakeAsterisk.start(),
    FakeFinesse.start(),
    FakeFive9.start(),
    FakeNice.start(),
    FakeWebex.start(),
    startWebhookReceiver(),
  ]);
  const clouds = [genesys, five9, nice, webex].map(({ connector, url }) => [connector, url] as const);
  gateway = await startGateway('memory', { clock, config: { ctiBaseUrls: new Map(clouds) } });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([genesys, asterisk, finesse, five9, nice, webex, receiver].map((one) => one.close()));
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `dials-${companies}`, agents: 2 });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: customer, data: { name: 'Grace Hopper' } })
    .expect(200);
  await admin()
    .put('/api/integrations')
    .send({
      webhook_url: receiver.url,
      webhook_events: ['cti_click_to_dial', 'call_started', 'call_answered', 'call_ended'],
    })
    .expect(200);
});

const admin = () => gateway.as(company);
const connectionOf = (connector: string) => `/api/integrations/cti/connections/${connector}`;
const stateOf = async (agent = ada) => (await admin().get(`/api/agents/${agent.id}/state`).expect(200)).body;
const callsOf = async () => (await admin().get('/api/calls').expect(200)).body.calls;
const sentOf = (callId: string) =>
  receiver.received.filter(({ body }) => body.data['call_id'] === callId).map(({ body }) => body.event);

/** A company whose agents are Ready, and for whom that platform dials. */
const deskOf = (platform: DialingPlatform) => new PlatformDesk(platform, { gateway, company, clock, customer });

const click = (agent: TestAgent | null = ada, more: object = {}, headers: Record<string, string> = {}) =>
  gateway.api
    .post('/api/integrations/cti/click-to-dial')
    .set({ 'X-Service-Api-Key': company.key, ...headers })
    .send({ phone_number: customer, ...(agent === null ? {} : { agent_id: agent.id }), ...more });

describe.each([
  ['genesys', () => genesys],
  ['asterisk', () => asterisk],
  ['cisco', () => finesse],
  ['five9', () => five9],
  ['nice', () => nice],
  ['webexcc', () => webex],
] as const)('a click for an agent for whom %s dials', (connector, platformOf) => {
  let platform: DialingPlatform;
  let desk: PlatformDesk;
  beforeEach(async () => {
    platform = platformOf();
    desk = await deskOf(platform).open();
    await desk.ready();
    platform.dialed.length = 0;
  });
  afterEach(() => {
    platform.busy.clear();
    platform.agents.clear();
  });

  const dials = () => platform.heard.filter((request) => platform.isDial(request)).length;

  it('of a number on the do-not-dial list is refused before the platform is asked', async () => {
    await admin().post('/api/do-not-dial').send({ number: customer }).expect(201);
    const before = dials();
    const { body, status } = await click();
    expect({ status, code: body.code, cause: body.cause?.code }).toEqual({
      status: 409,
      code: 'do_not_call',
      cause: 'on_do_not_dial_list',
    });
    expect([dials() - before, platform.dialed, await callsOf()]).toEqual([
      0,
      [],
      expect.not.arrayContaining([expect.objectContaining({ direction: 'outbound' })]),
    ]);
  });

  it('has the platform call, once, and is a call with its events from beginning to end', async () => {
    const { body, status } = await click(ada, { external_id: 'rec-7', metadata: { list: 'autumn' } });
    expect({ status, ...body }).toMatchObject({ status: 'dialing', phone_number: customer, agent: { id: ada.id } });
    expect(status).toBe(201);
    const [dialed] = platform.dialed;
    expect(platform.dialed).toEqual([{ callId: expect.any(String), agent: ada.agentCode, phone: customer }]);
    const ours = (await callsOf()).find(({ id }: { id: string }) => id === body.call_id);
    expect(ours).toMatchObject({
      state: 'dialing',
      direction: 'outbound',
      trigger: 'click_to_dial',
      source: connector,
      platform_call_id: platform.namesCalls ? dialed?.callId : null,
      external_id: 'rec-7',
      customer_name: 'Grace Hopper',
    });
    await eventually(async () =>
      expect(await stateOf()).toMatchObject({
        state: 'reserved',
        call_id: body.call_id,
        platform: { connector, dials_by: 'platform' },
      }),
    );
    await desk.tellOf('answered');
    expect(await stateOf()).toMatchObject({ state: 'on_call', call_id: body.call_id });
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
      platform_call_id: dialed?.callId,
    });
    await desk.tellOf('ended');
    const { body: ended } = await admin().get(`/api/calls/${body.call_id}`).expect(200);
    expect(ended).toMatchObject({ state: 'ended', end_reason: 'completed' });
    expect(['not_ready', 'ready']).toContain((await stateOf()).state);
    await eventually(() =>
      expect(sentOf(body.call_id)).toEqual(['cti_click_to_dial', 'call_started', 'call_answered', 'call_ended']),
    );
  });

  it('is a call of its own where the platform calls it as one before, which is over', async () => {
    const first = (await click()).body.call_id;
    await desk.tellOf('answered');
    await desk.tellOf('ended');
    const [{ callId }] = platform.dialed as [Dialed];
    await clock.advance(tombstoneMs);
    await desk.ready();
    platform.nextCallId = callId;
    const { body, status } = await click();
    expect(status).toBe(201);
    if (!platform.namesCalls) platform.dialed.at(-1)!.callId = callId;
    for (const [what, state] of [
      ['answered', 'connected'],
      ['ended', 'ended'],
    ] as const) {
      await clock.advance(1_000);
      await desk.tellOf(what);
      expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
        state,
        trigger: 'click_to_dial',
        platform_call_id: platform.dialed.at(-1)?.callId,
      });
    }
    const clicked = (await callsOf()).filter(({ trigger }: { trigger: string }) => trigger === 'click_to_dial');
    expect(clicked.map(({ id }: { id: string }) => id)).toEqual([body.call_id, first]);
  });

  it('is dialed once however often it is repeated under its key, and answered as the first time', async () => {
    const key = { 'Idempotency-Key': `key-${connector}-${companies}` };
    const [first, second] = [await click(ada, {}, key), await click(ada, {}, key)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.text).toBe(first.text);
    expect(platform.dialed).toHaveLength(1);
  });

  it('is dialed once of ten at a time, and the others are told that the agent is busy', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => click()));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 503),
    ]);
    expect(platform.dialed).toHaveLength(1);
  });

  it('is refused where the platform refuses, with its reason, and nothing was changed', async () => {
    platform.busy.add(ada.agentCode);
    const before = (await callsOf()).length;
    const { body, headers, status } = await click(ada, {}, { 'Idempotency-Key': `refused-${companies}` });
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'agent_not_ready' });
    expect(body.cause).toMatchObject({
      code: 'platform_refused',
      params: { words: expect.stringMatching(platform.words) },
    });
    expect(headers['retry-after']).toBeDefined();
    expect(await callsOf()).toHaveLength(before);
    expect(platform.dialed).toEqual([]);
    if (connector !== 'asterisk') expect(await stateOf()).toMatchObject({ state: 'ready', call_id: null });
    // A refusal is not remembered.
    platform.busy.clear();
    if (connector === 'asterisk') await gateway.readySoftphone(ada);
    expect((await click(ada, {}, { 'Idempotency-Key': `refused-${companies}` })).status).toBe(201);
  });

  it('is refused where the platform cannot be reached, and nothing was dialed', async () => {
    const lasts = platform.failAll(
      { kind: 'answer', answer: { status: 503, body: '{"message":"Service Unavailable"}' } },
      (request) => platform.isDial(request),
    );
    const { body, status } = await click();
    lasts();
    expect({ status, code: body.code, cause: body.cause.code }).toEqual({
      status: 503,
      code: 'dependency_unavailable',
      cause: 'platform_unavailable',
    });
    expect(platform.dialed).toEqual([]);
    expect(await stateOf()).toMatchObject({ state: 'ready', call_id: null });
  });

  it('is never dialed again where it was accepted and the answer was lost', async () => {
    platform.failNext({ kind: 'reset_after_commit' }, (request) => platform.isDial(request));
    const key = { 'Idempotency-Key': `lost-${connector}-${companies}` };
    const first = await click(ada, {}, key);
    expect(platform.dialed).toHaveLength(1);
    const again = await click(ada, {}, key);
    if (connector === 'asterisk') {
      // Found again by the id of its channel.
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    } else {
      expect(first.body).toMatchObject({ code: 'outcome_unknown', cause: { code: 'platform_outcome_unknown' } });
      expect(again.body).toMatchObject({ code: 'idempotency_in_progress' });
      expect((await click()).body).toMatchObject({ code: 'agent_not_ready' });
    }
    expect(platform.dialed).toHaveLength(1);
    // The platform's own word makes it a call. Nobody waits for that but the word.
    await desk.tellOf('answered');
    // The claim lapses, of which nobody knew what became.
    await clock.advance(claimTtlMs);
    await eventually(async () =>
      expect((await callsOf()).filter(({ state }: { state: string }) => state === 'connected')).toHaveLength(1),
    );
    expect(platform.dialed).toHaveLength(1);
  });

  it('is answered in time where the platform does not answer, and is never dialed again', async () => {
    platform.failNext({ kind: 'hang_after_commit' }, (request) => platform.isDial(request));
    const key = { 'Idempotency-Key': `silent-${connector}-${companies}` };
    const before = dials();
    const clicking = click(ada, {}, key);
    const answered = clicking.then((answer) => answer);
    await eventually(() => dials() === before + 1);
    await clock.advance(7_000);
    const { body, status } = await answered;
    // Asterisk, which is asked whether the channel is there, has no time left to be asked.
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'outcome_unknown' });
    expect((await click(ada, {}, key)).body).toMatchObject({ code: 'idempotency_in_progress' });
    expect(platform.dialed).toHaveLength(1);
  });

  it('is not dialed again where the connection broke before anything was done', async () => {
    platform.failNext(reset, (request) => platform.isDial(request));
    const { body } = await click();
    // Whether a request arrived whose connection broke, nobody knows.
    expect(body).toMatchObject({ code: 'outcome_unknown' });
    expect(dials()).toBeGreaterThan(0);
    expect(platform.dialed).toEqual([]);
  });

  it('asks another agent where nobody is named and the platform refuses the first', async () => {
    await desk.ready(ben);
    platform.busy.add(ada.agentCode);
    const { body, status } = await click(null);
    expect({ status, agent: body.agent?.id }).toEqual({ status: 201, agent: ben.id });
    expect(platform.dialed).toHaveLength(1);
  });

  it('waits for the record with what the platform tells of the call meanwhile', async () => {
    const { body } = await click();
    await Promise.all([desk.tellOf('answered'), desk.tellOf('answered')]);
    const [dialed] = platform.dialed;
    const ours = (await callsOf()).filter(
      (call: { platform_call_id: string }) => call.platform_call_id === dialed?.callId,
    );
    expect(ours).toMatchObject([{ id: body.call_id, state: 'connected', trigger: 'click_to_dial' }]);
  });

  it('is tried out without a dial', async () => {
    const own = platform.logInOf(ada.agentCode);
    const check = () => admin().post(`${connectionOf(connector)}/account/check`);
    if (own === null) {
      expect((await check()).body).toEqual({ outcome: 'ok', detail: null });
      await admin()
        .patch(connectionOf(connector))
        .send({ account: { ...platform.settings, ...platform.wrongSettings } })
        .expect(204);
      expect((await check()).body).toMatchObject({ outcome: 'unavailable', detail: expect.stringMatching(/401/) });
      expect((await click()).body).toMatchObject({ code: 'dependency_unavailable' });
    } else {
      expect((await check()).body).toMatchObject({ code: 'conflict', cause: { code: 'platform_account_of_agents' } });
      const { body } = await desk.logIn({ ...own, ...platform.wrongAgentSettings });
      expect(body).toMatchObject({
        outcome: expect.stringMatching(/refused|unavailable/),
        detail: expect.stringMatching(/401/),
      });
      expect((await click()).body).toMatchObject({ code: 'agent_not_ready', cause: { code: 'platform_refused' } });
      await desk.logIn(null);
      expect((await click()).body).toMatchObject({ cause: { params: { words: 'No log-in of this agent is set.' } } });
    }
    expect(platform.dialed).toEqual([]);
  });

  it('shows its settings without the secret, which stays where it is left out', async () => {
    const { body } = await admin().get('/api/integrations/cti/connections').expect(200);
    const [{ account }] = body.connections;
    const [listed] = (
      await admin()
        .get(`${connectionOf(connector)}/agents`)
        .expect(200)
    ).body.agents;
    const fields = [...account.fields, ...account.agent_fields];
    const secrets = fields
      .filter(({ is_secret: isSecret }: { is_secret: boolean }) => isSecret)
      .map(({ name }: { name: string }) => name);
    expect(secrets.length).toBeGreaterThan(0);
    for (const name of secrets) expect({ ...account.settings, ...listed.account?.settings }).not.toHaveProperty(name);
    expect(listed.account === null).toBe(platform.logInOf(ada.agentCode) === null);
    await admin().patch(connectionOf(connector)).send({ account: account.settings }).expect(204);
    if (listed.account !== null)
      expect((await desk.logIn(listed.account.settings)).body).toMatchObject({ outcome: 'ok' });
    expect((await click()).status).toBe(201);
  });
});

describe('a click that Asterisk dials', () => {
  let desk: PlatformDesk;
  let callId: string;
  let begin: number;
  beforeEach(async () => {
    desk = await deskOf(asterisk).open();
    await desk.ready();
    asterisk.dialed.length = 0;
    callId = (await click().expect(201)).body.call_id;
    begin = clock.now();
    await clock.advance(30_000);
  });
  afterEach(() => asterisk.agents.clear());

  const readCall = async () => (await admin().get(`/api/calls/${callId}`).expect(200)).body;
  /** Tells all of it, up to the first that fits. @returns what is left */
  async function tellUntil(events: Sent[], fits: RegExp): Promise<Sent[]> {
    const end = events.findIndex(({ body }) => fits.test(body)) + 1;
    for (const event of events.slice(0, end)) await desk.tell(event);
    return events.slice(end);
  }
  const courseOf = (course: Course) => asterisk.courseOf(asterisk.dialed[0]!, course, begin);

  it('is not answered when the agent lifts the telephone, but when the customer does', async () => {
    const afterLifting = await tellUntil(courseOf('answered'), /"dialstatus":"ANSWER"/);
    expect(await readCall()).toMatchObject({ state: 'dialing', answered_at: null });
    const afterAnswer = await tellUntil(afterLifting, /"dialstatus":"ANSWER"/);
    expect(await readCall()).toMatchObject({ state: 'connected' });
    expect(await stateOf()).toMatchObject({ state: 'on_call', call_id: callId });
    await tellUntil(afterAnswer, /"ChannelDestroyed".*readyline-/);
    expect(await readCall()).toMatchObject({ state: 'ended', end_reason: 'completed', duration_seconds: 2 });
    expect((await callsOf()).map(({ platform_call_id: id }: { platform_call_id: string }) => id)).toEqual([
      `readyline-${callId}`,
      `past-${ada.id}`,
    ]);
  });

  it.each([
    ['busy', 'busy', 'customer'],
    ['no_answer', 'no_answer', 'customer'],
    ['agent_away', 'canceled', 'agent'],
    ['unreachable_then_answered', 'completed', null],
  ] as const)('ends as it went: %s', async (course, reason, by) => {
    for (const event of courseOf(course)) await desk.tell(event);
    expect(await readCall()).toMatchObject({ state: 'ended', end_reason: reason, ended_by: by });
    expect(await stateOf()).toMatchObject({ state: 'ready', call_id: null });
  });

  it('is all that is told of: the trunk is nobody, where the account names it', async () => {
    await admin()
      .patch(connectionOf('asterisk'))
      .send({ account: { ...asterisk.settings, trunks: 'provider' } })
      .expect(204);
    for (const event of courseOf('answered')) await desk.tell(event);
    const { body } = await admin()
      .get(`${connectionOf('asterisk')}/agents`)
      .expect(200);
    expect(body.agents.map(({ platform_id: id }: { platform_id: string }) => id)).toEqual([ada.agentCode]);
  });

  it('has its parameters by the description that ARI publishes', () => {
    const [request] = asterisk.heard.filter((one) => asterisk.isDial(one)).slice(-1);
    expect(faultsOfOriginate(request!.url.searchParams)).toEqual([]);
    expect(faultsOfOriginate(new URLSearchParams({ extension: '1', timeout: 'soon', colour: 'red' }))).toEqual([
      'colour',
      'endpoint',
      'timeout',
    ]);
  });
});

it('has CXone tell what became of a click’s dial by the very requests that its recipe gives, which name no call before', async () => {
  const desk = await deskOf(nice).open();
  await desk.ready();
  nice.dialed.length = 0;
  const { body } = await click().expect(201);
  expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
    state: 'dialing',
    platform_call_id: null,
  });
  const recipe = (await admin().get('/api/integrations/cti/connectors/nice').expect(200)).body;
  const { actions } = JSON.parse(
    recipe.files.find(({ file_name: name }: { file_name: string }) => name === 'readyline-rest-actions.json').text,
  );
  const values: Record<string, string> = {
    ContactID: nice.dialed[0]!.callId,
    AgentID: ada.agentCode,
    DNIS: customer.slice(1),
    ANI: '5550199',
  };
  for (const [event, state] of [
    ['answered', 'connected'],
    ['ended', 'ended'],
  ] as const) {
    const action = actions.find(
      (one: { body: string }) => one.body.includes(`"${event}"`) && one.body.includes('outbound'),
    );
    await gateway.api
      .post(desk.path)
      .set(action.headers)
      .send(action.body.replaceAll(/\{(\w+)\}/g, (_whole: string, name: string) => values[name]))
      .expect(200);
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
      state,
      platform_call_id: values['ContactID'],
    });
  }
  expect((await callsOf()).filter(({ state }: { state: string }) => state !== 'ended')).toEqual([]);
  nice.agents.clear();
});

describe('who dials', () => {
  afterEach(() => genesys.agents.clear());

  it('is changed for all agents at once', async () => {
    const desk = await deskOf(genesys).open();
    await desk.ready();
    await admin().patch(connectionOf('genesys')).send({ dial_via: 'nobody' }).expect(204);
    expect(await stateOf()).toMatchObject({ platform: { dials_by: 'nobody' } });
    expect((await click()).body).toMatchObject({ code: 'agent_not_ready' });
    await admin().patch(connectionOf('genesys')).send({ dial_via: 'platform' }).expect(204);
    expect((await click()).status).toBe(201);
  });

  it('is the platform only where the gateway can dial through it, and knows how; nothing was changed otherwise', async () => {
    for (const connector of ['talkdesk', 'genesys'])
      await admin().post('/api/integrations/cti/connections').send({ connector }).expect(201);
    const refused = async (connector: string, change: object) =>
      (await admin().patch(connectionOf(connector)).send(change)).body;
    expect(await refused('talkdesk', { dial_via: 'platform' })).toMatchObject({
      code: 'conflict',
      cause: { code: 'platform_without_account' },
    });
    expect(await refused('talkdesk', { account: { user: 'x' } })).toMatchObject({
      cause: { code: 'platform_without_account' },
    });
    expect(await refused('genesys', { dial_via: 'platform' })).toMatchObject({
      cause: { code: 'platform_account_not_set' },
    });
    expect(await refused('genesys', { account: { region: 'evil.example', client_id: 'a', extra: 'b' } })).toMatchObject(
      {
        code: 'invalid_request',
        errors: [
          { path: 'account.extra', code: 'unknown_field' },
          { path: 'account.region', code: 'unknown_choice' },
          { path: 'account.client_secret', code: 'required' },
        ],
      },
    );
    expect(await refused('cisco', { dial_via: 'nobody' })).toMatchObject({ code: 'not_found' });
    await admin().patch(connectionOf('genesys')).send({ account: genesys.settings, dial_via: 'platform' }).expect(204);
    expect(await refused('genesys', { account: null })).toMatchObject({ cause: { code: 'platform_account_not_set' } });
    const { body } = await admin().get('/api/integrations/cti/connections').expect(200);
    expect(body.connections.map(({ dial_via: via }: { dial_via: string }) => via)).toEqual(['platform', 'nobody']);
  });

  it('keeps no password where the address is another: it must not be sent there', async () => {
    await deskOf(asterisk).open();
    const { password: _left, ...moved } = {
      ...asterisk.settings,
      url: `${asterisk.url.replace('127.0.0.1', 'localhost')}`,
    };
    const { body } = await admin().patch(connectionOf('asterisk')).send({ account: moved }).expect(400);
    expect(body.errors).toMatchObject([{ path: 'account.password', code: 'required' }]);
  });

  it.each([
    ['genesys', () => genesys],
    ['five9', () => five9],
    ['nice', () => nice],
    ['webexcc', () => webex],
  ] as const)('gets a new token of %s where the last one ended', async (_name, platformOf) => {
    const platform = platformOf();
    const desk = await deskOf(platform).open();
    await desk.ready(ada);
    expect((await click(ada)).status).toBe(201);
    await desk.tellOf('ended');
    await desk.ready(ada);
    platform.expireTokens();
    platform.dialed.length = 0;
    expect((await click(ada)).status).toBe(201);
    expect(platform.dialed).toHaveLength(1);
    platform.agents.clear();
  });

  it('takes the log-in of an agent only where each has its own, of agents of whom was told, and changes nothing else', async () => {
    const desk = await deskOf(finesse).open();
    const theirs = deskOf(genesys);
    await theirs.open();
    await theirs.ready(ben);
    expect((await desk.logIn(finesse.logInOf())).body).toMatchObject({ code: 'not_found' });
    expect((await theirs.logIn({ password: 'x' }, ben)).body).toMatchObject({
      code: 'conflict',
      cause: { code: 'platform_account_of_company' },
    });
    await desk.ready();
    expect((await desk.logIn({ extension: '', pin: '1' })).body.errors).toMatchObject([
      { path: 'account.pin', code: 'unknown_field' },
      { path: 'account.extension', code: 'required' },
    ]);
    expect((await click()).status).toBe(201);
    expect((await admin().patch(connectionOf('cisco')).send({ listens: true })).body).toMatchObject({
      cause: { code: 'platform_without_listening' },
    });
  });

  it('sends no agent’s password to another address than it was given for', async () => {
    const desk = await deskOf(finesse).open();
    await desk.ready();
    const thief = await FakeFinesse.start();
    await admin().patch(connectionOf('cisco')).send({ account: thief.settings }).expect(204);
    expect(
      (
        await admin()
          .get(`${connectionOf('cisco')}/agents`)
          .expect(200)
      ).body.agents,
    ).toMatchObject([{ account: { settings: null } }]);
    expect((await desk.logIn({ extension: '1001001' })).body.errors).toMatchObject([
      { path: 'account.password', code: 'required' },
    ]);
    expect((await click()).body).toMatchObject({ cause: { params: { words: 'No log-in of this agent is set.' } } });
    expect(thief.heard).toEqual([]);
    await admin().patch(connectionOf('cisco')).send({ account: finesse.settings }).expect(204);
    expect((await click()).status).toBe(201);
    await thief.close();
  });

  it('is told of a call to another number as of another call', async () => {
    const desk = await deskOf(finesse).open();
    await desk.ready();
    const { body } = await click();
    const about = { agent: ada.agentCode, at: clock.now(), isOutbound: true };
    await desk.tell(desk.sends.answered({ ...about, callId: 'another', customer: '+15559998888' }));
    await desk.tell(desk.sends.answered({ ...about, callId: 'incoming', customer, isOutbound: false }));
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
      state: 'dialing',
      platform_call_id: null,
    });
    await desk.tellOf('answered');
    expect((await admin().get(`/api/calls/${body.call_id}`).expect(200)).body).toMatchObject({
      state: 'connected',
      platform_call_id: finesse.dialed.at(-1)?.callId,
    });
  });
});
