import { describe, expect, it } from 'vitest';
import { UnreadableEvent } from '../../src/connectors/connector.ts';
import { genesys } from '../../src/connectors/genesys.ts';
import { callOf, deliveryOf } from './deliveries.ts';

// Synthetic: written after the topics of Genesys Cloud's SDK.
const time = (second: number) => `2025-10-09T08:53:${second}.000Z`;
const at = (second: number) => Date.parse(time(second));
const agent = { id: 'u-1', email: null, name: null };
const state = (told: object) => [{ kind: 'agent_state', eventId: null, agent, reason: null, ...told }];
const user = (what: string, eventBody: object) =>
  genesys.read(deliveryOf({ topicName: `v2.users.u-1.${what}`, eventBody }));
const presence = (systemPresence: string) => ({
  presenceDefinition: { id: 'x', systemPresence },
  modifiedDate: time(20),
});
const activity = (systemPresence: string, status: string) =>
  user('activity', { id: 'u-1', presence: presence(systemPresence), routingStatus: { status, startTime: time(30) } });

describe('agents of Genesys Cloud', () => {
  it('are not ready while they are available without being on the queue', () => {
    expect(user('presence', presence('AVAILABLE'))).toEqual(
      state({ state: 'not_ready', reason: 'available', at: at(20) }),
    );
    expect(activity('AVAILABLE', 'OFF_QUEUE')).toEqual(state({ state: 'not_ready', reason: 'available', at: at(30) }));
    expect(activity('AVAILABLE', 'IDLE')).toEqual(state({ state: 'not_ready', reason: 'available', at: at(30) }));
  });

  it('are ready on the queue and idle', () => {
    expect(activity('ON_QUEUE', 'IDLE')).toEqual(state({ state: 'ready', at: at(30) }));
    expect(user('routingStatus', { routingStatus: { status: 'IDLE', startTime: time(30) } })).toEqual(
      state({ state: 'ready', at: at(30) }),
    );
  });

  it('are not known to be ready by the presence On Queue alone', () => {
    expect(user('presence', presence('ON_QUEUE'))).toEqual([]);
  });

  it.each([
    ['ON_QUEUE', 'INTERACTING', 'on_call', null],
    ['AVAILABLE', 'COMMUNICATING', 'on_call', null],
    ['ON_QUEUE', 'NOT_RESPONDING', 'not_ready', 'no_answer'],
    ['ON_QUEUE', 'OFF_QUEUE', 'not_ready', null],
    ['BREAK', 'OFF_QUEUE', 'not_ready', 'break'],
    ['MEETING', 'OFF_QUEUE', 'not_ready', 'meeting'],
    ['OFFLINE', 'OFF_QUEUE', 'offline', null],
    ['OFFLINE', 'IDLE', 'offline', null],
    ['IDLE', 'OFF_QUEUE', 'not_ready', 'idle'],
  ])('with %s and %s are %s (%s)', (systemPresence, status, expected, reason) => {
    expect(activity(systemPresence, status)).toEqual(state({ state: expected, reason, at: at(30) }));
  });

  it('are unreadable without either', () => {
    expect(() => user('activity', {})).toThrow(UnreadableEvent);
  });
});

