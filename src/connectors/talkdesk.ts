import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, fieldsOf, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';
import { inState, type StateTable } from './states.ts';

export const talkdeskStates: StateTable = [
  { theirs: 'Offline', state: 'offline' },
  { theirs: 'Available', state: 'ready' },
  { theirs: 'Away', state: 'not_ready', reason: 'away' },
  { theirs: 'On a Call', state: 'on_call' },
  { theirs: 'After Call Work', state: 'wrap_up' },
];

/** No trigger tells that a call rings at an agent: `inboundCallReachesContactCenter` is before one is chosen. */
const events = new Map<string, { event: CallEvent['event']; direction: CallEvent['direction'] }>([
  ['inbound_call_starts', { event: 'answered', direction: 'inbound' }],
  ['inbound_call_ends', { event: 'ended', direction: 'inbound' }],
  ['outbound_call_ends', { event: 'ended', direction: 'outbound' }],
]);

/** Talkdesk: triggers whose message is a template of ours; all that it fills in is text. */
export const talkdesk: Connector = {
  id: 'talkdesk',
  name: 'Talkdesk',
  tellsStates: false,
  verify: null,
  read(delivery) {
    const fields = filled(readFields(delivery));
    return readNormalForm(fields, talkdeskStates) ?? readTrigger(fields);
  },
};

function readTrigger(fields: Fields): PlatformEvent[] {
  const name = wordOf(fields, 'event') ?? unreadable('event is missing.');
  const agent = agentOf(textOf(fields, 'agent_id'), textOf(fields, 'agent_email'), textOf(fields, 'agent_name'));
  const at = timeOf(fields, 'timestamp');
  // What they do after they have signed in is not told.
  if (name === 'agent_log_in') return inState(agent, 'not_ready', { at });
  if (name === 'agent_log_out') return inState(agent, 'offline', { at });
  const told = events.get(name);
  if (told === undefined) return [];
  const callId = textOf(fields, 'call_id', 'interaction_id') ?? unreadable('call_id is missing.');
  const numbers = { customer: textOf(fields, 'contact_phone_number'), line: textOf(fields, 'talkdesk_phone_number') };
  return [callEvent(told.event, callId, { direction: told.direction, ...numbers, agent, queue: textOf(fields, 'ring_group', 'queue'), at })];
}

/** The message is written as a JSON schema; where it comes back as one, the values are its defaults. What was not filled in is left out. */
function filled(fields: Fields): Fields {
  const properties = Object.entries(within(fields, 'properties'));
  const values = properties.length === 0 ? Object.entries(fields) : properties.map(([name, schema]) => [name, fieldsOf(schema)?.['default']] as const);
  return Object.fromEntries(values.filter(([, value]) => !(typeof value === 'string' && /^\{\{.*\}\}$/s.test(value))));
}
