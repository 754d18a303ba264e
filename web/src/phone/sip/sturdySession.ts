import { C } from 'jssip';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import { insideOf, type RequestHandlers } from './jssipInside.ts';

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
export function makeSturdy(session: RTCSession, losses: SessionLosses): void {
  const inside = insideOf(session);
  const handlers: Partial<Record<string, RequestHandlers>> = {
    INFO: { onErrorResponse: losses.onToneLost, onTransportError: losses.onToneLost, onRequestTimeout: losses.onToneLost },
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
    const isGivenUp = session.direction === ('outgoing' as never) && session.isInProgress();
    terminate(options);
    // The customer's answer may cross the CANCEL. JsSIP hangs up on it only where this is set, which it forgets after a 1xx.
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
