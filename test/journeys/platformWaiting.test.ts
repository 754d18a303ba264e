import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeGenesys } from '../support/cti/fakeGenesys.ts';
import { platforms, type About, type Sent } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { type Gateways, startGateways } from '../support/gateway/gateways.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const customer = '+15551230001';
const clock = createLeapingClock();
const sends = platforms.find(({ connector }) => connector === 'genesys')!;
let genesys: FakeGenesys;
let company: TestCompany;
let ada: TestAgent;
let ben: TestAgent;
let path: string;
let companies = 0;

beforeAll(async () => {
  genesys = await FakeGenesys.start();
});
afterAll(() => genesys.close());
afterEach(() => genesys.agents.clear());

const config = () => ({ ctiBaseUrls: new Map([['genesys', genesys.url]]) });
const post = (to: Gateway, { headers, body }: Sent) => to.api.post(path).set(headers).send(body);
const about = (more: Partial<About> = {}): About => ({
  callId: 'c-1',
  agent: ada.agentCode,
  customer,
  at: clock.now(),
  isOutbound: true,
  ...more,
});
const callsOf = async (to: Gateway) => (await to.as(company).get('/api/calls').expect(200)).body.calls;

/** A company whose two agents Genesys has Ready, and for whom it dials. */
async function open(gateway: Gateway, more: object = {}): Promise<void> {
  companies += 1;
  company = await gateway.company({ slug: `waiting-${companies}`, agents: 2 });
  [ada, ben] = company.agents as [TestAgent, TestAgent];
  for (const { agentCode } of company.agents) genesys.agents.add(agentCode);
  const { body } = await gateway
    .as(company)
    .post('/api/integrations/cti/connections')
    .send({ connector: 'genesys' })
    .expect(201);
  path = new URL(body.url, gateway.url).pathname;
  await gateway
    .as(company)
    .patch('/api/integrations/cti/connections/genesys')
    .send({ dial_via: 'platform', account: genesys.settings, ...more })
    .expect(204);
  for (const { agentCode: agent } of company.agents) await post(gateway, sends.ready!(about({ agent }))).expect(200);
}

/** A click for Ada that Genesys makes, and does not answer. @returns when it is asked for */
async function hang(gateway: Gateway): Promise<{ answered: Promise<unknown> }> {
  const dials = () => genesys.heard.filter((request) => genesys.isDial(request)).length;
  const before = dials();
  genesys.failNext({ kind: 'hang_after_commit' }, (request) => genesys.isDial(request));
  const clicking = gateway.api
    .post('/api/integrations/cti/click-to-dial')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: customer, agent_id: ada.id });
  const answered = clicking.then((answer) => answer);
  await eventually(() => dials() === before + 1);
  return { answered };
}

describe('while the dial of a click hangs', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway('memory', { clock, config: config() });
  });
  afterAll(() => gateway.close());

  it('what is told of its agent’s outbound call is taken from the platform at once, and counts once that is decided', async () => {
    await open(gateway);
    const { answered } = await hang(gateway);
    const callId = genesys.dialed.at(-1)!.callId;
    await post(gateway, sends.ringing!(about({ callId }))).expect(200);
    await post(gateway, sends.answered(about({ callId }))).expect(200);
    expect(await callsOf(gateway)).toEqual([]);
    await clock.advance(7_000);
    await answered;
    await eventually(async () =>
      expect(await callsOf(gateway)).toMatchObject([{ state: 'connected', platform_call_id: callId, phone: customer }]),
    );
  });

  it('what is told without a time happened when it was told, however late it counts', async () => {
    await open(gateway);
    const { answered } = await hang(gateway);
    const callId = genesys.dialed.at(-1)!.callId;
    await post(gateway, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        event: 'answered',
        call_id: callId,
        agent_id: ada.agentCode,
        customer_number: customer,
        direction: 'outbound',
      }),
    }).expect(200);
    const told = clock.now();
    await clock.advance(7_000);
    await answered;
    const answeredAt = await eventually(async () => (await callsOf(gateway))[0]?.answered_at ?? false);
    expect(Date.parse(answeredAt)).toBeLessThanOrEqual(told);
  });

  it('others pop, and so does a call that comes in for its agent', async () => {
    await open(gateway);
    const { answered } = await hang(gateway);
    await post(gateway, sends.ringing!(about({ callId: 'out' }))).expect(200);
    await post(gateway, sends.ringing!(about({ callId: 'other', agent: ben.agentCode }))).expect(200);
    await post(gateway, sends.ringing!(about({ callId: 'in', isOutbound: false }))).expect(200);
    expect(
      (await callsOf(gateway)).map(({ platform_call_id: id }: { platform_call_id: string }) => id).toSorted(),
    ).toEqual(['in', 'other']);
    await clock.advance(7_000);
    await answered;
  });

  it('others on the line at which the gateway listens are heard', async () => {
    await open(gateway, { listens: true });
    await passTime(clock, 0, () => genesys.lines.size === 1);
    const { answered } = await hang(gateway);
    genesys.tell(sends.ringing!(about({ callId: 'out' })));
    genesys.tell(sends.ringing!(about({ callId: 'other', agent: ben.agentCode })));
    await eventually(async () =>
      expect(await callsOf(gateway)).toMatchObject([{ platform_call_id: 'other', agent_id: ben.id }]),
    );
    await clock.advance(7_000);
    await answered;
    await gateway.as(company).delete('/api/integrations/cti/connections/genesys').expect(204);
    await passTime(clock, 5_000, () => genesys.lines.size === 0);
  });
});

describe('what waits when its gateway ends', () => {
  let room: Gateways;
  beforeEach(async () => {
    room = await startGateways(2, { clock, config: config() });
  });
  afterEach(() => room.close());

  it('is taken by another gateway', async () => {
    const [first, second] = [room.at(0), room.at(1)];
    await open(first);
    await hang(second);
    const callId = genesys.dialed.at(-1)!.callId;
    await post(first, sends.answered(about({ callId }))).expect(200);
    expect(await callsOf(second)).toEqual([]);
    await first.close();
    second.meddling.takesEveryTurn = true;
    await passTime(clock, 90_000, async () => (await callsOf(second))[0]?.state === 'connected');
    expect(await callsOf(second)).toMatchObject([{ state: 'connected', platform_call_id: callId, phone: customer }]);
  });
});
