import type { Call } from './call.ts';
import type { CallBook } from './callBook.ts';
import { behaviourOf, refusalOf } from './numbers.ts';
import type { Registrar } from './registrar.ts';
import type { Ringer } from './ringAgent.ts';
import { headerOf, parameterIn, parseAddress, type SipRequest, userOf } from './sipMessage.ts';

type Needs = { book: CallBook; registrar: Registrar; ringer: Ringer };
type Told = { status: number; reason: string };

const done: Told = { status: 200, reason: 'OK' };

/**
 * An agent hands on whom they talk to (RFC 3515): to another agent, who is rung; to whom they have in a second call,
 * which ends by that (RFC 3891); or to a number. Tells the telephone by NOTIFY how that went; it hangs up then.
 */
export async function refer(needs: Needs, call: Call, request: SipRequest): Promise<void> {
  const refuse = (status: number, reason: string) => call.connection.reply(request, { status, reason });
  const [address = '', query = ''] = (parseAddress(headerOf(request, 'refer-to') ?? '')?.uri ?? '').split('?', 2);
  const number = userOf(address);
  if (number === null) return refuse(400, 'Refer-To Names Nobody');
  if (!call.isLive) return refuse(481, 'No Such Call');
  call.connection.reply(request, { status: 202, reason: 'Accepted' });
  const replaces = /(?:^|&)Replaces=([^&]*)/i.exec(query)?.[1];
  const told =
    replaces === undefined ? await handOn(needs, call, number) : joinOthers(needs, call, decodeURIComponent(replaces));
  if (!call.isLive) return;
  call.send('NOTIFY', {
    headers: [
      ['Event', `refer;id=${String(request.cseq.number)}`],
      ['Subscription-State', 'terminated;reason=noresource'],
    ],
    body: `SIP/2.0 ${String(told.status)} ${told.reason}\r\n`,
    type: 'message/sipfrag;version=2.0',
  });
}

async function handOn({ registrar, ringer }: Needs, call: Call, number: string): Promise<Told> {
  // One answering machine talks to another.
  if (registrar.find(number) === null) return refusalOf(behaviourOf(number)) ?? done;
  const ringing = ringer.ring(number, { from: call.number, name: null });
  const result = await ringing.result;
  if (result !== 'answered' || ringing.call === null) {
    return result === 'busy'
      ? { status: 486, reason: 'Busy Here' }
      : { status: 480, reason: 'Temporarily Unavailable' };
  }
  if (!call.isLive) {
    ringing.call.hangUp();
    return done;
  }
  give(call, ringing.call);
  return done;
}

/** @param replaces the agent's second call, by its dialog */
function joinOthers({ book }: Needs, call: Call, replaces: string): Told {
  const callId = replaces.split(';')[0]?.trim() ?? '';
  const second = book.find({
    callId,
    localTag: parameterIn(replaces, 'to-tag'),
    remoteTag: parameterIn(replaces, 'from-tag'),
  });
  if (second === null || !second.isLive || second === call || second.user !== call.user)
    return { status: 481, reason: 'No Such Call' };
  const theirs = second.peer;
  second.peer = null;
  give(call, theirs);
  second.hangUp();
  return done;
}

/** Puts another agent's call in the place of the one that is handed on; null: an answering machine is there. */
function give(call: Call, theirs: Call | null): void {
  const { peer } = call;
  call.peer = null;
  if (theirs === null) return peer?.join(null);
  theirs.number = call.number;
  theirs.join(peer);
}
