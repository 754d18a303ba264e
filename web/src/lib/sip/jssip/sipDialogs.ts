import type { IncomingRequest, IncomingResponse } from 'jssip/lib/SIPMessage.js';
import { type UA, URI } from 'jssip';
import type { PhoneDialog } from '../phoneCall.ts';
import { NewRequest, RequestSender, tagsOf } from './jssipInside.ts';

/** JsSIP numbers its requests from somewhere below 10000, and sends few in a call. */
const numberAbove = 20_000;

/** The dialog of a call that this side began. @param answer to its INVITE; @param address whom it called */
export function dialogOfOurs(answer: IncomingResponse, address: string): PhoneDialog {
  const { call_id: callId, from_tag: localTag, to_tag: remoteTag } = tagsOf(answer);
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
  const { call_id: callId, from_tag: remoteTag, to_tag: localTag } = tagsOf(invite);
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

/** Hangs up in a dialog, whoever began it. @param onUnsent it did not arrive, or nobody answered it */
export function sendBye(ua: UA, dialog: PhoneDialog, onUnsent: () => void): void {
  const [local, remote] = [URI.parse(dialog.localUri), URI.parse(dialog.remoteUri)] as (URI | undefined)[];
  if (local === undefined || remote === undefined) return;
  const request = new NewRequest('BYE', dialog.target, ua, {
    call_id: dialog.callId,
    cseq: dialog.cseq,
    from_uri: local,
    from_tag: dialog.localTag,
    to_uri: remote,
    to_tag: dialog.remoteTag,
    ...(dialog.routes.length === 0 ? {} : { route_set: dialog.routes }),
  });
  new RequestSender(ua, request, { onTransportError: onUnsent, onRequestTimeout: onUnsent }).send();
}

const taken = /^(?:via|route|max-forwards|from|to|call-id)\s*:/i;

/** The CANCEL of an INVITE (RFC 3261, 9.1): the same in all that tells the network which one is meant. */
export function cancelOf(invite: string): string {
  const [head = ''] = invite.split('\r\n\r\n');
  const [start = '', ...headers] = head.split('\r\n');
  const number = /^cseq\s*:\s*(\d+)/im.exec(head)?.[1] ?? '1';
  const lines = [start.replace(/^INVITE/, 'CANCEL'), ...headers.filter((line) => taken.test(line))];
  return [...lines, `CSeq: ${number} CANCEL`, 'Content-Length: 0', '', ''].join('\r\n');
}
