import { tombstoneMs } from '../../src/domain/platformRounds.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CrmScreenPop } from '../../src/contract/socket.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { platforms, type About, type PlatformSends, type Sent } from '../support/cti/platforms.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { eventually, passTime } from '../support/time/waiting.ts';

const minute = 60_000;
const clock = createLeapingClock();
let gateway: Gateway;
let company: TestCompany;
let ada: TestAgent;
let companies = 0;

beforeAll(async () => {
  gateway = await startGateway('memory', { clock });
});
afterAll(() => gateway.close());
beforeEach(async () => {
  companies += 1;
  company = await gateway.company({ slug: `platforms-${companies}`, agents: 2 });
  ada = company.agents[0]!;
  await gateway.api
    .post('/api/integrations/inbound')
    .set('X-Service-Api-Key', company.key)
    .send({ phone_number: customer, data: { name: 'Grace Hopper' } })
    .expect(200);
});

const customer = '+15551230001';
const admin = () => gateway.as(company);
const stateOf = async (agent = ada) => (await admin().get(`/api/agents/${agent.id}/state`).expect(200)).body;
const callsOf = async (owner = company) => (await gateway.as(owner).get('/api/calls').expect(200)).body.calls;

type Line = { path: string; secret: string };

async function connect(sends: Pick<PlatformSends, 'connector'>, owner = company): Promise<Line> {
  const { body } = await gateway
    .as(owner)
    .post('/api/integrations/cti/connections')
    .send({ connector: sends.connector })
    .expect(201);
  return { path: new URL(body.url, gateway.url).pathname, secret: body.secret ?? '' };
}

/** Says who of ours the platform's agent is, once it has told of it. */
async function mapAgent(
  { connector }: Pick<PlatformSends, 'connector'>,
  platformId: string,
  agent = ada,
): Promise<void> {
  await admin()
    .put(`/api/integrations/cti/connections/${connector}/agents/${platformId}`)
    .send({ agent_id: agent.id })
    .expect(200);
}

const post = (path: string, { headers, body }: Sent) => gateway.api.post(path).set(headers).send(body);
const now = (): number => clock.now();
const about = (more: Partial<About> = {}): About => ({
  callId: 'c-1',
  agent: ada.agentCode,
  customer,
  at: now(),
  ...more,
});

