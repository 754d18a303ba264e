import type { RTCSession } from 'jssip/lib/RTCSession.js';

export type SessionLosses = {
  /** A hold or its end was refused, or nobody answered: the call goes on as it was. */
  onHoldRefused: () => void;
  /** A tone was refused, or did not arrive. */
  onToneLost: () => void;
  /** The other side was not told that the call is over. */
  onByeLost: () => void;
  /** The line broke before the INVITE was answered for good. @param invite as it went */
  onInviteLost: (invite: string) => void;
};

type Handlers = Partial<Record<'onErrorResponse' | 'onTransportError' | 'onRequestTimeout', () => void>>;
type Send = (method: string, options?: { eventHandlers?: Handlers }) => unknown;
/** What JsSIP has, and its types do not tell. */
type Inside = {
  sendRequest: Send;
  onTransportError: () => void;
  _is_canceled: boolean;
  _request: { toString: () => string; transaction?: { state: number } | null };
  _localHold: boolean;
  _onhold: (originator: 'local') => void;
  _onunhold: (originator: 'local') => void;
};

/**
 * JsSIP ends a call when one of its requests is refused or lost on the way: a call made sturdy by this goes on. And one
 * that is given up stays so, though it is answered in the same moment.
 */
export function makeSturdy(session: RTCSession, losses: SessionLosses): void {
  const inside = session as unknown as Inside;
  const undoHold = () => {
    if (session.isEnded()) return;
    inside._localHold = !inside._localHold;
    if (inside._localHold) inside._onhold('local');
    else inside._onunhold('local');
    const { connection } = session;
    // The other side is where it was before the offer.
    if (connection.signalingState === 'have-local-offer') void connection.setLocalDescription({ type: 'rollback' });
    losses.onHoldRefused();
  };
  const handlers: Partial<Record<string, Handlers>> = {
    INVITE: { onErrorResponse: undoHold, onTransportError: undoHold, onRequestTimeout: undoHold },
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
  const { _request: request } = session as unknown as Inside;
  return request.transaction?.state === calling ? request.toString() : null;
}
