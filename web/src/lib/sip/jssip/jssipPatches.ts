import { C, type UA } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { URI } from 'jssip/lib/URI.js';
import { inviteAgain } from './inviteAgain.ts';
import { insideOf, insideOfTelephone, type RequestHandlers, type SessionInside, tagsOf } from './jssipInside.ts';
import { takenBodies } from './reading/message.ts';
import { leastOf } from './sessionTimer.ts';

export type SessionLosses = {
  /** A tone was refused, or did not arrive. */
  onToneLost: () => void;
  /** The other side was not told that the call is over. */
  onByeLost: () => void;
  /** The line broke before the INVITE was answered for good. @param invite as it went */
  onInviteLost: (invite: string) => void;
};

/**
 * JsSIP ends a call when one of its requests is refused or lost on the way: a call made sturdy by this goes on. And one
 * that is given up stays so, though it is answered in the same moment.
 */
export function keepThroughLosses(session: RTCSession, losses: SessionLosses): void {
  const inside = insideOf(session);
  const handlers: Partial<Record<string, RequestHandlers>> = {
    INFO: {
      onErrorResponse: losses.onToneLost,
      onTransportError: losses.onToneLost,
      onRequestTimeout: losses.onToneLost,
    },
    BYE: { onTransportError: losses.onByeLost, onRequestTimeout: losses.onByeLost },
  };
  const send = inside.sendRequest.bind(session);
  inside.sendRequest = (method, options = {}) =>
    send(method, { ...options, eventHandlers: { ...options.eventHandlers, ...handlers[method] } });
  const failBecauseOfLine = inside.onTransportError.bind(session);
  inside.onTransportError = () => {
    losses.onInviteLost(inside._request.toString());
    failBecauseOfLine();
  };
  const terminate = session.terminate.bind(session);
  session.terminate = (options) => {
    // JsSIP hangs up where ICE has failed. That may heal: `VoiceWatch` sees to it, and the agent hangs up.
    if (options?.cause === C.causes.RTP_TIMEOUT) return;
    // It hangs up, too, where a description turns out to be none after the call has ended,
    // and would throw where nobody catches it.
    if (session.isEnded()) return;
    const isGivenUp = session.direction === ('outgoing' as never) && session.isInProgress();
    terminate(options);
    // The customer's answer may cross the CANCEL. JsSIP hangs up on it only where this is set,
    // which it forgets after a 1xx.
    if (isGivenUp) inside._is_canceled = true;
  };
}

/** JsSIP's state of an INVITE that has gone out, and that nothing has answered. */
const calling = 3;

/** @returns the INVITE as it went, while not even a provisional answer has come; else null */
export function unheardInvite(session: RTCSession): string | null {
  const { _request: request } = insideOf(session);
  return request.transaction?.state === calling ? request.toString() : null;
}

/** Asks for a longer session where the network wants one (422), as RFC 4028 has it: the same call, and once. */
export function dialAgainForLonger(session: RTCSession): void {
  const inside = insideOf(session);
  const receive = inside._receiveInviteResponse.bind(session);
  let isAgain = false;
  inside._receiveInviteResponse = (response: IncomingResponse) => {
    if (response.hasHeader('contact')) followTo(inside, response);
    // JsSIP would drop it without a word: the customer has answered, and the page rings on.
    else {
      Object.assign((response as IncomingResponse & { headers: object }).headers, {
        Contact: [{ raw: `<${String(response.to.uri)}>`, parsed: response.to }],
      });
    }
    const least = leastOf(response);
    if (least === null || isAgain || !session.isInProgress() || inside._is_canceled) return receive(response);
    isAgain = true;
    inviteAgain(inside, (invite) => {
      invite.extraHeaders = [
        ...invite.extraHeaders.filter((header) => !/^(?:session-expires|min-se):/i.test(header)),
        `Session-Expires: ${least}`,
        `Min-SE: ${least}`,
      ];
    });
  };
}

/**
 * The latest answer says where the other side is (RFC 3261, 12.2.1.2). JsSIP would go on by the first that told of the
 * dialog, such as a ring without any Contact: nothing but the answer itself would get there.
 */
function followTo({ _earlyDialogs: early }: SessionInside, response: IncomingResponse): void {
  const { call_id: callId, from_tag: own, to_tag: theirs } = tagsOf(response);
  const dialog = early[`${callId}${own}${theirs}`];
  const contact = response.parseHeader<{ uri: URI } | undefined>('contact');
  if (dialog !== undefined && contact !== undefined) dialog._remote_target = contact.uri;
}

/** What is done when it is asked for; JsSIP would name more. */
const allowed = 'INVITE,ACK,CANCEL,BYE,UPDATE,OPTIONS,REFER,INFO,NOTIFY';

/**
 * Says what this telephone does when it is asked to, and does no more.
 * Whom to call is said in a call, by the other side of it (REFER); from elsewhere, nobody tells a telephone to dial.
 */
export function takeWhatIsAllowed(ua: UA): void {
  Object.assign(C, { ALLOWED_METHODS: allowed, ACCEPTED_BODY_TYPES: `${takenBodies}, application/dtmf-relay` });
  const inside = insideOfTelephone(ua);
  const receive = inside.receiveRequest.bind(ua);
  inside.receiveRequest = (request) => {
    if (request.method === 'REFER' && !request.to_tag) return request.reply_sl(403);
    receive(request);
  };
}
