import { five9Account } from './accounts/five9.ts';
import type { CallEvent, Connector, StateTable } from './connector.ts';
import { callEvent, directionOf, readNormalForm } from './normalForm.ts';
import {
  agentOf,
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

const states: StateTable = {
  logged_out: { state: 'offline' },
  relogin: { state: 'offline' },
  select_station: { state: 'offline' },
  not_ready: { state: 'not_ready' },
  ready: { state: 'ready' },
  ringing: { state: 'reserved' },
  on_call: { state: 'on_call' },
  acw: { state: 'wrap_up' },
};

/**
 * Five9: web connectors that post a form with the names of the gateway’s own form, and the agents’ page,
 * which posts that as JSON, or what the toolkit told it (`{"event": "ringing", "call": {…}}`).
 */
export const five9: Connector = {
  id: 'five9',
  name: 'Five9',
  verify: null,
  states,
  account: five9Account,
  read(delivery) {
    const fields = filled(readFields(delivery));
    return readNormalForm(fields, states) ?? readPage(fields);
  },
};

/** By the page's names, and by those of the toolkit's events and of the web connectors' triggers. */
const callEvents: Readonly<Record<string, { event: CallEvent['event']; cause?: CallEvent['cause'] }>> = {
  ringing: { event: 'ringing' },
  call_started: { event: 'ringing' },
  answered: { event: 'answered' },
  call_accepted: { event: 'answered' },
  on_call_accepted: { event: 'answered' },
  rejected: { event: 'ended', cause: 'rejected' },
  call_rejected: { event: 'ended', cause: 'rejected' },
  ended: { event: 'ended' },
  call_ended: { event: 'ended' },
  on_call_disconnected: { event: 'ended' },
};

function readPage(fields: Fields): CallEvent[] {
  const told = lookUp(callEvents, wordOf(fields, 'event') ?? unreadable('event is missing.'));
  // When the agent says how it went, the call is over already.
  if (told === undefined) return [];
  const all: Fields = { ...fields, ...within(fields, 'call') };
  const callId =
    textOf(all, 'callId', 'call_id', 'callSessionId', 'interactionId', 'id', 'sessionId') ??
    unreadable('the id of the call is missing.');
  const direction = directionOf(wordOf(all, 'direction', 'callType', 'type', 'type_name'));
  // `ani` is who calls; of an outbound call that is the company.
  const customer = direction === 'outbound' ? textOf(all, 'dnis', 'number') : textOf(all, 'ani');
  const agent = agentOf(
    textOf(all, 'agent_id', 'agentId'),
    textOf(all, 'agent_email', 'agentEmail'),
    textOf(all, 'agent_name', 'agentName'),
  );
  const queue = textOf(all, 'queue', 'campaignName', 'campaign_name', 'skillName');
  return [
    callEvent(told.event, callId, {
      direction,
      customer,
      dialedNumber: direction === 'outbound' ? null : textOf(all, 'dnis'),
      agent,
      queue,
      at: timeOf(all, 'at', 'timestamp'),
      cause: told.cause ?? null,
    }),
  ];
}

/** Without the variables that Five9 had nothing to put in for, e.g. `@Call.ANI@`. */
function filled(fields: Fields): Fields {
  const isFilled = (value: unknown) => !(typeof value === 'string' && /^@[\w. ]+@$/.test(value));
  const clean = (part: Fields) => Object.fromEntries(Object.entries(part).filter(([, value]) => isFilled(value)));
  const call = fieldsOf(lookUp(fields, 'call'));
  return call === null ? clean(fields) : { ...clean(fields), call: clean(call) };
}
