import type { CallEvent } from './connector.ts';
import { callEvent, upNow } from './normalForm.ts';
import { agentOf, directionOf, type Fields, objectsWithin, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';

/**
 * A user's own part of a conversation (topic `v2.users.{id}.conversations.calls`), the latest of them. It tells what is, and comes
 * again whenever something about the conversation changes.
 */
export function readConversation(body: Fields, userId: string, eventId: string | null): CallEvent[] {
  const callId = textOf(body, 'id') ?? unreadable('The id of the conversation is missing.');
  const participants = objectsWithin(body, 'participants');
  const own = participants.findLast((one) => userIdOf(one) === userId);
  if (own === undefined) return [];
  const customer = participants.find((one) => ['customer', 'external'].includes(wordOf(one, 'purpose') ?? ''));
  const told = {
    eventId,
    direction: directionOf(wordOf(own, 'direction')),
    customer: customer === undefined ? null : textOf(customer, 'address', 'ani'),
    agent: agentOf(userId, null, textOf(within(own, 'user'), 'name') ?? textOf(own, 'name')),
    queue: textOf(within(own, 'queue'), 'name', 'id'),
  };
  switch (wordOf(own, 'state')) {
    case 'alerting':
    case 'dialing':
    case 'contacting':
      return [callEvent('ringing', callId, { ...told, at: timeOf(own, 'startAlertingTime', 'startTime') })];
    case 'connected':
      if (own['held'] === true) return [callEvent('held', callId, { ...told, at: timeOf(own, 'startHoldTime') })];
      return upNow(callId, told, timeOf(own, 'connectedTime'));
    case 'disconnected':
    case 'terminated': {
      const { event, cause } = causeOfDisconnect(wordOf(own, 'disconnectType'));
      return [callEvent(event, callId, { ...told, at: timeOf(own, 'endTime'), cause })];
    }
    default:
      return [];
  }
}

function userIdOf(participant: Fields): string | null {
  return textOf(within(participant, 'user'), 'id') ?? textOf(participant, 'userId');
}

/** What the end of an agent's leg means; whom a call was transferred to is not told. @param type folded; null: not told */
export function causeOfDisconnect(type: string | null): Pick<CallEvent, 'event' | 'cause'> {
  switch (type) {
    case 'transfer':
    case 'transfer_conference':
    case 'transfer_consult':
    case 'transfer_forward':
      return { event: 'transferred', cause: null };
    case 'transfer_noanswer':
    case 'timeout':
      return { event: 'ended', cause: 'no_answer' };
    case 'transfer_notavailable':
    case 'transport_failure':
    case 'error':
    case 'uncallable':
      return { event: 'ended', cause: 'failed' };
    default:
      return { event: 'ended', cause: null };
  }
}
