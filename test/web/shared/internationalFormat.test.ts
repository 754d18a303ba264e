import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePhone } from '../../../src/domain/phones/phoneNumbers.ts';
import { isolated, withoutMarks } from '../../../web/src/shared/phoneNumbers/direction.ts';
import { internationalFormat } from '../../../web/src/shared/phoneNumbers/internationalFormat.ts';

describe('a phone number, as people read it', () => {
  it.each([
    ['of the United States', '+15551230001', '+1 555 123 0001'],
    ['of Germany, in Berlin', '+493012345678', '+49 30 12345678'],
    ['of Germany, mobile', '+4915112345678', '+49 1511 2345678'],
    ['of Britain', '+442079460958', '+44 20 7946 0958'],
    ['of Spain', '+34912345678', '+34 912 34 56 78'],
    ['of France', '+33123456789', '+33 1 23 45 67 89'],
    ['of Italy, with its zero', '+390612345678', '+39 06 1234 5678'],
    ['of no country', '+80012345678', '+800 1234 5678'],
    ['with an extension', '+15551230001 ext. 12', '+1 555 123 0001 ext. 12'],
    ['with an extension, as SIP writes it', '+15551230001;ext=12', '+1 555 123 0001 ext. 12'],
    ['that a CRM writes in its own way', '+1 (555) 123.0001', '+1 555 123 0001'],
  ])('%s', (_of, number, shown) => {
    expect(internationalFormat(number)).toBe(shown);
  });

  it.each([
    ['an extension of the company', '204'],
    ['a national number', '030 123456'],
    ['a SIP address', 'sip:front-desk@pbx.test'],
    ['a name', 'anonymous'],
    ['nothing', ''],
    ['a country code that nobody has', '+9991234567'],
    ['too few digits', '+49'],
    ['a hundred digits', `+${'1'.repeat(100)}`],
    ['a hundred characters of nonsense', `+1${'(555) '.repeat(16)}`],
    ['letters', '+1800FLOWERS'],
    ['a script', '+1<script>alert(1)</script>'],
    ['a zero between country code and number, which would be lost', '+490301234567'],
  ])('is left as it is where it is none: %s', (_what, text) => {
    expect(internationalFormat(text)).toBe(text);
  });

  it('has every digit of the number, in its order, and is read by the gateway as the same number', () => {
    // As the gateway keeps them.
    const kept = fc.stringMatching(/^\+[1-9]\d{1,14}$/).map((written) => {
      const read = parsePhone(written);
      return read.kind === 'phone' ? String(read.phone) : '+15551230001';
    });
    fc.assert(
      fc.property(kept, (number) => {
        const shown = internationalFormat(number);
        expect(shown.replaceAll(/[^+\d]/g, '')).toBe(number);
        expect(parsePhone(shown)).toMatchObject({ kind: 'phone', phone: number });
        expect(parsePhone(withoutMarks(isolated(shown)))).toMatchObject({ kind: 'phone', phone: number });
      }),
      { numRuns: 2_000, examples: [['+15551230001'], ['+5491123456789'], ['+525512345678'], ['+390612345678']] },
    );
  });

  it('loses the marks that Windows and others copy along with it', () => {
    expect(withoutMarks('\u202a+1 555 123 0001\u202c')).toBe('+1 555 123 0001');
  });
});