describe.each(platforms)('a call at $connector', (sends) => {
  const { connector, sign } = sends;
  let line: Line;
  beforeEach(async () => {
    line = await connect(sends);
  });
  const tell = (make: ((about: About) => Sent) | null, more: Partial<About> = {}) =>
    make === null
      ? Promise.resolve()
      : post(line.path, sign(make(about({ customer: sends.number(customer), ...more })), line.secret)).expect(200);

  it('becomes a call of the agent who has the code, with its events, and the agent is on it while it lasts', async () => {
    await tell(sends.ringing);
    if (sends.ringing !== null) {
      expect(await callsOf()).toMatchObject([
        {
          state: 'ringing',
          source: connector,
          platform_call_id: 'c-1',
          agent_id: ada.id,
          direction: 'inbound',
          phone: customer,
          customer_name: 'Grace Hopper',
        },
      ]);
      expect(await stateOf()).toMatchObject({ state: 'reserved', platform: { connector } });
    }
    await clock.advance(1_000);
    await tell(sends.answered);
    const [call] = await callsOf();
    expect(call).toMatchObject({ state: 'connected', source: connector, phone: customer });
    expect((await stateOf()).platform).toMatchObject({ has_call: true });
    expect(await stateOf()).toMatchObject({ state: 'on_call', call_id: call.id });
    await clock.advance(1_000);
    await tell(sends.held);
    if (sends.held !== null) expect(await callsOf()).toMatchObject([{ state: 'held' }]);
    await clock.advance(10_000);
    await tell(sends.ended);
    const [ended] = await callsOf();
    expect(ended).toMatchObject({ state: 'ended', end_reason: 'completed', id: call.id });
    expect(ended.duration_seconds).toBeGreaterThan(0);
    expect(['offline', 'not_ready', 'ready']).toContain((await stateOf()).state);
    await admin().post(`/api/calls/${ended.id}/disposition`).send({ code: 'resolved', notes: 'Done' }).expect(200);
  });

  it('is one call, ended once, however often and in which order it is told of', async () => {
    const steps = [sends.ringing, sends.answered, sends.held, sends.ended].flatMap((make, index) =>
      make === null ? [] : [make(about({ customer: sends.number(customer), at: now() + index * 1_000 }))],
    );
    await clock.advance(10_000);
    // The end first, then all of it backwards, and all of it again.
    for (const sent of [...steps.toReversed(), ...steps]) await post(line.path, sign(sent, line.secret)).expect(200);
    const calls = await callsOf();
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ state: 'ended' });
    expect((await stateOf()).call_id).toBeNull();
    expect((await stateOf()).state).not.toBe('on_call');
  });

  it('is another call when it begins again after its end: offered again, back from a queue or a colleague, or under an id that is used again', async () => {
    const begin = sends.ringing ?? sends.answered;
    const first = about({ customer: sends.number(customer) });
    await post(line.path, sign(begin(first), line.secret)).expect(200);
    await clock.advance(5_000);
    await tell(sends.ended);
    // What comes late is of the call that has ended.
    await clock.advance(1_000);
    await post(line.path, sign(begin(first), line.secret)).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'ended' }]);
    for (const round of [2, 3]) {
      await clock.advance(tombstoneMs);
      await tell(begin);
      const [latest, ...former] = await callsOf();
      expect([
        latest.state,
        latest.platform_call_id,
        latest.phone,
        former.map(({ state }: { state: string }) => state),
      ]).toEqual([sends.ringing === null ? 'connected' : 'ringing', 'c-1', customer, Array(round - 1).fill('ended')]);
      expect(await stateOf()).toMatchObject({ call_id: latest.id });
      await clock.advance(1_000);
      await tell(sends.answered);
      await clock.advance(5_000);
      await tell(sends.ended);
      expect((await callsOf())[0]).toMatchObject({ id: latest.id, state: 'ended', end_reason: 'completed' });
      expect((await stateOf()).call_id).toBeNull();
    }
    expect(await callsOf()).toHaveLength(3);
  });

  it('ends, and frees the agent, though its answer was lost', async () => {
    if (sends.ringing === null) return expect(connector).toBe('talkdesk');
    await tell(sends.ringing);
    await clock.advance(5_000);
    await tell(sends.ended);
    expect(await callsOf()).toMatchObject([{ state: 'ended', source: connector }]);
    expect((await stateOf()).call_id).toBeNull();
  });

  it('is not taken with a wrong token, at another’s address, or without its proof; and then nothing was changed', async () => {
    const sent = sends.answered(about({ customer: sends.number(customer) }));
    const signed = sign(sent, line.secret);
    await post(`/api/integrations/cti/events/${connector}/${'x'.repeat(43)}`, signed).expect(404);
    await post(line.path.replace(connector, connector === 'push' ? 'genesys' : 'push'), signed).expect(404);
    if (sends.signs) {
      const { body } = await post(line.path, sent).expect(401);
      expect(body.code).toBe('invalid_signature');
      const stranger = await gateway.company({ slug: `strangers-${companies}-${connector}`, agents: 1 });
      await post(line.path, sign(sent, (await connect(sends, stranger)).secret)).expect(401);
    }
    await connect(sends);
    await post(line.path, signed).expect(404);
    expect(await callsOf()).toEqual([]);
    expect(await stateOf()).toMatchObject({ state: 'offline' });
    const { body } = await admin().get(`/api/integrations/cti/connections/${connector}/agents`).expect(200);
    expect(body.agents).toEqual([]);
  });

  it('is untouched by what comes to another company’s address, though it names the same agent and call', async () => {
    await tell(sends.ringing ?? sends.answered);
    const [before, state] = [await callsOf(), await stateOf()];
    const stranger = await gateway.company({ slug: `stranger-${companies}-${connector}`, agents: 0 });
    const theirs = await connect(sends, stranger);
    const { body: made } = await gateway
      .as(stranger)
      .post('/api/agents')
      .send({ agent_code: ada.agentCode, name: 'Another', password: 'a long password of theirs' })
      .expect(201);
    for (const make of [sends.answered, sends.ended]) {
      await post(
        theirs.path,
        sign(make(about({ customer: sends.number(customer), at: now() + 1 })), theirs.secret),
      ).expect(200);
    }
    expect([await callsOf(), await stateOf()]).toEqual([before, state]);
    expect(await callsOf(stranger)).toMatchObject([
      { agent_id: made.id, platform_call_id: 'c-1', state: 'ended', customer_name: null },
    ]);
    if (sends.signs) await post(line.path, sign(sends.ended(about({ at: now() + 2 })), theirs.secret)).expect(401);
  });

  it('is nobody’s while nobody is known to be its agent, and whoever an admin says afterwards', async () => {
    await tell(sends.ringing, { agent: 'u-77' });
    await tell(sends.answered, { agent: 'u-77' });
    expect(await callsOf()).toEqual([]);
    const { body } = await admin().get(`/api/integrations/cti/connections/${connector}/agents`).expect(200);
    expect(body.agents).toMatchObject([{ platform_id: 'u-77', agent_id: null }]);
    await mapAgent(sends, 'u-77');
    await tell(sends.answered, { agent: 'u-77', callId: 'c-2' });
    expect(await callsOf()).toMatchObject([{ agent_id: ada.id, platform_call_id: 'c-2', state: 'connected' }]);
  });

  it('leaves the states of its agents to the platform, where it tells them, and otherwise to their softphones', async () => {
    const softphone = await gateway.readySoftphone(ada);
    if (sends.ready === null || sends.notReady === null) {
      await tell(sends.answered);
      expect(await stateOf()).toMatchObject({ state: 'on_call', platform: { connector, sets_state: false } });
      await tell(sends.ended);
      expect(await stateOf()).toMatchObject({ state: 'ready', platform: null });
      return softphone.close();
    }
    await tell(sends.notReady);
    expect(await stateOf()).toMatchObject({
      state: 'not_ready',
      platform: { connector, dials_by: 'nobody', sets_state: true },
    });
    await expect(softphone.setReady()).rejects.toMatchObject({ code: 'conflict' });
    await clock.advance(1_000);
    await tell(sends.ready);
    expect(await stateOf()).toMatchObject({ state: 'ready' });
    const click = (expected: number) =>
      gateway.api
        .post('/api/integrations/cti/click-to-dial')
        .set('X-Service-Api-Key', company.key)
        .send({ phone_number: customer, agent_code: ada.agentCode })
        .expect(expected);
    expect((await click(503)).body.code).toBe('agent_not_ready');
    expect(await callsOf()).toEqual([]);
    // Unless the company says that the softphone dials.
    await admin().patch(`/api/integrations/cti/connections/${connector}`).send({ dial_via: 'softphone' }).expect(204);
    await clock.advance(1_000);
    await tell(sends.ready);
    await click(201);
    softphone.close();
  });
});

