import type { CallEvent, Connector, PlatformEvent, StateTable } from './connector.ts';
import { genesysAccount } from './accounts/genesys.ts';
import { agentState, type CallDetails, callEvent, directionOf, readNormalForm, upNow } from './normalForm.ts';
import {
  agentOf,
  durationOf,
  type Fields,
  flagOf,
  listOf,
  lookUp,
  readFields,
  stateName,
  textOf,
  timeOf,
  unreadable,
  within,
  wordOf,
} from './reading.ts';

/**
 * By routing status, and by presence where that says the agent is off the queue.
 * The presence "Available" is not Ready: calls of queues come to those who are "On Queue" alone.
 */
const states: StateTable = {
  offline: { state: 'offline' },
  idle: { state: 'ready' },
  interacting: { state: 'on_call' },
  communicating: { state: 'on_call' },
  not_responding: { state: 'not_ready', reason: 'no_answer' },
  off_queue: { state: 'not_ready' },
  available: { state: 'not_ready' },
  busy: { state: 'not_ready' },
  away: { state: 'not_ready' },
  break: { state: 'not_ready', reason: 'break' },
  meal: { state: 'not_ready', reason: 'meal' },
  meeting: { state: 'not_ready', reason: 'meeting' },
  training: { state: 'not_ready', reason: 'training' },
  acw: { state: 'wrap_up' },
};

/**
 * Genesys Cloud: what a process automation trigger hands to a data action (`user.start` and others, as fields or as an
 * EventBridge envelope), and what its Notifications API tells of users' calls, presence and routing status.
 */
export const genesys: Connector = {
  id: 'genesys',
  name: 'Genesys Cloud',
  verify: null,
  states,
  account: genesysAccount,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, states);
    if (normal !== null) return normal;
    const detail = within(fields, 'detail');
    const isBridged = textOf(detail, 'topicName') !== null;
    const envelope = isBridged ? detail : fields;
    const topic = textOf(envelope, 'topicName');
    if (topic === null)
      return readDetail(textOf(fields, 'event') ?? unreadable('event or topicName is missing.'), fields, null);
    const body = within(envelope, 'eventBody');
    const user = /^v2\.users\.([^.]+)\.(conversations\.calls|activity|presence|routingStatus)$/.exec(topic);
    const [, name = null] = /^v2\.detail\.events\.conversation\.[^.]+\.(.+)$/.exec(topic) ?? [];
    if (name !== null) return readDetail(name, body, isBridged ? textOf(fields, 'id') : null);
    // Others are heartbeats, and what was subscribed to for another purpose.
    if (user === null) return [];
    const [, userId = '', what] = user;
    return what === 'conversations.calls'
      ? readConversation(body, userId)
      : readActivity(body, userId, what === 'presence');
  },
};

/** `user.start` says that the leg of an agent begins, and not whether it rings or is answered. */
function readDetail(name: string, told: Fields, eventId: string | null): PlatformEvent[] {
  const callId =
    textOf(told, 'conversation_id', 'conversationId') ?? unreadable('the id of the conversation is missing.');
  if ((wordOf(told, 'mediaType', 'media_type') ?? 'voice') !== 'voice') return [];
  const userId = textOf(told, 'user_id', 'userId');
  const direction = directionOf(wordOf(told, 'direction'));
  const at = timeOf(told, 'event_time', 'eventTime');
  const customer = direction === null ? null : textOf(told, direction === 'outbound' ? 'dnis' : 'ani');
  const dialedNumber = direction === 'inbound' ? textOf(told, 'dnis') : null;
  const common = { eventId, direction, customer, dialedNumber, queue: textOf(told, 'queue_id', 'queueId'), at };
  const agent = agentOf(userId);
  switch (stateName(name)) {
    case 'user_start':
      return [callEvent('ringing', callId, { ...common, agent })];
    case 'user_end':
      return [
        endOfLeg(callId, wordOf(told, 'disconnect_type', 'disconnectType'), {
          ...common,
          agent,
          talkMs: durationOf(told, 1, 'interacting_duration_ms', 'interactingDurationMs'),
        }),
      ];
    case 'customer_end':
      return [callEvent('ended', callId, common)];
    case 'acw':
    case 'user_acw':
      return agentState(states, agent, 'acw', { at });
    default:
      return [];
  }
}

/** Transferred where the platform says so; to whom, it does not. @param type why the leg ended; null: not told */
function endOfLeg(callId: string, type: string | null, told: CallDetails): CallEvent {
  if (type !== null && transfers.has(type)) return callEvent('transferred', callId, told);
  return callEvent('ended', callId, { ...told, cause: lookUp(disconnects, type) ?? null });
}

