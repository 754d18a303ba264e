import type { RTCSession } from 'jssip/lib/RTCSession.js';
import { vouchedCaller, type NamedCaller } from './callerId.ts';
import { insideOf, type IncomingRequestInside } from './jssipInside.ts';

/**
 * Tells of whom the telephone network names as the other side in mid-call, as when a colleague has put a customer
 * through: by re-INVITE or UPDATE, before the call is answered or later, once that is accepted. Stands before what else
 * is made of the requests. @param own the agent's account
 */
export function hearLaterCallers(session: RTCSession, own: string, onCaller: (caller: NamedCaller) => void): void {
  const inside = insideOf(session);
  const receive = inside.receiveRequest.bind(session);
  inside.receiveRequest = (given) => {
    const request = given as IncomingRequestInside;
    const isAbout =
      request.method === 'UPDATE' ||
      (request.method === 'INVITE' && request.to_tag !== undefined && request.to_tag !== '');
    const caller = isAbout ? vouchedCaller(request, own) : null;
    if (caller !== null) {
      const reply = request.reply.bind(request);
      request.reply = (code, ...more) => {
        reply(code, ...more);
        if (code >= 200 && code < 300) onCaller(caller);
      };
    }
    receive(request);
  };
}