describe('the agents of platforms', () => {
  const genesys = platforms.find(({ connector }) => connector === 'genesys')!;

  it('are found by e-mail address before code, in their own company, and not when they were deactivated', async () => {
    const other = company.agents[1]!;
    const stranger = await gateway.company({ slug: `elsewhere-${companies}`, agents: 1 });
    await admin().patch(`/api/agents/${other.id}`).send({ email: 'ada@example.com' }).expect(200);
    await gateway
      .as(stranger)
      .patch(`/api/agents/${stranger.agents[0]!.id}`)
      .send({ email: 'only@there.example' })
      .expect(200);
    const line = await connect(genesys);
    const tell = (agent: object) =>
      post(line.path, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event: 'agent_state', state: 'ready', ...agent }),
      }).expect(200);
    await tell({ agent_id: ada.agentCode.toUpperCase(), agent_email: 'ADA@example.com' });
    expect(await stateOf(other)).toMatchObject({ state: 'ready' });
    await tell({ agent_id: 'u-2', agent_email: 'only@there.example' });
    const { body } = await admin().get('/api/integrations/cti/connections/genesys/agents').expect(200);
    expect(body.agents).toMatchObject([
      { matched_by: 'email', agent_id: other.id },
      { platform_id: 'u-2', agent_id: null, matched_by: null },
    ]);
    expect((await admin().get('/api/integrations/cti/connections').expect(200)).body.connections).toMatchObject([
      { connector: 'genesys', agents: { mapped: 1, unmapped: 1 } },
    ]);
    await admin().patch(`/api/agents/${other.id}`).send({ active: false }).expect(200);
    await tell({ agent_id: ada.agentCode.toUpperCase(), agent_email: 'ADA@example.com', state: 'not_ready' });
    // Found by its code now.
    expect(await stateOf()).toMatchObject({ state: 'not_ready' });
  });

  it('are their own masters when the connection is removed, and when somebody else is meant', async () => {
    const line = await connect(genesys);
    const softphone = await gateway.readySoftphone(ada);
    await post(line.path, genesys.ready!(about({ agent: 'u-1' }))).expect(200);
    await mapAgent(genesys, 'u-1');
    expect(await stateOf()).toMatchObject({ state: 'ready', platform: { connector: 'genesys' } });
    await mapAgent(genesys, 'u-1', company.agents[1]);
    expect(await stateOf()).toMatchObject({ state: 'not_ready', reason: 'platform_offline', platform: null });
    expect(await stateOf(company.agents[1])).toMatchObject({
      state: 'ready',
      connection: null,
      platform: { connector: 'genesys' },
    });
    await post(line.path, genesys.answered(about({ agent: 'u-1' }))).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'connected' }]);
    await admin().delete('/api/integrations/cti/connections/genesys').expect(204);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_detail: 'platform_silent' }]);
    expect(await stateOf(company.agents[1])).toMatchObject({ state: 'offline' });
    await softphone.setReady();
    expect(await stateOf()).toMatchObject({ state: 'ready', platform: null });
    softphone.close();
  });

  it('have their state when a softphone opens, though the platform told it before', async () => {
    const line = await connect(genesys);
    await post(line.path, genesys.ready!(about())).expect(200);
    await post(line.path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        event: 'agent_state',
        agent_id: ada.agentCode,
        state: 'offline',
        at: new Date(now()).toISOString(),
      }),
    }).expect(200);
    expect(await stateOf()).toMatchObject({ state: 'offline' });
    const softphone = gateway.softphone(ada);
    await softphone.connect();
    expect(await stateOf()).toMatchObject({
      state: 'not_ready',
      reason: 'platform_offline',
      platform: { connector: 'genesys' },
    });
    softphone.close();
  });

  it('hear what is older than what they were last told, and do not do it', async () => {
    const line = await connect(genesys);
    await post(line.path, genesys.ready!(about({ at: now() - 1_000 }))).expect(200);
    await post(line.path, genesys.notReady!(about({ at: now() - 2_000 }))).expect(200);
    expect(await stateOf()).toMatchObject({ state: 'ready' });
  });

  it('are freed by the platform’s word from a call of which the end was lost', async () => {
    const line = await connect(genesys);
    await post(line.path, genesys.answered(about())).expect(200);
    expect(await stateOf()).toMatchObject({ state: 'on_call' });
    await clock.advance(minute);
    await post(line.path, genesys.ready!(about())).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'ended', end_detail: 'platform_silent' }]);
    expect(await stateOf()).toMatchObject({ state: 'ready', call_id: null });
  });
});

