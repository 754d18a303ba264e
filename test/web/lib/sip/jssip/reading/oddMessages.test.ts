import { describe, expect, it } from 'vitest';
import { branchesAsWritten } from '../../../../../../web/src/lib/sip/jssip/reading/branches.ts';
import { readMessage } from '../../../../../../web/src/lib/sip/jssip/reading/message.ts';

type Parts = { start?: string; via?: string; callId?: string; cseq?: string; more?: string[]; body?: string };

function message({
  start = 'INVITE sip:ada@pbx.test SIP/2.0',
  via = 'SIP/2.0/WS pbx.test;branch=z9hG4bKx',
  callId = 'call',
  cseq = '1 INVITE',
  more = [],
  body = '',
}: Parts = {}): string {
  return [
    start,
    `Via: ${via}`,
    'From: <sip:a@pbx.test>;tag=1',
    'To: <sip:ada@pbx.test>',
    `Call-ID: ${callId}`,
    `CSeq: ${cseq}`,
    ...more,
    '',
    body,
  ].join('\r\n');
}

/** What the SIP library is told of a header, each of its values. */
function told(given: string, name: string): string[] {
  const reading = readMessage(given);
  expect(reading.kind).toBe('message');
  return reading.kind === 'message'
    ? reading.head.headers.filter((header) => header.name === name).map(({ value }) => value)
    : [];
}

const viaOf = (parts: Parts) => told(message(parts), 'via')[0]!;

describe('a branch', () => {
  it.each([
    'SIP/2.0/WS pbx.test',
    'SIP/2.0/WS pbx.test;rport',
    'SIP/2.0/WS pbx.test;branch=1;rport',
    'SIP/2.0/WS pbx.test ; branch = 1',
    'SIP/2.0/WS pbx.test;branch=constructor',
    'SIP/2.0/WS pbx.test;branch=__proto__',
    'SIP/2.0/WS pbx.test;branch=z9hG4bK',
  ])('of «%s» says which request it is, and is said back as it was', (via) => {
    expect(viaOf({ via })).toMatch(/;branch=z9hG4bK\.[\da-f]*\.[\da-f]+\.as-written(?:;rport)?$/);
    expect(branchesAsWritten(viaOf({ via }))).toBe(via);
    expect(viaOf({ via, callId: 'another' })).not.toBe(viaOf({ via }));
    expect(viaOf({ via, cseq: '2 INVITE' })).not.toBe(viaOf({ via }));
    for (const method of ['ACK', 'CANCEL']) {
      expect(viaOf({ via, start: `${method} sip:ada@pbx.test SIP/2.0`, cseq: `1 ${method}` })).toBe(viaOf({ via }));
    }
  });

  it('that says so itself stays', () => {
    expect(viaOf({ via: 'SIP/2.0/WS pbx.test;rport;branch=z9hG4bK-1.2' })).toBe(
      'SIP/2.0/WS pbx.test;rport;branch=z9hG4bK-1.2',
    );
  });

  it('cannot hold what would be another header when it is said back', () => {
    const hex = [...';branch=1\r\nX: y'].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    const standIn = `;branch=z9hG4bK.${hex}.00.as-written`;
    expect(branchesAsWritten(standIn)).toBe(standIn);
  });
});

describe('a message', () => {
  it('that says twice what it says once is read by the first', () => {
    expect(
      told(
        message({
          more: [
            'To: nobody',
            'CSeq: x',
            'Call-ID: other',
            'Content-Type: application/sdp',
            'Content-Type: text/plain',
          ],
        }),
        'content-type',
      ),
    ).toEqual(['application/sdp']);
    expect(told(message({ more: ['To: nobody', 'Call-ID: other'] }), 'call-id')).toEqual(['call']);
  });

  it('in which a caller waits for longer than a timer counts, or for less than nothing, rings', () => {
    for (const wait of ['99999999999', '2147484', '-1', 'soon', '1.5'])
      expect(told(message({ more: [`Expires: ${wait}`] }), 'expires'), wait).toEqual([]);
    expect(told(message({ more: ['Expires: 180'] }), 'expires')).toEqual(['180']);
  });

  it('that wants a session for longer than a timer counts gets a day', () => {
    expect(told(message({ more: ['Session-Expires: 99999999999;refresher=uas'] }), 'session-expires')).toEqual([
      '86400;refresher=uas',
    ]);
    expect(told(message({ more: ['Min-SE: 99999999999'] }), 'min-se')).toEqual(['86400']);
    expect(told(message({ more: ['Session-Expires: 1800;refresher=uac'] }), 'session-expires')).toEqual([
      '1800;refresher=uac',
    ]);
  });

  it.each(['constructor', '__proto__', 'toString'])(
    'with a header of the name %s is read, that header as any other',
    (name) => {
      expect(told(message({ more: [`${name}: x`] }), name.toLowerCase())).toEqual(['x']);
    },
  );

  it('that is too large is refused with what is in its bounds', () => {
    const reading = readMessage(message({ body: 'x'.repeat(300_000) }));
    expect(reading).toMatchObject({ kind: 'unreadable', what: 'message-size' });
    expect(reading.kind === 'unreadable' && reading.answer).toMatch(
      /^SIP\/2\.0 513 Message Too Large\r\nVia: SIP\/2\.0\/WS pbx\.test;branch=z9hG4bKx\r\n[^]*Call-ID: call\r\n/,
    );
  });

  it.each(['invite', 'FOO-BAR', 'constructor'])('whose method is %s is for the SIP library to refuse', (method) => {
    expect(readMessage(message({ start: `${method} sip:ada@pbx.test SIP/2.0`, cseq: `1 ${method}` }))).toMatchObject({
      kind: 'message',
      head: { start: `${method} sip:ada@pbx.test SIP/2.0` },
    });
  });

  it('that answers is read without a way that cannot be read', () => {
    const more = ['Record-Route: over there', 'Record-Route: <sip:proxy.test;lr>'];
    expect(told(message({ start: 'SIP/2.0 200 OK', more }), 'record-route')).toEqual(['<sip:proxy.test;lr>']);
  });
});
