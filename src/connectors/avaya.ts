import { timingSafeEqual } from 'node:crypto';
import type { CallEvent, Connector, PlatformDelivery, StateTable, Verdict } from './connector.ts';
import { agentState, callEvent, directionOf, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, lookUp, readFields, stateName, textOf, timeOf, unreadable, within } from './reading.ts';

const states: StateTable = {
  agent_logged_out: { state: 'offline' },
  agent_logged_in: { state: 'not_ready', reason: 'login' },
  agent_not_ready: { state: 'not_ready' },
  agent_ready: { state: 'ready' },
};

const callEvents: Readonly<Record<string, CallEvent['event']>> = {
  agent_participant_invited: 'ringing',
  agent_participant_added: 'answered',
  agent_participant_removed: 'ended',
  inbound_engagement_created: 'ringing',
  engagement_ended: 'ended',
  interaction_created: 'ringing',
  interaction_completed: 'ended',
  call_alerting: 'ringing',
  participant_dropped: 'ended',
  status_alerting: 'ringing',
  status_connected: 'answered',
  status_held: 'held',
  status_ended: 'ended',
};

/**
 * Avaya Experience Platform and Infinity: the events that their subscriptions name. Their fields are not published
 * whole, so they are looked for under several names; the element for Infinity posts the status of an interaction, or
 * the gateway’s own form.
 */
export const avaya: Connector = {
  id: 'avaya',
  name: 'Avaya',
  verify,
  states,
  account: null,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, states);
    if (normal !== null) return normal;
    const name = stateName(
      textOf(fields, 'eventType', 'event', 'eventName', 'type') ??
        statusOf(fields) ??
        unreadable('eventType or status is missing.'),
    );
    const told: Fields = {
      ...within(fields, 'data'),
      ...within(fields, 'eventBody'),
      ...within(fields, 'payload'),
      ...fields,
    };
    const agent = agentOf(
      textOf(told, 'agentId', 'userId', 'connectionId', 'user'),
      textOf(told, 'agentEmail', 'email'),
      textOf(told, 'agentName', 'displayName'),
    );
    const common = {
      eventId: textOf(told, 'eventId', 'notificationId'),
      at: timeOf(told, 'eventDate', 'eventTime', 'timestamp', 'occurredAt'),
    };
    if (lookUp(states, name) !== undefined)
      return agentState(states, agent, name, { ...common, reason: textOf(told, 'reasonCode', 'reason') });
    const event = lookUp(callEvents, name);
    if (event === undefined) return [];
    const callId =
      textOf(told, 'engagementId', 'interactionId', 'ucid', 'callId', 'contactId') ??
      unreadable('the id of the engagement is missing.');
    const direction = directionOf(stateName(textOf(told, 'direction') ?? ''));
    const other =
      direction === 'outbound'
        ? ['calledNumber', 'dnis', 'to', 'destinationAddress']
        : ['callingNumber', 'ani', 'from', 'sourceAddress'];
    const customer = textOf(told, 'customerNumber', ...other);
    const isOfQueue = name === 'inbound_engagement_created' || name === 'interaction_created';
    return [
      callEvent(event, callId, {
        ...common,
        direction,
        customer,
        dialedNumber: direction === 'inbound' ? textOf(told, 'calledNumber', 'dnis') : null,
        agent: isOfQueue ? null : agent,
        queue: textOf(told, 'queueName', 'queueId'),
      }),
    ];
  },
};

/** Avaya Breeze: calls alone, without a token beside the address, since its callbacks carry none. */
export const breeze: Connector = { ...avaya, id: 'breeze', name: 'Avaya Breeze', verify: null, states: {} };

/** The element for Infinity posts the status of an interaction: `{"interactionId": "…", "status": "alerting"}`. */
function statusOf(fields: Fields): string | null {
  const status = textOf(fields, 'status');
  return status === null ? null : `status_${status}`;
}

/** The subscription's `auth-token`, as it was issued. */
function verify({ headers }: PlatformDelivery, secret: string): Verdict {
  const given = headers['auth-token'];
  if (given === undefined || given === '') return 'missing';
  const [told, expected] = [Buffer.from(given), Buffer.from(secret)];
  return told.length === expected.length && timingSafeEqual(told, expected) ? 'ok' : 'mismatch';
}
