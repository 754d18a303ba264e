import type { Clock } from '../../ports/clock.ts';
import { Call } from './call.ts';
import type { CallBook } from './callBook.ts';
import type { OpenMedia } from './media.ts';
import { behaviourOf, refusalOf } from './numbers.ts';
import type { Registrar } from './registrar.ts';
import type { SipConnection } from './sipConnection.ts';
import { headerOf, parameterIn, parseAddress, type SipRequest, userOf } from './sipMessage.ts';
import { allowedMethods, type Answer, carrierContact, type HeaderLines } from './sipText.ts';

/** How long things take at the carrier. Milliseconds. */
export type Timings = {
  /** A number rings before it answers. */
  ring: number;
  /** A number that hangs up talks. */
  talk: number;
  /** A call whose page is gone is kept, so that the page that comes after a reload finds it. */
  keep: number;
  /** A call to an agent rings. */
  patience: number;
  /** A telephone takes to acknowledge that its call was answered, or to tell how one ended. */
  acknowledge: number;
};

export const usualTimings: Timings = { ring: 1_000, talk: 2_000, keep: 15_000, patience: 20_000, acknowledge: 10_000 };

export type CallNeeds = { clock: Clock; openMedia: OpenMedia; book: CallBook; registrar: Registrar; timings: Timings };

/** What a telephone learns of the carrier with every answer that makes or keeps a dialog. */
export const dialogHeaders: HeaderLines = [
  ['Contact', carrierContact],
  ['Allow', allowedMethods],
  ['Supported', 'replaces'],
];

/**
 * Takes an INVITE that begins a call, of an agent to a number or to another agent;
 * resolves when it is answered or over.
 */
export async function takeCall(
  needs: CallNeeds & { callAgent: (call: Call & { invite: SipRequest }) => Promise<void> },
  connection: SipConnection,
  invite: SipRequest,
): Promise<void> {
  const { book, registrar } = needs;
  const { user } = invite.from;
  connection.reply(invite, { status: 100, reason: 'Trying' });
  const refuse = (status: number, reason: string) => connection.reply(invite, { status, reason, tag: 'refused' });
  if (user === null || !registrar.isAt(user, connection)) return refuse(403, 'Register First');
  if (book.findEarly(invite.callId, invite.from.tag) !== null) return refuse(482, 'Loop Detected');
  const contact = parseAddress(headerOf(invite, 'contact') ?? '');
  if (contact === null) return refuse(400, 'Contact Is No Address');
  if (book.isFull) return refuse(503, 'Too Many Calls');

  const replaces = headerOf(invite, 'replaces');
  if (replaces !== null) return takeOver(needs, { connection, invite, user, target: contact.uri, replaces });
  const number = userOf(invite.uri) ?? '';
  const refusal = refusalOf(behaviourOf(number));
  if (refusal !== null) return refuse(refusal.status, refusal.reason);
  const others = book.ofUser(user);
  const lasting = others.filter((other) => other.connection.isOpen);
  // Beside a customer on hold, somebody may be asked.
  if (lasting.length > 1 || lasting.some(({ isOnHold }) => !isOnHold)) return refuse(403, 'One Call at a Time');
  // Of a page that is gone and that nobody came back for.
  for (const other of others) if (!lasting.includes(other)) other.end();
  const call = openCall(needs, { connection, invite, user, number, target: contact.uri });
  await (registrar.find(number) === null
    ? ring(needs, call, invite)
    : needs.callAgent(Object.assign(call, { invite })));
}

/** A CANCEL: stops the ringing. */
export function cancelCall({ book }: Pick<CallNeeds, 'book'>, connection: SipConnection, cancel: SipRequest): void {
  const call = book.findEarly(cancel.callId, cancel.from.tag);
  const invite = call?.invite ?? null;
  if (call === null || call.state !== 'early' || invite?.branch !== cancel.branch) {
    connection.reply(cancel, { status: 481, reason: 'Nothing to Cancel' });
    return;
  }
  connection.reply(cancel, { status: 200, reason: 'OK', tag: call.localTag });
  connection.reply(invite, { status: 487, reason: 'Request Terminated', tag: call.localTag });
  call.end();
}

type NewCall = { connection: SipConnection; invite: SipRequest; user: string; number: string; target: string };

function openCall({ clock, openMedia, book }: CallNeeds, { connection, invite, user, number, target }: NewCall): Call {
  const call = new Call({
    clock,
    openMedia,
    connection,
    user,
    number,
    callId: invite.callId,
    localParty: invite.to.text,
    remoteParty: invite.from.text,
    remoteTag: invite.from.tag,
    target,
    invite,
  });
  book.add(call);
  return call;
}

async function ring(needs: CallNeeds, call: Call, invite: SipRequest): Promise<void> {
  call.connection.reply(invite, { status: 180, reason: 'Ringing', tag: call.localTag, headers: dialogHeaders });
  if (behaviourOf(call.number) === 'never_answers') return;
  const [sdp] = await Promise.all([call.answerTo(invite.body), call.pause(needs.timings.ring)]);
  answer(needs, call, invite, sdp);
}

