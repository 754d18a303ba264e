import '../support/propertySeed.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CrmScreenPop } from '../../src/contract/socket.ts';
import { tombstoneMs } from '../../src/domain/platformRounds.ts';
import { platforms, type Sent } from '../support/cti/platforms.ts';
import { startGateway, type Gateway, type TestAgent, type TestCompany } from '../support/gateway/gateway.ts';
import { startGateways, type Gateways } from '../support/gateway/gateways.ts';
import { createLeapingClock } from '../support/time/leapingClock.ts';
import { gate } from '../support/time/gate.ts';
import { eventually } from '../support/time/waiting.ts';

const grace = '+15551230001';
const alan = '+15551230002';
const second = 1_000;
const longAfter = tombstoneMs;

const json = (fields: object): Sent => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
});
/** As the bridges of PBXs tell, without a time. */
const pushed = (event: string, more: object = {}) => ({
  event,
  callId: '7',
  direction: 'in',
  from: grace,
  to: '1',
  ...more,
});
/** A call as it is listed, as far as it is told apart here. */
type Listed = {
  id: string;
  agent_id: string;
  state: string;
  direction: string;
  phone: string | null;
  customer_name: string | null;
  end_reason: string | null;
  answered_at: string | null;
  ended_at: string | null;
};

describe('calls of one name', () => {
  const clock = createLeapingClock();
  let gateway: Gateway;
  let company: TestCompany;
  let ada: TestAgent;
  let ben: TestAgent;
  let companies = 0;

  beforeAll(async () => {
    gateway = await startGateway('memory', { clock });
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    companies += 1;
    company = await gateway.company({ slug: `rounds-${companies}`, agents: 2 });
    [ada, ben] = company.agents as [TestAgent, TestAgent];
    const push = (phone_number: string, name: string) =>
      gateway.api
        .post('/api/integrations/inbound')
        .set('X-Service-Api-Key', company.key)
        .send({ phone_number, data: { name } })
        .expect(200);
    await push(grace, 'Grace Hopper');
    await push(alan, 'Alan Turing');
  });

  /** Oldest first. */
  const callsOf = async (): Promise<Listed[]> =>
    (await gateway.as(company).get('/api/calls').expect(200)).body.calls.toReversed();
  const stateOf = async (agent = ada) =>
    (await gateway.as(company).get(`/api/agents/${agent.id}/state`).expect(200)).body;

  /** Where a platform tells of calls. */
  async function open(connector: string): Promise<(fields: object) => Promise<void>> {
    const { body } = await gateway
      .as(company)
      .post('/api/integrations/cti/connections')
      .send({ connector })
      .expect(201);
    const path = new URL(body.url, gateway.url).pathname;
    return async (fields) => {
      const { headers, body: text } = json(fields);
      await gateway.api.post(path).set(headers).send(text).expect(200);
    };
  }

  describe('of a PBX that gives no times', () => {
    let tell: (fields: object) => Promise<void>;
    /** A call of Ada's that is over at everybody's. */
    beforeEach(async () => {
      tell = await open('push');
      for (const event of ['newCall', 'answer', 'hangup']) await tell(pushed(event, { user: ada.agentCode }));
    });

    it.each(['newCall', 'answer', 'hangup'])(
      'are one while %s of it comes late, minutes after its end',
      async (event) => {
        const before = await callsOf();
        expect(before).toMatchObject([{ state: 'ended', end_reason: 'completed' }]);
        await clock.advance(tombstoneMs - 10 * second);
        await tell(pushed(event, { user: ada.agentCode }));
        expect(await callsOf()).toEqual(before);
        expect((await stateOf()).call_id).toBeNull();
      },
    );

    it.each([
      [
        'later than anything is late',
        longAfter,
        pushed('newCall'),
        { direction: 'inbound', phone: grace, customer_name: 'Grace Hopper' },
      ],
      [
        'later, answered first',
        longAfter,
        pushed('answer', { from: undefined }),
        { direction: 'inbound', phone: null, customer_name: null },
      ],
      [
        'of another caller',
        second,
        pushed('newCall', { from: alan }),
        { direction: 'inbound', phone: alan, customer_name: 'Alan Turing' },
      ],
      [
        'of somebody who does not say who calls',
        second,
        pushed('newCall', { from: 'anonymous' }),
        { direction: 'inbound', phone: null, customer_name: null },
      ],
      [
        'to somebody else',
        second,
        pushed('newCall', { direction: 'out', from: '1', to: alan }),
        { direction: 'outbound', phone: alan, customer_name: 'Alan Turing' },
      ],
      [
        'back to the same customer',
        second,
        pushed('newCall', { direction: 'out', from: '1', to: grace }),
        { direction: 'outbound', phone: grace, customer_name: 'Grace Hopper' },
      ],
    ])(
      'are two where the name is used for one %s, which pops and lasts until its own end',
      async (_what, afterMs, first, expected) => {
        const softphone = await gateway.readySoftphone(ada);
        const popped = new Promise<CrmScreenPop>((resolve) => softphone.on('pop', resolve));
        await clock.advance(afterMs);
        await tell({ ...first, user: ada.agentCode });
        const [, latest] = await callsOf();
        expect(latest).toMatchObject({ agent_id: ada.id, ended_at: null, ...expected });
        expect(await popped).toMatchObject({ call_id: latest?.id, found: expected.customer_name !== null });
        await tell({ ...first, event: 'hangup', user: ada.agentCode });
        expect((await callsOf()).map(({ state }) => state)).toEqual(['ended', 'ended']);
        softphone.close();
      },
    );

    it('have the customer of their own, told before anybody is on them', async () => {
      await tell(pushed('newCall', { callId: '8', user: undefined }));
      await tell(pushed('hangup', { callId: '8' }));
      await clock.advance(longAfter);
      await tell(pushed('newCall', { callId: '8', from: alan, to: 'support' }));
      await tell(pushed('answer', { callId: '8', from: undefined, to: undefined, user: ada.agentCode }));
      expect((await callsOf()).at(-1)).toMatchObject({
        state: 'connected',
        phone: alan,
        customer_name: 'Alan Turing',
        queue: 'support',
      });
    });

    it('are one for each of those at whom it rings, also under a name that was used before', async () => {
      await clock.advance(longAfter);
      await tell(pushed('newCall', { user: [ada.agentCode, ben.agentCode] }));
      await tell(pushed('answer', { user: ben.agentCode, answeringNumber: ben.agentCode }));
      expect(
        (await callsOf())
          .slice(1)
          .map(({ agent_id: id, state }) => [id, state])
          .toSorted(),
      ).toEqual(
        [
          [ada.id, 'ended'],
          [ben.id, 'connected'],
        ].toSorted(),
      );
    });
  });

  describe('of a platform that gives no times', () => {
    let tell: (event: string, agent: TestAgent, more?: object) => Promise<void>;
    beforeEach(async () => {
      const post = await open('five9');
      tell = (event, agent, more = {}) =>
        post({ event, call_id: 'c', agent_id: agent.agentCode, customer_number: grace, direction: 'inbound', ...more });
    });

    it.each([
      ['no_answer', 'missed'],
      ['answered_elsewhere', 'canceled'],
    ])(
      'are one where a ring overtakes, and another where it rings again, once that has ended as %s',
      async (cause, reason) => {
        await tell('ringing', ada);
        await tell('ended', ada, { cause });
        await clock.advance(second);
        await tell('ringing', ada);
        expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: reason }]);
        await clock.advance(20 * second);
        await tell('ringing', ada);
        expect(await callsOf()).toMatchObject([
          { state: 'ended' },
          { state: 'ringing', customer_name: 'Grace Hopper' },
        ]);
      },
    );

    it('are another where it rang at a colleague meanwhile', async () => {
      for (const [event, agent] of [
        ['ringing', ada],
        ['ended', ada],
        ['ringing', ben],
        ['ended', ben],
        ['ringing', ada],
      ] as const) {
        await tell(event, agent);
        await clock.advance(second);
      }
      expect((await callsOf()).map(({ agent_id: id, state }) => [id, state])).toEqual([
        [ada.id, 'ended'],
        [ben.id, 'ended'],
        [ada.id, 'ringing'],
      ]);
    });

    it('are another where a colleague hands it back at once', async () => {
      await tell('answered', ada);
      await tell('transferred', ada, { transferred_to: ben.agentCode });
      await tell('answered', ben);
      await tell('transferred', ben, { transferred_to: ada.agentCode });
      await tell('answered', ada);
      expect((await callsOf()).map(({ agent_id: id, end_reason: reason, state }) => [id, state, reason])).toEqual([
        [ada.id, 'ended', 'transferred'],
        [ben.id, 'ended', 'transferred'],
        [ada.id, 'connected', null],
      ]);
      await tell('ended', ada);
      // As it comes a second time, it hands nothing over.
      await tell('transferred', ben, { transferred_to: ada.agentCode });
      expect((await callsOf()).map(({ agent_id: id, end_reason: reason }) => [id, reason])).toEqual([
        [ada.id, 'transferred'],
        [ben.id, 'transferred'],
        [ada.id, 'completed'],
      ]);
    });

    it('are another where a colleague declines it and it goes back', async () => {
      await tell('answered', ada);
      await tell('transferred', ada, { transferred_to: ben.agentCode });
      await tell('transferred', ben, { transferred_to: ada.agentCode });
      expect((await callsOf()).map(({ agent_id: id, state }) => [id, state])).toEqual([
        [ada.id, 'ended'],
        [ben.id, 'ended'],
        [ada.id, 'ringing'],
      ]);
    });

    it('are another where the agent calls somebody meanwhile, and the first goes on afterwards', async () => {
      await tell('answered', ada);
      await tell('held', ada);
      const consult = { direction: 'outbound', customer_number: alan };
      await tell('ringing', ada, consult);
      await tell('answered', ada, consult);
      expect(await callsOf()).toMatchObject([
        { state: 'held', phone: grace },
        { state: 'connected', phone: alan, customer_name: 'Alan Turing', direction: 'outbound' },
      ]);
      await tell('ended', ada, consult);
      const [first, asked] = await callsOf();
      expect([first, asked]).toMatchObject([{ state: 'held' }, { state: 'ended', end_reason: 'completed' }]);
      expect(await stateOf()).toMatchObject({ state: 'on_call', call_id: first?.id });
      await tell('resumed', ada);
      // It does not say of which of them that is the end.
      await tell('ended', ada, { direction: undefined });
      expect((await callsOf()).map(({ state }) => state)).toEqual(['ended', 'ended']);
      expect((await stateOf()).call_id).toBeNull();
    });

    it('are one where what was handed over is told in the direction that it had at first', async () => {
      await tell('answered', ada, { direction: 'outbound' });
      await tell('transferred', ada, { direction: 'outbound', transferred_to: ben.agentCode });
      for (const event of ['ringing', 'answered', 'held', 'ended']) await tell(event, ben, { direction: 'outbound' });
      expect((await callsOf()).map(({ agent_id: id, state }) => [id, state])).toEqual([
        [ada.id, 'ended'],
        [ben.id, 'ended'],
      ]);
    });
  });

  describe('of a platform that gives times', () => {
    let tell: (event: string, at: number, agent?: TestAgent, more?: object) => Promise<void>;
    beforeEach(async () => {
      const post = await open('genesys');
      tell = (event, at, agent = ada, more = {}) =>
        post({
          event,
          call_id: 'c',
          agent_id: agent.agentCode,
          customer_number: grace,
          direction: 'inbound',
          at: new Date(at).toISOString(),
          ...more,
        });
    });

    it('whose clock is ahead are one, however late it is told', async () => {
      const began = clock.now() + 40 * second;
      for (const repeated of [1, 2]) {
        for (const [event, at] of [
          ['ringing', 0],
          ['answered', 2],
          ['ended', 5],
        ] as const)
          await tell(event, began + at * second);
        await clock.advance(30 * second * repeated);
      }
      expect(await callsOf()).toMatchObject([{ state: 'ended', end_reason: 'completed' }]);
    });

    it('that cannot be are as if there were none', async () => {
      const nextWeek = clock.now() + 7 * 86_400 * second;
      for (const event of ['ringing', 'answered', 'ended', 'ringing', 'answered', 'ended']) await tell(event, nextWeek);
      expect(await callsOf()).toMatchObject([{ state: 'ended' }]);
    });

    it('end those that began before, and not those that began since', async () => {
      const began = clock.now() - 60 * second;
      await tell('ringing', began);
      await tell('ended', began + 10 * second);
      await tell('ringing', began + 20 * second);
      await tell('ended', began + 10 * second);
      await tell('answered', began + 5 * second);
      expect(await callsOf()).toMatchObject([
        { state: 'ended', answered_at: new Date(began + 5 * second).toISOString() },
        { state: 'ringing', answered_at: null },
      ]);
    });

    it('are another where it rings again, which was told before the end of the first ring, and pop twice', async () => {
      const softphone = await gateway.readySoftphone(ada);
      const pops: (string | null)[] = [];
      softphone.on('pop', (pop) => pops.push(pop.call_id));
      const began = clock.now() - 60 * second;
      await tell('ringing', began);
      await tell('ringing', began + 20 * second);
      expect(await callsOf()).toHaveLength(1);
      await tell('ended', began + 10 * second, ada, { cause: 'no_answer' });
      const calls = await callsOf();
      expect(calls).toMatchObject([
        { state: 'ended', end_reason: 'missed', ended_at: new Date(began + 10 * second).toISOString() },
        { state: 'ringing', customer_name: 'Grace Hopper' },
      ]);
      await eventually(() => pops.length === 2);
      expect(pops).toEqual(calls.map(({ id }) => id));
      await tell('answered', began + 25 * second);
      expect(await callsOf()).toMatchObject([{ state: 'ended' }, { state: 'connected' }]);
      softphone.close();
    });

    it('ring on where an old answer of somebody at whom it rang before comes late', async () => {
      const began = clock.now() - 60 * second;
      await tell('ringing', began);
      await tell('ended', began + 10 * second);
      await tell('ringing', began + 20 * second, ben);
      await tell('answered', began + 5 * second);
      expect(await callsOf()).toMatchObject([
        { agent_id: ada.id, state: 'ended' },
        { agent_id: ben.id, state: 'ringing' },
      ]);
    });

    /** What is told of a call, in seconds since its ring. */
    const course = [
      ['ringing', 0],
      ['answered', 5],
      ['held', 7],
      ['resumed', 8],
      ['ended', 10],
    ] as const;
    /** The same of the next of its name. */
    const next = [
      ['ringing', 20],
      ['answered', 25],
      ['held', 27],
      ['ended', 40],
    ] as const;
    type Told = (typeof course | typeof next)[number];

    /** All of these in an order, and some of them twice. */
    const shuffled = (told: readonly Told[]) =>
      fc
        .shuffledSubarray([...told, ...told], { minLength: told.length })
        .filter((order) => told.every((one) => order.includes(one)));

    async function tellInOrder(order: readonly Told[]): Promise<Listed[]> {
      const [before, began] = [new Set((await callsOf()).map(({ id }) => id)), clock.now() - 60 * second];
      const callId = `c-${began}-${before.size}`;
      for (const [event, at] of order) await tell(event, began + at * second, ada, { call_id: callId });
      const time = (at: string | null) => (at === null ? null : Math.round((Date.parse(at) - began) / second));
      return (await callsOf())
        .filter(({ id }) => !before.has(id))
        .map((call) => ({
          ...call,
          answered_at: String(time(call.answered_at)),
          ended_at: String(time(call.ended_at)),
        }));
    }

    it('are one in whatever order its news comes, and however often', async () => {
      await fc.assert(
        fc.asyncProperty(shuffled(course), async (order) => {
          expect(await tellInOrder(order)).toMatchObject([
            { state: 'ended', end_reason: 'completed', answered_at: '5', ended_at: '10' },
          ]);
          expect((await stateOf()).call_id).toBeNull();
        }),
        { numRuns: 25 },
      );
    });

    it('are two where it rings again, in whatever order their news comes, once the first has rung, and its end was told before more than a ring of the second', async () => {
      const [ring, ...others] = course;
      const end = others.at(-1)!;
      const early = [...others.slice(0, -1), next[0]];
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray([...early, ...early]),
          shuffled([...others, ...next]),
          async (before, after) => {
            expect(await tellInOrder([ring, ...before, end, ...after])).toMatchObject([
              { state: 'ended', end_reason: 'completed', answered_at: '5', ended_at: '10' },
              { state: 'ended', end_reason: 'completed', answered_at: '25', ended_at: '40' },
            ]);
            expect((await stateOf()).call_id).toBeNull();
          },
        ),
        { numRuns: 25 },
      );
    });
  });

  describe.each(platforms)('of $connector', (sends) => {
    const withheld = [
      'anonymous',
      '266696687',
      'anonymous@anonymous.invalid',
      'sip:anonymous@anonymous.invalid',
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
      'tel:anonymous',
      '',
      'Restricted',
      'Unavailable',
      'Unknown',
      'PRIVATE',
      'Blocked',
    ];

    it('show nobody where the caller is withheld, look nobody up, and are recorded', async () => {
      const { body } = await gateway
        .as(company)
        .post('/api/integrations/cti/connections')
        .send({ connector: sends.connector })
        .expect(201);
      const path = new URL(body.url, gateway.url).pathname;
      const softphone = await gateway.readySoftphone(ada);
      const pops: CrmScreenPop[] = [];
      softphone.on('pop', (pop) => pops.push(pop));
      for (const [index, customer] of withheld.entries()) {
        const about = { callId: `w-${index}`, agent: ada.agentCode, customer, at: clock.now() };
        for (const make of [sends.ringing ?? sends.answered, sends.ended]) {
          const { headers, body: text } = sends.sign(make(about), body.secret ?? '');
          await gateway.api.post(path).set(headers).send(text).expect(200);
        }
      }
      const calls = await callsOf();
      expect(calls).toHaveLength(withheld.length);
      for (const call of calls)
        expect(call).toMatchObject({ state: 'ended', phone: null, caller: null, customer_name: null });
      await eventually(() => pops.length === withheld.length);
      for (const pop of pops) expect(pop).toMatchObject({ found: false, phone_number: null, screen_pop: {} });
      softphone.close();
    });
  });
});

