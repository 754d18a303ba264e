import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import {
  type Connector,
  type PlatformDelivery,
  type PlatformEvent,
  UnreadableEvent,
} from '../../src/connectors/connector.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { agentStates } from '../../src/contract/vocabulary.ts';
import { platforms, type Sent } from '../support/cti/platforms.ts';

const now = Date.parse('2026-11-23T10:00:00.000Z');
const about = { callId: 'c-1', agent: 'ada', customer: '+15551230001', at: now };

function connectorOf(id: string): Connector {
  const found = connectors.get(id);
  if (found === undefined) throw new Error(`no connector ${id}`);
  return found;
}

function delivery({ headers, body }: Sent, more: Partial<PlatformDelivery> = {}): PlatformDelivery {
  return { headers, body: Buffer.from(body), query: new URLSearchParams(), receivedAt: now, ...more };
}

/** Platforms that tell how a call is now, and not what happened. */
const tellsHow = new Set(['genesys', 'cisco', 'nice']);

const read = (id: string, sent: Sent): PlatformEvent[] => connectorOf(id).read(delivery(sent));
const body = (text: string | object): Sent => ({
  headers: { 'content-type': 'application/json' },
  body: typeof text === 'string' ? text : JSON.stringify(text),
});

it('knows what every platform sends that has a connector', () => {
  expect(platforms.map(({ connector }) => connector).toSorted()).toEqual([...connectors.keys()].toSorted());
});