describe('calls of Genesys Cloud', () => {
  const told = {
    conversationId: 'g-1',
    participantId: 'p',
    sessionId: 's',
    mediaType: 'VOICE',
    direction: 'INBOUND',
    ani: 'tel:+15550100',
    dnis: 'sip:5550199@acme.example',
    userId: 'u-1',
    queueId: 'q',
    eventTime: at(20),
  };
  const call = {
    callId: 'g-1',
    direction: 'inbound',
    customer: 'tel:+15550100',
    dialedNumber: 'sip:5550199@acme.example',
    agent,
    queue: 'q',
    at: at(20),
  } as const;
  const bridged = (name: string, eventBody: object) =>
    deliveryOf({
      version: '0',
      id: 'eb-1',
      'detail-type': `v2.detail.events.conversation.{id}.${name}`,
      source: 'aws.partner/genesys.com/x',
      detail: { topicName: `v2.detail.events.conversation.g-1.${name}`, eventBody },
    });

  it('are read from envelopes of EventBridge, with their id', () => {
    expect(genesys.read(bridged('user.start', told))).toEqual([callOf('ringing', { ...call, eventId: 'eb-1' })]);
    expect(genesys.read(bridged('acd.start', told))).toEqual([]);
    expect(genesys.read(bridged('user.start', { ...told, mediaType: 'CHAT' }))).toEqual([]);
  });

  it.each([
    ['CLIENT', 'ended', null],
    ['TRANSFER', 'transferred', null],
    ['TRANSFER_CONSULT', 'transferred', null],
    ['TRANSFER_NOANSWER', 'ended', 'no_answer'],
    ['TRANSPORT_FAILURE', 'ended', 'failed'],
    ['', 'ended', null],
  ] as const)('end by %s as %s (%s)', (disconnectType, event, cause) => {
    expect(genesys.read(bridged('user.end', { ...told, disconnectType }))).toEqual([
      callOf(event, { ...call, eventId: 'eb-1', cause }),
    ]);
  });

  it('have the called number as customer where the agent called', () => {
    const [event] = genesys.read(
      bridged('user.start', { ...told, direction: 'OUTBOUND', ani: 'tel:+15550199', dnis: 'tel:+15550100' }),
    );
    expect(event).toMatchObject({ direction: 'outbound', customer: 'tel:+15550100', dialedNumber: null });
  });

  it('have no customer where the direction is not told', () => {
    const [event] = genesys.read(bridged('user.start', { ...told, direction: undefined }));
    expect(event).toMatchObject({ direction: null, customer: null });
  });

  it('are the user’s own, and the latest of them', () => {
    const part = (id: string, more: object) => ({ purpose: 'agent', user: { id }, direction: 'inbound', ...more });
    const read = (...participants: object[]) => user('conversations.calls', { id: 'g-1', participants });
    expect(read(part('u-2', { state: 'alerting' }))).toEqual([]);
    expect(
      read(
        part('u-1', { state: 'terminated' }),
        part('u-2', { state: 'connected' }),
        part('u-1', { state: 'alerting' }),
      ),
    ).toEqual([callOf('ringing', { callId: 'g-1', direction: 'inbound', agent })]);
    expect(read(part('u-1', { state: 'scheduled' }))).toEqual([]);
  });

  it('that the agent makes are answered by the customer, and not while it rings there', () => {
    const read = (customer: object, mine: object = {}) =>
      user('conversations.calls', {
        id: 'g-1',
        participants: [
          {
            purpose: 'user',
            userId: 'u-1',
            direction: 'outbound',
            state: 'connected',
            startTime: time(10),
            connectedTime: time(12),
            ...mine,
          },
          { purpose: 'customer', direction: 'outbound', address: 'tel:+15550100', ...customer },
        ],
      });
    const told = { callId: 'g-1', direction: 'outbound', customer: 'tel:+15550100', agent } as const;
    expect(read({ state: 'dialing' })).toEqual([callOf('ringing', { ...told, at: at(10) })]);
    expect(read({ state: 'connected', connectedTime: time(20) })).toMatchObject([
      { event: 'answered', at: at(20) },
      { event: 'resumed' },
    ]);
    expect(read({ state: 'connected', connectedTime: time(20) }, { held: true })).toMatchObject([{ event: 'held' }]);
    expect(
      read({ state: 'disconnected', connectedTime: time(20) }, { state: 'disconnected', endTime: time(50) }),
    ).toMatchObject([{ event: 'ended', talkMs: 30_000 }]);
    // Nobody answered: the agent's own time on the line is no talk.
    expect(read({ state: 'disconnected' }, { state: 'disconnected', endTime: time(50) })).toMatchObject([
      { event: 'ended', talkMs: null },
    ]);
    expect(
      user('conversations.calls', {
        id: 'g-1',
        participants: [
          { purpose: 'user', userId: 'u-1', direction: 'outbound', state: 'connected', connectedTime: time(12) },
        ],
      }),
    ).toMatchObject([{ event: 'ringing' }]);
    expect(
      user('conversations.calls', {
        id: 'g-1',
        participants: [
          { purpose: 'user', userId: 'u-1', direction: 'outbound', state: 'connected' },
          { purpose: 'user', userId: 'u-2', state: 'connected', connectedTime: time(20) },
        ],
      }),
    ).toMatchObject([{ event: 'answered' }, {}]);
  });

  it('are none of heartbeats and other topics', () => {
    expect(
      genesys.read(deliveryOf({ topicName: 'channel.metadata', eventBody: { message: 'WebSocket Heartbeat' } })),
    ).toEqual([]);
    expect(genesys.read(deliveryOf({ topicName: 'v2.users.u-1.station', eventBody: {} }))).toEqual([]);
  });
});
