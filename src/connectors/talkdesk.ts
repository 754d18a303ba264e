import type { CallEvent, Connector } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import {
  agentOf,
  durationOf,
  type Fields,
  fieldsOf,
  lookUp,
  readFields,
  textOf,
  timeOf,
  unreadable,
  within,
  wordOf,
} from './reading.ts';

/** No trigger tells that it rings at an agent. */
const callEvents: Readonly<Record<string, CallEvent['event']>> = {
  inbound_call_reaches_contact_center: 'ringing',
  inbound_call_starts: 'answered',
  inbound_call_ends: 'ended',
  outbound_call_ends: 'ended',
};

/**
 * Talkdesk: triggers whose message is a template of ours; all that it fills in is text. It tells that agents log
 * in and out, and never that one is free for calls: that says too little of what an agent does, so that their
 * states stay their softphones'.
 */
export const talkdesk: Connector = {
  id: 'talkdesk',
  name: 'Talkdesk',
  verify: null,
  states: {},
  account: null,
  read(delivery) {
    const fields = filled(readFields(delivery));
    const normal = readNormalForm(fields, {});
    if (normal !== null) return normal;
    const name = wordOf(fields, 'event') ?? unreadable('event is missing.');
    const agent = agentOf(textOf(fields, 'agent_id'), textOf(fields, 'agent_email'), textOf(fields, 'agent_name'));
    const at = timeOf(fields, 'timestamp', 'start_time');
    const event = lookUp(callEvents, name);
    if (event === undefined) return [];
    const callId = textOf(fields, 'call_id', 'interaction_id') ?? unreadable('call_id is missing.');
    const direction = name.startsWith('outbound') ? 'outbound' : 'inbound';
    const talkMs = event === 'ended' ? durationOf(fields, 1_000, 'duration') : null;
    return [
      callEvent(event, callId, {
        direction,
        customer: textOf(fields, 'contact_phone_number'),
        agent: event === 'ringing' ? null : agent,
        at,
        talkMs,
      }),
    ];
  },
};

/**
 * A template is written as a JSON schema; where it comes back as one, the values are its defaults.
 * What was not filled in is left out.
 */
function filled(fields: Fields): Fields {
  const properties = within(fields, 'properties');
  const values =
    Object.keys(properties).length === 0
      ? fields
      : Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, fieldsOf(value)?.['default']]));
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => !(typeof value === 'string' && /^\{\{.*\}\}$/.test(value))),
  );
}
