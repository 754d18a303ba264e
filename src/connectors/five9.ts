import type { CallEvent, Connector } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, fieldsOf, type Fields, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';
import { type StateTable } from './states.ts';

export const five9States: StateTable = [
  { theirs: 'LOGGED_OUT', state: 'offline' },
  { theirs: 'RELOGIN', state: 'offline' },
  { theirs: 'SELECT_STATION', state: 'offline' },
  { theirs: 'NOT_READY', state: 'not_ready', settable: true },
  { theirs: 'READY', state: 'ready', settable: true },
  { theirs: 'RINGING', state: 'reserved' },
  { theirs: 'ON_CALL', state: 'on_call' },
  { theirs: 'ACW', state: 'wrap_up' },
];

/** Five9: what the agents' page posts of the toolkit's events (JSON), and web connectors that post the gateway's own form. */
export const five9: Connector = {
  id: 'five9',
  name: 'Five9',
  tellsStates: false,
  verify: null,
  read(delivery) {
    const fields = filled(readFields(delivery));
    return readNormalForm(fields, five9States) ?? readPage(fields);
  },
};

/** By the page's names, and by those of the toolkit's events and of the web connectors' triggers. */
const events = new Map<string, { event: CallEvent['event']; cause?: CallEvent['cause'] }>([
  ['ringing', { event: 'ringing' }],
  ['call_started', { event: 'ringing' }],
  ['answered', { event: 'answered' }],
  ['call_accepted', { event: 'answered' }],
  ['on_call_accepted', { event: 'answered' }],
  ['rejected', { event: 'ended', cause: 'rejected' }],
  ['call_rejected', { event: 'ended', cause: 'rejected' }],
  ['ended', { event: 'ended' }],
  ['call_ended', { event: 'ended' }],
  ['on_call_disconnected', { event: 'ended' }],
]);

function readPage(fields: Fields): CallEvent[] {
  const word = wordOf(fields, 'event') ?? unreadable('event is missing.');
  const told = events.get(word);
  // When the agent has said how it went, the call has ended before.
  if (told === undefined) return [];
  const call = within(fields, 'call');
  const all: Fields = { ...fields, ...call };
  const callId = textOf(all, 'callId', 'call_id', 'callSessionId', 'interactionId', 'id', 'sessionId') ?? unreadable('The id of the call is missing.');
  const direction = directionOf(wordOf(all, 'direction', 'callType', 'type', 'type_name'));
  // `ani` is the caller; of an outbound call that is the company.
  const [ani, dnis] = [textOf(all, 'ani'), textOf(all, 'dnis', 'number')];
  const [customer, line] = direction === 'outbound' ? [dnis, ani] : [ani, dnis];
  return [
    callEvent(told.event, callId, {
      direction,
      customer,
      line,
      agent: agentOf(textOf(all, 'agent_id', 'agentId'), textOf(all, 'agent_email', 'agentEmail'), textOf(all, 'agent_name', 'agentName')),
      queue: textOf(all, 'queue', 'campaignName', 'campaign_name', 'skillName'),
      at: timeOf(all, 'at', 'timestamp'),
      cause: told.cause ?? null,
    }),
  ];
}

/** Without the variables that Five9 had nothing to put in for, e.g. `@Call.ANI@`. */
function filled(fields: Fields): Fields {
  const isLeft = (value: unknown) => !(typeof value === 'string' && /^@[\w. ]+@$/.test(value));
  const clean = (part: Fields) => Object.fromEntries(Object.entries(part).filter(([, value]) => isLeft(value)));
  const call = fieldsOf(fields['call']);
  return call === null ? clean(fields) : { ...clean(fields), call: clean(call) };
}
