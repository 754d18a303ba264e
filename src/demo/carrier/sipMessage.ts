/** One side of a call, as a From, To or Contact header names it. */
export type SipAddress = {
  /** The header's value as it came. */
  text: string;
  uri: string;
  /** The part of the URI before the `@`, decoded; null: there is none. */
  user: string | null;
  /** The header's `tag` parameter; null: none. */
  tag: string | null;
};

/** Reads `"Ada" <sip:ada@host>;tag=1` or `sip:ada@host;tag=1`; null: that is no address. */
export function parseAddress(text: string): SipAddress | null {
  // A display name may hold any character, in quotes.
  const bare = text.replace(/^\s*"(?:[^"\\]|\\.)*"/, '');
  const bracketed = /<([^<>]*)>(.*)$/s.exec(bare);
  const [, uri = '', rest = ''] = bracketed ?? /^\s*([^;\s]*)(.*)$/s.exec(bare) ?? [];
  if (!/^sips?:[^\s]+$/i.test(uri)) return null;
  return { text, uri, user: userOf(uri), tag: parameterIn(rest, 'tag') };
}

/** The user of a SIP URI, decoded; null: none, or it cannot be decoded. */
export function userOf(uri: string): string | null {
  const user = /^sips?:([^@:;?]+)(?::[^@]*)?@/i.exec(uri)?.[1];
  if (user === undefined) return null;
  try {
    return decodeURIComponent(user);
  } catch {
    return null;
  }
}

/** A parameter behind an address or a value: `;name=value`, without quotes. Null: it is not there. */
export function parameterIn(text: string, name: string): string | null {
  for (const part of text.split(';').slice(1)) {
    const [key = '', value = ''] = part.split('=', 2).map((piece) => piece.trim());
    if (key.toLowerCase() === name) return value.replace(/^"|"$/g, '');
  }
  return null;
}

type Shared = {
  /** In the order in which they came, names long and in lower case. */
  headers: readonly (readonly [name: string, value: string])[];
  body: string;
  callId: string;
  cseq: { number: number; method: string };
  from: SipAddress;
  to: SipAddress;
  /** Of the topmost Via: names the transaction. */
  branch: string;
};
export type SipRequest = Shared & { kind: 'request'; method: string; uri: string };
export type SipResponse = Shared & { kind: 'response'; status: number; reason: string };
export type SipMessage = SipRequest | SipResponse;

/** More than any telephone sends. */
const maxHeaders = 100;

/** RFC 3261, 7.3.3. */
const longNames: Readonly<Record<string, string>> = {
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  s: 'subject',
  t: 'to',
  v: 'via',
};

/** Reads one message of RFC 3261, which over WebSocket is one frame. Null: it is none. Throws never. */
export function parseSip(text: string): SipMessage | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  // A line that begins with a blank goes on from the one before.
  const [start = '', ...lines] = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = lines.length > maxHeaders ? null : readHeaders(lines);
  if (headers === null) return null;
  const shared = readShared(headers, text.slice(end + 4));
  if (shared === null) return null;

  const status = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/.exec(start);
  if (status !== null) return { kind: 'response', status: Number(status[1]), reason: status[2] ?? '', ...shared };
  const [, method, uri] = /^([A-Z]{1,20}) (\S+) SIP\/2\.0$/.exec(start) ?? [];
  if (method === undefined || uri === undefined || method !== shared.cseq.method) return null;
  return { kind: 'request', method, uri, ...shared };
}

/** A header's values; each as one line had it. */
export function headersOf({ headers }: SipMessage, name: string): string[] {
  return headers.filter(([key]) => key === name).map(([, value]) => value);
}

/** A header's first value; null: it is not there. */
export function headerOf(message: SipMessage, name: string): string | null {
  return headersOf(message, name)[0] ?? null;
}

function readHeaders(lines: readonly string[]): [string, string][] | null {
  const headers: [string, string][] = [];
  for (const line of lines) {
    // Whatever is sent back must not be able to hold another line.
    const [, name, value] = /^([\w.!%*+`'~-]+)[ \t]*:[ \t]*((?:\t|\P{Cc})*)$/u.exec(line) ?? [];
    if (name === undefined || value === undefined) return null;
    const lower = name.toLowerCase();
    headers.push([longNames[lower] ?? lower, value.trim()]);
  }
  return headers;
}

function readShared(headers: readonly (readonly [string, string])[], rest: string): Shared | null {
  const first = (name: string) => headers.find(([key]) => key === name)?.[1] ?? '';
  const callId = first('call-id');
  const [, number, method] = /^(\d{1,10})\s+([A-Z]{1,20})$/.exec(first('cseq')) ?? [];
  const from = parseAddress(first('from'));
  const to = parseAddress(first('to'));
  const branch = /;\s*branch\s*=\s*([^;,\s]+)/i.exec(first('via'))?.[1];
  const body = readBody(first('content-length'), rest);
  if (callId === '' || number === undefined || method === undefined || branch === undefined) return null;
  if (from === null || from.tag === null || to === null || body === null) return null;
  return { headers, body, callId, cseq: { number: Number(number), method }, from, to, branch };
}

/** As long as Content-Length says; all of it where that is missing. Null: it is shorter. */
function readBody(length: string, rest: string): string | null {
  if (length === '') return rest;
  if (!/^\d{1,7}$/.test(length)) return null;
  const bytes = Buffer.from(rest);
  return bytes.length < Number(length) ? null : bytes.subarray(0, Number(length)).toString();
}
