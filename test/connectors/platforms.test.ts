import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asterisk } from '../../src/connectors/asterisk.ts';
import { avaya } from '../../src/connectors/avaya.ts';
import { five9 } from '../../src/connectors/five9.ts';
import { nice } from '../../src/connectors/nice.ts';
import { push } from '../../src/connectors/push.ts';
import { talkdesk } from '../../src/connectors/talkdesk.ts';
import { webexcc } from '../../src/connectors/webexcc.ts';
import { faultsOfEvent } from '../support/cti/ariEvents.ts';
import { FakeAsterisk } from '../support/cti/fakeAsterisk.ts';
import { platforms } from '../support/cti/platforms.ts';
import { callOf, deliveryOf, receivedAt } from './deliveries.ts';

// Synthetic: written after what the platforms document, not captured from a tenant.
const stateOf = (id: string, state: string, reason: string | null = null, at: number | null = null) => ({
  kind: 'agent_state',
  eventId: null,
  agent: { id, email: null, name: null },
  state,
  reason,
  at,
});

describe('agents of Avaya', () => {
  it.each([
    ['AgentLoggedIn', 'not_ready', 'login'],
    ['AgentNotReady', 'not_ready', 'Lunch'],
    ['AgentReady', 'ready', null],
    ['Agent.Ready', 'ready', null],
    ['AgentLoggedOut', 'offline', null],
  ])('tell %s', (eventType, state, reason) => {
    expect(avaya.read(deliveryOf({ eventType, data: { agentId: '4001', reasonCode: reason } }))).toEqual([
      stateOf('4001', state, reason),
    ]);
  });
});

describe('agents of NICE CXone', () => {
  const session = (event: object, query = '') => nice.read(deliveryOf({ sessionId: 's', events: [event] }, {}, query));
  const state = {
    Type: 'AgentState',
    CurrentState: 'Unavailable',
    CurrentOutReason: 'Lunch',
    IsAcw: 'False',
    StartTimeUTC: '2025-10-09T08:53:20.000Z',
  };

  it('are whom the address names', () => {
    expect(session(state, 'agent=77')).toEqual([stateOf('77', 'not_ready', 'Lunch', Date.UTC(2025, 9, 9, 8, 53, 20))]);
  });

  it('are in wrap-up after a call, whatever the state says', () => {
    expect(session({ ...state, CurrentState: 'Available', IsAcw: 'True' }, 'agent=77')).toMatchObject([
      { state: 'wrap_up', reason: null },
    ]);
    expect(session({ ...state, CurrentState: 'InboundContact', IsAcw: false }, 'agent=77')).toMatchObject([
      { state: 'on_call' },
    ]);
  });

  it('are offline when their session ends, and nobody where nobody is named', () => {
    expect(session({ Type: 'AgentSessionEnd' }, 'agent=77')).toEqual([stateOf('77', 'offline')]);
    expect(session(state)).toEqual([]);
  });
});

describe('agents of Talkdesk', () => {
  it('are their own masters: it is told that they sign in and out, and never that they are free', () => {
    for (const event of ['agentLogIn', 'agentLogOut', 'contactCreated'])
      expect(talkdesk.read(deliveryOf({ event, agent_id: 'ag' }))).toEqual([]);
  });

  it('are never told of as ringing: Talkdesk does not say so', () => {
    const call = { call_id: 'c', contact_phone_number: '+15550100', agent_id: 'ag', agent_email: 'a@acme.example' };
    for (const event of [
      'inboundCallReachesContactCenter',
      'inboundCallStarts',
      'inboundCallEnds',
      'outboundCallEnds',
    ]) {
      const ringing = talkdesk
        .read(deliveryOf({ ...call, event }))
        .filter((one) => one.kind === 'call' && one.event === 'ringing');
      expect(ringing.map(({ agent }) => agent)).toEqual(event === 'inboundCallReachesContactCenter' ? [null] : []);
    }
  });
});