it('lets agents of Talkdesk go Ready and be dialed for, since it says when they log in and never when they are free', async () => {
  const line = await connect({ connector: 'talkdesk' });
  const softphone = await gateway.readySoftphone(ada);
  for (const event of ['agentLogOut', 'agentLogIn']) {
    await post(line.path, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ event, agent_id: ada.agentCode }),
    }).expect(200);
    expect(await stateOf()).toMatchObject({ state: 'ready', platform: null });
  }
  await softphone.setNotReady('break');
  await softphone.setReady();
  expect((await gateway.click(company, { phone_number: customer, agent_code: ada.agentCode })).status).toBe(201);
  softphone.close();
});

it('takes what Avaya Breeze tells, which sends no token, at the address of Breeze alone', async () => {
  const breeze = platforms.find(({ connector }) => connector === 'breeze')!;
  const [own, avaya] = [await connect(breeze), await connect({ connector: 'avaya' })];
  expect(own.secret).toBe('');
  await post(own.path, breeze.ringing!(about())).expect(200);
  expect(await callsOf()).toMatchObject([{ state: 'ringing', source: 'breeze' }]);
  await post(avaya.path, breeze.ringing!(about({ callId: 'c-2' }))).expect(401);
  expect(await callsOf()).toHaveLength(1);
});

