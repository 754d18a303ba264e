import { parse } from 'jssip/lib/Grammar.js';
import { parted, readAddress, readAddresses, writeAddress, type Address } from './address.ts';
import { withSdpAlone } from './body.ts';
import { withOwnBranch } from './branches.ts';
import { bestChallenge } from './challenges.ts';
import { type Head, type Header, headOf } from './head.ts';
import { once } from './once.ts';
import { readableHost, readableUri } from './standIns.ts';
import { countable, isWait } from './times.ts';

/**
 * A message as the SIP library reads it; or what of it nobody can read: a header by its name, `start-line`,
 * `message-size` or `header-count`. `answer`: to its sender; null: it is answered nothing.
 */
export type Reading =
  { kind: 'message'; head: Head; body: string } | { kind: 'unreadable'; what: string; answer: string | null };

/** No PBX sends more. Characters. */
const [longestMessage, longestHeader] = [262_144, 8_192];
const mostHeaders = 200;
/** In what the voice is offered to this telephone. */
export const takenBodies = 'application/sdp, multipart/mixed, multipart/alternative';

/** The name under which a REFER's address is handed on: JsSIP leaves REFERs unanswered whose address it cannot read. */
export const referToHeader = 'X-Refer-To';

const needed = ['via', 'from', 'to', 'call-id', 'cseq'];

/**
 * Reads a message of the telephone network before the SIP library does, which drops without a word what its grammar
 * does not know: each header that it could not read is written so that it can, and what is not needed is left out.
 * `asWritten` undoes that in what goes back. In one pass over the text.
 */
