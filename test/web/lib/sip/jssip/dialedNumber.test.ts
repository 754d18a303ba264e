import type { IncomingRequest } from 'jssip/lib/SIPMessage.js';
import { describe, expect, it } from 'vitest';
import { dialedNumberOf, queueOf } from '../../../../../web/src/lib/sip/jssip/dialedNumber.ts';

const line = '+4930123456';
const own = { to: ['"Ada" <sip:ada@pbx.test>'], 'p-called-party-id': ['<sip:Ada@pbx.test>'] };

/** An INVITE to the Contact of the agent `ada`. */
function invite(headers: Record<string, string[]>): IncomingRequest {
  const getHeaders = (name: string) => headers[name.toLowerCase()] ?? [];
  return { getHeaders, ruri: { user: 'r1af019b2ba0' } } as unknown as IncomingRequest;
}

describe('the number that a customer called', () => {
  it.each<[string, Record<string, string[]>]>([
    ['To', { to: [`<sip:${line}@pbx.test>;tag=1`] }],
    ['To as a telephone number', { to: ['<tel:+49-30-123456>'] }],
    ['P-Called-Party-ID before To', { to: ['<sip:1002@pbx.test>'], 'p-called-party-id': [`<sip:${line}@pbx.test>`] }],
    [
      'the last Diversion, in one header or several, before those',
      {
        'p-called-party-id': ['<sip:1003@pbx.test>'],
        diversion: [
          '<sip:1002@pbx.test>;reason=no-answer',
          `<sip:1001@pbx.test>, "Sales" <sip:${line}@pbx.test>;counter=1`,
        ],
      },
    ],
    [
      'the first of History-Info before Diversion',
      {
        'history-info': [
          `<sip:${line}@pbx.test?Reason=SIP%3Bcause%3D302>;index=1, <sip:1001@pbx.test>;index=1.1`,
          '<sip:1002@pbx.test>;index=1.1.1',
        ],
        diversion: ['<sip:1001@pbx.test>'],
      },
    ],
    ['the header of the company before all', { 'x-did': [line], 'history-info': ['<sip:1001@pbx.test>;index=1'] }],
    ['an address in that header', { 'x-did': [`"Sales" <sip:${line};user=phone@pbx.test>`] }],
    [
      'the next one where one tells the agent, nobody, or rubbish',
      {
        'x-did': [''],
        'history-info': ['<sip:anonymous@anonymous.invalid>;index=1'],
        diversion: ['<'],
        to: [`sip:${line}@pbx`],
      },
    ],
  ])('is told by %s', (_what, headers) => {
    expect(plain(dialedNumberOf(invite({ ...own, ...headers }), 'ada', 'X-DID'))).toBe(line);
  });

  it('may be a name, as PBXs have them', () => {
    expect(dialedNumberOf(invite({ diversion: ['<sip:sales@pbx.test>;reason=deflection'] }), 'ada', null)).toBe(
      'sales',
    );
  });

  it('is not the agent, by whatever the PBX calls them', () => {
    expect(dialedNumberOf(invite(own), 'ada', null)).toBeNull();
    expect(dialedNumberOf(invite({ to: ['<sip:r1af019b2ba0@r1.invalid;transport=ws>'] }), 'ada', 'X-DID')).toBeNull();
    expect(dialedNumberOf(invite({ 'x-did': [line] }), 'ada', null)).toBeNull();
    expect(dialedNumberOf(invite({}), 'ada', null)).toBeNull();
  });
});

/** Signs between digits are for the gateway to read. */
describe('where a customer waited', () => {
  it.each([
    ['Support', 'Support'],
    ['  "Second level"  ', 'Second level'],
    ['"Support, night" <sip:600@pbx.test>;index=1', 'Support, night'],
    ['<sip:600@pbx.test>', '600'],
    ['600', '600'],
    ['" "', null],
    ['', null],
  ])('is told by %s', (told, queue) => {
    expect(queueOf(invite({ 'x-queue': [told] }), 'X-Queue')).toBe(queue);
  });

  it('is not told where no header is named, or there is none', () => {
    expect(queueOf(invite({ 'x-queue': ['Support'] }), null)).toBeNull();
    expect(queueOf(invite({}), 'X-Queue')).toBeNull();
  });
});

function plain(number: string | null): string | undefined {
  return number?.replaceAll('-', '');
}
