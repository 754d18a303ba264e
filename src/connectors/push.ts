import { type CallEvent, type Connector, type PlatformAgentRef } from './connector.ts';
import { callEvent, directionOf, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, lookUp, readFields, textOf, timeOf, unreadable, wordOf } from './reading.ts';

/**
 * The push that bridges of PBXs speak which were made for Zammad's generic CTI (asterisk, 3cx, FreePBX and others): `event` `newCall`,
 * `answer` or `hangup`, `callId`, `direction` `in` or `out`, `from`, `to`, `user`, `answeringNumber`, `queue`, `cause`; as a form or JSON.
 */
export const push: Connector = {
  id: 'push',
  name: 'PBX',
  verify: null,
  states: {},
  settable: null,
  account: null,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, {});
    if (normal !== null) return normal;
    const callId = textOf(fields, 'callId', 'call_id', 'callid') ?? unreadable('callId is missing.');
    const direction = directionOf(wordOf(fields, 'direction')) ?? unreadable('direction must be in or out.');
    const customer = textOf(fields, direction === 'inbound' ? 'from' : 'to');
    const told = { direction, customer, queue: textOf(fields, 'queue'), at: timeOf(fields, 'timestamp', 'date') };
    const event = wordOf(fields, 'event');
    switch (event) {
      case 'new_call':
      case 'newcall': {
        const agents = agentsOf(fields, direction);
        return agents.length === 0 ? [callEvent('ringing', callId, told)] : agents.map((agent) => callEvent('ringing', callId, { ...told, agent }));
      }
      case 'answer':
        return [callEvent('answered', callId, { ...told, agent: whoAnswered(fields, direction) })];
      case 'hangup':
        // At everybody's: whoever names one here names the one who answered.
        return [callEvent('ended', callId, { ...told, cause: lookUp(causes, wordOf(fields, 'cause')) ?? null })];
      default:
        return unreadable('event must be newCall, answer or hangup.');
    }
  },
};

/** The number that answered where the PBX names several: one of them did, and it is not told which. */
function whoAnswered(fields: Fields, direction: CallEvent['direction']): PlatformAgentRef | null {
  const [first = null, ...others] = agentsOf(fields, direction);
  return others.length === 0 ? first : agentOf(textOf(fields, 'answeringNumber'));
}

/** By name as far as the PBX tells one, else by number. */
function agentsOf(fields: Fields, direction: CallEvent['direction']): PlatformAgentRef[] {
  const { user } = fields;
  const names = Array.isArray(user) ? user.slice(0, 50).map((name) => textOf({ name }, 'name')) : [textOf(fields, 'user')];
  const named = names.flatMap((name) => (name === null ? [] : [agentOf(name, null, name)]));
  const number = textOf(fields, 'answeringNumber', ...(direction === 'outbound' ? ['from'] : []));
  const found = named.length > 0 ? named : [agentOf(number)];
  return found.filter((agent) => agent !== null);
}

const causes: Readonly<Record<string, CallEvent['cause']>> = {
  busy: 'busy',
  cancel: 'canceled',
  no_answer: 'no_answer',
  not_found: 'failed',
  congestion: 'failed',
  rejected: 'rejected',
};
