import { niceAccount } from './accounts/nice.ts';
import type { CallEvent, Connector, PlatformAgentRef, PlatformEvent, StateTable } from './connector.ts';
import { agentState, type CallDetails, callEvent, readNormalForm, upNow } from './normalForm.ts';
import {
  agentOf,
  type Fields,
  flagOf,
  listOf,
  lookUp,
  readFields,
  textOf,
  timeOf,
  unreadable,
  wordOf,
} from './reading.ts';

const states: StateTable = {
  logged_out: { state: 'offline' },
  available: { state: 'ready' },
  unavailable: { state: 'not_ready' },
  working: { state: 'not_ready' },
  inbound_contact: { state: 'on_call' },
  outbound_contact: { state: 'on_call' },
  inbound_consult: { state: 'on_call' },
  outbound_consult: { state: 'on_call' },
  dialer: { state: 'on_call' },
  acw: { state: 'wrap_up' },
};

const contactStates: Readonly<Record<string, CallEvent['event']>> = {
  incoming: 'ringing',
  dialing: 'ringing',
  active: 'answered',
  holding: 'held',
  disconnected: 'ended',
  call_back_disconnected: 'ended',
};

/**
 * NICE CXone: REST actions of a Studio script in the gateway's own form,
 * and the events of an agent's session as its API gives them.
 */
export const nice: Connector = {
  id: 'nice',
  name: 'NICE CXone',
  verify: null,
  states,
  account: niceAccount,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, states);
    if (normal !== null) return normal;
    if (!Array.isArray(fields['events'])) return unreadable('events are missing.');
    // The session's events do not name its agent: whoever passes them on says whose they are.
    const agent = agentOf(textOf(fields, 'agentId', 'agent_id') ?? delivery.query.get('agent'));
    return listOf(fields['events']).flatMap((event) => readSessionEvent(event, agent));
  },
};

function readSessionEvent(told: Fields, agent: PlatformAgentRef | null): PlatformEvent[] {
  switch (wordOf(told, 'Type')) {
    case 'agent_state': {
      const at = timeOf(told, 'StartTimeUTC', 'StartTime');
      return agentState(states, agent, flagOf(told, 'IsAcw') === true ? 'acw' : textOf(told, 'CurrentState'), {
        at,
        reason: textOf(told, 'CurrentOutReason'),
      });
    }
    case 'call_contact_event': {
      const event = lookUp(contactStates, wordOf(told, 'Status'));
      const callId = textOf(told, 'ContactID');
      if (event === undefined || callId === null) return [];
      // A contact's own start is the same in all that is told of it, also where it comes to the agent a second time.
      const at = timeOf(told, 'LastStateChangeTimeUTC', 'LastStateChangeTime');
      const isInbound = flagOf(told, 'IsInbound');
      const way = isInbound ? 'inbound' : 'outbound';
      const direction = isInbound === null ? null : way;
      const details: CallDetails = {
        direction,
        customer: direction === null ? null : textOf(told, direction === 'outbound' ? 'DNIS' : 'ANI'),
        dialedNumber: direction === 'inbound' ? textOf(told, 'DNIS') : null,
        agent,
        queue: textOf(told, 'SkillName', 'Skill'),
        at,
      };
      return event === 'answered' ? upNow(callId, details) : [callEvent(event, callId, details)];
    }
    case 'agent_session_end':
      return agentState(states, agent, 'logged_out', { at: timeOf(told, 'StartTimeUTC', 'StartTime') });
    default:
      return [];
  }
}
