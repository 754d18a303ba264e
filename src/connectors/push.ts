import { type CallEvent, type Connector, type PlatformAgentRef } from './connector.ts';
import { callEvent, directionOf, readNormalForm } from './normalForm.ts';
import { agentOf, type Fields, lookUp, readFields, textOf, timeOf, unreadable, wordOf } from './reading.ts';

/**
 * The push that bridges of PBXs speak which were made for Zammad's generic CTI (asterisk, 3cx, FreePBX and others):
 * `event` `newCall`, `answer` or `hangup`, `callId` (or `call_id`), `direction` `in` or `out`, `from`, `to`, `user`,
 * `answeringNumber`, `queue`, `cause`; as a form or JSON. Some say only once who calls: what is told later of that call
 * lacks it.
 */
export const push: Connector = {
  id: 'push',
  name: 'PBX',
  verify: null,
  states: {},
  account: null,
  namesAreIds: true,
  read(delivery) {
    const fields = readFields(delivery);
    const normal = readNormalForm(fields, {});
    if (normal !== null) return normal;
    const callId = textOf(fields, 'callId', 'call_id', 'callid') ?? unreadable('callId is missing.');
    const direction = directionOf(wordOf(fields, 'direction')) ?? unreadable('direction must be in or out.');
    const customer = textOf(fields, direction === 'inbound' ? 'from' : 'to');
    const called = calledOf(fields, direction);
    // A bridge that watches queues alone says `to` which of them somebody called.
    const isQueue = called !== null && /^\p{L}/u.test(called);
    const told = {
      direction,
      customer,
      dialedNumber: isQueue ? null : called,
      queue: textOf(fields, 'queue') ?? (isQueue ? called : null),
      at: timeOf(fields, 'timestamp', 'date'),
    };
    const event = wordOf(fields, 'event');
    switch (event) {
      case 'new_call':
      case 'newcall': {
        const agents = agentsOf(fields, direction);
        return agents.length === 0
          ? [callEvent('ringing', callId, told)]
          : agents.map((agent) => callEvent('ringing', callId, { ...told, agent }));
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

/** What was called, a number or a queue's name; null: outbound, not told, or who is called, as some bridges say. */
function calledOf(fields: Fields, direction: CallEvent['direction']): string | null {
  const to = direction === 'inbound' ? textOf(fields, 'to') : null;
  return agentsOf(fields, direction).some(({ id, name }) => to === id || to === name) ? null : to;
}

/** The number that answered where the PBX names several: one of them did, and it is not told which. */
function whoAnswered(fields: Fields, direction: CallEvent['direction']): PlatformAgentRef | null {
  const [first = null, ...others] = agentsOf(fields, direction);
  return others.length === 0 ? first : agentOf(textOf(fields, 'answeringNumber'));
}

/** By number and name of the one who is told of; of several by their names alone: the number is of one of them. */
function agentsOf(fields: Fields, direction: CallEvent['direction']): PlatformAgentRef[] {
  const { user } = fields;
  const told = Array.isArray(user)
    ? user.slice(0, 50).map((name) => textOf({ name }, 'name'))
    : [textOf(fields, 'user')];
  const names = told.flatMap((name) => (name === null ? [] : [plainName(name)]));
  const number = textOf(fields, 'answeringNumber', ...(direction === 'outbound' ? ['from'] : []));
  const [name = null] = names;
  return (
    names.length > 1 ? names.map((one) => agentOf(one, null, one)) : [agentOf(number ?? name, null, name)]
  ).filter((agent) => agent !== null);
}

/**
 * Asterisk's name of a member of a queue without how it is reached: `PJSIP/1001` and
 * `Local/1001@from-queue/n` are 1001.
 */
function plainName(name: string): string {
  return /^(?:PJSIP|SIP|IAX2|Local|Agent)\/([^@/]+)/i.exec(name)?.[1] ?? name;
}

const causes: Readonly<Record<string, CallEvent['cause']>> = {
  busy: 'busy',
  cancel: 'canceled',
  no_answer: 'no_answer',
  not_found: 'failed',
  congestion: 'failed',
  rejected: 'rejected',
  forwarded: 'forwarded',
};