/**
 * A page that was loaded anew takes the place of the one before it (RFC 3891): its INVITE names that one's dialog,
 * and is answered at once.
 */
async function takeOver(needs: CallNeeds, requested: Omit<NewCall, 'number'> & { replaces: string }): Promise<void> {
  const { connection, invite, user, replaces } = requested;
  const callId = replaces.split(';')[0]?.trim() ?? '';
  const localTag = parameterIn(replaces, 'to-tag');
  const old = needs.book.find({ callId, localTag, remoteTag: parameterIn(replaces, 'from-tag') });
  if (old === null || old.user !== user || !old.isLive || old.isBeingReplaced) {
    return connection.reply(invite, { status: 481, reason: 'No Such Call to Replace', tag: 'refused' });
  }
  old.isBeingReplaced = true;
  const call = openCall(needs, { ...requested, number: old.number });
  const isAnswered = answer(needs, call, invite, await call.answerTo(invite.body));
  old.isBeingReplaced = false;
  if (!isAnswered) return;
  const { peer } = old;
  old.peer = null;
  call.join(peer);
  old.hangUp();
}

/** @param sdp null: the offer cannot be answered. @returns whether it is answered */
export function answer(
  { timings }: Pick<CallNeeds, 'timings'>,
  call: Call,
  invite: SipRequest,
  sdp: string | null,
): boolean {
  // Canceled meanwhile, and told so.
  if (call.state !== 'early') return false;
  const more: Pick<Answer, 'tag' | 'headers'> = { tag: call.localTag, headers: dialogHeaders };
  if (sdp === null) {
    call.connection.reply(invite, { status: 488, reason: 'Not Acceptable Here', tag: call.localTag });
    call.end();
    return false;
  }
  call.state = 'answered';
  call.connection.reply(invite, { status: 200, reason: 'OK', ...more, body: sdp });
  // A page that never acknowledges has forgotten the call.
  call.later(timings.acknowledge, () => {
    if (call.state === 'answered') call.hangUp();
  });
  if (behaviourOf(call.number) === 'hangs_up') call.later(timings.talk, () => call.hangUp());
  return true;
}

type InDialogNeeds = Pick<CallNeeds, 'book' | 'registrar'> & {
  refer: (call: Call, request: SipRequest) => Promise<void>;
};

/**
 * A request of a telephone about a call that it is in: acknowledges, holds, resumes, sends tones, hands on, hangs up.
 */
export async function takeInDialog(
  needs: InDialogNeeds,
  connection: SipConnection,
  request: SipRequest,
): Promise<void> {
  const { callId, to, from, method } = request;
  const call = needs.book.find({ callId, localTag: to.tag, remoteTag: from.tag });
  if (method === 'ACK') {
    if (call?.state === 'answered') call.state = 'confirmed';
    return;
  }
  const refuse = (status: number, reason: string) => connection.reply(request, { status, reason });
  if (call === null) return refuse(481, 'No Such Call');
  if (call.connection !== connection) {
    if (!needs.registrar.isAt(call.user, connection)) return refuse(403, 'Register First');
    call.moveTo(connection);
  }
  // RFC 3261, 12.2.2: it was overtaken.
  if (request.cseq.number <= call.remoteCseq) return refuse(500, 'Out of Order');
  call.remoteCseq = request.cseq.number;
  await serve(needs, call, connection, request);
}

async function serve(needs: InDialogNeeds, call: Call, connection: SipConnection, request: SipRequest): Promise<void> {
  switch (request.method) {
    case 'BYE':
      connection.reply(request, { status: 200, reason: 'OK' });
      return call.end();
    case 'INVITE':
      return renegotiate(call, connection, request);
    case 'UPDATE':
      // Without an offer it only tells that the telephone is still there.
      if (request.body !== '') return renegotiate(call, connection, request);
      return connection.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders });
    case 'REFER':
      return needs.refer(call, request);
    case 'INFO':
    case 'OPTIONS':
      return connection.reply(request, { status: 200, reason: 'OK' });
    default:
      return connection.reply(request, {
        status: 405,
        reason: 'Method Not Allowed',
        headers: [['Allow', allowedMethods]],
      });
  }
}

/** Hold and resume. */
async function renegotiate(call: Call, connection: SipConnection, request: SipRequest): Promise<void> {
  if (!call.isLive || call.isNegotiating) return connection.reply(request, { status: 491, reason: 'Request Pending' });
  const sdp = await call.answerTo(request.body);
  if (!call.isLive) return connection.reply(request, { status: 481, reason: 'No Such Call' });
  if (sdp === null) return connection.reply(request, { status: 488, reason: 'Not Acceptable Here' });
  call.isOnHold = /^a=(?:sendonly|inactive)\r?$/m.test(request.body);
  connection.reply(request, { status: 200, reason: 'OK', headers: dialogHeaders, body: sdp });
}