const transfers = new Set(['transfer', 'transfer_conference', 'transfer_consult', 'transfer_forward']);
const disconnects: Readonly<Record<string, CallEvent['cause']>> = {
  transfer_noanswer: 'no_answer',
  timeout: 'no_answer',
  transfer_notavailable: 'failed',
  transport_failure: 'failed',
  error: 'failed',
  uncallable: 'failed',
};

const callStates: Readonly<Record<string, CallEvent['event']>> = {
  alerting: 'ringing',
  dialing: 'ringing',
  contacting: 'ringing',
  connected: 'answered',
  disconnected: 'ended',
  terminated: 'ended',
};

/** The user's own part of a conversation, the latest of them. */
function readConversation(body: Fields, userId: string): PlatformEvent[] {
  const callId = textOf(body, 'id') ?? unreadable('the id of the conversation is missing.');
  const participants = listOf(body['participants']);
  const mine = participants.findLast((one) => userOf(one) === userId);
  const state = mine === undefined ? undefined : lookUp(callStates, wordOf(mine, 'state'));
  if (mine === undefined || state === undefined) return [];
  const customer = participants.findLast((one) => ['customer', 'external'].includes(wordOf(one, 'purpose') ?? ''));
  const direction = directionOf(wordOf(mine, 'direction'));
  // An agent who calls is connected while it rings at the other end, which says since when they talk.
  const talking =
    direction === 'outbound' ? (customer ?? participants.findLast((one) => userOf(one) !== userId) ?? {}) : mine;
  const event = eventOf(state, mine, talking);
  const [began, ended] = [timeOf(talking, 'connectedTime'), timeOf(mine, 'endTime')];
  const times: Partial<Record<typeof event, number | null>> = {
    ringing: timeOf(mine, 'startTime'),
    answered: began,
    ended,
  };
  const at = times[event] ?? null;
  const number = customer === undefined ? null : textOf(customer, 'address', 'ani');
  const dialedNumber = direction === 'inbound' && customer !== undefined ? textOf(customer, 'dnis') : null;
  const queue = textOf(within(mine, 'queue'), 'name', 'id') ?? textOf(mine, 'queueId');
  const talkMs = event === 'ended' && began !== null && ended !== null ? Math.max(0, ended - began) : null;
  const told = { direction, customer: number, dialedNumber, agent: agentOf(userId), queue, at, talkMs };
  if (event === 'answered') return upNow(callId, told);
  return [event === 'ended' ? endOfLeg(callId, wordOf(mine, 'disconnectType'), told) : callEvent(event, callId, told)];
}

function userOf(participant: Fields): string | null {
  return textOf(within(participant, 'user'), 'id') ?? textOf(participant, 'userId');
}

/** @param talking whose part says whether they talk: the agent's own, or that of who is called */
function eventOf(state: CallEvent['event'], mine: Fields, talking: Fields): CallEvent['event'] {
  if (state !== 'answered') return state;
  if (timeOf(talking, 'connectedTime') === null && wordOf(talking, 'state') !== 'connected') return 'ringing';
  return flagOf(mine, 'held') === true ? 'held' : 'answered';
}

function readActivity(body: Fields, userId: string, isPresenceAlone: boolean): PlatformEvent[] {
  const agent = agentOf(userId);
  const presence = 'presence' in body ? within(body, 'presence') : body;
  const presenceName = textOf(within(presence, 'presenceDefinition'), 'systemPresence');
  const routing = within(body, 'routingStatus');
  const status = textOf(routing, 'status');
  const at = [timeOf(presence, 'modifiedDate'), timeOf(routing, 'startTime')].reduce<number | null>(
    (latest, time) => (time !== null && (latest === null || time > latest) ? time : latest),
    null,
  );
  if (presenceName === null && status === null) return unreadable('presence and routingStatus are missing.');
  const [present, routed] = [presenceName, status].map((name) => (name === null ? null : stateName(name)));
  if (present === 'offline') return agentState(states, agent, 'offline', { at });
  const isOffQueue = present !== null && present !== undefined && present !== 'on_queue';
  // On a call, in its wrap-up, asked and silent: that counts whatever the presence says.
  // Idle counts on the queue alone.
  if (routed && routed !== 'off_queue' && !(isOffQueue && routed === 'idle'))
    return agentState(states, agent, routed, { at });
  if (isOffQueue) {
    // `idle` is also a presence: nobody is at the desk.
    const known = present !== 'idle' && lookUp(states, present) !== undefined;
    return agentState(states, agent, known ? present : 'off_queue', { at, reason: present });
  }
  // "On Queue" alone: the routing status tells more, and comes by itself.
  return isPresenceAlone || routed === null ? [] : agentState(states, agent, 'off_queue', { at });
}
