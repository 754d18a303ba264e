import type { Chance } from './chance.ts';
import { type Frame, type Wire, written } from './vendorMessages.ts';

/** A message as it goes out, and what was done to it. */
export type Mutant = { frames: Frame[]; done: string[] };

type OnWire = (wire: Wire, chance: Chance) => Wire;
type OnText = (text: string, chance: Chance) => Frame[];

const nameOf = (header: string) =>
  header
    .slice(0, Math.max(header.indexOf(':'), 0))
    .trim()
    .toLowerCase();
const valueOf = (header: string) => header.slice(header.indexOf(':') + 1).trim();

/** The same with another one at `at`; several, or none, as well. */
const replaced = (headers: string[], at: number, ...by: string[]) => [
  ...headers.slice(0, at),
  ...by,
  ...headers.slice(at + 1),
];

/** One header by chance, changed. */
function some(change: (name: string, value: string, chance: Chance) => string[]): OnWire {
  return (wire, chance) => {
    const at = chance.below(wire.headers.length);
    const header = wire.headers[at]!;
    return {
      ...wire,
      headers: replaced(
        wire.headers,
        at,
        ...change(header.slice(0, Math.max(header.indexOf(':'), 0)), valueOf(header), chance),
      ),
    };
  };
}

/** The first header of that name, with one of these values; where it is not there, beside the others. */
function set(name: string, values: readonly string[] | ((value: string, chance: Chance) => string)): OnWire {
  return (wire, chance) => {
    const at = wire.headers.findIndex((header) => nameOf(header) === name.toLowerCase());
    const now =
      typeof values === 'function' ? values(at < 0 ? '' : valueOf(wire.headers[at]!), chance) : chance.of(values);
    return {
      ...wire,
      headers: at < 0 ? [...wire.headers, `${name}: ${now}`] : replaced(wire.headers, at, `${name}: ${now}`),
    };
  };
}

const tags = [
  '',
  ';tag=',
  ';tag=a;tag=b',
  ';tag=ä',
  ';tag="a b"',
  ';tag=constructor',
  `;tag=${'t'.repeat(500)}`,
  ';TAG=other',
  '; tag = other',
  ';tag=a b',
];
const withTag = (value: string, chance: Chance) => `${value.replace(/;tag=[^;]*/i, '')}${chance.of(tags)}`;
const addresses = [
  '',
  '*',
  '<>',
  '<sip:>',
  'sip:',
  '<sip:@pbx.test>',
  '<sip:a@[::1]:5060>',
  '<sip:a@[fe80::1%25eth0]>',
  'tel:+1 (202) 555',
  '<tel:+12025550143;phone-context=+1>',
  '"a" <sip:a@b>, "c" <sip:c@d>',
  '"open <sip:a@b>',
  '<sip:a@b',
  'sip:a@b>',
  '<sips:a@b>',
  '<http://a/>',
  '"\\"" <sip:a@b>',
  '<sip:a%00b@c>',
  '<sip:a@b;x=%;lr?H=%ZZ>',
  '<sip:a@b:99999999>',
  '<sip:ä@ö>',
  'anonymous',
  '"x" sip:a@b',
];

const foreign =
  'm=audio 4000 RTP/AVP 9 18 97\r\na=rtpmap:9 G722/8000\r\na=rtpmap:18 G729/8000\r\na=rtpmap:97 iLBC/8000\r\n';
const bodies = [
  '',
  ' ',
  '\r\n',
  'v=0',
  'v=0\r\n',
  'm=',
  'm=audio',
  'm=audio 0',
  'garbage',
  '<xml/>',
  '{"type":"offer"}',
  '\0\0\0',
  'v=0\r\no=\r\ns=\r\nt=\r\nm=audio 9 RTP/AVP\r\n',
  'a='.repeat(5_000),
  `v=0\r\n${'a=x:1\r\n'.repeat(2_000)}`,
  '--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b--\r\n',
];

/** Lines of a description, changed. */
function lines(change: (all: string[], chance: Chance) => string[]): OnWire {
  return (wire, chance) => {
    const all = wire.body.split('\r\n').filter((line) => line !== '');
    if (all.length === 0) {
      return rightLength({
        ...wire,
        body: chance.of(bodies),
        headers: [...wire.headers, 'Content-Type: application/sdp'],
      });
    }
    return rightLength({ ...wire, body: `${change(all, chance).join('\r\n')}\r\n` });
  };
}