describe('calls of one name at two gateways', () => {
  const clock = createLeapingClock();
  let gateways: Gateways;
  beforeAll(async () => {
    gateways = await startGateways(2, { clock });
  });
  afterEach(() => gateways.endMeddling());
  afterAll(() => gateways.close());

  it.each([
    ['the first', []],
    ['another one after its end', ['ringing', 'ended']],
  ])('are one where both hear at once of %s', async (_what, before) => {
    const [one, two] = [gateways.at(0), gateways.at(1)];
    const company = await one.company({ slug: `rounds-at-once-${before.length}`, agents: 1 });
    const [ada] = company.agents as [TestAgent];
    const { body } = await one
      .as(company)
      .post('/api/integrations/cti/connections')
      .send({ connector: 'five9' })
      .expect(201);
    const tell = (gateway: Gateway, event: string) =>
      gateway.api
        .post(new URL(body.url, one.url).pathname)
        .send({ event, call_id: 'c', agent_id: ada.agentCode, customer_number: grace, direction: 'inbound' })
        .expect(200);
    for (const event of before) await tell(one, event);
    await clock.advance(20 * second);
    const gates = [one, two].map(({ meddling }) => {
      const recording = gate();
      recording.shut();
      meddling.gates.recordCall = recording;
      return recording;
    });
    const telling = [tell(one, 'ringing'), tell(two, 'answered')].map(async (sent) => sent);
    await Promise.all(gates.map((recording) => recording.reached()));
    for (const recording of gates) recording.open();
    await Promise.all(telling);
    const { calls } = (await two.as(company).get('/api/calls').expect(200)).body;
    expect(calls.toReversed()).toMatchObject([
      ...(before.length === 0 ? [] : [{ state: 'ended' }]),
      { state: 'connected', customer_name: null },
    ]);
  });
});
