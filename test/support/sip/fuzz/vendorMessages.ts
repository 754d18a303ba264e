import { browserSdp } from '../mutePeer.ts';

/** A SIP message in its parts; each header a line. */
export type Wire = { start: string; headers: string[]; body: string };

/** How a message goes out: what is written in one frame after the other, as text or as bytes. */
export type Frame = string | Uint8Array;

/** Where a request belongs. `toTag` empty: to no dialog. */
export type Place = { target: string; callId: string; branch: string; cseq: number; from: string; to: string };

/**
 * How a make of PBX writes: what it adds to every message, to those that call or answer,
 * and to its descriptions of the voice.
 */
export type Vendor = {
  name: string;
  via: (branch: string) => string[];
  caller: string;
  contact: string;
  always: string[];
  calling: string[];
  sdp: string;
};

const withCodec = (number: number, ...lines: string[]) =>
  browserSdp.replace('SAVPF 0', `SAVPF 0 ${String(number)}`).replace('a=mid:0', [...lines, 'a=mid:0'].join('\r\n'));
const withOrigin = (origin: string) => browserSdp.replace('o=- 1 1 IN IP4 127.0.0.1\r\ns=-', origin);

/** As their traces show them. */
export const vendors: readonly Vendor[] = [
  {
    name: 'Asterisk',
    via: (branch) => [`Via: SIP/2.0/WS 10.0.0.5:8088;rport;branch=${branch}`],
    caller: '"Ada Lovelace" <sip:+12025550143@10.0.0.5>',
    contact: '<sip:asterisk@10.0.0.5:8088;transport=ws>',
    always: [
      'Max-Forwards: 70',
      'User-Agent: Asterisk PBX 20.5.0',
      'Allow: OPTIONS, REGISTER, SUBSCRIBE, NOTIFY, PUBLISH, INVITE, ACK, BYE, CANCEL, UPDATE, PRACK, INFO, ' +
        'MESSAGE, REFER',
    ],
    calling: [
      'Supported: 100rel, timer, replaces, norefersub, histinfo',
      'Session-Expires: 1800',
      'Min-SE: 90',
      'P-Asserted-Identity: "Ada Lovelace" <sip:+12025550143@10.0.0.5>',
    ],
    sdp: withCodec(101, 'a=rtpmap:101 telephone-event/8000', 'a=fmtp:101 0-16', 'a=ptime:20', 'a=maxptime:150'),
  },
  {
    name: 'FreeSWITCH',
    via: (branch) => [`Via: SIP/2.0/WSS 10.0.0.6:7443;branch=${branch};rport`],
    caller: '"Extension 1002" <sip:1002@10.0.0.6>',
    contact: '<sip:mod_sofia@10.0.0.6:7443;transport=wss>',
    always: [
      'Max-Forwards: 69',
      'User-Agent: FreeSWITCH-mod_sofia/1.10.10-release+git~20230813T165739Z~4cb05e7f4a~64bit',
      'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, MESSAGE, INFO, UPDATE, REGISTER, REFER, NOTIFY',
    ],
    calling: [
      'Supported: timer, path, replaces',
      'Allow-Events: talk, hold, conference, refer',
      'Session-Expires: 1800;refresher=uac',
      'Min-SE: 120',
      'Content-Disposition: session',
      'X-FS-Support: update_display,send_info',
      'Remote-Party-ID: "Extension 1002" <sip:1002@10.0.0.6>;party=calling;screen=yes;privacy=off',
    ],
    sdp: withOrigin('o=FreeSWITCH 1700000000 1700000001 IN IP4 10.0.0.6\r\ns=FreeSWITCH'),
  },
  {
    name: 'Kamailio',
    via: (branch) => [
      `Via: SIP/2.0/WS 10.0.0.7;branch=${branch}.1`,
      // Of this message alone: another one with the same branch on top would be the same one again (RFC 3261, 17.2.3).
      `Via: SIP/2.0/UDP 10.0.0.8:5060;received=10.0.0.8;branch=${branch}.0;rport=5060`,
    ],
    caller: '<sip:+12025550144@carrier.example;user=phone>',
    contact: '<sip:+12025550144@10.0.0.8:5060>',
    always: ['Record-Route: <sip:10.0.0.7;transport=ws;lr=on;ftag=caller>, <sip:10.0.0.8;lr>', 'Max-Forwards: 67'],
    calling: ['P-Preferred-Identity: <tel:+12025550144>', 'Supported: replaces'],
    sdp: withOrigin('o=- 3900000000 3900000000 IN IP4 10.0.0.8\r\ns=Kamailio').replace(
      'a=sendrecv',
      'a=rtcp:4000\r\na=sendrecv',
    ),
  },
  {
    name: '3CX',
    via: (branch) => [`Via: SIP/2.0/WSS 10.0.0.9:5001;branch=${branch}-524287-1---a1b2c3d4;rport`],
    caller: '"Anna Müller"<sip:10@10.0.0.9:5060;nf=e>',
    contact: '<sip:10@10.0.0.9:5001;transport=wss;rinstance=0a1b2c3d>',
    always: ['Max-Forwards: 70', 'User-Agent: 3CXPhoneSystem 18.0.9.20 (19476)'],
    calling: [
      'Allow: INVITE, ACK, CANCEL, OPTIONS, BYE, REGISTER, SUBSCRIBE, NOTIFY, REFER, INFO, MESSAGE, UPDATE',
      'Supported: replaces, timer',
      'Remote-Party-ID: "Anna Müller"<sip:10@10.0.0.9:5060>;party=calling',
    ],
    sdp: withOrigin('o=3cxPS 515396075520 1 IN IP4 10.0.0.9\r\ns=3cxPS Audio call'),
  },
  {
    name: 'Cisco',
    via: (branch) => [`Via: SIP/2.0/WS 10.0.0.10:5060;branch=${branch}`],
    caller: '<sip:4711@10.0.0.10>',
    contact: '<sip:4711@10.0.0.10:5060;transport=ws>',
    always: ['Date: Fri, 27 Nov 2026 10:00:00 GMT', 'Max-Forwards: 68', 'User-Agent: Cisco-CUCM14.0'],
    calling: [
      'Supported: timer,resource-priority,replaces',
      'Min-SE:  1800',
      'Cisco-Guid: 0123456789-0000065536-0000000042-0167772170',
      'Session-Expires:  1800',
      'Expires: 180',
      'Call-Info: <urn:x-cisco-remotecc:callinfo>;x-cisco-video-traffic-class=DESKTOP',
      'Allow-Events: presence, kpml',
      'P-Asserted-Identity: <sip:4711@10.0.0.10>',
    ],
    sdp: withOrigin('o=CiscoSystemsCCM-SIP 161095 1 IN IP4 10.0.0.10\r\ns=SIP Call\r\nb=TIAS:64000\r\nb=AS:64'),
  },
  {
    name: 'a border controller',
    via: (branch) => [`Via: SIP/2.0/WSS 203.0.113.9:443;branch=${branch}hgsbc;origin=10.1.1.1`],
    caller: '"+12025550145" <sip:+12025550145@sbc.example;user=phone>',
    contact: '<sip:+12025550145-b2b@203.0.113.9:443;transport=wss;ob>',
    always: ['Max-Forwards: 63'],
    calling: [
      'P-Charging-Vector: icid-value="a;b,c";icid-generated-at=203.0.113.9',
      'Diversion: <sip:+12025550100@sbc.example>;reason=no-answer;counter=1',
      'History-Info: <sip:+12025550100@sbc.example?Reason=SIP%3Bcause%3D302>;index=1, <sip:ada@pbx.test>;index=1.1',
      'Privacy: none',
      'Supported: 100rel,timer',
      'Session-Expires: 900;refresher=uas',
      'Reason: Q.850;cause=16;text="Normal"',
    ],
    sdp: withCodec(8, 'a=rtpmap:8 PCMA/8000', 'a=silenceSupp:off - - - -'),
  },
];

