import type { UA } from 'jssip';
import DigestAuthentication from 'jssip/lib/DigestAuthentication.js';
import type { RTCSession } from 'jssip/lib/RTCSession.js';
import { type IncomingRequest, type IncomingResponse, OutgoingRequest } from 'jssip/lib/SIPMessage.js';
import type { URI } from 'jssip/lib/URI.js';
import type { Invite } from './inviteAgain.ts';

// What this telephone takes of JsSIP 3.13.8 that JsSIP does not promise: its private members, and modules that its
// types leave out (jssipModules.d.ts). Nowhere else. Whoever changes that version looks here, and jssipInside.test.ts
// with them: it names each, and finds it in the version that is installed.

export { default as DialogRequestSender } from 'jssip/lib/Dialog/RequestSender.js';
export { default as RequestSender } from 'jssip/lib/RequestSender.js';
export { calculateMD5 } from 'jssip/lib/Utils.js';

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

/** What a session has, and its types do not tell. */
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

/** What an account's telephone has, and its types do not tell. */
export type TelephoneInside = {
  receiveRequest: (request: IncomingRequestInside & { reply_sl: (code: number) => void }) => void;
  configuration: { registrar_server: URI; uri: URI };
  transport: { connect: () => void; disconnect: () => void };
};

/** What names the dialog of a message, which its types do not tell. */
export type MessageTags = { call_id: string; from_tag: string; to_tag: string };

/** What answers a challenge, as its methods see it. */
export type DigestInside = {
  _credentials: { username: string; password: string };
  _realm: string;
  _ha1: string;
  _nc: number;
};

/** @returns the session itself, with its private parts */
export function insideOf(session: RTCSession): SessionInside {
  return session as unknown as SessionInside;
}

/** @returns the telephone itself, likewise */
export function insideOfTelephone(ua: UA): TelephoneInside {
  return ua as unknown as TelephoneInside;
}

/** What names the dialog of a message. */
export function tagsOf(message: IncomingRequest | IncomingResponse): MessageTags {
  return message as unknown as MessageTags;
}

/** A session of the same telephone that has not begun. */
export function anotherSession(session: RTCSession, ua: UA): RTCSession {
  const { constructor: Session } = session as unknown as { constructor: new (of: UA) => RTCSession };
  return new Session(ua);
}

/** @param parameters the dialog of the request; without one, whom it is for (`to_uri`) */
type NewRequest = new (
  method: string,
  target: string | URI,
  ua: UA,
  parameters: { to_uri: URI } & Partial<{
    call_id: string;
    cseq: number;
    from_uri: URI;
    from_tag: string;
    to_tag: string;
    route_set: string[];
  }>,
  headers?: string[],
) => OutgoingRequest;

/** A request of this telephone's. */
export const NewRequest = OutgoingRequest as unknown as NewRequest;

/** A challenge as JsSIP reads it. */
export type DigestChallenge = { algorithm?: string; realm: string; nonce: string; opaque?: string; qop?: string[] };

/** From now on every answer to a challenge is made by these methods. */
export function answerChallengesBy(methods: {
  authenticate: (
    this: DigestInside,
    request: { method: string; ruri: unknown; body?: string | null },
    challenge: DigestChallenge,
  ) => boolean;
  toString: (this: DigestInside) => string;
}): void {
  Object.assign(DigestAuthentication.prototype, methods);
}
