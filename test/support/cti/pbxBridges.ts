import type { Sent } from './platforms.ts';

/**
 * What bridges of PBXs post that were made for Zammad, request by request, written by hand after what they do: the
 * bridge of Asterisk's queues (martinvonwittich/asterisk-zammad-cti-bridge), and that of 3CX
 * (qmexnetworks/3cx-zammad-bridge).
 */

const form = (fields: Record<string, string>): Sent => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});
const json = (fields: object): Sent => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(fields),
});

/**
 * Who calls is told once, with the queue, before anybody is on the call; who answers, with nothing else.
 * @param member as Asterisk names a member of a queue
 */
export function asteriskQueue({ customer, queue, member }: { customer: string; queue: string; member: string }) {
  const callId = `${queue}1545241916.41`;
  return {
    callId,
    newCall: form({ event: 'newCall', from: customer, to: queue, direction: 'in', callId }),
    // It strips the technology of SIP alone.
    answer: form({ event: 'answer', direction: 'in', user: member.replace(/^SIP\//, ''), callId }),
    completed: form({ event: 'hangup', direction: 'in', callId, cause: 'normalClearing' }),
    abandoned: form({ event: 'hangup', direction: 'in', callId, cause: 'cancel' }),
  };
}

/**
 * The same id under two names, the agent by name and extension;
 * of an outbound call that was answered by extension alone, and so of a hangup.
 */
export function threeCx({
  customer,
  name,
  extension,
  direction,
}: {
  customer: string;
  name: string;
  extension: string;
  direction: 'in' | 'out';
}) {
  const callId = '7f0a7a51-6f0e-4c44-9a52-2f3f6f3f9d10';
  const [from, to] = direction === 'in' ? [customer, extension] : [extension, customer];
  const request = (event: string, more: object) =>
    json({ event, from, to, direction, call_id: callId, callid: callId, answeringNumber: extension, ...more });
  return {
    callId,
    newCall: request('newCall', { user: name }),
    answer: request('answer', direction === 'in' ? { user: name } : {}),
    hangup: request('hangup', { cause: 'normalClearing' }),
    cancel: request('hangup', { cause: 'cancel' }),
  };
}
