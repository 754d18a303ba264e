import { URI } from 'jssip';
import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import type { DialogInside, IncomingRequestInside } from './jssipInside.ts';
import { referToHeader } from './reading/message.ts';

/**
 * The other side of a call wants it to go on with somebody else (REFER, RFC 3515). It waits for `accept` or `refuse`.
 */
export type Referral = {
  target: URI;
  /** For people: the number or the name in the address. */
  who: string;
  /** Of the INVITE to them: whose place they take (RFC 3891), and who has asked for it (RFC 3892). */
  headers: string[];
  /** @returns tells the other side how far it is: the status code of that INVITE */
  accept: () => (code: number) => void;
  /** @param code of the answer */
  refuse: (code: number) => void;
};

/** As a dialog is named (RFC 3891): nothing else may come into an INVITE by way of an address. */
const replacesForm = /^[\w.!%*+`'~()<>:"/[\]?{}@-]+(?:;(?:to-tag|from-tag)=[\w.!%*+`'~-]+|;early-only)+$/i;
/** Seconds; the call has been taken or not by then. */
const subscriptionLasts = 300;

/**
 * What a REFER asks for. Else it was refused: an address that is none (400), that is not of SIP (416), that is no call,
 * or one that lies outside of the telephone network of this call (403).
 * @param hosts that a call may be moved to
 */
export function referralOf(
  request: IncomingRequestInside,
  dialog: DialogInside,
  contact: string,
  hosts: ReadonlySet<string>,
): Referral | null {
  const refuse = (code: number) => request.reply(code);
  const found = addressOf(request);
  if (typeof found === 'number') {
    refuse(found);
    return null;
  }
  const replaces = replacesOf(found);
  const isCall = (found.getParam<string | undefined>('method') ?? 'invite').toLowerCase() === 'invite';
  if (!isCall || replaces === 'invalid' || !hosts.has(found.host)) {
    refuse(403);
    return null;
  }
  const target = found.clone();
  target.clearHeaders();
  target.deleteParam('method');
  const referredBy = request.getHeader('referred-by') as string | undefined;
  return {
    target,
    who: target.user === null || target.user === '' ? target.host : decodeURIComponent(target.user),
    headers: [
      ...(replaces === null ? [] : [`Replaces: ${replaces}`]),
      ...(referredBy === undefined ? [] : [`Referred-By: ${referredBy}`]),
    ],
    refuse,
    accept: () => {
      request.reply(202, null, [`Contact: ${contact}`]);
      const notify = notifier(request.cseq, dialog, contact);
      notify(100);
      return notify;
    },
  };
}

/** @returns the address, or why there is none */
function addressOf(request: IncomingRequest): URI | number {
  const [given, another] = request.getHeaders(referToHeader) as (string | undefined)[];
  const text = /<([^>]*)>/.exec(given ?? '')?.[1] ?? given?.split(';')[0]?.trim();
  if (text === undefined || text === '' || another !== undefined) return 400;
  if (/^(?!sips?:)[a-z][a-z0-9+.-]*:/i.test(text)) return 416;
  return (URI.parse(text) as URI | undefined) ?? 400;
}

/** Null: nobody's place is taken. */
function replacesOf(target: URI): string | null {
  const [given] = [target.getHeader('replaces') as unknown as string | string[] | undefined].flat();
  if (given === undefined) return null;
  try {
    const replaces = decodeURIComponent(given);
    return replacesForm.test(replaces) ? replaces : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** JsSIP's own forgets that the other side does not want to know. The dialog outlives the call for this. */
function notifier(id: number, dialog: DialogInside, contact: string): (code: number) => void {
  let isWanted = true;
  const stop = () => (isWanted = false);
  return (code) => {
    if (!isWanted) return;
    const isFinal = code >= 200;
    if (isFinal) stop();
    dialog.sendRequest('NOTIFY', {
      extraHeaders: [
        `Contact: ${contact}`,
        `Event: refer;id=${id}`,
        `Subscription-State: ${isFinal ? 'terminated;reason=noresource' : `active;expires=${subscriptionLasts}`}`,
        'Content-Type: message/sipfrag;version=2.0',
      ],
      body: `SIP/2.0 ${code} ${phrases[code] ?? (isFinal ? 'Failed' : 'Trying')}\r\n`,
      eventHandlers: { onErrorResponse: stop, onDialogError: stop },
    });
  };
}

const phrases: Readonly<Record<number, string>> = {
  100: 'Trying',
  180: 'Ringing',
  200: 'OK',
  408: 'Request Timeout',
  480: 'Temporarily Unavailable',
  486: 'Busy Here',
  487: 'Request Terminated',
  603: 'Decline',
};
