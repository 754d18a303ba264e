import { createHmac, timingSafeEqual } from 'node:crypto';
import { webexccAccount } from './accounts/webexcc.ts';
import type { CallEvent, Connector, PlatformDelivery, StateTable, Verdict } from './connector.ts';
import { agentState, callEvent, directionOf, readNormalForm } from './normalForm.ts';
import { agentOf, fieldsOf, lookUp, readFields, textOf, timeOf, unreadable, within, wordOf } from './reading.ts';

/** A delivery may be this far off its own time, as Cisco asks of receivers. Milliseconds. */
const freshMs = 300_000;

const states: StateTable = {
  logged_out: { state: 'offline' },
  idle: { state: 'not_ready' },
  available: { state: 'ready' },
  reserved: { state: 'reserved' },
  ringing: { state: 'reserved' },
  connected: { state: 'on_call' },
  engaged: { state: 'on_call' },
  engaged_other: { state: 'on_call' },
  on_hold: { state: 'on_call' },
  hold_done: { state: 'on_call' },
  consulting: { state: 'on_call' },
  conferencing: { state: 'on_call' },
  wrapup: { state: 'wrap_up' },
  wrap_up: { state: 'wrap_up' },
  rona: { state: 'not_ready', reason: 'no_answer' },
};

const taskEvents: Readonly<Record<string, CallEvent['event']>> = {
  'task:new': 'ringing',
  'task:parked': 'ringing',
  'task:connect': 'ringing',
  'task:connected': 'answered',
  'task:on-hold': 'held',
  'task:hold-done': 'resumed',
  'task:ended': 'ended',
  'task:failed': 'ended',
};

/** Webex Contact Center: webhooks of its subscriptions (CloudEvents), signed with the secret of the subscription. */
export const webexcc: Connector = {
  id: 'webexcc',
  name: 'Webex Contact Center',
  verify,
  states,
  account: webexccAccount,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, states);
    if (normal !== null) return normal;
    const type = textOf(fields, 'type') ?? unreadable('type is missing.');
    const data = within(fields, 'data');
    const eventId = textOf(fields, 'id');
    const agent = agentOf(
      textOf(data, 'agentId'),
      textOf(data, 'agentEmailId', 'agentEmail'),
      textOf(data, 'agentName'),
    );
    const at = timeOf(data, 'createdTime') ?? timeOf(fields, 'comciscotimestamp');
    const channel = wordOf(data, 'channelType') ?? 'telephony';
    if (channel !== 'telephony') return [];
    if (type === 'agent:login') return agentState(states, agent, 'idle', { at, eventId, reason: 'login' });
    if (type === 'agent:logout') return agentState(states, agent, 'logged_out', { at, eventId });
    if (type.startsWith('agent:')) {
      return agentState(states, agent, textOf(data, 'currentState'), {
        at,
        eventId,
        reason: textOf(data, 'auxCodeName', 'idleCodeName'),
      });
    }
    const event = lookUp(taskEvents, type);
    if (event === undefined) return [];
    const callId = textOf(data, 'taskId') ?? unreadable('taskId is missing.');
    const direction = directionOf(wordOf(data, 'direction'));
    const customer = direction === null ? null : textOf(data, direction === 'outbound' ? 'destination' : 'origin');
    // Of a task in a queue no agent is told, and none is meant.
    const whose = type === 'task:new' || type === 'task:parked' ? null : agent;
    return [
      callEvent(event, callId, {
        eventId,
        direction,
        customer,
        dialedNumber: direction === 'inbound' ? textOf(data, 'destination') : null,
        agent: whose,
        queue: textOf(data, 'queueName', 'queueId'),
        at,
        cause: type === 'task:failed' ? 'no_answer' : null,
      }),
    ];
  },
};

/**
 * `X-WebexCC-Signature`: lower-case hex of HMAC-SHA256 over the raw body;
 * `X-WebexCC-Timestamp` is the time in the body, and fresh.
 */
function verify({ body, headers, receivedAt }: PlatformDelivery, secret: string): Verdict {
  const given = headers['x-webexcc-signature'];
  if (given === undefined || given === '') return 'missing';
  const expected = createHmac('sha256', secret).update(body).digest();
  const told = Buffer.from(/^[0-9a-f]{64}$/.test(given) ? given : '', 'hex');
  if (told.length !== expected.length || !timingSafeEqual(told, expected)) return 'mismatch';
  const stamp = headers['x-webexcc-timestamp'];
  const isFresh = stamp !== undefined && /^\d{10,14}$/.test(stamp) && Math.abs(receivedAt - Number(stamp)) <= freshMs;
  if (!isFresh) return 'stale';
  return readStamp(body) === stamp ? 'ok' : 'stale';
}

function readStamp(body: Buffer): string | null {
  try {
    return textOf(fieldsOf(JSON.parse(body.toString('utf8'))) ?? {}, 'comciscotimestamp');
  } catch {
    return null;
  }
}
