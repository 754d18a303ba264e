import RequestSender from 'jssip/lib/RequestSender.js';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingResponse, OutgoingRequest } from 'jssip/lib/SIPMessage.js';
import { insideOf } from './jssipInside.ts';
import { leastOf } from './sessionTimer.ts';

type Invite = OutgoingRequest & { cseq: number; extraHeaders: string[]; clone: () => Invite; setHeader: (name: string, value: string) => void };

/** Asks for a longer session where the network wants one (422), as RFC 4028 has it: the same call, and once. */
export function dialAgainForLonger(session: RTCSession): void {
  const inside = insideOf(session);
  const receive = inside._receiveInviteResponse.bind(session);
  let isAgain = false;
  inside._receiveInviteResponse = (response: IncomingResponse) => {
    const least = leastOf(response);
    if (least === null || isAgain || !session.isInProgress() || inside._is_canceled) return receive(response);
    isAgain = true;
    const invite = (inside._request as Invite).clone();
    invite.cseq += 1;
    invite.setHeader('cseq', `${invite.cseq} INVITE`);
    invite.extraHeaders = [
      ...invite.extraHeaders.filter((header) => !/^session-expires:/i.test(header)),
      `Session-Expires: ${least}`,
      `Min-SE: ${least}`,
    ];
    inside._request = invite;
    new RequestSender(inside._ua, invite, {
      onRequestTimeout: () => inside.onRequestTimeout(),
      onTransportError: () => inside.onTransportError(),
      onAuthenticated: (request) => (inside._request = request),
      onReceiveResponse: (next) => inside._receiveInviteResponse(next),
    }).send();
  };
}
