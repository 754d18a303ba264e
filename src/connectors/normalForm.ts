import { platformCauses } from '../contract/platforms.ts';
import type { AgentState } from '../contract/vocabulary.ts';
import type { AgentStateEvent, CallEvent, PlatformEvent, StateTable } from './connector.ts';
import { agentOf, durationOf, type Fields, lookUp, stateName, textOf, timeOf, unreadable, wordOf } from './reading.ts';

/**
 * The form in which the gateway's own recipes have platforms tell, and that everybody may post: `event` (`ringing`,
 * `answered`, `held`, `resumed`, `transferred`, `ended` or `agent_state`) with `call_id`, `agent_id`, `agent_email`,
 * `agent_name`, `direction`, `customer_number`, `dialed_number`, `queue`, `at`, `cause`, `talk_seconds`,
 * `transferred_to`, `state`, `reason`, `event_id`. As JSON or as a form.
 */
const callEvents: Readonly<Record<string, CallEvent['event']>> = {
  ringing: 'ringing',
  answered: 'answered',
  held: 'held',
  resumed: 'resumed',
  transferred: 'transferred',
  ended: 'ended',
};

/** What is told of a call beside what happened to which call. */
export type CallDetails = Partial<Omit<CallEvent, 'kind' | 'event' | 'callId'>>;

/** A call event with what is told, and null for the rest. */
export function callEvent(event: CallEvent['event'], callId: string, told: CallDetails = {}): CallEvent {
  return {
    kind: 'call',
    event,
    callId,
    eventId: null,
    direction: null,
    customer: null,
    dialedNumber: null,
    agent: null,
    transferredTo: null,
    queue: null,
    at: null,
    cause: null,
    talkMs: null,
    ...told,
  };
}

/**
 * Of platforms that tell what a call is now, and not what happened: a call that is up has been answered,
 * and is not held (any more).
 * @param since when it came to be up, where that is told of a call that was held, too;
 * null: the time is that of the answer
 */
export function upNow(callId: string, told: CallDetails, since: number | null = null): CallEvent[] {
  return [callEvent('answered', callId, told), callEvent('resumed', callId, { ...told, eventId: null, at: since })];
}

/** What that state of a platform is here; null: it is none that matters. */
export function agentState(
  states: StateTable,
  agent: AgentStateEvent['agent'] | null,
  told: string | null,
  details: { reason?: string | null; at?: number | null; eventId?: string | null } = {},
): AgentStateEvent[] {
  const found = told === null ? undefined : lookUp(states, stateName(told));
  if (agent === null || found === undefined) return [];
  const reason = found.state === 'not_ready' ? (found.reason ?? details.reason ?? null) : null;
  return [
    {
      kind: 'agent_state',
      eventId: details.eventId ?? null,
      agent,
      state: found.state,
      reason,
      at: details.at ?? null,
    },
  ];
}

/** The gateway's own names of the states. */
const ownStates: StateTable = Object.fromEntries(
  (['offline', 'not_ready', 'ready', 'reserved', 'on_call', 'wrap_up'] satisfies AgentState[]).map((state) => [
    state,
    { state },
  ]),
);

/** Reads the form; null: it is another one. @param states the platform's own names of states, beside the gateway's */
export function readNormalForm(fields: Fields, states: StateTable): PlatformEvent[] | null {
  const word = wordOf(fields, 'event');
  const agent = agentOf(textOf(fields, 'agent_id'), textOf(fields, 'agent_email'), textOf(fields, 'agent_name'));
  const common = { eventId: textOf(fields, 'event_id'), at: timeOf(fields, 'at') };
  if (word === 'agent_state') {
    return agentState(
      { ...ownStates, ...states },
      agent ?? unreadable('an agent is missing.'),
      textOf(fields, 'state') ?? unreadable('a state is missing.'),
      { ...common, reason: textOf(fields, 'reason') },
    );
  }
  const event = lookUp(callEvents, word);
  if (event === undefined || !('call_id' in fields)) return null;
  const callId = textOf(fields, 'call_id') ?? unreadable('the id of the call is missing.');
  const direction = directionOf(wordOf(fields, 'direction'));
  const talkMs = durationOf(fields, 1_000, 'talk_seconds');
  const cause = platformCauses.find((one) => one === wordOf(fields, 'cause')) ?? null;
  const target = textOf(fields, 'transferred_to');
  const customer = textOf(fields, 'customer_number');
  const dialedNumber = direction === 'outbound' ? null : textOf(fields, 'dialed_number');
  const queue = textOf(fields, 'queue');
  return [
    callEvent(event, callId, {
      ...common,
      direction,
      customer,
      dialedNumber,
      agent,
      queue,
      cause,
      talkMs,
      transferredTo: agentOf(target),
    }),
  ];
}

/** In many words of many platforms; null: not told. */
export function directionOf(word: string | null): CallEvent['direction'] {
  if (word === null) return null;
  if (/^(?:in|inbound|incoming|true|acd_in|preroute_acd_in)$/.test(word)) return 'inbound';
  return /^(?:out|outbound|outgoing|false|out_dial|outdial)$/.test(word) ? 'outbound' : null;
}
