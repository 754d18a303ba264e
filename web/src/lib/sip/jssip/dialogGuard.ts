import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { URI } from 'jssip/lib/URI.js';
import { insideOf, waitingForAck, type DialogInside, type IncomingRequestInside as Request } from './jssipInside.ts';
import { refusalOfOdd } from './oddRequests.ts';
import { referralOf, type Referral } from './referral.ts';
import { asksTooShort, leastSessionSeconds } from './sessionTimer.ts';

type Listener = {
  /** The call shall go on with somebody else. */
  onReferral: (referral: Referral) => void;
  /** Another call of the telephone network shall take the place of this one. @param request its INVITE */
  onReplacement: (request: Request) => void;
};

/** JsSIP's state of a request that a final answer other than 200 has gone to. */
const completed = 5;
const aMomentLater = ['Retry-After: 1'];

/**
 * Stands before what JsSIP makes of the requests in a call, where that is wrong, or too little.
 * @param hosts of the telephone network
 */
export function guardRequests(session: RTCSession, hosts: ReadonlySet<string>, listener: Listener): void {
  const inside = insideOf(session);
  const receive = inside.receiveRequest.bind(session);
  inside.receiveRequest = (given) => {
    const request = given as Request;
    if (request.method === 'REFER') return refer(session, request, hosts, listener.onReferral);
    const refusal = refusalOfOdd(request);
    if (refusal !== null) return request.reply(refusal);
    // Outside of the call, and about it.
    if (request.method === 'INVITE' && !request.to_tag) {
      return asksTooShort(request) ? refuseTooShort(request) : replace(session, request, listener.onReplacement);
    }
    // The dialog has refused it (491), as an offer of ours is under way; JsSIP would take it all the same.
    if (isOffer(request) && request.server_transaction.state === completed) return;
    if ((request.method === 'INVITE' || request.method === 'UPDATE') && asksTooShort(request)) {
      return refuseTooShort(request);
    }
    if (request.method === 'UPDATE') return update(session, request, () => receive(request));
    // The 200 to the one before it is yet to be acknowledged.
    if (request.method === 'INVITE' && isUnacknowledged(session)) {
      return request.reply(491);
    }
    receive(request);
  };
}

function refuseTooShort(request: Request): void {
  request.reply(422, null, [`Min-SE: ${leastSessionSeconds}`]);
}

function refer(session: RTCSession, request: Request, hosts: ReadonlySet<string>, take: Listener['onReferral']): void {
  const { _dialog: dialog, _contact: contact } = insideOf(session);
  if (dialog === undefined || !session.isEstablished()) return request.reply(403);
  const own = [session.remote_identity.uri.host, dialog._remote_target.host];
  const referral = referralOf(request, dialog, contact, new Set([...hosts, ...own]));
  if (referral !== null) take(referral);
}

function replace(session: RTCSession, request: Request, take: Listener['onReplacement']): void {
  const dialog = dialogMeant(session, request);
  const isOurs = session.direction === ('outgoing' as never);
  const code =
    dialog === undefined ? 481 : refusalOfReplacement(request, { dialog, isAnswered: session.isEstablished(), isOurs });
  if (code === null) take(request);
  else request.reply(code);
}

/** A call that rings may have several: one for each telephone that does. */
function dialogMeant(session: RTCSession, { replaces }: Request): DialogInside | undefined {
  const { _dialog: dialog, _earlyDialogs: early } = insideOf(session);
  return dialog ?? Object.values(early).find(({ id }) => id.remote_tag === replaces?.from_tag);
}

/**
 * An UPDATE (RFC 3311) may come before the call is answered, too.
 * JsSIP would not let it change the other side's address.
 */
function update(session: RTCSession, request: Request, take: () => void): void {
  const contact = request.parseHeader<{ uri: URI } | undefined>('contact');
  const { _dialog: dialog } = insideOf(session);
  const isConfirmed = session.isEstablished() && !isUnacknowledged(session);
  if (isConfirmed) {
    if (contact !== undefined && dialog !== undefined) dialog._remote_target = contact.uri;
    return take();
  }
  if (!isOffer(request)) return request.reply(200, null, [`Contact: ${insideOf(session)._contact}`]);
  // Of ours, or of theirs that is not answered yet.
  if (session.direction === ('outgoing' as never)) request.reply(491);
  else request.reply(500, null, aMomentLater);
}

function isOffer({ method, body }: Request): boolean {
  return method === 'INVITE' || (method === 'UPDATE' && body !== '');
}

function isUnacknowledged(session: RTCSession): boolean {
  return session.status === waitingForAck;
}

/**
 * Whether an INVITE may take the place of this call (RFC 3891).
 * JsSIP has found the call by the Call-ID, and takes the tags either way round.
 * @returns the code to refuse it with; null: it may
 */
function refusalOfReplacement(
  request: Request,
  call: { dialog: DialogInside; isAnswered: boolean; isOurs: boolean },
): number | null {
  const { replaces } = request;
  if (replaces === undefined || request.getHeaders('replaces').length !== 1) return 400;
  const { local_tag: own, remote_tag: theirs } = call.dialog.id;
  if (replaces.to_tag !== own || replaces.from_tag !== theirs) return 481;
  // Of a call that rings here, only the agent decides.
  if (!call.isAnswered) return call.isOurs ? null : 481;
  return replaces.early_only === true ? 486 : null;
}