export function readMessage(frame: string): Reading {
  if (frame.length > longestMessage) return tooLarge(frame);
  const text = frame.includes('\r\n') ? frame : frame.replaceAll('\n', '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const given = headOf(end < 0 ? text : text.slice(0, end));
  const head = once(given);
  const body = end < 0 ? '' : text.slice(end + 4);
  const start = readableStart(head.start);
  if (start === null) return unreadable('start-line', head);
  if (given.headers.length > mostHeaders) return unreadable('header-count', head);
  const taken = withSdpAlone(head, body);
  if (taken === null) {
    return {
      kind: 'unreadable',
      what: 'content-type',
      answer: answerTo(head, '415 Unsupported Media Type', [`Accept: ${takenBodies}`]),
    };
  }
  const headers: Header[] = [];
  for (const header of taken.head.headers) {
    const values = header.value.length > longestHeader ? null : readableValues(header, head, taken.body);
    if (values === null) return unreadable(header.name, head);
    headers.push(...values.map((value) => ({ name: header.name === 'refer-to' ? referToHeader : header.name, value })));
  }
  const missing = needed.find((name) => !headers.some((header) => header.name === name));
  if (missing !== undefined) return unreadable(missing, head);
  return {
    kind: 'message',
    head: { start, headers: [...withOwnBranch(bestChallenge(headers)), ...ownContact(start, headers)] },
    body: taken.body,
  };
}

function unreadable(what: string, head: Head): Reading {
  return { kind: 'unreadable', what, answer: answerTo(head, '400 Bad Request') };
}

/** Its beginning says whom to answer, as long as that is in the bounds of a message. */
function tooLarge(frame: string): Reading {
  const [head = ''] = frame.slice(0, longestMessage).split('\r\n\r\n', 1);
  return { kind: 'unreadable', what: 'message-size', answer: answerTo(headOf(head), '513 Message Too Large') };
}

export function textOf({ start, headers }: Head, body: string): string {
  return [start, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\r\n');
}

/** Whether the library reads a text by that rule of its grammar. It throws at some. */
function isReadable(value: string, rule: string): boolean {
  try {
    return parse(value, rule) !== -1;
  } catch {
    return false;
  }
}

function readableStart(start: string): string | null {
  const [, code, phrase = ''] = /^SIP\/2\.0\s+([1-6]\d\d)(?:\s+(.*))?$/i.exec(start) ?? [];
  if (code !== undefined)
    return `SIP/2.0 ${code} ${isReadable(`SIP/2.0 ${code} ${phrase}`, 'Request_Response') ? phrase : ''}`;
  const [, method, written = ''] = /^([\w.!%*+`'~-]{1,64})\s+(\S.*?)\s+SIP\/2\.0$/i.exec(start) ?? [];
  const uri = method === undefined ? null : readableUri(written);
  return method === undefined || uri === null ? null : `${method} ${uri} SIP/2.0`;
}

/**
 * @returns what the library is told: nothing of what can be done without;
 * null: it cannot be read, and not be done without
 */
function readableValues({ name, value }: Header, { start }: Head, body: string): string[] | null {
  switch (name) {
    case 'via':
      return readableVias(value);
    case 'from':
    case 'to': {
      // The library answers to itself alone by `sip:`.
      const mayStay =
        isReadable(value, 'From') && (name === 'from' || start.startsWith('SIP/') || /<sip:|^sip:/i.test(value));
      const address = mayStay ? value : readable(readAddress(value), name === 'to' && !start.startsWith('SIP/'));
      return address === null ? null : [address];
    }
    case 'contact':
      return isReadable(value, 'Contact')
        ? [value]
        : readAddresses(value)
            .map((one) => readable(one))
            .filter((one) => one !== null);
    case 'record-route': {
      const routes = isReadable(value, 'Record_Route') ? [value] : readAddresses(value).map((one) => readable(one));
      // Whoever answers has been reached: without a word of the way, a call goes on, and over the same line.
      if (start.startsWith('SIP/')) return routes.filter((route) => route !== null);
      return routes.length === 0 || routes.includes(null) ? null : (routes as string[]);
    }
    case 'refer-to':
      return [readableReferral(value)];
    case 'call-id':
      return isReadable(value, 'Call_ID') ? [value] : null;
    case 'cseq':
      return isReadable(value, 'CSeq') ? [value] : null;
    case 'replaces':
      return isReadable(value, 'Replaces') ? [value] : null;
    case 'content-type': {
      const type = isReadable(value, 'Content_Type') ? value : (value.split(';')[0] ?? '').trim();
      return isReadable(type, 'Content_Type')
        ? [type.replace(/^application\/sdp\s*(?:;.*)?$/i, 'application/sdp')]
        : [];
    }
    case 'content-length':
      // A frame holds one message, whole.
      return /^\d{1,7}$/.test(value) && Number(value) <= new TextEncoder().encode(body).length ? [value] : [];
    case 'session-expires':
      return isReadable(value, 'Session_Expires') ? [countable(value)] : [];
    case 'min-se':
      return [countable(value)];
    case 'expires':
      return isWait(value) ? [value] : [];
    case 'max-forwards':
      return isReadable(value, 'Max_Forwards') ? [value] : [];
    case 'event':
      return isReadable(value, 'Event') ? [value] : [];
    default:
      return [value];
  }
}

/** Only the topmost is read; the others go back as they came. */
function readableVias(value: string): string[] | null {
  const [first = '', ...others] = parted(value, ',');
  if (isReadable(first, 'Via')) return [first, ...others];
  const [, protocol = '', host = '', behind = ''] =
    /^(SIP\s*\/\s*2\.0\s*\/\s*[\w-]+\s+)(\[[^\]]*\]|[^\s;]+?)(\s*(?::\s*\d+\s*)?(?:;.*)?)$/i.exec(first) ?? [];
  const via = `${protocol}${host === '' ? '' : readableHost(host)}${behind}`;
  return isReadable(via, 'Via') ? [via, ...others] : null;
}

/** @param isOwn of this telephone, so that the library wants it to be `sip:` */
function readable(address: Address | null, isOwn = false): string | null {
  if (address === null) return null;
  const given = isOwn ? address.uri.replace(/^sips:/i, 'sip:') : address.uri;
  const uri = readableUri(given);
  if (uri === null) return null;
  const parameters = parted(address.parameters, ';').filter((one) => isReadable(`<sip:a@a.invalid>;${one}`, 'From'));
  const name = address.name?.replaceAll(/\p{Cc}+/gu, ' ') ?? null;
  const written = writeAddress({ name, uri, parameters: parameters.map((one) => `;${one}`).join('') });
  return isReadable(written, 'From') ? written : null;
}

/** An address of another kind stays, to be refused by its name. */
function readableReferral(value: string): string {
  const address = readAddress(value);
  const uri = address === null || !/^sips?:/i.test(address.uri) ? null : readableUri(address.uri);
  return address === null || uri === null ? value : writeAddress({ ...address, uri });
}

/** Who calls and says no Contact that can be read is where the call comes from. */
function ownContact(start: string, headers: readonly Header[]): Header[] {
  const to = headers.find(({ name }) => name === 'to')?.value ?? '';
  const begins = start.startsWith('INVITE ') && !/;\s*tag\s*=/i.test(to);
  if (!begins || headers.some(({ name }) => name === 'contact')) return [];
  const from = readAddress(headers.find(({ name }) => name === 'from')?.value ?? '');
  return from === null ? [] : [{ name: 'contact', value: `<${from.uri}>` }];
}

/**
 * A final answer without the help of the library (RFC 3261, 8.2.6): it says back what came, as it came.
 * @param status such as `400 Bad Request`; @param more further headers
 * @returns null: an answer or an ACK is answered nothing, and what names no way back cannot be
 */
export function answerTo({ start, headers }: Head, status: string, more: readonly string[] = []): string | null {
  const method = /^([\w.!%*+`'~-]{1,64})\s/.exec(start)?.[1];
  const echoed = headers
    .slice(0, mostHeaders)
    .filter(({ name, value }) => needed.includes(name) && value.length <= longestHeader);
  if (method === undefined || method === 'ACK' || !echoed.some(({ name }) => name === 'via')) return null;
  const lines = echoed.map(({ name, value }) => {
    const isUntagged = name === 'to' && !/;\s*tag\s*=/i.test(value);
    return `${answerNames[name] ?? name}: ${value}${isUntagged ? ';tag=readyline' : ''}`;
  });
  return [`SIP/2.0 ${status}`, ...lines, ...more, 'Content-Length: 0', '', ''].join('\r\n');
}

const answerNames: Readonly<Record<string, string>> = {
  via: 'Via',
  from: 'From',
  to: 'To',
  'call-id': 'Call-ID',
  cseq: 'CSeq',
};
