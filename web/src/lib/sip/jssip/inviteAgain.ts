import type { OutgoingRequest } from 'jssip/lib/SIPMessage.js';
import type { URI } from 'jssip/lib/URI.js';
import { RequestSender, type SessionInside } from './jssipInside.ts';

/** An INVITE as JsSIP has it. */
export type Invite = OutgoingRequest & {
  ruri: URI;
  cseq: number;
  headers: Partial<Record<string, string[]>>;
  extraHeaders: string[];
  clone: () => Invite;
  setHeader: (name: string, value: string) => void;
};

/**
 * Calls once more in the same call, as an answer has asked for: the same in all but what `change` changes,
 * and in its number.
 */
export function inviteAgain(inside: SessionInside, change: (invite: Invite) => void): void {
  const invite = inside._request.clone();
  invite.cseq += 1;
  invite.setHeader('cseq', `${invite.cseq} INVITE`);
  change(invite);
  inside._request = invite;
  new RequestSender(inside._ua, invite, {
    onRequestTimeout: () => inside.onRequestTimeout(),
    onTransportError: () => inside.onTransportError(),
    onAuthenticated: (request) => (inside._request = request as Invite),
    onReceiveResponse: (next) => inside._receiveInviteResponse(next),
  }).send();
}
