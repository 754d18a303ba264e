import type { RTCSession } from 'jssip/lib/RTCSession.js';
import type { IncomingRequest, IncomingResponse, OutgoingRequest } from 'jssip/lib/SIPMessage.js';
import type { UA } from 'jssip';
import type { URI } from 'jssip/lib/URI.js';
import type { Invite } from './inviteAgain.ts';

export type RequestHandlers = Partial<
  Record<'onSuccessResponse' | 'onErrorResponse' | 'onDialogError', (response: IncomingResponse) => void> &
    Record<'onTransportError' | 'onRequestTimeout' | 'onAuthenticated', () => void>
>;

/** A request of the other side, with what JsSIP's types leave out. */
export type IncomingRequestInside = IncomingRequest & {
  to_tag?: string;
  cseq: number;
  server_transaction: { state: number };
  replaces?: { call_id: string; to_tag?: string; from_tag?: string; early_only?: boolean };
  reply: (code: number, reason?: string | null, headers?: string[]) => void;
};

/** The dialog of a session, as JsSIP has it. */
export type DialogInside = {
  id: { local_tag: string; remote_tag: string };
  sendRequest: (
    method: string,
    options: { extraHeaders?: string[]; body?: string; eventHandlers?: RequestHandlers },
  ) => unknown;
  uac_pending_reply: boolean;
  uas_pending_reply: boolean;
  local_seqnum: number;
  _outgoing_ack_seqnum: number;
  _remote_target: URI;
  _createRequest: (method: string, extraHeaders: string[], body: string | null) => OutgoingRequest;
};

/** What a session of JsSIP 3.13.8 has, and its types do not tell. Whoever changes that version looks here. */
export type SessionInside = {
  emit: (event: string, about: object) => void;
  sendRequest: (
    method: string,
    options?: { extraHeaders?: string[]; body?: string; eventHandlers?: RequestHandlers },
  ) => unknown;
  receiveRequest: (request: IncomingRequest) => void;
  onTransportError: () => void;
  onRequestTimeout: () => void;
  onDialogError: () => void;
  isReadyToReOffer: () => boolean;
  _ua: UA;
  _contact: string;
  _dialog?: DialogInside;
  _earlyDialogs: Record<string, DialogInside>;
  _is_canceled: boolean;
  _request: Invite & { call_id: string; transaction?: { state: number } | null };
  _localHold: boolean;
  _onhold: (originator: 'local' | 'remote') => void;
  _onunhold: (originator: 'local' | 'remote') => void;
  _remoteHold: boolean;
  /** Gives the microphone to the call, or takes it away, as mute and hold say. */
  _setLocalMediaStatus: () => void;
  _receiveInviteResponse: (response: IncomingResponse) => void;
  _handleSessionTimersInIncomingResponse: (response: IncomingResponse) => void;
  /** @param headers of the answer, to be added to */
  _handleSessionTimersInIncomingRequest: (request: IncomingRequest, headers: string[]) => void;
  init_incoming: (request: IncomingRequest) => void;
  /** One step of the offers and answers after the other. */
  _connectionPromiseQueue: Promise<unknown>;
  _createLocalDescription: (type: 'offer', constraints: RTCOfferOptions) => Promise<string>;
  _mangleOffer: (sdp: string) => string;
};

/** JsSIP's status of a call whose answer, the first or a later one, has not been acknowledged. */
export const waitingForAck = 6;

/** @returns the session itself, with its private parts */
export function insideOf(session: RTCSession): SessionInside {
  return session as unknown as SessionInside;
}
