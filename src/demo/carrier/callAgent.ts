import type { Call } from './call.ts';
import type { Ringer, RingResult } from './ringAgent.ts';
import { headerOf, type SipRequest } from './sipMessage.ts';
import { answer, type CallNeeds, dialogHeaders } from './takeCall.ts';

/**
 * By which an agent's softphone says which call rings at a colleague (forCallHeader in
 * web/src/lib/sip/jssip/sipCall.ts).
 */
const forCallHeader = 'x-readyline-call';

/** What the telephone of who calls is told of a colleague who does not answer. */
const refusals: Readonly<Record<Exclude<RingResult, 'answered'>, { status: number; reason: string }>> = {
  away: { status: 480, reason: 'Temporarily Unavailable' },
  busy: { status: 486, reason: 'Busy Here' },
  canceled: { status: 487, reason: 'Request Terminated' },
  declined: { status: 603, reason: 'Decline' },
  failed: { status: 500, reason: 'Server Error' },
  no_answer: { status: 480, reason: 'No Answer' },
  not_registered: { status: 480, reason: 'Temporarily Unavailable' },
  passed_on: { status: 480, reason: 'Temporarily Unavailable' },
};

/** An agent calls another one, who is rung; they hear each other once that one has answered. */
export async function callAgent(
  needs: Pick<CallNeeds, 'timings'> & { ringer: Ringer },
  call: Call & { invite: SipRequest },
): Promise<void> {
  const { invite } = call;
  const forCall = headerOf(invite, forCallHeader);
  const headers = forCall === null ? [] : [['X-Readyline-Call', forCall] as const];
  const ringing = needs.ringer.ring(call.number, { from: call.user, name: nameIn(invite.from.text), headers });
  call.whenEnded(() => ringing.cancel());
  call.connection.reply(invite, { status: 180, reason: 'Ringing', tag: call.localTag, headers: dialogHeaders });
  const [sdp, result] = await Promise.all([call.answerTo(invite.body), ringing.result]);
  const theirs = ringing.call;
  if (result === 'answered' && theirs !== null && answer(needs, call, invite, sdp)) return call.join(theirs);
  theirs?.hangUp();
  if (call.state !== 'early' || result === 'answered') return;
  call.connection.reply(invite, { ...refusals[result], tag: call.localTag });
  call.end();
}

/** The display name of an address; null: there is none. */
function nameIn(address: string): string | null {
  return /^\s*"((?:[^"\\]|\\.)*)"/.exec(address)?.[1]?.replace(/\\(.)/g, '$1') ?? null;
}
