import type { CallEvent, PlatformEvent } from './connector.ts';
import { agentOf, directionOf, type Fields, foldWord, textOf, timeOf, unreadable } from './reading.ts';
import { agentState, type PlatformState, type StateTable } from './states.ts';

/** What is known of a call event beside what happened to which call. */
export type CallDetails = Partial<Omit<CallEvent, 'kind' | 'event' | 'callId'>>;

/** A call event with what is told, and null for all that is not. */
export function callEvent(event: CallEvent['event'], callId: string, told: CallDetails = {}): CallEvent {
  return {
    eventId: null,
    direction: null,
    customer: null,
    line: null,
    agent: null,
    transferredTo: null,
    queue: null,
    at: null,
    cause: null,
    ...told,
    kind: 'call',
    event,
    callId,
  };
}

/**
 * Of platforms that tell what a call is now, and not what happened: a call that is up has been answered, and is not held (any more).
 * The second of the two has no id of the platform's: it would look like a repetition.
 * @param answeredAt when it was answered; milliseconds, null: not told
 */
export function upNow(callId: string, told: CallDetails, answeredAt: number | null): CallEvent[] {
  return [callEvent('answered', callId, { ...told, at: answeredAt }), callEvent('resumed', callId, { ...told, eventId: null, at: null })];
}

const calls = new Map<string, { event: CallEvent['event']; cause?: CallEvent['cause'] }>([
  ['ringing', { event: 'ringing' }],
  ['answered', { event: 'answered' }],
  ['held', { event: 'held' }],
  ['resumed', { event: 'resumed' }],
  ['transferred', { event: 'transferred' }],
  ['ended', { event: 'ended' }],
  ['missed', { event: 'ended', cause: 'no_answer' }],
  ['rejected', { event: 'ended', cause: 'rejected' }],
]);
const causes = ['answered_elsewhere', 'busy', 'no_answer', 'rejected', 'canceled', 'failed'] as const;
const ownStates: StateTable = (['offline', 'not_ready', 'ready', 'reserved', 'on_call', 'wrap_up'] satisfies PlatformState[]).map((state) => ({ theirs: state, state }));

/**
 * The gateway's own form, in which its recipes have platforms tell, as JSON or as a form: `event` (`ringing`, `answered`, `held`,
 * `resumed`, `transferred`, `ended`, `missed`, `rejected`, `wrap_up`, `agent_state`), `call_id`, `event_id`, `agent_id`, `agent_email`,
 * `agent_name`, `direction`, `customer_number`, `called_number`, `queue`, `at`, `cause`, `transferred_to`, `state`, `reason`.
 * Null: it is another form. Throws `UnreadableEvent` where what it needs is missing.
 * @param states the platform's own names of states, which `state` may have too
 */
export function readNormalForm(fields: Fields, states: StateTable): PlatformEvent[] | null {
  const word = foldWord(textOf(fields, 'event') ?? '');
  const agent = agentOf(textOf(fields, 'agent_id', 'vendor_agent_id'), textOf(fields, 'agent_email'), textOf(fields, 'agent_name'));
  const common = { eventId: textOf(fields, 'event_id', 'vendor_event_id'), at: timeOf(fields, 'at') };
  if (word === 'agent_state') {
    const state = textOf(fields, 'state') ?? unreadable('A state is missing.');
    return agentState([...states, ...ownStates], agent ?? unreadable('An agent is missing.'), state, { ...common, reason: textOf(fields, 'reason') });
  }
  if (word === 'wrap_up' && agent !== null) return agentState(ownStates, agent, word, common);
  const told = calls.get(word);
  if (told === undefined || !('call_id' in fields || 'vendor_call_id' in fields)) return null;
  const callId = textOf(fields, 'call_id', 'vendor_call_id') ?? unreadable('The id of the call is missing.');
  const cause = told.event === 'ended' ? (told.cause ?? causeOf(textOf(fields, 'cause'))) : null;
  return [
    callEvent(told.event, callId, {
      ...common,
      direction: directionOf(foldWord(textOf(fields, 'direction') ?? '')),
      customer: textOf(fields, 'customer_number'),
      line: textOf(fields, 'called_number'),
      agent,
      transferredTo: told.event === 'transferred' ? agentOf(textOf(fields, 'transferred_to')) : null,
      queue: textOf(fields, 'queue'),
      cause,
    }),
  ];
}

function causeOf(text: string | null): CallEvent['cause'] {
  const word = foldWord(text ?? '');
  return causes.find((one) => one === word) ?? null;
}
