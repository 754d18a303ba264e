import type { CallEvent, Connector, PlatformAgentRef, PlatformEvent } from './connector.ts';
import { callEvent, readNormalForm, upNow } from './normalForm.ts';
import { agentOf, asText, directionOf, type Fields, objectsWithin, readFields, textOf, timeOf, unreadable, wordOf } from './reading.ts';
import { agentState, type StateTable } from './states.ts';

export const niceStates: StateTable = [
  { theirs: 'LoggedOut', state: 'offline' },
  { theirs: 'Available', state: 'ready', settable: true },
  { theirs: 'Unavailable', state: 'not_ready', settable: true },
  { theirs: 'Working', state: 'not_ready', reason: 'working' },
  { theirs: 'InboundContact', state: 'on_call' },
  { theirs: 'OutboundContact', state: 'on_call' },
  { theirs: 'InboundConsult', state: 'on_call' },
  { theirs: 'OutboundConsult', state: 'on_call' },
  { theirs: 'Dialer', state: 'on_call' },
  { theirs: 'IsAcw', state: 'wrap_up' },
];

/**
 * NICE CXone: REST actions of a Studio script in the gateway's own form, and the events of an agent's session as its API gives them
 * (`{"agentId", "events": […]}`, or the agent in the address: `?agent=`, since the session's events do not name it).
 */
export const nice: Connector = {
  id: 'nice',
  name: 'NICE CXone',
  tellsStates: true,
  verify: null,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, niceStates);
    if (normal !== null) return normal;
    if (!Array.isArray(fields['events'])) return unreadable('events are missing.');
    const agent = agentOf(textOf(fields, 'agentId', 'agent_id') ?? asText(delivery.query.get('agent')));
    return objectsWithin(fields, 'events').flatMap((event) => readSessionEvent(event, agent));
  },
};

function readSessionEvent(told: Fields, agent: PlatformAgentRef | null): PlatformEvent[] {
  const at = timeOf(told, 'StartTimeUTC', 'startTimeUTC');
  switch (wordOf(told, 'Type', 'type')) {
    case 'agent_state': {
      const isWrapUp = wordOf(told, 'IsAcw', 'isAcw') === 'true' || told['IsAcw'] === true;
      const state = isWrapUp ? 'IsAcw' : textOf(told, 'CurrentState', 'currentState');
      return agentState(niceStates, agent, state, { at, reason: textOf(told, 'CurrentOutReason', 'currentOutReason') });
    }
    case 'agent_session_end':
      return agentState(niceStates, agent, 'LoggedOut', { at });
    case 'call_contact_event':
      return readContact(told, agent, at);
    default:
      return [];
  }
}

/** It tells what the contact is now, and when it began to ring; since when it is what it is now, is not told. */
function readContact(told: Fields, agent: PlatformAgentRef | null, startedAt: number | null): CallEvent[] {
  const callId = textOf(told, 'ContactID', 'contactID', 'contactId') ?? unreadable('ContactID is missing.');
  const isInbound = told['IsInbound'];
  const direction = directionOf(typeof isInbound === 'boolean' ? String(isInbound) : wordOf(told, 'IsInbound', 'isInbound'));
  const [ani, dnis] = [textOf(told, 'ANI', 'ani'), textOf(told, 'DNIS', 'dnis')];
  const [customer, line] = direction === null ? [null, null] : direction === 'inbound' ? [ani, dnis] : [dnis, ani];
  const details = { direction, customer, line, agent, queue: textOf(told, 'SkillName', 'Skill', 'skill') };
  switch (wordOf(told, 'Status', 'status')) {
    case 'incoming':
    case 'dialing':
      return [callEvent('ringing', callId, { ...details, at: startedAt })];
    case 'active':
      return upNow(callId, details, null);
    case 'holding':
      return [callEvent('held', callId, details)];
    case 'disconnected':
    case 'call_back_disconnected':
      return [callEvent('ended', callId, details)];
    default:
      return [];
  }
}
