import type { CallEvent, Connector, PlatformAgentRef } from './connector.ts';
import { callEvent, readNormalForm } from './normalForm.ts';
import { agentOf, directionOf, type Fields, readFields, textOf, textsWithin, timeOf, unreadable, wordOf } from './reading.ts';

/**
 * The push that bridges of PBXs speak which were made for Zammad's generic CTI: `event` `newCall`, `answer` or `hangup`, `callId`,
 * `direction` `in` or `out`, `from`, `to`, `user`, `answeringNumber`, `queue`, `cause`; as a form or as JSON.
 */
export const push: Connector = {
  id: 'push',
  name: 'PBX',
  tellsStates: false,
  verify: null,
  read(delivery) {
    const fields = readFields(delivery);
    return readNormalForm(fields, []) ?? readPush(fields);
  },
};

function readPush(fields: Fields): CallEvent[] {
  const event = wordOf(fields, 'event');
  if (event !== 'new_call' && event !== 'answer' && event !== 'hangup') return unreadable('event must be newCall, answer or hangup.');
  const callId = textOf(fields, 'callId', 'call_id', 'callid') ?? unreadable('callId is missing.');
  const direction = directionOf(wordOf(fields, 'direction')) ?? unreadable('direction must be in or out.');
  const [from, to] = [textOf(fields, 'from'), textOf(fields, 'to')];
  const [customer, line] = direction === 'inbound' ? [from, to] : [to, from];
  const told = { direction, customer, line, queue: textOf(fields, 'queue'), at: timeOf(fields, 'timestamp', 'date') };
  if (event === 'hangup') {
    // Of everybody: the call is over, whomever of those at whom it rang the bridge names.
    return [callEvent('ended', callId, { ...told, cause: causes.get(wordOf(fields, 'cause') ?? '') ?? null })];
  }
  const agents = agentsOf(fields);
  if (event === 'answer') return [callEvent('answered', callId, { ...told, agent: agents.length === 1 ? (agents[0] ?? null) : null })];
  return agents.length === 0 ? [callEvent('ringing', callId, told)] : agents.map((agent) => callEvent('ringing', callId, { ...told, agent }));
}

/** By the names that the bridge gives while it rings, so that who answers is known again; else by number or e-mail address. */
function agentsOf(fields: Fields): PlatformAgentRef[] {
  const named = Array.from(new Set(textsWithin(fields, 'user')), (name) => agentOf(null, null, name));
  const found = named.length > 0 ? named : [agentOf(textOf(fields, 'answeringNumber', 'answering_number'))];
  return found.filter((agent) => agent !== null);
}

/** `forwarded` and `normalClearing` say nothing of why. */
const causes = new Map<string, CallEvent['cause']>([
  ['busy', 'busy'],
  ['cancel', 'canceled'],
  ['no_answer', 'no_answer'],
  ['rejected', 'rejected'],
  ['congestion', 'failed'],
  ['not_found', 'failed'],
]);
