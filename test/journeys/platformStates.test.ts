import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SoftphoneRefusal } from '../../src/client/refusal.ts';
import type { Softphone } from '../../src/client/softphone.ts';
import type { DialingPlatform } from '../support/cti/dialingPlatform.ts';
import { FakeFinesse } from '../support/cti/fakeFinesse.ts';
import { FakeFive9 } from '../support/cti/fakeFive9.ts';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { FakeNice } from '../support/cti/fakeNice.ts';
import { FakeWebex } from '../support/cti/fakeWebex.ts';
import { PlatformDesk } from '../support/cti/platformDesk.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually } from '../support/time/waiting.ts';

const clock = createLeapingClock();
const customer = '+15551230001';

let gateway: Gateway;
let genesys: FakeGenesys;
let finesse: FakeFinesse;
let five9: FakeFive9;
let nice: FakeNice;
let webex: FakeWebex;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let companies = 0;

beforeAll(async () => {
  [genesys, finesse, five9, nice, webex] = await Promise.all([
    FakeGenesys.start(),
    FakeFinesse.start(),
    FakeFive9.start(),
    FakeNice.start(),
    FakeWebex.start(),
  ]);
  const clouds = [genesys, five9, nice, webex].map(({ connector, url }) => [connector, url] as const);
  gateway = await startGateway('memory', { clock, config: { ctiBaseUrls: new Map(clouds) } });
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([genesys, finesse, five9, nice, webex].map((one) => one.close()));
});
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `states-${companies}`, agents: 2 });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
});

const admin = () => gateway.as(company);
const stateOf = async (agent = ada) => (await admin().get(`/api/agents/${agent.id}/state`).expect(200)).body;
/** What the gateway said of a request that it refused; null: it did not. */
const refusalOf = (asking: Promise<unknown>) =>
  asking.then(
    () => null,
    (error: unknown) => (error instanceof SoftphoneRefusal ? error.refusal : error),
  );
const connectionOf = (connector: string) => `/api/integrations/cti/connections/${connector}`;

/** The agent's softphone, beside the platform; the platform has the agent Ready. */
async function besides(platform: DialingPlatform): Promise<{ desk: PlatformDesk; softphone: Softphone }> {
  const desk = await new PlatformDesk(platform, { gateway, company, clock, customer }).open();
  await desk.ready();
  const softphone = gateway.softphone(ada);
  await softphone.connect();
  return { desk, softphone };
}