describe('the recorded signature of Webex Contact Center', () => {
  const body = readFileSync(new URL('fixtures/webexTaskConnect.json', import.meta.url));
  // By `openssl dgst -sha256 -hmac` over the file's bytes, apart from this code.
  const signature = '1bcac7a3a55050337e718dccfb7afcfa4d066e2d79ddcb58999655526f457b57';
  const headers = { 'x-webexcc-signature': signature, 'x-webexcc-timestamp': '1760000000000' };
  const verify = (given: Buffer, receivedAt = 1_760_000_000_000) =>
    webexcc.verify?.(
      { ...deliveryOf('', headers), body: given, receivedAt },
      'replace-with-32-to-256-random-characters',
    );

  it('is good over its bytes alone, and for five minutes', () => {
    expect([
      verify(body),
      verify(body, 1_760_000_300_000),
      verify(body, 1_760_000_300_001),
      verify(body, 1_759_999_699_999),
    ]).toEqual(['ok', 'ok', 'stale', 'stale']);
    expect(verify(Buffer.concat([body, Buffer.from(' ')]))).toBe('mismatch');
    expect(verify(Buffer.from('null'))).toBe('mismatch');
  });

  it('comes with a call that rings at an agent', () => {
    expect(webexcc.read({ ...deliveryOf('', headers), body })).toEqual([
      callOf('ringing', {
        callId: '9d6c0000-0000-4000-8000-000000000003',
        eventId: '7e6b2f2e-0000-4000-8000-000000000001',
        direction: 'inbound',
        customer: '+15550100',
        dialedNumber: '+15550199',
        agent: { id: '11110000-0000-4000-8000-000000000004', email: null, name: null },
        queue: '22220000-0000-4000-8000-000000000005',
        at: 1_760_000_000_000,
      }),
    ]);
  });
});

describe('the element for Avaya Infinity', () => {
  it.each([
    ['alerting', 'ringing'],
    ['connected', 'answered'],
    ['held', 'held'],
    ['ended', 'ended'],
  ] as const)('tells %s', (status, event) => {
    expect(avaya.read(deliveryOf({ interactionId: 'in-1', status }))).toEqual([callOf(event, { callId: 'in-1' })]);
  });
});

describe('answers of PBXs', () => {
  const answer = (more: object) =>
    push.read(deliveryOf({ event: 'answer', callId: '1', direction: 'in', from: '493055571600', ...more }));

  it('are of who is told by number and name; of several by the number that answered', () => {
    expect(answer({ user: ['Anna Berg', 'Ben Kurz'] })).toMatchObject([{ event: 'answered', agent: null }]);
    expect(answer({ user: ['Anna Berg', 'Ben Kurz'], answeringNumber: 'b@acme.example' })).toMatchObject([
      { agent: { id: 'b@acme.example', email: 'b@acme.example' } },
    ]);
    expect(answer({ user: ['Anna Berg'] })).toMatchObject([{ agent: { id: 'Anna Berg', name: 'Anna Berg' } }]);
    expect(answer({ user: 'Anna Berg', answeringNumber: '101' })).toMatchObject([
      { agent: { id: '101', name: 'Anna Berg' } },
    ]);
    expect(answer({ answeringNumber: '101' })).toMatchObject([{ agent: { id: '101', name: null } }]);
  });

  it.each(['PJSIP/1001', 'Local/1001@from-queue/n', 'Agent/1001', '1001'])(
    'are of the member of a queue that Asterisk calls %s',
    (user) => {
      expect(answer({ user })).toMatchObject([{ agent: { id: '1001' } }]);
    },
  );

  it.each([
    ['the number', { to: '4930123456' }, { dialedNumber: '4930123456', queue: null }],
    ['a queue', { to: 'support' }, { dialedNumber: null, queue: 'support' }],
    ['the number, and a queue beside it', { to: '4930123456', queue: '1' }, { dialedNumber: '4930123456', queue: '1' }],
    ['who was called, by number', { to: '101' }, { dialedNumber: null, queue: null }],
    ['who was called, by name', { to: 'Anna Berg' }, { dialedNumber: null, queue: null }],
  ])('tell %s', (_what, said, expected) => {
    expect(answer({ user: 'Anna Berg', answeringNumber: '101', ...said })).toMatchObject([expected]);
  });

  it('go on elsewhere by the cause forwarded', () => {
    expect(
      push.read(
        deliveryOf({ event: 'hangup', callId: '1', direction: 'in', from: '493055571600', cause: 'forwarded' }),
      ),
    ).toMatchObject([{ event: 'ended', cause: 'forwarded' }]);
  });
});

