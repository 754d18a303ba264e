import { describe, expect, it } from 'vitest';
import { withSdpAlone } from '../../../../../../web/src/lib/sip/jssip/reading/body.ts';
import { headOf } from '../../../../../../web/src/lib/sip/jssip/reading/head.ts';
import { inParts, partsType, sdpPart } from '../../../../../support/sip/bodiesInParts.ts';
import { sdp } from '../../../../../support/sip/mutePeer.ts';

type Given = { start?: string; cseq?: string; more?: string[] };

/** What the SIP library is told of a body: its type and itself; null: the message is not understood. */
function told(
  type: string,
  body: string,
  { start = 'INVITE sip:ada@pbx.test SIP/2.0', cseq = '1 INVITE', more = [] }: Given = {},
): [string | undefined, string] | null {
  const head = headOf(
    [start, `CSeq: ${cseq}`, ...(type === '' ? [] : [`Content-Type: ${type}`]), ...more].join('\r\n'),
  );
  const taken = withSdpAlone(head, body);
  return taken && [taken.head.headers.find(({ name }) => name === 'content-type')?.value, taken.body];
}

const taken = ['application/sdp', sdp];
const other = sdp.replaceAll('4000', '5000');

describe('SDP in a body of several parts', () => {
  it.each([
    ['behind a location', partsType, inParts([sdpPart(sdp)])],
    [
      'before a location',
      partsType,
      inParts([], 'parts', [sdpPart(sdp), 'Content-Type: application/pidf+xml\r\n\r\n<presence/>']),
    ],
    [
      'with its own Content-Disposition',
      partsType,
      inParts([sdpPart(sdp, 'Content-Disposition: session;handling=required')]),
    ],
    [
      'with a boundary in quotes',
      'Multipart/Mixed; charset=utf-8; Boundary="a b;c=:/?"',
      inParts([sdpPart(sdp)], 'a b;c=:/?'),
    ],
    ['with a boundary that nobody has told', 'multipart/mixed', inParts([sdpPart(sdp)])],
    [
      'by a short header name, folded',
      partsType,
      inParts([`c:\r\n application/sdp;\r\n\tcharset=utf-8\r\n\r\n${sdp}`]),
    ],
    ['without a type', partsType, inParts([`\r\n${sdp}`])],
    ['with line feeds alone', partsType, inParts([sdpPart(sdp)]).replaceAll('\r\n', '\n')],
    ['with blanks behind the boundaries', partsType, inParts([sdpPart(sdp)]).replaceAll(/--parts(?:--)?/g, '$& \t')],
    ['that never ends', partsType, inParts([sdpPart(sdp)]).replace('--parts--', '')],
    [
      'in base64',
      partsType,
      inParts([sdpPart(btoa(sdp).replaceAll(/.{60}/g, '$&\r\n'), 'Content-Transfer-Encoding: BASE64')]),
    ],
    [
      'in quoted-printable',
      partsType,
      inParts([
        sdpPart(
          sdp.replaceAll('=', '=3D').replace('RTP/SAVPF', 'RTP=\r\n/SAVPF'),
          'Content-Transfer-Encoding: quoted-printable',
        ),
      ]),
    ],
    ['in binary', partsType, inParts([sdpPart(sdp, 'Content-Transfer-Encoding: binary')])],
    [
      'as the last of two alternatives',
      'multipart/alternative;boundary=parts',
      inParts([sdpPart(other), sdpPart(sdp)]),
    ],
    ['as the first of two others', partsType, inParts([sdpPart(sdp), sdpPart(other)])],
    [
      'beside sound that is none of the call',
      partsType,
      inParts([sdpPart(other, 'Content-Disposition: early-session'), sdpPart(sdp)]),
    ],
    ['within another such body', partsType, inParts([packed(1)])],
  ])('%s is taken', (_what, type, body) => {
    expect(told(type, body)).toEqual(taken);
  });

  it.each([
    ['a 200', 'SIP/2.0 200 OK', '1 INVITE'],
    ['a 183', 'SIP/2.0 183 Session Progress', '1 INVITE'],
    ['an ACK', 'ACK sip:ada@pbx.test SIP/2.0', '1 ACK'],
    ['an UPDATE', 'UPDATE sip:ada@pbx.test SIP/2.0', '1 UPDATE'],
  ])('is taken of %s, too', (_what, start, cseq) => {
    expect(told(partsType, inParts([sdpPart(sdp)]), { start, cseq })).toEqual(taken);
  });

  it('that has no type at all is taken', () => {
    expect(told('', sdp)).toEqual(taken);
  });
});

/** A part with SDP so many bodies deep. */
function packed(depth: number): string {
  if (depth === 0) return sdpPart(sdp);
  const boundary = `b${String(depth)}`;
  return `Content-Type: multipart/mixed;boundary=${boundary}\r\n\r\n${inParts([packed(depth - 1)], boundary, [])}`;
}

describe('a body without SDP', () => {
  const bodies: [string, string, string][] = [
    ['in parts', partsType, inParts([])],
    ['of another kind', 'application/isup;version=itu-t92+', 'isup'],
    ['whose base64 is none', partsType, inParts([sdpPart('???', 'Content-Transfer-Encoding: base64')])],
    ['packed more deeply than anybody does', partsType, inParts([packed(9)], 'parts', [])],
    [
      'of more parts than anybody sends',
      partsType,
      inParts([...Array.from({ length: 100 }, () => 'Content-Type: text/plain\r\n\r\nx'), sdpPart(sdp)]),
    ],
  ];

  it.each(bodies)('%s is not understood in a request that asks for something by it', (_what, type, body) => {
    expect(told(type, body)).toBeNull();
    expect(told(type, body, { start: 'UPDATE sip:ada@pbx.test SIP/2.0', cseq: '1 UPDATE' })).toBeNull();
  });

  it.each(bodies)('%s is none in an answer', (_what, type, body) => {
    expect(told(type, body, { start: 'SIP/2.0 180 Ringing', cseq: '1 INVITE' })).toEqual([undefined, '']);
  });

  it('that may be left aside is left aside', () => {
    expect(told('application/isup', 'isup', { more: ['Content-Disposition: signal;handling=optional'] })).toEqual([
      undefined,
      '',
    ]);
    const part = 'Content-Type: application/isup\r\nContent-Disposition: signal; Handling="optional"\r\n\r\nisup';
    expect(told(partsType, inParts([part], 'parts', []))).toEqual([undefined, '']);
  });

  it('is no matter where it is about something else than the voice', () => {
    const about = { start: 'INFO sip:ada@pbx.test SIP/2.0', cseq: '2 INFO' };
    expect(told('application/dtmf-relay', 'Signal=1', about)).toEqual(['application/dtmf-relay', 'Signal=1']);
  });
});
