import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CrmScreenPop } from '../../src/contract/socket.ts';
import { asteriskQueue, threeCx } from '../support/cti/pbxBridges.ts';
import type { Sent } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';

const customer = '+15551230001';
const clock = createLeapingClock();
let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let address: string;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `bridges-${companies}`, agents: 2 });
  ada = company.agents[0]!;
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: customer, data: { name: 'Grace Hopper' } })
    .expect(200);
  const { body } = await admin().post('/api/integrations/cti/connections').send({ connector: 'push' }).expect(201);
  address = new URL(body.url, gateway.url).pathname;
});

const admin = () => gateway.as(company);
const callsOf = async () => (await admin().get('/api/calls').expect(200)).body.calls;
const stateOf = async (agent = ada) => (await admin().get(`/api/agents/${agent.id}/state`).expect(200)).body;
const agentsOf = async () =>
  (await admin().get('/api/integrations/cti/connections/push/agents').expect(200)).body.agents;
const mapTo = (platformId: string, agent = ada) =>
  admin()
    .put(`/api/integrations/cti/connections/push/agents/${encodeURIComponent(platformId)}`)
    .send({ agent_id: agent.id });
/** Zammad answers so, and one of the bridges complains of anything else. */
const post = async ({ headers, body }: Sent) => {
  const { text } = await gateway.api.post(address).set(headers).send(body).expect(200);
  expect(text).toBe('{}');
};
const json = (fields: object): Sent => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
});

describe('the bridge of Asterisk’s queues', () => {
  it.each([
    ['SIP/', (code: string) => `SIP/${code}`],
    ['PJSIP/', (code: string) => `PJSIP/${code}`],
    ['Local/', (code: string) => `Local/${code}@from-queue/n`],
  ])('says once who calls: whoever answers (%s) has the customer, and the queue', async (_technology, memberOf) => {
    const bridge = asteriskQueue({ customer, queue: 'support', member: memberOf(ada.agentCode) });
    const softphone = await gateway.readySoftphone(ada);
    const popped = new Promise<CrmScreenPop>((resolve) => softphone.on('pop', resolve));
    await post(bridge.newCall);
    expect(await callsOf()).toEqual([]);
    await clock.advance(7_000);
    await post(bridge.answer);
    expect(await popped).toMatchObject({ phone_number: customer, found: true, screen_pop: { name: 'Grace Hopper' } });
    expect(await callsOf()).toMatchObject([
      {
        state: 'connected',
        direction: 'inbound',
        phone: customer,
        customer_name: 'Grace Hopper',
        queue: 'support',
        platform_call_id: bridge.callId,
        agent_id: ada.id,
      },
    ]);
    await clock.advance(3_000);
    await post(bridge.completed);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'completed' }]);
    expect(await stateOf()).toMatchObject({ state: 'ready', call_id: null });
    softphone.close();
  });

  it('tells of a caller who gave up, of whom nobody has a call', async () => {
    const bridge = asteriskQueue({ customer, queue: 'support', member: 'SIP/1' });
    await post(bridge.newCall);
    await post(bridge.abandoned);
    expect(await callsOf()).toEqual([]);
  });

  it('is understood in any order, and not an hour later', async () => {
    const bridge = asteriskQueue({ customer, queue: 'support', member: `SIP/${ada.agentCode}` });
    await post(bridge.newCall);
    await post(bridge.completed);
    await post(bridge.answer);
    expect(await callsOf()).toMatchObject([{ state: 'ended', phone: customer }]);
    const late = asteriskQueue({ customer, queue: 'late', member: `SIP/${ada.agentCode}` });
    await post(late.newCall);
    clock.jump(3_700_000);
    await post(late.answer);
    expect((await callsOf())[0]).toMatchObject({ state: 'connected', phone: null, queue: null });
  });

  it('says nothing of one company’s callers to another', async () => {
    const bridge = asteriskQueue({ customer, queue: 'support', member: `SIP/${ada.agentCode}` });
    const other = await gateway.company({ slug: `bridges-other-${companies}`, agents: 1 });
    const { body } = await gateway
      .as(other)
      .post('/api/integrations/cti/connections')
      .send({ connector: 'push' })
      .expect(201);
    await gateway.api
      .post(new URL(body.url, gateway.url).pathname)
      .set(bridge.newCall.headers)
      .send(bridge.newCall.body)
      .expect(200);
    await post(bridge.answer);
    expect(await callsOf()).toMatchObject([{ phone: null, customer_name: null }]);
  });
});

