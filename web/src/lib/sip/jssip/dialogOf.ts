import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import type { URI } from 'jssip/lib/URI.js';
import type { PhoneDialog } from '../phone.ts';

/** JsSIP tells these, and its types do not. */
type WithTags = { call_id: string; from_tag: string; to_tag: string };

/** JsSIP numbers its requests from somewhere below 10000, and sends few in a call. */
const numberAbove = 20_000;

/** The dialog of a call that this side began. @param answer to its INVITE; @param address whom it called */
export function dialogOfOurs(answer: IncomingResponse, address: string): PhoneDialog {
  const { call_id: callId, from_tag: localTag, to_tag: remoteTag } = answer as IncomingResponse & WithTags;
  return {
    callId,
    localTag,
    remoteTag,
    address,
    localUri: String(answer.from.uri),
    remoteUri: String(answer.to.uri),
    target: contactOf(answer) ?? address,
    routes: answer.getHeaders('record-route').reverse(),
    cseq: numberAbove,
    isMuted: false,
    isHeld: false,
  };
}

/** The dialog of a call that the other side began. */
export function dialogOfTheirs(invite: IncomingRequest): PhoneDialog {
  const { call_id: callId, from_tag: remoteTag, to_tag: localTag } = invite as IncomingRequest & WithTags;
  const target = contactOf(invite) ?? String(invite.from.uri);
  return {
    callId,
    localTag,
    remoteTag,
    target,
    address: target,
    localUri: String(invite.to.uri),
    remoteUri: String(invite.from.uri),
    routes: invite.getHeaders('record-route'),
    cseq: numberAbove,
    isMuted: false,
    isHeld: false,
  };
}

/** Where the other side wants to be reached; null: it does not say. */
export function contactOf(message: IncomingRequest | IncomingResponse): string | null {
  const contact = message.parseHeader<{ uri: URI } | undefined>('contact');
  return contact === undefined ? null : String(contact.uri);
}
