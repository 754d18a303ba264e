import { parse } from 'jssip/lib/Grammar.js';
import { parted, readAddress, readAddresses, writeAddress, type Address } from './address.ts';
import { bestChallenge } from './challenges.ts';
import { readableHost, readableUri } from './standIns.ts';

/** `name`: the long one, in lower case. */
export type Header = { name: string; value: string };
export type Head = { start: string; headers: Header[] };

/**
 * A message as the SIP library reads it; or what of it nobody can read: a header by its name, `start-line`, `message-size` or `header-count`.
 * `answer`: to its sender; null: it is answered nothing.
 */
export type Reading = { kind: 'message'; head: Head; body: string } | { kind: 'unreadable'; what: string; answer: string | null };

/** No PBX sends more. Characters. */
const [longestMessage, longestHeader] = [262_144, 8_192];
const mostHeaders = 200;

/** The name under which a REFER's address is handed on: JsSIP leaves REFERs unanswered whose address it cannot read. */
export const referToHeader = 'X-Refer-To';

/** RFC 3261, 7.3.3, and those that came later. */
const longNames: Readonly<Record<string, string>> = {
  v: 'via', f: 'from', t: 'to', i: 'call-id', m: 'contact', c: 'content-type', l: 'content-length', x: 'session-expires', r: 'refer-to', b: 'referred-by', o: 'event', k: 'supported',
};
const needed = ['via', 'from', 'to', 'call-id', 'cseq'];

/**
 * Reads a message of the telephone network before the SIP library does, which drops without a word what its grammar does not know: each header that it could
 * not read is written so that it can, and what is not needed is left out. `asWritten` undoes that in what goes back. In one pass over the text.
 */
export function readMessage(given: string): Reading {
  if (given.length > longestMessage) return { kind: 'unreadable', what: 'message-size', answer: null };
  const text = given.includes('\r\n') ? given : given.replaceAll('\n', '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const head = headOf(end < 0 ? text : text.slice(0, end));
  const body = end < 0 ? '' : text.slice(end + 4);
  const start = readableStart(head.start);
  if (start === null) return unreadable('start-line', head);
  if (head.headers.length > mostHeaders) return unreadable('header-count', head);
  const headers: Header[] = [];
  for (const header of head.headers) {
    const values = header.value.length > longestHeader ? null : readableValues(header, head, body);
    if (values === null) return unreadable(header.name, head);
    headers.push(...values.map((value) => ({ name: header.name === 'refer-to' ? referToHeader : header.name, value })));
  }
  const missing = needed.find((name) => !headers.some((header) => header.name === name));
  if (missing !== undefined) return unreadable(missing, head);
  return { kind: 'message', head: { start, headers: [...bestChallenge(headers), ...ownContact(start, headers)] }, body };
}

function unreadable(what: string, head: Head): Reading {
  return { kind: 'unreadable', what, answer: answerTo(head, '400 Bad Request') };
}

export function textOf({ start, headers }: Head, body: string): string {
  return [start, ...headers.map(({ name, value }) => `${name}: ${value}`), '', body].join('\r\n');
}

/** A line that begins with a blank goes on from the one before; one that is no header is left out. */
export function headOf(text: string): Head {
  const [start = '', ...lines] = text.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    return name === '' || /\s/.test(name) ? [] : [{ name: longNames[name] ?? name, value: line.slice(colon + 1).replaceAll(/[\r\n\0]+/g, ' ').trim() }];
  });
  return { start: start.trim(), headers };
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
  if (code !== undefined) return `SIP/2.0 ${code} ${isReadable(`SIP/2.0 ${code} ${phrase}`, 'Request_Response') ? phrase : ''}`;
  const [, method, written = ''] = /^([A-Z]{1,20})\s+(\S.*?)\s+SIP\/2\.0$/.exec(start) ?? [];
  const uri = method === undefined ? null : readableUri(written);
  return method === undefined || uri === null ? null : `${method} ${uri} SIP/2.0`;
}

/** @returns what the library is told: nothing of what can be done without; null: it cannot be read, and not be done without */
function readableValues({ name, value }: Header, { start }: Head, body: string): string[] | null {
  switch (name) {
    case 'via':
      return readableVias(value);
    case 'from':
    case 'to': {
      // The library answers to itself alone by `sip:`.
      const mayStay = isReadable(value, 'From') && (name === 'from' || start.startsWith('SIP/') || /<sip:|^sip:/i.test(value));
      const address = mayStay ? value : readable(readAddress(value), name === 'to' && !start.startsWith('SIP/'));
      return address === null ? null : [address];
    }
    case 'contact':
      return isReadable(value, 'Contact') ? [value] : readAddresses(value).map((one) => readable(one)).filter((one) => one !== null);
    case 'record-route': {
      const routes = isReadable(value, 'Record_Route') ? [value] : readAddresses(value).map((one) => readable(one));
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
      return isReadable(type, 'Content_Type') ? [type.replace(/^application\/sdp\s*(?:;.*)?$/i, 'application/sdp')] : [];
    }
    case 'content-length':
      // A frame holds one message, whole.
      return /^\d{1,7}$/.test(value) && Number(value) <= new TextEncoder().encode(body).length ? [value] : [];
    case 'session-expires':
      return isReadable(value, 'Session_Expires') ? [value] : [];
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
  const [, protocol = '', host = '', behind = ''] = /^(SIP\s*\/\s*2\.0\s*\/\s*[\w-]+\s+)(\[[^\]]*\]|[^\s;]+?)(\s*(?::\s*\d+\s*)?(?:;.*)?)$/i.exec(first) ?? [];
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
 * @param status such as `400 Bad Request`
 * @returns null: an answer or an ACK is answered nothing, and what names no way back cannot be
 */
export function answerTo({ start, headers }: Head, status: string): string | null {
  const method = /^([A-Z]{1,20})\s/.exec(start)?.[1];
  const echoed = headers.slice(0, mostHeaders).filter(({ name, value }) => needed.includes(name) && value.length <= longestHeader);
  if (method === undefined || method === 'ACK' || !echoed.some(({ name }) => name === 'via')) return null;
  const lines = echoed.map(({ name, value }) => {
    const isUntagged = name === 'to' && !/;\s*tag\s*=/i.test(value);
    return `${answerNames[name] ?? name}: ${value}${isUntagged ? ';tag=readyline' : ''}`;
  });
  return [`SIP/2.0 ${status}`, ...lines, 'Content-Length: 0', '', ''].join('\r\n');
}

const answerNames: Readonly<Record<string, string>> = { via: 'Via', from: 'From', to: 'To', 'call-id': 'Call-ID', cseq: 'CSeq' };

