import { type CallEvent, type Connector, type PlatformDelivery, type PlatformEvent, UnreadableEvent, type Verdict } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, type Fields, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';
import { isHmacOf } from './secrets.ts';
import { agentState, type StateTable } from './states.ts';

/** A delivery may be this far off its own time, as Cisco asks of receivers. Milliseconds. */
const freshMs = 5 * 60_000;

/** The states of agents and, from `ringing` on, of their voice channel. */
export const webexccStates: StateTable = [
  { theirs: 'LoggedOut', state: 'offline' },
  { theirs: 'Idle', state: 'not_ready', settable: true },
  { theirs: 'RONA', state: 'not_ready', reason: 'no_answer' },
  { theirs: 'Available', state: 'ready', settable: true },
  { theirs: 'Reserved', state: 'reserved' },
  { theirs: 'Engaged', state: 'on_call' },
  { theirs: 'EngagedOther', state: 'on_call' },
  { theirs: 'WrapUp', state: 'wrap_up' },
  { theirs: 'ringing', state: 'reserved' },
  { theirs: 'connected', state: 'on_call' },
  { theirs: 'on-hold', state: 'on_call' },
  { theirs: 'hold-done', state: 'on_call' },
  { theirs: 'consulting', state: 'on_call' },
  { theirs: 'conferencing', state: 'on_call' },
  { theirs: 'not-responding', state: 'not_ready', reason: 'no_answer' },
  { theirs: 'wrapup', state: 'wrap_up' },
];

/** `task:new` and `task:parked` wait in a queue: nothing rings at an agent. */
const taskEvents = new Map<string, CallEvent['event']>([
  ['task:connect', 'ringing'],
  ['task:connected', 'answered'],
  ['task:on-hold', 'held'],
  ['task:hold-done', 'resumed'],
  ['task:ended', 'ended'],
  ['task:failed', 'ended'],
]);

/** Webex Contact Center: webhooks of its subscriptions (CloudEvents), signed with the secret of the subscription. */
export const webexcc: Connector = {
  id: 'webexcc',
  name: 'Webex Contact Center',
  tellsStates: true,
  verify,
  read(delivery) {
    const fields = readFields(delivery);
    return readNormalForm(fields, webexccStates) ?? readCloudEvent(fields);
  },
};

function readCloudEvent(fields: Fields): PlatformEvent[] {
  const type = textOf(fields, 'type') ?? unreadable('type is missing.');
  const data = within(fields, 'data');
  // Other channels are chats and e-mails.
  if ((wordOf(data, 'channelType') ?? 'telephony') !== 'telephony') return [];
  const told = { eventId: textOf(fields, 'id'), at: timeOf(data, 'createdTime') ?? timeOf(fields, 'comciscotimestamp', 'time') };
  const agent = agentOf(textOf(data, 'agentId'), textOf(data, 'agentEmailId', 'agentEmail'), textOf(data, 'agentName'));
  if (type === 'agent:logout') return agentState(webexccStates, agent, 'LoggedOut', told);
  if (type === 'agent:login' || type === 'agent:channel_state_change') {
    // Who has signed in is idle at first.
    const state = textOf(data, 'currentState') ?? (type === 'agent:login' ? 'Idle' : unreadable('currentState is missing.'));
    return agentState(webexccStates, agent, state, { ...told, reason: textOf(data, 'auxCodeName', 'idleCodeName') });
  }
  const event = taskEvents.get(type);
  if (event === undefined) return [];
  const callId = textOf(data, 'taskId') ?? unreadable('taskId is missing.');
  const direction = directionOf(wordOf(data, 'direction'));
  const [origin, destination] = [textOf(data, 'origin'), textOf(data, 'destination')];
  const [customer, line] = direction === null ? [null, null] : direction === 'inbound' ? [origin, destination] : [destination, origin];
  const queue = textOf(data, 'queueName', 'queueId');
  const cause = type === 'task:failed' ? causeOf(wordOf(data, 'reason', 'terminationType')) : null;
  return [callEvent(event, callId, { ...told, direction, customer, line, agent, queue, cause })];
}

/** RONA: the call was redirected since the agent did not answer. */
function causeOf(reason: string | null): CallEvent['cause'] {
  return reason !== null && /^rona|no_answer|not_respond/.test(reason) ? 'no_answer' : 'failed';
}

/**
 * `X-WebexCC-Signature` is lower-case hex of HMAC-SHA256 over the raw body. `X-WebexCC-Timestamp`, which is not signed itself, has to be
 * the time in the body, and fresh.
 */
function verify(delivery: PlatformDelivery, secret: string): Verdict {
  const { 'x-webexcc-signature': signature = '', 'x-webexcc-timestamp': stamp = '' } = delivery.headers;
  if (signature === '') return 'missing';
  if (!isHmacOf(delivery.body, secret, signature)) return 'mismatch';
  if (!/^\d{13}$/.test(stamp)) return 'stale';
  if (stampIn(delivery) !== stamp) return 'mismatch';
  return Math.abs(delivery.receivedAt - Number(stamp)) <= freshMs ? 'ok' : 'stale';
}

function stampIn(delivery: PlatformDelivery): string | null {
  try {
    return textOf(readFields(delivery), 'comciscotimestamp');
  } catch (error) {
    if (error instanceof UnreadableEvent) return null;
    throw error;
  }
}
