import type { CallEvent, Connector, PlatformDelivery, PlatformEvent, Verdict } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, type Fields, foldWord, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';
import { isSameSecret } from './secrets.ts';
import { agentState, type StateTable } from './states.ts';

/** By the events that tell of them: of Experience Platform, and folded alike those of Infinity (`Agent.Ready`). */
export const avayaStates: StateTable = [
  { theirs: 'AgentLoggedOut', state: 'offline' },
  { theirs: 'AgentLoggedIn', state: 'not_ready' },
  { theirs: 'AgentNotReady', state: 'not_ready' },
  { theirs: 'AgentReady', state: 'ready' },
];

const callEvents = new Map<string, CallEvent['event']>([
  ['agent_participant_invited', 'ringing'],
  ['agent_participant_added', 'answered'],
  ['agent_participant_removed', 'ended'],
  ['engagement_ended', 'ended'],
  ['interaction_completed', 'ended'],
  ['call_alerting', 'ringing'],
  ['participant_dropped', 'ended'],
]);

const endsForAll = new Set(['engagement_ended', 'interaction_completed']);

/** Of an interaction, as the element for Infinity reports it. */
const statuses = new Map<string, CallEvent['event']>([
  ['alerting', 'ringing'],
  ['connected', 'answered'],
  ['held', 'held'],
  ['ended', 'ended'],
]);

/**
 * Avaya Experience Platform, Infinity and Breeze: the events that their subscriptions name. The fields are not published whole, so each is
 * looked for under several names.
 */
export const avaya: Connector = {
  id: 'avaya',
  name: 'Avaya',
  tellsStates: true,
  verify,
  read(delivery) {
    const fields = readFields(delivery);
    return readNormalForm(fields, avayaStates) ?? readNotification(fields);
  },
};

function readNotification(fields: Fields): PlatformEvent[] {
  // The outermost wins: what is told of an event stands around what is told of its subject.
  const told: Fields = { ...within(fields, 'data'), ...within(fields, 'eventBody'), ...within(fields, 'payload'), ...fields };
  const agent = agentOf(textOf(told, 'agentId', 'userId', 'user'), textOf(told, 'agentEmail', 'email'), textOf(told, 'agentName'));
  const common = { eventId: textOf(told, 'eventId', 'notificationId'), at: timeOf(told, 'eventDate', 'eventTime', 'occurredAt', 'timestamp') };
  const name = textOf(fields, 'eventType', 'event', 'eventName', 'type');
  if (name === null) return readStatus(told, { ...common, agent });
  const states = agentState(avayaStates, agent, name, { ...common, reason: textOf(told, 'reasonCode', 'reason') });
  if (states.length > 0) return states;
  const word = foldWord(name);
  const event = callEvents.get(word);
  return event === undefined ? [] : [callOf(event, told, { ...common, agent: endsForAll.has(word) ? null : agent })];
}

function readStatus(told: Fields, common: Pick<CallEvent, 'eventId' | 'at' | 'agent'>): PlatformEvent[] {
  const event = statuses.get(wordOf(told, 'status') ?? unreadable('eventType or status is missing.'));
  return event === undefined ? [] : [callOf(event, told, common)];
}

function callOf(event: CallEvent['event'], told: Fields, common: Pick<CallEvent, 'eventId' | 'at' | 'agent'>): CallEvent {
  const callId = textOf(told, 'engagementId', 'interactionId', 'ucid', 'callId') ?? unreadable('The id of the engagement is missing.');
  const direction = directionOf(wordOf(told, 'direction'));
  const [from, to] = [textOf(told, 'callingNumber', 'ani', 'from', 'sourceAddress'), textOf(told, 'calledNumber', 'dnis', 'to', 'destinationAddress')];
  const [caller, called] = direction === null ? [null, null] : direction === 'inbound' ? [from, to] : [to, from];
  const customer = textOf(told, 'customerNumber') ?? caller;
  return callEvent(event, callId, { ...common, direction, customer, line: called, queue: textOf(told, 'queueName', 'queueId') });
}

/** `auth-token`, as the subscription carries it. Breeze has no place for one: there the address is all. */
function verify({ headers }: PlatformDelivery, secret: string): Verdict {
  const { 'auth-token': given = '' } = headers;
  return given === '' || isSameSecret(given, secret) ? 'ok' : 'mismatch';
}