/** What a PBX may ask of a telephone. */
export const methods = [
  'INVITE',
  'UPDATE',
  'INFO',
  'OPTIONS',
  'NOTIFY',
  'REFER',
  'BYE',
  'CANCEL',
  'ACK',
  'MESSAGE',
  'SUBSCRIBE',
  'PRACK',
  'PUBLISH',
  'FOO',
] as const;
export type Method = (typeof methods)[number];

/** One body beside its headers, as requests of that kind have them. */
const contents: Record<Method, (vendor: Vendor) => readonly { headers: string[]; body: string }[]> = {
  INVITE: ({ sdp }) => [description(sdp), description(moved(sdp)), description(held(sdp)), { headers: [], body: '' }],
  UPDATE: ({ sdp }) => [description(moved(sdp)), { headers: ['Session-Expires: 180;refresher=uac'], body: '' }],
  INFO: () => [
    { headers: ['Content-Type: application/dtmf-relay'], body: 'Signal=5\r\nDuration=160\r\n' },
    {
      headers: ['Content-Type: application/media_control+xml'],
      body: '<?xml version="1.0"?><media_control><vc_primitive/></media_control>',
    },
    { headers: [], body: '' },
  ],
  OPTIONS: () => [{ headers: ['Accept: application/sdp'], body: '' }],
  NOTIFY: () => [
    { headers: ['Event: talk', 'Subscription-State: active'], body: '' },
    {
      headers: [
        'Event: refer;id=2',
        'Subscription-State: terminated;reason=noresource',
        'Content-Type: message/sipfrag;version=2.0',
      ],
      body: 'SIP/2.0 200 OK\r\n',
    },
    {
      headers: ['Event: message-summary', 'Content-Type: application/simple-message-summary'],
      body: 'Messages-Waiting: no\r\n',
    },
    { headers: [], body: '' },
  ],
  REFER: () => [
    { headers: ['Refer-To: <sip:+12025550150@pbx.test>', 'Referred-By: <sip:10@pbx.test>'], body: '' },
    {
      headers: [
        'Refer-To: "B" <sip:11@elsewhere.example?Replaces=a%3Bto-tag%3Db%3Bfrom-tag%3Dc>',
        'Require: norefersub',
      ],
      body: '',
    },
    { headers: [], body: '' },
  ],
  BYE: () => [{ headers: ['Reason: Q.850;cause=16'], body: '' }],
  CANCEL: () => [{ headers: ['Reason: SIP;cause=200;text="Call completed elsewhere"'], body: '' }],
  ACK: ({ sdp }) => [{ headers: [], body: '' }, description(sdp)],
  MESSAGE: () => [{ headers: ['Content-Type: text/plain'], body: 'Hello, Grüße' }],
  SUBSCRIBE: () => [{ headers: ['Event: presence', 'Expires: 3600'], body: '' }],
  PRACK: () => [{ headers: ['RAck: 1 1 INVITE'], body: '' }],
  PUBLISH: () => [{ headers: ['Event: presence'], body: '' }],
  FOO: () => [{ headers: [], body: '' }],
};

