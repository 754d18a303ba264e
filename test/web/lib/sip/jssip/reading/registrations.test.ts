import { describe, expect, it } from 'vitest';
import { headOf } from '../../../../../../web/src/lib/sip/jssip/reading/head.ts';
import { Registrations } from '../../../../../../web/src/lib/sip/jssip/reading/registrations.ts';

const own = '<sip:x7f3@abc.invalid;transport=ws>;+sip.ice;reg-id=1;+sip.instance="<urn:uuid:1>";expires=120';

/** The Contact, or else another header, of an answer to REGISTER as the SIP library has it. */
function told(
  start: string,
  lines: string[],
  name = 'contact',
  registrations = new Registrations(),
): (string | undefined)[] {
  registrations.sent(`REGISTER sip:pbx.test SIP/2.0\r\nCSeq: 2 REGISTER\r\nContact: ${own}\r\n\r\n`);
  const head = registrations.answered(headOf([start, 'CSeq: 2 REGISTER', ...lines].join('\r\n')));
  return head.headers.filter((header) => header.name === name).map(({ value }) => value);
}

describe('a registration that is accepted', () => {
  it.each([
    ['our Contact', ['Contact: <sip:x7f3@abc.invalid;transport=ws>;expires=60'], 60],
    ['our Contact among others', ['Contact: <sip:y@z.invalid>;expires=100, <sip:x7f3@abc.invalid>;expires=60'], 60],
    ['that of a border controller', ['Contact: <sip:1002@203.0.113.9:5090>;expires=90'], 90],
    [
      'that of a border controller, elsewhere said for how long',
      ['Contact: <sip:1002@203.0.113.9>', 'Expires: 70'],
      70,
    ],
    [
      'several that are not ours',
      ['Contact: <sip:a@b.invalid>;expires=3600', 'm: <sip:c@d.invalid>;expires=110, <sip:e@f.invalid>;expires=7'],
      110,
    ],
    ['no Contact', [], 120],
    ['no Contact, and for how long', ['Expires: 300'], 300],
    ['a Contact that nobody can read', ['Contact: ???'], 120],
    ['a host that the library cannot read', ['Contact: <sip:x7f3@1af019b2ba08>;expires=60'], 60],
    ['a time that is none', ['Contact: <sip:x7f3@abc.invalid>;expires=soon'], 120],
    ['a time in quotes', ['Contact: <sip:x7f3@abc.invalid>;expires="60"'], 60],
    ['more time than timers have', ['Contact: <sip:x7f3@abc.invalid>;expires=9999999999'], 86_400],
    ['no time at all', ['Contact: <sip:x7f3@abc.invalid>;expires=0'], 120],
  ])('with %s lasts as long as it says', (_what, lines, seconds) => {
    expect(told('SIP/2.0 200 OK', lines)).toEqual([`<sip:x7f3@abc.invalid;transport=ws>;expires=${seconds}`]);
  });

  it('keeps the address that the network gives to the telephone', () => {
    const contact = 'Contact: <sip:x7f3@abc.invalid>;pub-gruu="sip:ada@pbx.test;gr=1";expires=60';
    expect(told('SIP/2.0 200 OK', [contact])).toEqual([
      '<sip:x7f3@abc.invalid;transport=ws>;pub-gruu="sip:ada@pbx.test;gr=1";expires=60',
    ]);
  });
});

describe('a registration that is too brief', () => {
  it('is asked for again, and not without end', () => {
    const registrations = new Registrations();
    const tries = Array.from({ length: 4 }, () =>
      told('SIP/2.0 423 Interval Too Brief', ['Min-Expires: 300'], 'min-expires', registrations),
    );
    expect(tries).toEqual([['300'], ['300'], [], ['300']]);
  });

  it.each(['soon', '0', '-1', '9999999999'])('by “%s” is refused', (least) => {
    expect(told('SIP/2.0 423 Interval Too Brief', [`Min-Expires: ${least}`], 'min-expires')).toEqual([]);
  });
});

describe('another answer', () => {
  it('stays as it came', () => {
    expect(told('SIP/2.0 403 Forbidden', ['Contact: <sip:a@b.invalid>'])).toEqual(['<sip:a@b.invalid>']);
    const head = headOf('SIP/2.0 200 OK\r\nCSeq: 2 INVITE\r\nContact: <sip:a@b.invalid>');
    expect(new Registrations().answered(head)).toEqual(head);
  });
});
