import { parse } from 'jssip/lib/Grammar.js';
import { describe, expect, it } from 'vitest';
import { readMessage, textOf } from '../../../../../../web/src/lib/sip/jssip/reading/message.ts';
import { asWritten } from '../../../../../../web/src/lib/sip/jssip/reading/standIns.ts';

type Parts = Partial<Record<'start' | 'via' | 'from' | 'to' | 'contact' | 'callId' | 'cseq' | 'more', string>>;

function message({
  start = 'INVITE sip:ada@pbx.test SIP/2.0',
  via = 'SIP/2.0/WS pbx.test;branch=z9hG4bKx',
  from = '<sip:a@pbx.test>;tag=1',
  ...rest
}: Parts = {}): string {
  const {
    to = '<sip:ada@pbx.test>',
    contact = '<sip:a@pbx.test>',
    callId = 'call',
    cseq = '1 INVITE',
    more = '',
  } = rest;
  return [
    start,
    `Via: ${via}`,
    `From: ${from}`,
    `To: ${to}`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq}`,
    `Contact: ${contact}`,
    ...(more === '' ? [] : [more]),
    '',
    '',
  ].join('\r\n');
}

/** A header as the SIP library is told it. */
function told(given: string, name: string): string | undefined {
  const reading = readMessage(given);
  if (reading.kind === 'unreadable') throw new Error(`${reading.what} could not be read`);
  return reading.head.headers.find((header) => header.name === name)?.value;
}

describe('an address', () => {
  it.each([
    ['<sip:a@1af019b2ba08>;tag=1', 'a', null, '<sip:a@1af019b2ba08>;tag=1'],
    ['<sip:a@1af019b2ba08:5060;transport=ws>;tag=1', 'a', null, '<sip:a@1af019b2ba08:5060;transport=ws>;tag=1'],
    ['sip:a@7pbx;tag=1', 'a', null, '<sip:a@7pbx>;tag=1'],
    ['<sip:a@2001:db8::1>;tag=1', 'a', null, '<sip:a@2001:db8::1>;tag=1'],
    ['<sip:a@pbx..example>;tag=1', 'a', null, '<sip:a@pbx..example>;tag=1'],
    ['tel:+12025550143;tag=1', '+12025550143', null, '<tel:+12025550143>;tag=1'],
    [
      '<tel:+1-202-555-0143;phone-context=pbx>;tag=1',
      '+1-202-555-0143',
      null,
      '<tel:+1-202-555-0143;phone-context=pbx>;tag=1',
    ],
    ['<urn:service:sos>;tag=1', 'servicesos', null, '<urn:service:sos>;tag=1'],
    ['ACME, Inc. <sip:a@pbx.test>;tag=1', 'a', 'ACME, Inc.', '"ACME, Inc." <sip:a@pbx.test>;tag=1'],
    ['Müller & Söhne <sip:a@pbx.test>;tag=1', 'a', 'Müller & Söhne', '"Müller & Söhne" <sip:a@pbx.test>;tag=1'],
    ["O'Neil (Bob) <sip:a@1af>;tag=1", 'a', "O'Neil (Bob)", '"O\'Neil (Bob)" <sip:a@1af>;tag=1'],
    ['"ACME <sip:a@pbx.test>;tag=1', 'a', 'ACME', '"ACME" <sip:a@pbx.test>;tag=1'],
    ['"ACME" sip:a@pbx.test;tag=1', 'a', 'ACME', '"ACME" <sip:a@pbx.test>;tag=1'],
    ['<sip:a@pbx.test;tag=1', 'a', null, '<sip:a@pbx.test>;tag=1'],
    ['<sip:+1 202@pbx.test>;tag=1', '+1 202', null, '<sip:+1%20202@pbx.test>;tag=1'],
    ['<sip:a#b@pbx.test>;tag=1', 'ab', null, '<sip:a#b@pbx.test>;tag=1'],
    ['<sip:a@pbx.test;x=>;tag=1;y=a@b', 'a', null, '<sip:a@pbx.test;x=>;tag=1'],
  ])('%s is read, and said back as it was', (written, user, name, back) => {
    const from = told(message({ from: written }), 'from')!;
    expect(parse(from, 'From')).toMatchObject({ uri: { user }, display_name: name ?? undefined });
    expect(from).toContain(';tag=1');
    expect(asWritten(from)).toBe(back);
    expect(parse(told(message({ to: written }), 'to')!, 'To')).toMatchObject({ uri: { scheme: 'sip' } });
    expect(parse(told(message({ contact: written }), 'contact')!, 'Contact')).toMatchObject([
      { parsed: { uri: { scheme: 'sip' } } },
    ]);
  });

  it('that can be read goes on as it is', () => {
    for (const from of [
      '"A, B" <sip:a@pbx.test>;tag=1',
      'Ada <sips:a@pbx.test:5061;user=phone>;tag=1',
      '<sip:+1202;cpc=ordinary@pbx.test>;tag=1',
    ]) {
      expect(told(message({ from }), 'from')).toBe(from);
    }
  });

  it('of whoever is called is one of this telephone, whatever its scheme', () => {
    expect(parse(told(message({ to: '<sips:ada@pbx.test>' }), 'to')!, 'To')).toMatchObject({
      uri: { scheme: 'sip', user: 'ada' },
    });
  });

  it('is one of several, where several may be', () => {
    const routes = told(message({ more: 'Record-Route: <sip:1af;lr>, <sip:pbx.test;lr>' }), 'record-route')!;
    expect(asWritten(routes)).toBe('<sip:1af;lr>');
    expect(told(message({ contact: 'ACME, Inc. <sip:a@1af>' }), 'contact')).toMatch(/^"ACME, Inc\." </);
  });

  it('of whoever calls stands for a Contact that says nothing', () => {
    expect(told(message({ contact: '???' }), 'contact')).toBe('<sip:a@pbx.test>');
  });

  it('cannot hold what would be another header when it is said back', () => {
    const hex = [...'pbx\r\nX: y'].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, '0')).join('');
    for (const standIn of [`<sip:a@h${hex}.as-written.invalid>`, `<sip:a@u${hex}.as-written.invalid>`])
      expect(asWritten(standIn)).toBe(standIn);
  });
});

describe('a message', () => {
  it.each<[string, Parts, string, string]>([
    [
      'a host in its Via',
      { via: 'SIP/2.0/WS 1af019b2ba08:8088;branch=z9hG4bKx' },
      'via',
      'SIP/2.0/WS 1af019b2ba08:8088;branch=z9hG4bKx',
    ],
    [
      'two Vias in one line',
      { via: 'SIP/2.0/WS a.test;branch=z9hG4bKa, SIP/2.0/UDP b.test;branch=z9hG4bKb' },
      'via',
      'SIP/2.0/WS a.test;branch=z9hG4bKa',
    ],
    ['a parameter of its type', { more: 'c: application/sdp;' }, 'content-type', 'application/sdp'],
    ['a referral', { more: 'r: <sip:b@1af?Replaces=x>' }, 'X-Refer-To', '<sip:b@1af?Replaces=x>'],
    ['a line that goes on', { more: 'Subject: one\r\n two' }, 'subject', 'one two'],
  ])('is read with %s', (_what, parts, name, written) => {
    expect(asWritten(told(message(parts), name)!)).toBe(written);
  });

  it.each([
    'Session-Expires: soon',
    'Max-Forwards: many',
    'Content-Length: all',
    'Content-Length: 500',
    'Event: ',
    'no header at all',
  ])('is read without «%s»', (more) => {
    const reading = readMessage(message({ more }));
    expect(reading.kind).toBe('message');
    if (reading.kind === 'message') expect(textOf(reading.head, '')).not.toContain(more);
  });

  it.each([
    ['SIP/2.0 200', 'SIP/2.0 200 '],
    ['SIP/2.0  486  Besetzt', 'SIP/2.0 486 Besetzt'],
    ['INVITE sip:ada@pbx.test SIP/2.0', 'INVITE sip:ada@pbx.test SIP/2.0'],
    ['INVITE sip:ada@1af SIP/2.0', 'INVITE sip:ada@h316166.as-written.invalid SIP/2.0'],
  ])('that begins with «%s» is read', (start, read) => {
    const reading = readMessage(message({ start }));
    expect(reading.kind === 'message' && reading.head.start).toBe(read);
  });

  it('is read with line feeds alone', () => {
    expect(told(message().replaceAll('\r\n', '\n'), 'from')).toBe('<sip:a@pbx.test>;tag=1');
  });

  it.each<[string, Parts]>([
    ['from', { from: 'nobody' }],
    ['to', { to: '' }],
    ['cseq', { cseq: 'first INVITE' }],
    ['call-id', { callId: 'a b' }],
    ['record-route', { more: 'Record-Route: over there' }],
    ['from', { from: `"${'a'.repeat(10_000)}" <sip:a@pbx.test>` }],
    ['header-count', { more: 'X: y\r\n'.repeat(300).trim() }],
    ['start-line', { start: 'INVITE SIP/2.0' }],
  ])('whose %s cannot be read is answered 400 with what came', (what, parts) => {
    const reading = readMessage(message(parts));
    expect(reading).toMatchObject({ kind: 'unreadable', what });
    if (reading.kind === 'unreadable' && what !== 'start-line') {
      expect(reading.answer).toMatch(
        /^SIP\/2\.0 400 Bad Request\r\nVia: SIP\/2\.0\/WS pbx\.test;branch=z9hG4bKx\r\n[^]*To: .*;tag=readyline/,
      );
    }
  });

  it('that is an ACK or an answer is answered nothing', () => {
    for (const start of ['ACK sip:ada@pbx.test SIP/2.0', 'SIP/2.0 200 OK']) {
      expect(readMessage(message({ start, cseq: 'x' }))).toEqual({ kind: 'unreadable', what: 'cseq', answer: null });
    }
  });
});
