import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { readConversation, causeOfDisconnect } from './genesysConversation.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, type Fields, foldWord, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';
import { agentState, stateHere, type StateTable } from './states.ts';

/** Presences. "Available" is not Ready: calls of queues come to those who are "On Queue" alone. */
export const genesysPresences: StateTable = [
  { theirs: 'Offline', state: 'offline', settable: true },
  { theirs: 'On Queue', state: 'ready', settable: true },
  { theirs: 'Available', state: 'not_ready', reason: 'available', settable: true },
  { theirs: 'Busy', state: 'not_ready', reason: 'busy', settable: true },
  { theirs: 'Away', state: 'not_ready', reason: 'away', settable: true },
  { theirs: 'Break', state: 'not_ready', reason: 'break', settable: true },
  { theirs: 'Meal', state: 'not_ready', reason: 'meal', settable: true },
  { theirs: 'Meeting', state: 'not_ready', reason: 'meeting', settable: true },
  { theirs: 'Training', state: 'not_ready', reason: 'training', settable: true },
  { theirs: 'Idle', state: 'not_ready', reason: 'idle' },
  { theirs: 'Out of office', state: 'not_ready', reason: 'out_of_office' },
];

/** Routing statuses: what an agent on the queue does. */
export const genesysRouting: StateTable = [
  { theirs: 'OFF_QUEUE', state: 'not_ready' },
  { theirs: 'IDLE', state: 'ready' },
  { theirs: 'INTERACTING', state: 'on_call' },
  { theirs: 'COMMUNICATING', state: 'on_call' },
  { theirs: 'NOT_RESPONDING', state: 'not_ready', reason: 'no_answer' },
  { theirs: 'ACW', state: 'wrap_up' },
];

/**
 * Genesys Cloud: what a process automation trigger hands to the data action (`event: "user.start"` and others), the same topics in
 * envelopes of EventBridge, and what its Notifications API tells of the calls, presence, routing status and activity of users.
 */
export const genesys: Connector = {
  id: 'genesys',
  name: 'Genesys Cloud',
  tellsStates: true,
  verify: null,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, genesysRouting);
    if (normal !== null) return normal;
    const detail = within(fields, 'detail');
    const isBridged = textOf(detail, 'topicName') !== null;
    const envelope = isBridged ? detail : fields;
    const topic = textOf(envelope, 'topicName');
    if (topic === null) return readDetail(textOf(fields, 'event') ?? unreadable('event or topicName is missing.'), fields, null);
    return readTopic(topic, within(envelope, 'eventBody'), isBridged ? textOf(fields, 'id') : null);
  },
};

function readTopic(topic: string, body: Fields, eventId: string | null): PlatformEvent[] {
  const [, userId = null, what = ''] = /^v2\.users\.([^.]+)\.(conversations\.calls|activity|presence|routingStatus)$/i.exec(topic) ?? [];
  if (userId !== null) return what.startsWith('conversations') ? readConversation(body, userId, eventId) : readActivity(what, body, userId, eventId);
  const [, name = null] = /^v2\.detail\.events\.conversation\.[^.]+\.(.+)$/.exec(topic) ?? [];
  return name === null ? [] : readDetail(name, body, eventId);
}

/** `user.start` says that an agent's leg begins, and not whether it rings or is answered: that a call was answered is never told so. */
function readDetail(name: string, told: Fields, eventId: string | null): PlatformEvent[] {
  const callId = textOf(told, 'conversation_id', 'conversationId') ?? unreadable('The id of the conversation is missing.');
  if ((wordOf(told, 'media_type', 'mediaType') ?? 'voice') !== 'voice') return [];
  const agent = agentOf(textOf(told, 'user_id', 'userId'));
  const common = { eventId, at: timeOf(told, 'event_time', 'eventTime') };
  const details = { ...common, ...numbersOf(told), queue: textOf(told, 'queue_id', 'queueId') };
  switch (foldWord(name)) {
    case 'user_start':
      return [callEvent('ringing', callId, { ...details, agent })];
    case 'user_end':
      return [endOfLeg(callId, { ...details, agent }, wordOf(told, 'disconnect_type', 'disconnectType'))];
    case 'customer_end':
      return [callEvent('ended', callId, details)];
    case 'acw':
      return agentState(genesysRouting, agent, 'ACW', common);
    default:
      return [];
  }
}

function numbersOf(told: Fields): Pick<CallEvent, 'direction' | 'customer' | 'line'> {
  const direction = directionOf(wordOf(told, 'direction'));
  const [ani, dnis] = [textOf(told, 'ani'), textOf(told, 'dnis')];
  if (direction === null) return { direction, customer: null, line: null };
  return direction === 'inbound' ? { direction, customer: ani, line: dnis } : { direction, customer: dnis, line: ani };
}

function endOfLeg(callId: string, details: Partial<CallEvent>, disconnectType: string | null): CallEvent {
  const { event, cause } = causeOfDisconnect(disconnectType);
  return callEvent(event, callId, { ...details, cause });
}

/** Presence, routing status, or both (`activity`). */
function readActivity(topic: string, body: Fields, userId: string, eventId: string | null): PlatformEvent[] {
  const agent = agentOf(userId);
  const presence = topic === 'presence' ? body : within(body, 'presence');
  const routing = within(body, 'routingStatus');
  const presenceName = textOf(within(presence, 'presenceDefinition'), 'systemPresence');
  const status = textOf(routing, 'status');
  if (presenceName === null && status === null) return unreadable('presence and routingStatus are missing.');
  const at = latestOf(timeOf(presence, 'modifiedDate'), timeOf(routing, 'startTime'));
  const here = presenceName === null ? null : stateHere(genesysPresences, presenceName);
  const routed = status === null ? null : stateHere(genesysRouting, status);
  const isOffQueue = here !== null && here.state !== 'ready';
  // On a call, in its wrap-up, or asked and silent: that counts whatever the presence says, unless nobody is there.
  if (here?.state !== 'offline' && routed !== null && routed.state !== 'ready' && foldWord(status ?? '') !== 'off_queue') {
    return agentState(genesysRouting, agent, status, { eventId, at });
  }
  if (isOffQueue) return agentState(genesysPresences, agent, presenceName, { eventId, at });
  // "On Queue" alone may still be on a call: the routing status says so, and comes by itself.
  return agentState(genesysRouting, agent, status, { eventId, at });
}

function latestOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