describe('calls of Five9', () => {
  it('have the dialed number as what the customer called where they called', () => {
    const call = { callId: '9', type: 'INBOUND', ani: '5550100', dnis: '5550199' };
    expect(five9.read(deliveryOf({ event: 'callAccepted', call }))).toEqual([
      callOf('answered', { callId: '9', direction: 'inbound', customer: '5550100', dialedNumber: '5550199' }),
    ]);
  });

  it('have the dialed number as customer where the agent called', () => {
    const call = { callId: '9', type: 'OUTBOUND', ani: '5550199', number: '5550100' };
    expect(five9.read(deliveryOf({ event: 'callAccepted', call }))).toEqual([
      callOf('answered', { callId: '9', direction: 'outbound', customer: '5550100' }),
    ]);
  });
});

describe('dials of Asterisk', () => {
  const channel = { id: '1.2', name: 'PJSIP/bob-smith-0000002b', state: 'Ringing' };
  const trunk = { id: '1.1', name: 'PJSIP/provider-0000002a', state: 'Ring' };
  const bob = { id: 'bob-smith', email: null, name: null };
  const dial = (dialstatus: string, more: object = {}) =>
    asterisk.read(deliveryOf({ type: 'Dial', dialstatus, peer: channel, ...more }));
  const destroyed = (cause: number, of: object = channel) =>
    asterisk.read(deliveryOf({ type: 'ChannelDestroyed', channel: of, cause }));

  it.each([
    ['BUSY', 'busy'],
    ['NOANSWER', 'no_answer'],
    ['CANCEL', 'canceled'],
    ['CONGESTION', 'failed'],
    ['CHANUNAVAIL', 'failed'],
  ] as const)('end by %s for who is dialed; who dials may try another way', (status, cause) => {
    expect(dial(status)).toEqual([callOf('ended', { callId: '1.2', direction: 'inbound', agent: bob, cause })]);
    const [out] = dial(status, { caller: channel, peer: trunk });
    expect(out).toEqual(callOf('ringing', { callId: '1.2', direction: 'outbound', agent: bob, cause }));
  });

  it('ring, are answered, or are under way', () => {
    expect(dial('RINGING')).toMatchObject([{ event: 'ringing', agent: bob }]);
    expect(dial('ANSWER')).toMatchObject([{ event: 'answered', agent: bob }]);
    expect(dial('')).toEqual([]);
    expect(dial('PROGRESS')).toEqual([]);
    expect(dial('constructor')).toEqual([]);
  });

  it('are a call out of who dials, and a call in of who is dialed', () => {
    const caller = { ...trunk, caller: { number: '15551230001' }, dialplan: { exten: '6300' } };
    expect(dial('RINGING', { caller })).toMatchObject([
      { callId: '1.1', direction: 'outbound', agent: { id: 'provider' } },
      { callId: '1.2', direction: 'inbound', customer: '15551230001', agent: bob },
    ]);
    expect(dial('ANSWER', { caller: { ...channel, dialplan: { exten: '915551230001' } }, peer: trunk })).toMatchObject([
      { callId: '1.2', event: 'answered', direction: 'outbound', customer: '915551230001', agent: bob },
      { callId: '1.1', event: 'answered', direction: 'inbound', agent: { id: 'provider' } },
    ]);
    expect(dial('RINGING', { caller: { ...channel, dialplan: { exten: 's-BUSY' } }, peer: trunk })).toMatchObject([
      { customer: null },
      {},
    ]);
  });

  describe('of a click', () => {
    const own = { ...channel, id: 'readyline-7', connected: { number: '+15551230001' } };
    const told = (type: string, of: object) => asterisk.read(deliveryOf({ type, channel: of }));

    it('say nothing while the agent’s telephone rings, nor when the agent lifts it', () => {
      for (const state of ['Down', 'Ringing', 'Up']) expect(told('ChannelStateChange', { ...own, state })).toEqual([]);
      for (const status of ['', 'RINGING', 'ANSWER', 'NOANSWER']) expect(dial(status, { peer: own })).toEqual([]);
    });

    it('are rung and answered by what that channel dials, which nothing else is told of', () => {
      const of = (status: string) => dial(status, { caller: { ...own, state: 'Up' }, peer: trunk });
      const call = { callId: 'readyline-7', direction: 'outbound', customer: '+15551230001', agent: bob } as const;
      expect(of('RINGING')).toEqual([callOf('ringing', call)]);
      expect(of('ANSWER')).toEqual([callOf('answered', call)]);
      expect(of('BUSY')).toEqual([callOf('ringing', { ...call, cause: 'busy' })]);
    });

    it.each([
      ['Ringing', 19, 'canceled'],
      ['Ringing', 17, 'canceled'],
      ['Down', 20, 'failed'],
      ['Up', 17, 'busy'],
      ['Up', 16, null],
    ] as const)('end with a channel that was %s by the cause %i as %s', (state, code, cause) => {
      expect(destroyed(code, { ...own, state })).toEqual([
        callOf('ended', { callId: 'readyline-7', direction: 'outbound', agent: bob, cause }),
      ]);
    });
  });

  it.each([
    [16, null],
    [17, 'busy'],
    [18, 'no_answer'],
    [19, 'no_answer'],
    [21, 'rejected'],
    [26, 'answered_elsewhere'],
    [34, 'failed'],
  ] as const)('are destroyed by the cause %i', (code, cause) => {
    expect(destroyed(code)).toEqual([callOf('ended', { callId: '1.2', agent: bob, cause })]);
  });

  const sends = platforms.find(({ connector }) => connector === 'asterisk')!;
  const about = { callId: '1.2', agent: '1001', customer: '+15551230001', at: receivedAt };
  const dialed = { callId: 'readyline-7', agent: '1001', phone: '+15551230001' };
  it('are told, of a whole call and of every course of a click’s dial, as ARI’s resource description has it', async () => {
    const fake = await FakeAsterisk.start();
    const courses = (['answered', 'busy', 'no_answer', 'unreachable_then_answered', 'agent_away'] as const).flatMap(
      (course) => fake.courseOf(dialed, course, receivedAt),
    );
    await fake.close();
    const call = [
      sends.ringing!(about),
      sends.answered(about),
      sends.answered({ ...about, isOutbound: true }),
      sends.held!(about),
      sends.ended(about),
    ];
    for (const { body } of [...call, ...courses]) {
      const event = JSON.parse(body);
      expect(faultsOfEvent(event)).toEqual([]);
      for (const wrong of [
        { ...event, bridge: {} },
        { ...event, timestamp: '2026-11-23T10:00:00Z' },
        { ...event, type: 'ChannelRang' },
      ])
        expect(faultsOfEvent(wrong)).not.toEqual([]);
    }
  });

  it('are nobody’s where the account names the endpoint as a trunk', () => {
    expect([...asterisk.strangers!({ trunks: 'provider, fallback;third' })]).toEqual(['provider', 'fallback', 'third']);
    expect([...asterisk.strangers!({})]).toEqual([]);
  });
});
