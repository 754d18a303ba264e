import type { CallEvent, Connector, PlatformEvent } from './connector.ts';
import { finesseCall, readUpdate } from './finesse.ts';
import { readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, type Fields, readFields, textOf, textOfBody, timeOf, unreadable, wordOf } from './reading.ts';
import { type StateTable } from './states.ts';

/** On hold UCCX still says TALKING. */
export const ciscoStates: StateTable = [
  { theirs: 'LOGOUT', state: 'offline', settable: true },
  { theirs: 'NOT_READY', state: 'not_ready', settable: true },
  { theirs: 'READY', state: 'ready', settable: true },
  { theirs: 'RESERVED', state: 'reserved' },
  { theirs: 'RESERVED_OUTBOUND', state: 'reserved' },
  { theirs: 'RESERVED_OUTBOUND_PREVIEW', state: 'reserved' },
  { theirs: 'TALKING', state: 'on_call' },
  { theirs: 'HOLD', state: 'on_call' },
  { theirs: 'WORK', state: 'wrap_up' },
  { theirs: 'WORK_READY', state: 'wrap_up' },
];

/** Cisco Finesse: its notifications of users and dialogs (XML, alone or as XMPP carries it), and what the gateway's gadget posts (JSON). */
export const cisco: Connector = {
  id: 'cisco',
  name: 'Cisco Finesse',
  tellsStates: true,
  verify: null,
  read(delivery): PlatformEvent[] {
    const text = textOfBody(delivery);
    if (text.startsWith('<')) return readUpdate(text, ciscoStates);
    const fields = readFields(delivery);
    return readNormalForm(fields, ciscoStates) ?? readGadget(fields);
  },
};

const events = new Map<string, CallEvent['event']>([
  ['ringing', 'ringing'],
  ['answered', 'answered'],
  ['held', 'held'],
  ['resumed', 'resumed'],
  ['ended', 'ended'],
]);

/** `event`, `dialog_id`, `state`, `agent_id`, `from`, `to`, and `call_type` where the gadget knows it. */
function readGadget(fields: Fields): CallEvent[] {
  const event = events.get(wordOf(fields, 'event') ?? '') ?? unreadable('event must be ringing, answered, held, resumed or ended.');
  const callId = textOf(fields, 'dialog_id') ?? unreadable('dialog_id is missing.');
  const state = wordOf(fields, 'state');
  // Only at who is called a dialog is alerting.
  const direction = directionOf(wordOf(fields, 'call_type', 'direction')) ?? (event === 'ringing' && state === 'alerting' ? 'inbound' : null);
  const told = { direction, from: textOf(fields, 'from'), to: textOf(fields, 'to'), line: null };
  return [finesseCall(event, callId, told, { agent: agentOf(textOf(fields, 'agent_id')), at: timeOf(fields, 'at'), cause: state === 'failed' ? 'failed' : null })];
}