describe.each([
  ['genesys', () => genesys, { ready: 'On Queue', plain: 'Available', meal: 'Meal' }],
  ['cisco', () => finesse, { ready: 'READY', plain: 'NOT_READY', meal: 'NOT_READY' }],
  ['nice', () => nice, { ready: 'Available', plain: 'Unavailable', meal: 'Unavailable meal' }],
  ['webexcc', () => webex, { ready: 'Available ready', plain: 'Idle not_ready', meal: 'Idle meal' }],
] as const)('an agent whose state %s sets', (connector, platformOf, words) => {
  let platform: DialingPlatform;
  let desk: PlatformDesk;
  let softphone: Softphone;
  beforeEach(async () => {
    platform = platformOf();
    ({ desk, softphone } = await besides(platform));
    platform.states!.length = 0;
  });
  afterEach(() => {
    platform.busy.clear();
    platform.agents.clear();
  });

  const asked = () => platform.heard.filter((request) => platform.isState(request)).length;
  const about = () => ({ callId: 'c-0', agent: ada.agentCode, customer, at: clock.now() });

  it('goes Not Ready and Ready there from the softphone, and is so here once the platform says it', async () => {
    expect((await softphone.readSettings()).state_platforms).toEqual([connector]);
    expect(await softphone.setNotReady('meal')).toMatchObject({
      state: 'ready',
      platform: { connector, sets_state: true },
    });
    expect(await softphone.setNotReady()).toMatchObject({ state: 'ready' });
    expect(platform.states).toEqual([
      { agent: ada.agentCode, state: words.meal },
      { agent: ada.agentCode, state: words.plain },
    ]);
    expect(await stateOf()).toMatchObject({ state: 'ready' });
    await desk.tell(desk.sends.notReady!(about()));
    await eventually(() => expect(softphone.agent).toMatchObject({ state: 'not_ready' }));
    await softphone.setReady();
    expect(platform.states!.at(-1)).toEqual({ agent: ada.agentCode, state: words.ready });
    expect(await stateOf()).toMatchObject({ state: 'not_ready' });
    await desk.tell(desk.sends.ready!({ ...about(), at: clock.now() + 1 }));
    await eventually(() => expect(softphone.agent).toMatchObject({ state: 'ready' }));
  });

  it('is set there by a supervisor, who is answered with the state as it still is', async () => {
    const { body } = await admin().put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' }).expect(200);
    expect(body).toMatchObject({ state: 'ready', platform: { connector } });
    expect(platform.states).toEqual([{ agent: ada.agentCode, state: words.plain }]);
  });

  it('stays as it is where the platform refuses, with its words', async () => {
    platform.busy.add(ada.agentCode);
    expect(await refusalOf(softphone.setNotReady('break'))).toMatchObject({
      code: 'conflict',
      cause: { code: 'platform_refused_state', params: { words: expect.stringMatching(platform.words) } },
    });
    expect(platform.states).toEqual([]);
    expect(await stateOf()).toMatchObject({ state: 'ready', pending_state: null });
  });

  it.each([
    ['does not answer in its time', { kind: 'hang_after_commit' }],
    ['breaks the connection', { kind: 'reset_after_commit' }],
    ['is out of order', { kind: 'answer', answer: { status: 503, body: '{"message":"Service Unavailable"}' } }],
  ] as const)('is asked for once where the platform %s, and stays as it is', async (_what, fault) => {
    const before = asked();
    platform.failNext(fault, (request) => platform.isState(request));
    const asking = refusalOf(softphone.setNotReady());
    await eventually(() => asked() === before + 1);
    if (fault.kind === 'hang_after_commit') await clock.advance(5_000);
    expect(await asking).toMatchObject({ code: 'dependency_unavailable', cause: { code: 'platform_without_state' } });
    expect(asked()).toBe(before + 1);
    expect(await stateOf()).toMatchObject({ state: 'ready' });
  });

  it('is asked for thirty times a minute at most', async () => {
    const before = asked();
    for (let count = 0; count < 30; count += 1) await softphone.setNotReady();
    expect(await refusalOf(softphone.setNotReady())).toMatchObject({ code: 'rate_limited' });
    await admin().put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' }).expect(429);
    expect(asked() - before).toBe(30);
  });

  it('is set by a new token where the last one ended', async () => {
    platform.expireTokens();
    await softphone.setNotReady();
    expect(platform.states).toEqual([{ agent: ada.agentCode, state: words.plain }]);
  });

  it('is nobody’s to set but the platform’s where the account is taken away, of which the softphone is told', async () => {
    const told = new Promise<void>((resolve) => softphone.once('settingsChanged', resolve));
    if (platform.logInOf(ada.agentCode) === null)
      await admin().patch(connectionOf(connector)).send({ dial_via: 'nobody', account: null }).expect(204);
    else await desk.logIn(null).expect(200);
    await told;
    expect((await softphone.readSettings()).state_platforms).toEqual([]);
    const before = asked();
    expect(await refusalOf(softphone.setNotReady())).toMatchObject({
      code: 'conflict',
      cause: { code: 'platform_owned' },
    });
    await admin().put(`/api/agents/${ada.id}/state`).send({ state: 'ready' }).expect(409);
    expect(asked()).toBe(before);
  });

  it('is not asked for by an agent who may not set it, nor for one of another company', async () => {
    const others = await gateway.company({ slug: `others-${companies}`, agents: 1 });
    const before = asked();
    await gateway.as(ben).put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' }).expect(403);
    await gateway.as(others).put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready' }).expect(403);
    await admin().put(`/api/agents/${ada.id}/state`).send({ state: 'not_ready', reason: 'no such reason' }).expect(400);
    expect(asked()).toBe(before);
  });

  it('signs out of the softphone without a word to the platform', async () => {
    const before = asked();
    await softphone.signOut();
    expect(asked()).toBe(before);
    expect(await stateOf()).toMatchObject({ state: 'ready', platform: { connector } });
  });
});

it('cannot be set at a platform whose interface takes no states, as Five9’s', async () => {
  const { softphone } = await besides(five9);
  expect((await softphone.readSettings()).state_platforms).toEqual([]);
  expect(await refusalOf(softphone.setNotReady())).toMatchObject({
    cause: { code: 'platform_owned', params: { name: 'Five9' } },
  });
  five9.agents.clear();
});

it('is not Not Ready at Webex where the company has said no idle code, and the answer says so', async () => {
  const { softphone } = await besides(webex);
  const { idle_code_id: _left, ...account } = webex.settings;
  await admin().patch(connectionOf('webexcc')).send({ account }).expect(204);
  webex.states.length = 0;
  expect(await refusalOf(softphone.setNotReady())).toMatchObject({
    cause: { code: 'platform_without_state', params: { words: expect.stringContaining('idle code') } },
  });
  await softphone.setReady();
  expect(webex.states).toEqual([{ agent: ada.agentCode, state: 'Available ready' }]);
  webex.agents.clear();
});