describe('the bridge of 3CX', () => {
  const bridgeOf = (direction: 'in' | 'out', more: Partial<Parameters<typeof threeCx>[0]> = {}) =>
    threeCx({ customer, name: 'Ada Lindqvist', extension: ada.agentCode, direction, ...more });

  it.each([
    ['extension', () => bridgeOf('in')],
    ['name', () => bridgeOf('in', { extension: '150', name: ada.agentCode })],
  ])('names an agent by name and extension, which are one agent, found by the %s', async (_what, make) => {
    const bridge = make();
    await post(bridge.newCall);
    expect(await callsOf()).toMatchObject([
      { state: 'ringing', phone: customer, customer_name: 'Grace Hopper', agent_id: ada.id },
    ]);
    await post(bridge.answer);
    expect(await callsOf()).toMatchObject([{ state: 'connected' }]);
    await post(bridge.hangup);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'completed' }]);
    expect(await agentsOf()).toMatchObject([{ matched_by: 'code', agent_id: ada.id }]);
    // Found anew, it is found as before.
    await admin()
      .put(`/api/integrations/cti/connections/push/agents/${(await agentsOf())[0].platform_id}`)
      .send({ agent_id: null })
      .expect(200);
    expect(await agentsOf()).toMatchObject([{ matched_by: 'code', agent_id: ada.id }]);
  });

  it('names who calls out by the extension alone once that is answered', async () => {
    const bridge = bridgeOf('out', { extension: '150' });
    await post(bridge.newCall);
    await mapTo('150').expect(200);
    await post(bridge.newCall);
    await post(bridge.answer);
    expect(await callsOf()).toMatchObject([
      { state: 'connected', direction: 'outbound', phone: customer, agent_id: ada.id },
    ]);
    await post(bridge.hangup);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'completed' }]);
    expect(await agentsOf()).toMatchObject([
      { platform_id: '150', name: 'Ada Lindqvist', agent_id: ada.id, matched_by: 'table' },
    ]);
  });

  it('tells of a call that nobody took', async () => {
    const bridge = bridgeOf('in');
    await post(bridge.newCall);
    await post(bridge.cancel);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'canceled', ended_by: 'customer' }]);
  });
});

describe('agents of PBXs', () => {
  const told = (event: string, more: object) =>
    json({ event, callId: 'c-1', direction: 'in', from: customer, to: '1', ...more });

  it('whom an admin knows by the name are the same once their number is told with it, and by either from then on', async () => {
    const [, ben] = company.agents;
    await post(told('newCall', { user: ['Ada Lindqvist', 'Ben Okafor'] }));
    await mapTo('Ada Lindqvist').expect(200);
    await mapTo('Ben Okafor', ben).expect(200);
    await post(told('newCall', { user: ['Ada Lindqvist', 'Ben Okafor'] }));
    await post(told('answer', { user: 'Ada Lindqvist', answeringNumber: '101' }));
    expect(
      (await callsOf()).map(({ agent_id: id, state }: { agent_id: string; state: string }) => [id, state]).toSorted(),
    ).toEqual(
      [
        [ada.id, 'connected'],
        [ben!.id, 'ended'],
      ].toSorted(),
    );
    await post(told('hangup', { cause: 'normalClearing' }));
    expect((await agentsOf()).map(({ platform_id: id }: { platform_id: string }) => id)).toEqual(['101', 'Ben Okafor']);
    for (const [callId, more] of [
      ['c-2', { user: ['Ada Lindqvist'] }],
      ['c-3', { answeringNumber: '101' }],
    ] as const) {
      await post(told('newCall', { ...more, callId }));
      expect((await callsOf())[0]).toMatchObject({ platform_call_id: callId, agent_id: ada.id });
      await post(told('hangup', { callId }));
    }
    expect(await agentsOf()).toHaveLength(2);
  });

  it('are joined where they were two, and what an admin said of the name holds', async () => {
    await post(told('newCall', { user: ['Ada Lindqvist'] }));
    await post(told('newCall', { answeringNumber: '101', callId: 'c-2' }));
    expect(await agentsOf()).toHaveLength(2);
    await mapTo('Ada Lindqvist').expect(200);
    await post(told('newCall', { user: 'Ada Lindqvist', answeringNumber: '101', callId: 'c-3' }));
    expect(await agentsOf()).toMatchObject([
      { platform_id: '101', name: 'Ada Lindqvist', agent_id: ada.id, matched_by: 'table' },
    ]);
  });

  it('who have one name are not taken for each other by it', async () => {
    for (const number of ['101', '102'])
      await post(told('newCall', { user: 'Support', answeringNumber: number, callId: number }));
    await mapTo('101').expect(200);
    await post(told('newCall', { user: ['Support'], callId: 'c-2' }));
    expect(await callsOf()).toEqual([]);
  });

  it('may be said before the PBX has told of them', async () => {
    await mapTo('777').expect(200, /"platform_id":"777"/);
    await post(told('newCall', { answeringNumber: '777' }));
    expect(await callsOf()).toMatchObject([{ agent_id: ada.id, state: 'ringing' }]);
    await admin().put('/api/integrations/cti/connections/push/agents/778').send({ agent_id: null }).expect(404);
    await admin().put('/api/integrations/cti/connections/genesys/agents/778').send({ agent_id: ada.id }).expect(404);
  });
});

it.each([
  [['newCall', 'answer'], { end_reason: 'transferred', ended_by: 'agent' }],
  [['newCall'], { end_reason: 'missed', end_detail: 'forwarded' }],
] as const)('ends a call that was forwarded after %s', async (events, expected) => {
  for (const event of events)
    await post(json({ event, callId: 'c-1', direction: 'in', from: customer, to: '1', user: ada.agentCode }));
  await post(json({ event: 'hangup', callId: 'c-1', direction: 'in', from: customer, to: '1', cause: 'forwarded' }));
  expect(await callsOf()).toMatchObject([{ state: 'ended', ...expected }]);
});