function description(sdp: string): { headers: string[]; body: string } {
  return { headers: ['Content-Type: application/sdp'], body: sdp };
}

/** The same voice, told anew. */
function moved(sdp: string): string {
  return sdp.replace(
    /^(o=\S+ \d+ )(\d+)/m,
    (_, before: string, version: string) => `${before}${String(Number(version) + 1)}`,
  );
}

function held(sdp: string): string {
  return moved(sdp).replace('a=sendrecv', 'a=sendonly');
}

/** A request as that PBX writes it. @param which of its kind's contents */
export function requestOf(vendor: Vendor, method: Method, place: Place, which = 0): Wire {
  const choices = contents[method](vendor);
  const { headers, body } = choices[which % choices.length]!;
  return {
    start: `${method} ${place.target} SIP/2.0`,
    headers: [
      ...vendor.via(place.branch),
      `From: ${place.from}`,
      `To: ${place.to}`,
      `Call-ID: ${place.callId}`,
      `CSeq: ${String(place.cseq)} ${method}`,
      `Contact: ${vendor.contact}`,
      ...vendor.always,
      ...(method === 'INVITE' ? vendor.calling : []),
      ...headers,
      lengthOf(body),
    ],
    body,
  };
}

/** An answer as that PBX writes it. @param status such as `180 Ringing`; @param headers further ones */
export function answerOf(
  vendor: Vendor,
  request: string,
  status: string,
  { headers = [], body = '' }: { headers?: string[]; body?: string } = {},
): Wire {
  const kept = request.split('\r\n').filter((line) => /^(?:via|from|call-id|cseq):/i.test(line));
  const to = /^To:[^\r]*/im.exec(request)?.[0] ?? 'To: <sip:nobody@pbx.test>';
  return {
    start: `SIP/2.0 ${status}`,
    headers: [
      ...kept,
      status.startsWith('100') || to.includes(';tag=') ? to : `${to};tag=of-${String(vendor.name.length)}`,
      `Contact: ${vendor.contact}`,
      ...vendor.always.filter((header) => !header.startsWith('Max-Forwards') && !header.startsWith('Record-Route')),
      ...headers,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      lengthOf(body),
    ],
    body,
  };
}

function lengthOf(body: string): string {
  return `Content-Length: ${String(new TextEncoder().encode(body).length)}`;
}

export function written({ start, headers, body }: Wire): string {
  return [start, ...headers, '', body].join('\r\n');
}