describe.each(platforms)('what $connector sends', (sends) => {
  const { connector } = sends;

  it.each([
    ['ringing', sends.ringing],
    ['answered', sends.answered],
    ['held', sends.held],
    ['ended', sends.ended],
  ] as const)('is read as a call that is %s, with call and agent', (event, make) => {
    if (make === null) return expect(['held', 'ringing']).toContain(event);
    const told = { ...about, customer: sends.number(about.customer) };
    const [read1, ...others] = read(connector, make(told));
    // What tells only how a call is now says of one that is up that it is not held, too.
    expect(others.map((other) => (other.kind === 'call' ? other.event : other.kind))).toEqual(
      event === 'answered' && tellsHow.has(connector) ? ['resumed'] : [],
    );
    expect(read1).toMatchObject({ kind: 'call', event, callId: 'c-1' });
    if (read1?.kind !== 'call') throw new Error('it is a call');
    // A hangup of a PBX is one for all.
    if (!(connector === 'push' && event === 'ended')) expect(read1.agent?.id).toBe('ada');
    if (event === 'answered' && connector !== 'asterisk')
      expect(read1).toMatchObject({ direction: 'inbound', customer: told.customer });
  });

  it('is read as a state of an agent, where it tells any', () => {
    for (const [make, state] of [
      [sends.ready, 'ready'],
      [sends.notReady, 'not_ready'],
    ] as const) {
      if (make !== null) {
        expect(read(connector, make(about))).toMatchObject([
          { kind: 'agent_state', state, agent: { id: 'ada' }, at: now },
        ]);
      }
    }
    if (Object.keys(connectorOf(connector).states).length === 0)
      expect([sends.ready, sends.notReady]).toEqual([null, null]);
  });

  it('may be the gateway’s own form, as JSON or as a form, with every field', () => {
    const fields = {
      event: 'ended',
      event_id: 'e-1',
      call_id: 'c-2',
      agent_id: '7',
      agent_email: 'ada@example.com',
      agent_name: 'Ada',
      direction: 'outbound',
      customer_number: '1001',
      dialed_number: 'of a call that nobody made to the company',
      queue: 'Sales',
      at: '2026-11-23T09:59:00Z',
      cause: 'busy',
      talk_seconds: '12',
      transferred_to: '8',
    };
    const expected = [
      {
        kind: 'call',
        event: 'ended',
        eventId: 'e-1',
        callId: 'c-2',
        direction: 'outbound',
        customer: '1001',
        dialedNumber: null,
        agent: { id: '7', email: 'ada@example.com', name: 'Ada' },
        transferredTo: { id: '8', email: null, name: null },
        queue: 'Sales',
        at: now - 60_000,
        cause: 'busy',
        talkMs: 12_000,
      },
    ];
    expect(read(connector, body(fields))).toEqual(expected);
    expect(
      read(connector, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    ).toEqual(expected);
  });

  it('tells in that form which number the customer called', () => {
    const [event] = read(connector, body({ event: 'ringing', call_id: 'c-2', dialed_number: 'tel:+4930123456' }));
    expect(event).toMatchObject({ kind: 'call', dialedNumber: 'tel:+4930123456' });
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"event":'],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['deep nesting', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['another platform’s', '{"hello":"world"}'],
    ['XML with a document type', '<!DOCTYPE a [<!ENTITY b "c">]><Update><event>&b;</event></Update>'],
    ['half an element', '<Update><event>'],
  ])('is refused where it is %s', (_what, text) => {
    expect(() => read(connector, body(text))).toThrow(UnreadableEvent);
  });

  it('is never read as an event of a call without an id, of an agent without a name, or at a time that cannot be', () => {
    const wrong = [{}, [], 7, true, null, '', ' ', 'x'.repeat(10_000), 'a\u0000b', '\ud800', { id: 'c' }];
    const sent = [sends.ringing, sends.answered, sends.held, sends.ended, sends.ready, sends.notReady]
      .filter((make) => make !== null)
      .map((make) => make(about));
    for (const one of sent.filter(({ headers }) => headers['content-type'] === 'application/json')) {
      for (const path of pathsOf(JSON.parse(one.body))) {
        for (const value of wrong) expectSane(connector, body(withValue(JSON.parse(one.body), path, value)));
      }
    }
  });

  it('has its states known by names that lead to ours', () => {
    for (const { state } of Object.values(connectorOf(connector).states)) expect(agentStates).toContain(state);
  });
});

/** Every way to a value in a JSON body. */
function pathsOf(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const own = path.length === 0 ? [] : [path];
  return [
    ...own,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function withValue(value: unknown, [key, ...rest]: (string | number)[], wrong: unknown): object {
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  if (key !== undefined) copy[key] = rest.length === 0 ? wrong : withValue(copy[key], rest, wrong);
  return copy;
}

/** Refused, or events whose every part can be kept. */
function expectSane(id: string, sent: Sent): void {
  let events: PlatformEvent[];
  try {
    events = read(id, sent);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableEvent);
    return;
  }
  for (const event of events) {
    const texts = event.kind === 'call' ? [event.callId, event.customer, event.queue] : [event.reason];
    for (const text of [...texts, event.agent?.id ?? null, event.agent?.email ?? null, event.agent?.name ?? null]) {
      if (text !== null) expect(text).toMatch(/^[^\0\p{Cs}]{1,500}$/u);
    }
    if (event.kind === 'agent_state')
      expect([event.agent.id, event.agent.email, event.agent.name].some((text) => text !== null)).toBe(true);
    if (event.at !== null) expect(Number.isSafeInteger(event.at)).toBe(true);
  }
}

describe('the signature of Webex Contact Center', () => {
  const secret = 'k'.repeat(43);
  const sends = platforms.find(({ connector }) => connector === 'webexcc')!;
  const signed = sends.sign(sends.answered(about), secret);
  const verify = (sent: Sent, key = secret, receivedAt = now) =>
    connectorOf('webexcc').verify!(delivery(sent, { receivedAt }), key);

  it('is the one that OpenSSL computes over the raw body', () => {
    const told = spawnSync('openssl', ['dgst', '-sha256', '-hmac', secret, '-hex'], {
      input: signed.body,
      encoding: 'utf8',
    });
    expect(told.stdout.trim().split(' ').at(-1)).toBe(signed.headers['x-webexcc-signature']);
    expect(verify(signed)).toBe('ok');
  });

  it.each([
    ['missing', { ...signed, headers: {} }],
    ['mismatch', { ...signed, body: signed.body.replace('INBOUND', 'OUTBOUND') }],
    [
      'mismatch',
      {
        ...signed,
        headers: { ...signed.headers, 'x-webexcc-signature': signed.headers['x-webexcc-signature']!.toUpperCase() },
      },
    ],
    ['stale', { ...signed, headers: { ...signed.headers, 'x-webexcc-timestamp': String(now - 1) } }],
    ['stale', { ...signed, headers: { 'x-webexcc-signature': signed.headers['x-webexcc-signature']! } }],
  ] as const)('is %s where something was changed', (verdict, sent) => {
    expect(verify(sent)).toBe(verdict);
  });

  it('is good for five minutes, and for its own secret', () => {
    expect([
      verify(signed, secret, now + 300_000),
      verify(signed, secret, now + 300_001),
      verify(signed, secret, now - 300_001),
    ]).toEqual(['ok', 'stale', 'stale']);
    expect(verify(signed, 'another')).toBe('mismatch');
  });
});

describe('the token of Avaya', () => {
  it('is compared whole', () => {
    const verify = (headers: Record<string, string>) =>
      connectorOf('avaya').verify!(delivery({ headers, body: '{}' }), 'token');
    expect([
      verify({ 'auth-token': 'token' }),
      verify({ 'auth-token': 'toke' }),
      verify({ 'auth-token': 'tokem' }),
      verify({}),
    ]).toEqual(['ok', 'mismatch', 'mismatch', 'missing']);
  });
});

describe('the particulars of platforms', () => {
  it.each([
    [
      'genesys, off the queue though Available',
      'genesys',
      { topicName: 'v2.users.u1.presence', eventBody: { presenceDefinition: { systemPresence: 'AVAILABLE' } } },
      [{ state: 'not_ready', reason: 'available' }],
    ],
    [
      'genesys, on the queue: the routing status tells',
      'genesys',
      { topicName: 'v2.users.u1.presence', eventBody: { presenceDefinition: { systemPresence: 'ON_QUEUE' } } },
      [],
    ],
    [
      'genesys, not responding',
      'genesys',
      { topicName: 'v2.users.u1.routingStatus', eventBody: { routingStatus: { status: 'NOT_RESPONDING' } } },
      [{ state: 'not_ready', reason: 'no_answer' }],
    ],
    [
      'genesys, at a meal',
      'genesys',
      {
        topicName: 'v2.users.u1.activity',
        eventBody: {
          presence: { presenceDefinition: { systemPresence: 'MEAL' } },
          routingStatus: { status: 'OFF_QUEUE' },
        },
      },
      [{ state: 'not_ready', reason: 'meal' }],
    ],
    [
      'genesys, by a trigger’s action',
      'genesys',
      {
        event: 'user.end',
        conversation_id: 'c',
        user_id: 'u',
        direction: 'INBOUND',
        ani: 'tel:+15551230001',
        event_time: '1760000000000',
        interacting_duration_ms: '7000',
      },
      [{ event: 'ended', talkMs: 7_000, customer: 'tel:+15551230001', at: 1_760_000_000_000 }],
    ],
    [
      'genesys, by EventBridge',
      'genesys',
      {
        'detail-type': 'x',
        detail: {
          topicName: 'v2.detail.events.conversation.c.customer.end',
          eventBody: { conversationId: 'c', mediaType: 'VOICE' },
        },
      },
      [{ event: 'ended', agent: null }],
    ],
    ['genesys, a chat', 'genesys', { event: 'user.start', conversation_id: 'c', user_id: 'u', mediaType: 'CHAT' }, []],
    [
      'webexcc, redirected on no answer',
      'webexcc',
      { id: 'e', type: 'agent:channel_state_change', data: { agentId: 'a', currentState: 'RONA' } },
      [{ state: 'not_ready', reason: 'no_answer' }],
    ],
    [
      'webexcc, a chat',
      'webexcc',
      { id: 'e', type: 'task:connect', data: { taskId: 't', agentId: 'a', channelType: 'chat' } },
      [],
    ],
    [
      'webexcc, a call in a queue',
      'webexcc',
      { id: 'e', type: 'task:new', data: { taskId: 't', origin: '+15551230001', direction: 'INBOUND' } },
      [{ event: 'ringing', agent: null }],
    ],
    [
      'nice, after-call work',
      'nice',
      { agentId: 'a', events: [{ Type: 'AgentState', CurrentState: 'Unavailable', IsAcw: 'True' }] },
      [{ state: 'wrap_up' }],
    ],
    [
      'talkdesk, a template that comes back as its schema',
      'talkdesk',
      {
        $schema: 'x',
        properties: {
          event: { default: 'inboundCallEnds' },
          call_id: { default: 'c' },
          agent_id: { default: '{{agent_id}}' },
        },
      },
      [{ event: 'ended', callId: 'c', agent: null }],
    ],
    [
      'asterisk, busy',
      'asterisk',
      { type: 'ChannelDestroyed', cause: 17, channel: { id: 'c', name: 'PJSIP/1001-0000002a' } },
      [{ event: 'ended', cause: 'busy', agent: { id: '1001' } }],
    ],
    [
      'asterisk, a trunk’s own channel',
      'asterisk',
      { type: 'ChannelStateChange', channel: { id: 'c', name: 'Local/1001@in-0000002a;1', state: 'Up' } },
      [],
    ],
    [
      'push, who calls out',
      'push',
      { event: 'newCall', callId: 'c', direction: 'out', from: '1001', to: '+15551230001' },
      [{ event: 'ringing', direction: 'outbound', customer: '+15551230001', agent: { id: '1001' } }],
    ],
    [
      'push, at several',
      'push',
      { event: 'newCall', callId: 'c', direction: 'in', from: '+15551230001', to: '1', user: ['Ada', 'Grace'] },
      [{ agent: { id: 'Ada' } }, { agent: { id: 'Grace' } }],
    ],
  ] as const)('%s', (_what, id, sent, expected) => {
    expect(read(id, body(sent))).toMatchObject(expected as unknown as object[]);
    expect(read(id, body(sent))).toHaveLength(expected.length);
  });

  it('finds an update of Finesse in its XMPP item', () => {
    const update = platforms.find(({ connector }) => connector === 'cisco')!.ringing!(about).body;
    const escaped = update.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const message =
      '<message xmlns="jabber:client"><event xmlns="http://jabber.org/protocol/pubsub#event">' +
      '<items node="/finesse/api/User/ada/Dialogs"><item>' +
      `<notification>${escaped}</notification></item></items></event></message>`;
    expect(read('cisco', { headers: {}, body: message })).toEqual(read('cisco', { headers: {}, body: update }));
  });
});
