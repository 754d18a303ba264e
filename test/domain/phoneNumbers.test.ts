import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPhoneCountry, parsePhone, parseSentPhone } from '../../src/domain/phoneNumbers.ts';

const parsed = (input: string, country: string | null = null) => {
  const result = parsePhone(input, country);
  return result.kind === 'phone' ? result.phone : null;
};
const e164 = /^\+[1-9]\d{1,14}$/;

/** The digits of an E.164 number. */
const digits = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 14 }))
  .map(([first, others]) => [first, ...others].join(''));
const separator = fc.constantFrom(' ', '.', '-', '(', ')', '/', '\u00a0', '\u2011', '\u202a', '\u202c', '');

describe('a phone number', () => {
  it.each([
    ['+15551230001', '+15551230001'],
    ['+1 (555) 123-0001', '+15551230001'],
    ['+1.555.123.0001', '+15551230001'],
    ['+49/30/123456', '+4930123456'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['0044 20 7946 0958', '+442079460958'],
    [' 15551230001', '+15551230001'],
    [' +15551230001 ', '+15551230001'],
    // As an address book or a sentence on our own pages has it.
    ['\u202a+1 555 123 0001\u202c', '+15551230001'],
    ['\u2068+1 555 123 0001\u2069', '+15551230001'],
    ['+12', '+12'],
    // As telephony platforms write addresses.
    ['tel:+15551230001', '+15551230001'],
    ['TEL:+1-555-123-0001;ext=12', '+15551230001'],
    ['tel:1230001;phone-context=+1555', '+15551230001'],
    ['sip:+15551230001@pbx.example.com;user=phone', '+15551230001'],
    ['sips:+15551230001;npdi@10.0.0.1:5061?x=y', '+15551230001'],
    ['"Grace, H." <sip:+15551230001@pbx.example.com>', '+15551230001'],
    ['<tel:+15551230001>', '+15551230001'],
    ['+15551230001;ext=12', '+15551230001'],
    ['+1 555 123 0001 x 12', '+15551230001'],
    ['+1 555 123 0001 ext. 7', '+15551230001'],
    ['+123456789012345', '+123456789012345'],
  ])('written as "%s" is %s', (input, phone) => {
    expect(parsed(input)).toBe(phone);
  });

  it.each([
    ['(030) 123456', 'DE', '+4930123456'],
    ['030/123456', 'DE', '+4930123456'],
    ['555 123 0001', 'US', '+15551230001'],
    ['\u202d030 123456\u202c', 'DE', '+4930123456'],
    ['020 7946 0958', 'GB', '+442079460958'],
    ['+15551230001', 'DE', '+15551230001'],
    ['0015551230001', 'DE', '+15551230001'],
  ])('written as "%s" in a company of %s is %s', (input, country, phone) => {
    expect(parsed(input, country)).toBe(phone);
  });

  it.each([
    '', ' ', '+', '+0', '+1', '+0123456789', '+1234567890123456', 'tel:', 'tel:grace', 'sip:grace@example.com', 'mailto:+15551230001', 'Grace <>', '+1555123x99', 'anonymous',
    '15551230001', '030 123456', '+1 555 CALL NOW', '++15551230001', '+15551230001\u0000', '٠٣٠١٢٣٤٥٦', '1'.repeat(65),
  ])('is not "%s" without a default country', (input) => {
    expect(parsed(input)).toBeNull();
  });

  it.each([['12345678901234567', 'DE'], ['1', 'US'], ['call me', 'DE'], ['030 123456', 'XX']])(
    'is not "%s" in a company of %s',
    (input, country) => {
      expect(parsed(input, country)).toBeNull();
    },
  );

  it('says why it is none, in a sentence', () => {
    expect(parsePhone('030 123456')).toMatchObject({ kind: 'invalid', detail: expect.stringMatching(/country code.*\.$/) });
  });

  it('is read the same however it is separated, with + or 00 or as a query string leaves it', () => {
    fc.assert(
      fc.property(digits, fc.array(separator, { minLength: 15, maxLength: 15 }), (number, separators) => {
        const spaced = [...number].map((digit, index) => `${separators[index] ?? ''}${digit}`).join('');
        // "(0)" is the national trunk zero of "+44 (0)20", no separator of digits.
        fc.pre(!spaced.includes('(0)'));
        expect(parsed(`+${spaced}`)).toBe(`+${number}`);
        expect(parsed(` ${number}`)).toBe(`+${number}`);
        if (number.length > 2) expect(parsed(`00${number}`)).toBe(`+${number}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is E.164 or refused, whatever the text, and reading it again changes nothing', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.stringMatching(/^[+\d ().\-/x]{0,30}$/));
    fc.assert(
      fc.property(text, fc.constantFrom(null, 'DE', 'US', 'GB', 'JP', 'XX'), (input, country) => {
        const phone = parsed(input, country);
        if (phone === null) return;
        expect(phone).toMatch(e164);
        expect(parsed(phone, country)).toBe(phone);
      }),
      { numRuns: 5_000 },
    );
  });

  it('may have a default country that numbering plans know', () => {
    expect([isPhoneCountry('DE'), isPhoneCountry('US'), isPhoneCountry('XX'), isPhoneCountry('de')]).toEqual([true, true, false, false]);
  });
});

describe('a phone number as other systems send it', () => {
  const sent = (input: string, country: string | null) => {
    const result = parseSentPhone(input, country);
    return result.kind === 'phone' ? result.phone : null;
  };

  it.each([
    ['4930123456', null, '+4930123456'],
    ['12025550123', null, '+12025550123'],
    ['tel:12025550123', null, '+12025550123'],
    ['sip:442079460958@10.0.0.1;user=phone', null, '+442079460958'],
    ['"Grace" <sips:442079460958@pbx.example.com>', null, '+442079460958'],
    ['tel:12025550123;ext=12', null, '+12025550123'],
    ['tel:5550123;phone-context=+1202', null, '+12025550123'],
    // National first, where the country has such numbers.
    ['2025550123', 'US', '+12025550123'],
    ['12025550123', 'US', '+12025550123'],
    ['3012345678', 'DE', '+493012345678'],
    ['03012345678', 'DE', '+493012345678'],
    // International where it has none.
    ['12025550123', 'GB', '+12025550123'],
    ['442079460958', 'US', '+442079460958'],
    ['sip:442079460958@10.0.0.1', 'US', '+442079460958'],
    // Neither is assigned: as people write numbers.
    ['15551230001', 'US', '+15551230001'],
    ['+15551230001', null, '+15551230001'],
    ['+15551230001;ext=12', 'DE', '+15551230001'],
    ['+15551230001 x12', null, '+15551230001'],
  ])('"%s" in a company of %s is %s', (input, country, phone) => {
    expect(sent(input, country)).toBe(phone);
  });

  it.each([
    ['1001', null], ['sip:1001@pbx.example.com', null], ['tel:1001', null], ['15550100', null], ['5551230001', null], ['030123456', null],
    ['2025550123', null], ['1 202 555 0123', null], ['1234567890123456', null], ['12025550123 Grace', null], ['anonymous', null], ['', null],
    ['1', 'US'], ['4420794609581234', 'DE'], [`tel:12025550123;x=${'y'.repeat(64)}`, null],
  ])('"%s" in a company of %s is none', (input, country) => {
    expect(sent(input, country)).toBeNull();
  });
});