describe('calls of platforms', () => {
  const push = platforms.find(({ connector }) => connector === 'push')!;
  const json = (body: object): Sent => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

  it('go on though Finesse tells late that they were held', async () => {
    const line = await connect({ connector: 'cisco' });
    const began = now() - 60_000;
    const part = (state: string, second: number) => ({
      headers: { 'content-type': 'application/xml' },
      body:
        `<Update><event>PUT</event><source>/finesse/api/User/${ada.agentCode}/Dialogs</source><data><dialogs>` +
        `<Dialog><fromAddress>${customer}</fromAddress><id>1</id><mediaProperties><callType>ACD_IN</callType>` +
        '</mediaProperties><mediaType>Voice</mediaType><participants><Participant>' +
        '<mediaAddress>1001001</mediaAddress><mediaAddressType>AGENT_DEVICE</mediaAddressType>' +
        `<state>${state}</state>` +
        `<stateChangeTime>${new Date(began + second * 1_000).toISOString()}</stateChangeTime></Participant>` +
        '</participants><state>ACTIVE</state></Dialog></dialogs></data></Update>',
    });
    for (const [state, second] of [
      ['ALERTING', 0],
      ['ACTIVE', 5],
      ['ACTIVE', 20],
      ['HELD', 10],
    ] as const)
      await post(line.path, part(state, second)).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'connected' }]);
    // And a hold that is told a little late is one all the same.
    await post(line.path, part('HELD', 30)).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'held', held_at: new Date(began + 30_000).toISOString() }]);
  });

  it('ring at several, and are nobody’s missed call where a colleague answers', async () => {
    const line = await connect(push);
    const [, other] = company.agents;
    await post(
      line.path,
      json({
        event: 'newCall',
        callId: 'c',
        direction: 'in',
        from: customer,
        to: '1',
        user: [ada.agentCode, other!.agentCode],
      }),
    ).expect(200);
    expect(await callsOf()).toHaveLength(2);
    await post(
      line.path,
      json({ event: 'answer', callId: 'c', direction: 'in', from: customer, to: '1', user: other!.agentCode }),
    ).expect(200);
    expect((await callsOf()).find((call: { agent_id: string }) => call.agent_id === ada.id)).toMatchObject({
      state: 'ended',
      end_reason: 'canceled',
      ended_by: null,
      end_detail: 'answered_elsewhere',
    });
    expect([(await stateOf()).state, (await stateOf(other)).state]).toEqual(['offline', 'on_call']);
    await post(
      line.path,
      json({ event: 'hangup', callId: 'c', direction: 'in', from: customer, to: '1', cause: 'normalClearing' }),
    ).expect(200);
    expect((await callsOf()).every((call: { state: string }) => call.state === 'ended')).toBe(true);
  });

  it('go to a colleague, who has a call of its own', async () => {
    const line = await connect({ connector: 'genesys' });
    const [, other] = company.agents;
    const told = { call_id: 'c', agent_id: ada.agentCode, customer_number: customer, direction: 'inbound' };
    await post(line.path, json({ ...told, event: 'answered' })).expect(200);
    await post(line.path, json({ ...told, event: 'transferred', transferred_to: other!.agentCode })).expect(200);
    const calls = await callsOf();
    expect(calls.find((call: { agent_id: string }) => call.agent_id === ada.id)).toMatchObject({
      state: 'ended',
      end_reason: 'transferred',
      end_detail: null,
      ended_by: 'agent',
      transferred_to: null,
    });
    expect(calls.find((call: { agent_id: string }) => call.agent_id === other!.id)).toMatchObject({
      state: 'ringing',
      platform_call_id: 'c',
    });
  });

  it('go back to whom they came from, or on through a queue, under one name, and pop each time', async () => {
    const line = await connect({ connector: 'genesys' });
    const [, other] = company.agents;
    const softphone = await gateway.readySoftphone(ada);
    const pops: string[] = [];
    softphone.on('pop', (pop) => pops.push(pop.call_id ?? ''));
    const tell = (event: string, agent: TestAgent, more: object = {}) =>
      post(
        line.path,
        json({
          call_id: 'c',
          customer_number: customer,
          direction: 'inbound',
          event,
          agent_id: agent.agentCode,
          at: new Date(now()).toISOString(),
          ...more,
        }),
      ).expect(200);
    const step = async (event: string, agent: TestAgent, more: object = {}) => {
      await clock.advance(1_000);
      await tell(event, agent, more);
    };
    await step('ringing', ada, { dialed_number: 'tel:+4930123456' });
    await step('answered', ada);
    await step('transferred', ada, { transferred_to: other!.agentCode });
    await step('answered', other!);
    await step('transferred', other!, { transferred_to: ada.agentCode });
    await step('answered', ada);
    await step('ended', ada);
    // Back in the queue, where it rings out at her, and is offered once more.
    await step('ringing', ada, { queue: 'Sales' });
    await step('ended', ada, { cause: 'no_answer' });
    await step('ringing', ada);
    const calls = (await callsOf())
      .toReversed()
      .map(({ id, agent_id, state, end_reason, queue, dialed_number }: Record<string, string>) => ({
        id,
        dialed_number,
        who: agent_id === ada.id ? 'ada' : 'other',
        state,
        end_reason,
        queue,
      }));
    expect(calls).toMatchObject([
      { who: 'ada', end_reason: 'transferred' },
      { who: 'other', end_reason: 'transferred' },
      { who: 'ada', end_reason: 'completed' },
      { who: 'ada', end_reason: 'missed', queue: 'Sales' },
      { who: 'ada', state: 'ringing', queue: 'Sales' },
    ]);
    expect(new Set(calls.map(({ dialed_number }: { dialed_number: string }) => dialed_number))).toEqual(
      new Set(['+4930123456']),
    );
    await eventually(() => pops.length === 4);
    expect(pops).toEqual(calls.filter(({ who }: { who: string }) => who === 'ada').map(({ id }: { id: string }) => id));
    softphone.close();
  });

  it('have nothing of a former one whose id is used again: neither its customer nor its end', async () => {
    const line = await connect(push);
    await post(
      line.path,
      json({ event: 'newCall', callId: '7', direction: 'in', from: customer, to: '1', user: ada.agentCode }),
    ).expect(200);
    await post(
      line.path,
      json({ event: 'hangup', callId: '7', direction: 'in', from: customer, to: '1', cause: 'normalClearing' }),
    ).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'ended' }]);
    await clock.advance(30 * minute);
    await post(
      line.path,
      json({ event: 'newCall', callId: '7', direction: 'in', from: 'anonymous', to: '1', user: ada.agentCode }),
    ).expect(200);
    expect(await callsOf()).toMatchObject([
      { state: 'ringing', phone: null, customer_name: null },
      { state: 'ended', phone: customer },
    ]);
    await post(
      line.path,
      json({ event: 'hangup', callId: '7', direction: 'in', from: 'anonymous', to: '1', cause: 'normalClearing' }),
    ).expect(200);
    await clock.advance(minute);
    await post(
      line.path,
      json({ event: 'newCall', callId: '7', direction: 'out', from: '1', to: '+15551230002', user: ada.agentCode }),
    ).expect(200);
    expect((await callsOf())[0]).toMatchObject({ direction: 'outbound', phone: '+15551230002' });
  });

  it.each([
    'anonymous',
    '266696687',
    'sip:anonymous@anonymous.invalid',
    '"Anonymous" <sip:anonymous@anonymous.invalid>',
    'Restricted',
    'Unavailable',
    '',
  ])('are nobody’s where the caller is withheld as %j', async (written) => {
    const line = await connect({ connector: 'genesys' });
    await post(
      line.path,
      json({ call_id: 'w', event: 'ringing', agent_id: ada.agentCode, direction: 'inbound', customer_number: written }),
    ).expect(200);
    expect(await callsOf()).toMatchObject([{ state: 'ringing', phone: null, customer_name: null }]);
  });

  it('pop at the agent’s softphone, and end neither by it nor with it', async () => {
    const line = await connect(push);
    const softphone = await gateway.readySoftphone(ada);
    const popped = new Promise<CrmScreenPop>((resolve) => softphone.on('pop', resolve));
    await post(line.path, push.ringing!(about())).expect(200);
    expect((await popped).screen_pop.name).toBe('Grace Hopper');
    const [call] = await callsOf();
    await expect(softphone.reportProgress(call.id, 'ended')).rejects.toMatchObject({ code: 'not_found' });
    softphone.close();
    await clock.advance(minute);
    expect(await callsOf()).toMatchObject([{ state: 'ringing' }]);
  });

  it('do not touch what the agent’s own softphone has', async () => {
    const line = await connect(push);
    const softphone = await gateway.readySoftphone(ada);
    const own = await softphone.startCall('+15551230099');
    await post(line.path, push.answered(about())).expect(200);
    await post(line.path, push.ended(about())).expect(200);
    expect(await stateOf()).toMatchObject({ state: 'on_call', call_id: own.id });
    await softphone.reportProgress(own.id, 'connected');
    await softphone.reportProgress(own.id, 'ended');
    expect((await callsOf()).map((call: { state: string }) => call.state)).toEqual(['ended', 'ended']);
    softphone.close();
  });

  it('end by themselves when a platform tells nothing of them any more', async () => {
    const line = await connect(push);
    await post(line.path, push.ringing!(about())).expect(200);
    // The look that comes due may still be at its work when the time is over: the next one ends it.
    await passTime(clock, 11 * minute, async () => (await callsOf())[0].state === 'ended');
    expect(await callsOf()).toMatchObject([{ end_detail: 'platform_silent', end_reason: 'missed' }]);
    expect((await stateOf()).call_id).toBeNull();
  });

  it('tell the company’s webhook whose they are', async () => {
    const line = await connect(push);
    await admin()
      .put('/api/integrations')
      .send({ webhook_url: 'http://127.0.0.1:9/hook', webhook_events: ['call_started', 'call_answered', 'call_ended'] })
      .expect(200);
    await post(line.path, push.answered(about())).expect(200);
    await post(line.path, push.ended(about())).expect(200);
    const { body } = await admin().get('/api/integrations/webhook-deliveries').expect(200);
    expect(body.deliveries.map(({ event }: { event: string }) => event).toSorted()).toEqual([
      'call_answered',
      'call_ended',
      'call_started',
    ]);
    const one = (await admin().get(`/api/integrations/webhook-deliveries/${body.deliveries[0].id}`).expect(200)).body;
    expect(JSON.stringify(one)).toContain('platform_call_id');
  });

  it('are told by a form of parts as by a plain one, whose files are left out; a form that is not whole is refused', async () => {
    const line = await connect(push);
    const form = new FormData();
    for (const [name, value] of Object.entries({
      event: 'newCall',
      callId: 'c-7',
      direction: 'in',
      from: customer,
      to: '1',
      'user[]': ada.agentCode,
    }))
      form.append(name, value);
    form.append('recording', new File(['x'.repeat(1_000)], 'event=hangup.wav'));
    const whole = new Request(gateway.url, { method: 'POST', body: form });
    const type = whole.headers.get('content-type') ?? '';
    const body = await whole.text();
    await post(line.path, { headers: { 'content-type': type }, body }).expect(200);
    expect(await callsOf()).toMatchObject([
      { platform_call_id: 'c-7', state: 'ringing', customer_name: 'Grace Hopper' },
    ]);
    for (const [broken, of] of [
      [body.slice(0, 200), type],
      [body, type.replace('boundary=', 'boundary=another')],
      [body, 'multipart/form-data; x=y'],
      ['', type],
    ] as const) {
      expect((await post(line.path, { headers: { 'content-type': of }, body: broken })).body).toMatchObject({
        code: 'invalid_request',
      });
    }
    expect(await callsOf()).toHaveLength(1);
  });

  it('are refused where they are too large or compressed, and then nothing is kept', async () => {
    const line = await connect(push);
    await post(
      line.path,
      json({ event: 'newCall', callId: 'c', direction: 'in', from: customer, to: 'x'.repeat(300_000) }),
    ).expect(413);
    await gateway.api
      .post(line.path)
      .set({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
      .send('{}')
      .expect(415);
    const refused = await post(line.path, json({ event: 'newCall', callId: '', direction: 'in' })).expect(400);
    expect(refused.body).toMatchObject({ code: 'invalid_request', cause: { code: 'unreadable' } });
    expect(await callsOf()).toEqual([]);
  });
});

describe('what a platform tells', () => {
  it('is limited by its events and bytes, and what is too much has changed nothing', async () => {
    const line = await connect({ connector: 'cisco' });
    // As many dialogs as one notification can hold, all of one call that nobody has.
    const dialogs = Array.from(
      { length: 2_000 },
      (_, index) => `<dialog><id>d${index}</id><mediaType>Voice</mediaType><state>X</state></dialog>`,
    ).join('');
    const update = `<Update><source>/finesse/api/User/nobody/Dialogs</source><data>${dialogs}</data></Update>`;
    const tell = (body: string) => gateway.api.post(line.path).set('content-type', 'application/xml').send(body);
    const kib = Math.ceil(Buffer.byteLength(update) / 5_120);
    let taken = 0;
    for (let answer = await tell(update); answer.status === 200; answer = await tell(update)) taken += 1;
    expect(taken).toBe(Math.floor(6_000 / kib));
    const refused = await tell(update);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  });
});
