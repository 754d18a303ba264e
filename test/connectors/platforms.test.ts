import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asterisk } from '../../src/connectors/asterisk.ts';
import { avaya } from '../../src/connectors/avaya.ts';
import { five9 } from '../../src/connectors/five9.ts';
import { nice } from '../../src/connectors/nice.ts';
import { push } from '../../src/connectors/push.ts';
import { talkdesk } from '../../src/connectors/talkdesk.ts';
import { webexcc } from '../../src/connectors/webexcc.ts';
import { callOf, deliveryOf } from './deliveries.ts';

// Synthetic: written after what the platforms document, not captured from a tenant.
const stateOf = (id: string, state: string, reason: string | null = null, at: number | null = null) => ({ kind: 'agent_state', eventId: null, agent: { id, email: null, name: null }, state, reason, at });

describe('agents of Avaya', () => {
  it.each([
    ['AgentLoggedIn', 'not_ready', 'login'],
    ['AgentNotReady', 'not_ready', 'Lunch'],
    ['AgentReady', 'ready', null],
    ['Agent.Ready', 'ready', null],
    ['AgentLoggedOut', 'offline', null],
  ])('tell %s', (eventType, state, reason) => {
    expect(avaya.read(deliveryOf({ eventType, data: { agentId: '4001', reasonCode: reason } }))).toEqual([stateOf('4001', state, reason)]);
  });
});

describe('agents of NICE CXone', () => {
  const session = (event: object, query = '') => nice.read(deliveryOf({ sessionId: 's', events: [event] }, {}, query));
  const state = { Type: 'AgentState', CurrentState: 'Unavailable', CurrentOutReason: 'Lunch', IsAcw: 'False', StartTimeUTC: '2025-10-09T08:53:20.000Z' };

  it('are whom the address names', () => {
    expect(session(state, 'agent=77')).toEqual([stateOf('77', 'not_ready', 'Lunch', Date.UTC(2025, 9, 9, 8, 53, 20))]);
  });

  it('are in wrap-up after a call, whatever the state says', () => {
    expect(session({ ...state, CurrentState: 'Available', IsAcw: 'True' }, 'agent=77')).toMatchObject([{ state: 'wrap_up', reason: null }]);
    expect(session({ ...state, CurrentState: 'InboundContact', IsAcw: false }, 'agent=77')).toMatchObject([{ state: 'on_call' }]);
  });

  it('are offline when their session ends, and nobody where nobody is named', () => {
    expect(session({ Type: 'AgentSessionEnd' }, 'agent=77')).toEqual([stateOf('77', 'offline')]);
    expect(session(state)).toEqual([]);
  });
});

describe('agents of Talkdesk', () => {
  it('sign in and out', () => {
    expect(talkdesk.read(deliveryOf({ event: 'agentLogIn', agent_id: 'ag' }))).toEqual([stateOf('ag', 'not_ready', 'login')]);
    expect(talkdesk.read(deliveryOf({ event: 'agentLogOut', agent_id: 'ag' }))).toEqual([stateOf('ag', 'offline')]);
    expect(talkdesk.read(deliveryOf({ event: 'agentLogOut', agent_id: '{{agent_id}}' }))).toEqual([]);
    expect(talkdesk.read(deliveryOf({ event: 'contactCreated', agent_id: 'ag' }))).toEqual([]);
  });

  it('are never told of as ringing: Talkdesk does not say so', () => {
    const call = { call_id: 'c', contact_phone_number: '+15550100', agent_id: 'ag', agent_email: 'a@acme.example' };
    for (const event of ['inboundCallReachesContactCenter', 'inboundCallStarts', 'inboundCallEnds', 'outboundCallEnds']) {
      const ringing = talkdesk.read(deliveryOf({ ...call, event })).filter((one) => one.kind === 'call' && one.event === 'ringing');
      expect(ringing.map(({ agent }) => agent)).toEqual(event === 'inboundCallReachesContactCenter' ? [null] : []);
    }
  });
});

describe('the recorded signature of Webex Contact Center', () => {
  const body = readFileSync(new URL('fixtures/webexTaskConnect.json', import.meta.url));
  // By `openssl dgst -sha256 -hmac` over the file's bytes, apart from this code.
  const signature = '1bcac7a3a55050337e718dccfb7afcfa4d066e2d79ddcb58999655526f457b57';
  const headers = { 'x-webexcc-signature': signature, 'x-webexcc-timestamp': '1760000000000' };
  const verify = (given: Buffer, receivedAt = 1_760_000_000_000) => webexcc.verify?.({ ...deliveryOf('', headers), body: given, receivedAt }, 'replace-with-32-to-256-random-characters');

  it('is good over its bytes alone, and for five minutes', () => {
    expect([verify(body), verify(body, 1_760_000_300_000), verify(body, 1_760_000_300_001), verify(body, 1_759_999_699_999)]).toEqual(['ok', 'ok', 'stale', 'stale']);
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
  const answer = (more: object) => push.read(deliveryOf({ event: 'answer', callId: '1', direction: 'in', from: '493055571600', ...more }));

  it('are of nobody known where several are named, but for the number that answered', () => {
    expect(answer({ user: ['Anna Berg', 'Ben Kurz'] })).toMatchObject([{ event: 'answered', agent: null }]);
    expect(answer({ user: ['Anna Berg', 'Ben Kurz'], answeringNumber: 'b@acme.example' })).toMatchObject([{ agent: { id: 'b@acme.example', email: 'b@acme.example' } }]);
    expect(answer({ user: ['Anna Berg'] })).toMatchObject([{ agent: { name: 'Anna Berg' } }]);
  });
});

describe('calls of Five9', () => {
  it('have the dialed number as customer where the agent called', () => {
    const call = { callId: '9', type: 'OUTBOUND', ani: '5550199', number: '5550100' };
    expect(five9.read(deliveryOf({ event: 'callAccepted', call }))).toEqual([callOf('answered', { callId: '9', direction: 'outbound', customer: '5550100' })]);
  });
});

describe('dials of Asterisk', () => {
  const channel = { id: '1.2', name: 'PJSIP/bob-smith-0000002b', state: 'Ringing' };
  const bob = { id: 'bob-smith', email: null, name: null };
  const dial = (dialstatus: string, peer: object = channel) => asterisk.read(deliveryOf({ type: 'Dial', dialstatus, peer }));
  const destroyed = (cause: number) => asterisk.read(deliveryOf({ type: 'ChannelDestroyed', channel, cause }));

  it.each([
    ['BUSY', 'busy'],
    ['NOANSWER', 'no_answer'],
    ['CANCEL', 'canceled'],
    ['CONGESTION', 'failed'],
    ['CHANUNAVAIL', 'failed'],
  ] as const)('end by %s', (status, cause) => {
    expect(dial(status)).toEqual([callOf('ended', { callId: '1.2', direction: 'inbound', agent: bob, cause })]);
  });

  it('ring, are answered, or are under way', () => {
    expect(dial('RINGING')).toMatchObject([{ event: 'ringing', agent: bob }]);
    expect(dial('ANSWER')).toMatchObject([{ event: 'answered', agent: bob }]);
    expect(dial('')).toEqual([]);
    expect(dial('PROGRESS')).toEqual([]);
    expect(dial('constructor')).toEqual([]);
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
});