function rightLength(wire: Wire): Wire {
  const length = `Content-Length: ${String(new TextEncoder().encode(wire.body).length)}`;
  return { ...wire, headers: [...wire.headers.filter((header) => nameOf(header) !== 'content-length'), length] };
}

const compact: Readonly<Record<string, string>> = {
  via: 'v',
  from: 'f',
  to: 't',
  'call-id': 'i',
  contact: 'm',
  'content-type': 'c',
  'content-length': 'l',
  'session-expires': 'x',
  'refer-to': 'r',
  event: 'o',
  supported: 'k',
};
const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** Done to a message in its parts. */
const onWire: Readonly<Record<string, OnWire>> = {
  'a header dropped': some(() => []),
  'a header doubled': some((name, value) => [`${name}: ${value}`, `${name}: ${value}`]),
  'a header doubled, otherwise': some((name, value, chance) => [
    `${name}: ${value}`,
    `${name}: ${chance.of(['x', '', value.toUpperCase(), value.slice(0, 5)])}`,
  ]),
  'headers in another order': (wire, chance) => ({ ...wire, headers: chance.shuffled(wire.headers) }),
  'a header folded': some((name, value, chance) => [
    `${name}: ${value.replaceAll(' ', chance.of(['\r\n ', '\r\n\t', '\r\n  \t ']))}`,
  ]),
  'headers compact': (wire) => ({
    ...wire,
    headers: wire.headers.map(
      (header) => `${compact[nameOf(header)] ?? header.slice(0, header.indexOf(':'))}: ${valueOf(header)}`,
    ),
  }),
  'headers in odd case': (wire, chance) => ({
    ...wire,
    headers: wire.headers.map(
      (header) => `${chance.is(50) ? nameOf(header).toUpperCase() : nameOf(header)}:${valueOf(header)}`,
    ),
  }),
  'blanks around a colon': some((name, value) => [`${name} \t :\t ${value}  `]),
  'a header without a colon': some((name, value) => [`${name} ${value}`]),
  'a huge header': some((name, value, chance) => [
    `${name}: ${value}${chance.of(['x', ' ', ';a=b', ',a', '"', '<'])}`.padEnd(
      chance.of([5_000, 9_000, 70_000]),
      chance.of(['x', ' ', ';a', ',a', '(', '\\']),
    ),
  ]),
  'an empty header': some((name) => [`${name}:`]),
  'NUL in a header': some((name, value, chance) => [
    `${name}: ${value.slice(0, 3)}\0${value.slice(chance.of([3, 4]))}`,
  ]),
  'a bare CR in a header': some((name, value) => [`${name}: ${value.slice(0, 4)}\r${value.slice(4)}`]),
  'a foreign letter in a header': some((name, value, chance) => [
    `${name}: ${value.slice(0, 2)}` +
      `${chance.of(['é', '日本', '\u{1F4DE}', '\u0085', '\u2028', '\uFFFD'])}${value.slice(2)}`,
  ]),
  'quotes that stay open': some((name, value) => [`${name}: "${value}`]),
  'a header cut off': some((name, value, chance) => [`${name}: ${value.slice(0, chance.below(value.length + 1))}`]),
  'a header of another': (wire, chance) => {
    const [one, other] = [chance.below(wire.headers.length), chance.below(wire.headers.length)];
    return {
      ...wire,
      headers: replaced(wire.headers, one, `${wire.headers[one]!.split(':')[0]!}: ${valueOf(wire.headers[other]!)}`),
    };
  },
  '300 headers': (wire) => ({
    ...wire,
    headers: [...wire.headers, ...Array.from({ length: 300 }, (_, at) => `X-${String(at)}: y`)],
  }),
  'headers of odd names': (wire, chance) => ({
    ...wire,
    headers: [
      ...odd.map((name) => `${name}: x`),
      ...(chance.is(50) ? ['X Y: z', ': no name', 'é: ü'] : []),
      ...wire.headers,
    ],
  }),
  'a tag of From': set('From', withTag),
  'a tag of To': set('To', withTag),
  'another From': set('From', (value, chance) => `${chance.of(addresses)}${/;tag=[^;]*/i.exec(value)?.[0] ?? ''}`),
  'another To': set('To', (value, chance) => `${chance.of(addresses)}${/;tag=[^;]*/i.exec(value)?.[0] ?? ''}`),
  'another Contact': set('Contact', addresses),
  'another Call-ID': set('Call-ID', ['', 'other', 'a b', 'ä', '__proto__', 'a@b@c', '<x>', 'x'.repeat(3_000), '\0']),
  'another CSeq': set('CSeq', (value, chance) => {
    const [number = '1', method = 'INVITE'] = value.split(' ');
    return chance.of([
      `-1 ${method}`,
      `0 ${method}`,
      `2147483648 ${method}`,
      `4294967296 ${method}`,
      `99999999999999999999 ${method}`,
      `1e3 ${method}`,
      method,
      number,
      `${number} FOO`,
      `${number} INVITE`,
      `${number} ACK`,
      `${number}  ${method.toLowerCase()}`,
      `${number} ${method} x`,
      `0x1 ${method}`,
      `${number}.5 ${method}`,
    ]);
  }),
  'another branch': set('Via', (value, chance) =>
    value.replace(
      /;branch=[^;,]*/i,
      chance.of([
        '',
        ';branch=',
        ';branch=1',
        ';branch=z9hG4bK',
        ';branch=constructor',
        ';branch=__proto__',
        ';branch=z9hG4bK"x"',
        ';branch',
        ';branch=z9hG4bKa;branch=z9hG4bKb',
        `;branch=z9hG4bK${'b'.repeat(2_000)}`,
      ]),
    ),
  ),
  'another Via': set('Via', (value, chance) => {
    const branch = `z9hG4bK${String(chance.below(1_000_000_000))}`;
    return chance.of([
      'SIP/2.0/UDP',
      `SIP/2.0/WS ;branch=${branch}`,
      `SIP / 2.0 / WS a ; branch = ${branch}`,
      `SIP/3.0/WS a;branch=${branch}`,
      `SIP/2.0/WS [2001:db8::1]:5060;branch=${branch}`,
      `SIP/2.0/WS 7a8b:99999;branch=${branch}`,
      'x',
      value.replace('SIP/2.0', 'sip/2.0'),
      `${value}, ${value}`,
      `${value};ttl=999;maddr=?`,
      value.replace(/:\d+/, ':'),
      value.replace(/:\d+/, ':0'),
    ]);
  }),
  'another Content-Length': set('Content-Length', [
    '0',
    '1',
    '-1',
    '999999',
    '99999999999999999999',
    'x',
    '',
    '1e2',
    '0x10',
    '5, 5',
  ]),
  'another Content-Type': set('Content-Type', [
    '',
    'application/SDP; charset=utf-8',
    'application/sdp;',
    'text/plain',
    'multipart/mixed;boundary=b',
    'multipart/mixed',
    '/',
    'application',
    'application/dtmf-relay',
    'application/dtmf',
    'message/sipfrag',
  ]),
  'odd times': (wire, chance) =>
    set(
      chance.of(['Session-Expires', 'Min-SE', 'Expires', 'Min-Expires', 'Max-Forwards', 'Retry-After', 'Timestamp']),
      ['0', '-1', '1', 'x', '', '99999999999', '1800;refresher=both', '1800;refresher', '5;', '1.5', '1800, 90'],
    )(wire, chance),
  'odd demands': (wire, chance) =>
    set(
      chance.of([
        'Require',
        'Proxy-Require',
        'Supported',
        'Allow',
        'Event',
        'Replaces',
        'Refer-To',
        'Referred-By',
        'Record-Route',
        'Route',
        'Reason',
        'P-Asserted-Identity',
        'Remote-Party-ID',
        'Accept',
        'RSeq',
        'RAck',
        'Target-Dialog',
        'Join',
        'Authentication-Info',
        'Www-Authenticate',
        'Proxy-Authenticate',
        'Subscription-State',
        'X-Readyline-Call',
        'X-Refer-To',
        'X-Unknown-Challenges',
      ]),
      [
        ...addresses,
        '100rel',
        'refer;id=x',
        'a;to-tag=b;from-tag=c',
        'a;to-tag=b',
        'Digest',
        'Digest realm="r", nonce="n"',
        'Digest realm="a\\',
        'Basic realm="x"',
        'SIP;cause=200',
        'Q.850;cause=999999',
        ';;;',
        ',,,',
        '%%%',
        'refer;;',
      ],
    )(wire, chance),
  'a line of the body dropped': lines((all, chance) => replaced(all, chance.below(all.length))),
  'three lines of the body dropped': lines((all, chance) =>
    [1, 2, 3].reduce((left) => replaced(left, chance.below(left.length || 1)), all),
  ),
  'a line of the body doubled': lines((all, chance) => {
    const at = chance.below(all.length);
    return replaced(all, at, all[at]!, all[at]!);
  }),
  'lines of the body swapped': lines((all, chance) => chance.shuffled(all)),
  'a line of the body cut off': lines((all, chance) => {
    const at = chance.below(all.length);
    return replaced(all, at, all[at]!.slice(0, chance.below(all[at]!.length + 1)));
  }),
  'a line of the body huge': lines((all, chance) => {
    const at = chance.below(all.length);
    return replaced(all, at, all[at]!.padEnd(chance.of([3_000, 60_000]), '1'));
  }),
  'no encryption': lines((all) =>
    all
      .filter((line) => !/^a=(?:fingerprint|ice-|setup)/.test(line))
      .map((line) => line.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP')),
  ),
  'codecs that nobody has': lines((all) => [
    ...all.filter((line) => !/^(?:m=|a=rtpmap)/.test(line)),
    ...foreign.trim().split('\r\n'),
  ]),
  'two voices': lines((all) => [...all, ...all.slice(all.findIndex((line) => line.startsWith('m=')))]),
  'a picture as well': lines((all) => [
    ...all,
    'm=video 4002 UDP/TLS/RTP/SAVPF 96',
    'c=IN IP4 127.0.0.1',
    'a=rtpmap:96 VP8/90000',
    'a=mid:1',
  ]),
  'no voice any more': lines((all) => all.map((line) => line.replace(/^m=audio \d+/, 'm=audio 0'))),
  'an odd number in the body': lines((all, chance) => {
    const at = chance.below(all.length);
    return replaced(
      all,
      at,
      all[at]!.replace(/\d+/, chance.of(['-1', '99999', '99999999999999999999', '', 'x', '1.5'])),
    );
  }),
  'another body': (wire, chance) => rightLength({ ...wire, body: chance.of(bodies) }),
  'no body': (wire) => rightLength({ ...wire, body: '' }),
  'another start': (wire, chance) => {
    const [first = '', second = '', ...rest] = wire.start.split(' ');
    const isAnswer = first.startsWith('SIP/');
    const starts = isAnswer
      ? [
          `SIP/2.0 ${second}`,
          `sip/2.0 ${second} x`,
          `SIP/3.0 ${second} x`,
          'SIP/2.0 000 x',
          'SIP/2.0 99 x',
          'SIP/2.0 999 x',
          `SIP/2.0 ${second} Grüße\t"`,
          `SIP/2.0  ${second}  ${rest.join(' ')}`,
          'SIP/2.0',
          'HTTP/1.1 200 OK',
          '',
        ]
      : [
          `${first} ${second} sip/2.0`,
          `${first} ${second} SIP/3.0`,
          `${first} ${second}`,
          first,
          `${first}  ${second}  SIP/2.0`,
          `${first} sip: SIP/2.0`,
          `${first} tel:+12025550100 SIP/2.0`,
          `${first} sips:ada@pbx.test SIP/2.0`,
          `${first} sip:ada@[::1] SIP/2.0`,
          `${first} <${second}> SIP/2.0`,
          `${first} sip:ada%20x@pbx.test SIP/2.0`,
          `${first} sip:somebody@pbx.test SIP/2.0`,
          `${first} ${second};x=%;y=" SIP/2.0`,
          'GET / HTTP/1.1',
          '',
          ` ${wire.start}`,
          `\r\n${wire.start}`,
        ];
    return { ...wire, start: chance.of(starts) };
  },
  'another method': (wire, chance) => {
    const method = chance.of([
      'FOO',
      'invite',
      'INVITE',
      'ACK',
      'CANCEL',
      'BYE',
      'X'.repeat(30),
      'constructor',
      'IN-VITE',
      'OPTIONS',
      'PRACK',
      'REFER',
      'NOTIFY',
      'SUBSCRIBE',
      'REGISTER',
    ]);
    if (wire.start.startsWith('SIP/')) return wire;
    return {
      ...wire,
      start: wire.start.replace(/^\S+/, method),
      headers: chance.is(50)
        ? wire.headers
        : wire.headers.map((header) => header.replace(/^(CSeq: \S+ ).*/, `$1${method}`)),
    };
  },
  'another code': (wire, chance) =>
    wire.start.startsWith('SIP/')
      ? {
          ...wire,
          start: `SIP/2.0 ${chance.of([
            '100',
            '180',
            '183',
            '199',
            '200',
            '202',
            '299',
            '300',
            '302',
            '305',
            '380',
            '400',
            '401',
            '403',
            '407',
            '408',
            '415',
            '420',
            '421',
            '422',
            '423',
            '480',
            '481',
            '482',
            '485',
            '488',
            '489',
            '491',
            '494',
            '500',
            '503',
            '504',
            '513',
            '580',
            '600',
            '603',
            '606',
            '699',
          ])} Such`,
        }
      : wire,
};

/** Done to a message as it is written. */
const onText: Readonly<Record<string, OnText>> = {
  'in a binary frame': (text) => [new TextEncoder().encode(text)],
  'with bytes that are no UTF-8': (text, chance) => {
    const bytes = new TextEncoder().encode(text);
    for (let times = 0; times < 3; times += 1)
      bytes[chance.below(bytes.length)] = chance.of([0xff, 0xfe, 0xc0, 0x80, 0xed]);
    return [bytes];
  },
  'in another encoding': (text) => [Uint8Array.from(Buffer.from(text, 'latin1'))],
  'in UTF-16': (text) => [Uint8Array.from(Buffer.from(text, 'utf16le'))],
  'split in two': (text, chance) => {
    const at = chance.below(text.length);
    return [text.slice(0, at), text.slice(at)];
  },
  'two in one frame': (text) => [text + text],
  twice: (text) => [text, text],
  'cut off': (text, chance) => [text.slice(0, chance.below(text.length))],
  'lines ended by LF alone': (text) => [text.replaceAll('\r\n', '\n')],
  'lines ended by CR alone': (text) => [text.replaceAll('\r\n', '\r')],
  'without an empty line': (text) => [text.replace('\r\n\r\n', '\r\n')],
  'after empty lines': (text, chance) => [chance.of(['\r\n', '\r\n\r\n', ' ', '\n']) + text],
  'characters replaced': (text, chance) => {
    const letters = [...text];
    for (let times = chance.below(6); times >= 0; times -= 1) {
      letters[chance.below(letters.length)] = chance.of([
        '',
        ' ',
        ';',
        ':',
        ',',
        '"',
        '<',
        '>',
        '\0',
        '\r',
        '\n',
        '\t',
        '@',
        '%',
        '=',
        '\\',
        '\uFFFD',
        'é',
        '0',
        'A',
      ]);
    }
    return [letters.join('')];
  },
  huge: (text) => [text + 'x'.repeat(300_000)],
  nothing: (_, chance) => [chance.of(['', ' ', '\0', '\r\n', '\r\n\r\n', '\r\n\r\n\r\n', 'x'])],
};

const [wireNames, textNames] = [Object.keys(onWire), Object.keys(onText)];

/** @returns a message as no PBX should write it, in one to three ways */
export function mutated(given: Wire, chance: Chance): Mutant {
  const done: string[] = [];
  let wire = given;
  for (let times = chance.of([0, 1, 1, 1, 2, 2, 3]); times > 0; times -= 1) {
    const name = chance.of(wireNames);
    done.push(name);
    if (wire.headers.length > 0) wire = onWire[name]!(wire, chance);
  }
  if (done.length > 0 && !chance.is(20)) return { frames: [written(wire)], done };
  const name = chance.of(textNames);
  return { frames: onText[name]!(written(wire), chance), done: [...done, name] };
}
