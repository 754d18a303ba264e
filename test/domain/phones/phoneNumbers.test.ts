import fc from 'fast-check';
import { type CountryCode, getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { isPhoneCountry, parsePhone } from '../../../src/domain/phones/phoneNumbers.ts';

const parsed = (input: string, country: string | null = null) => {
  const result = parsePhone(input, country);
  return result.kind === 'phone' ? result.phone : null;
};
const e164 = /^\+[1-9]\d{1,14}$/;

/** A mobile number of each country. */
const exampleNumbers = getCountries().flatMap((country) => getExampleNumber(country, examples) ?? []);
const separator = fc.constantFrom(
  ' ',
  '.',
  '-',
  '(',
  ')',
  '\u00a0',
  '\u2011',
  '\u2212',
  '\u200b',
  '\u202a',
  '\u202c',
  '',
);

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
    '',
    ' ',
    '+',
    '+0',
    '+1',
    '+0123456789',
    '+1234567890123456',
    'tel:',
    'tel:grace',
    'sip:grace@example.com',
    'mailto:+15551230001',
    'Grace <>',
    '+1555123x99',
    'anonymous',
    '15551230001',
    '030 123456',
    '+1 555 CALL NOW',
    '++15551230001',
    '+15551230001\u0000',
    '٠٣٠١٢٣٤٥٦',
    '1'.repeat(65),
    '1'.repeat(257),
  ])('is not "%s" without a default country', (input) => {
    expect(parsed(input)).toBeNull();
  });

  it.each([
    ['12345678901234567', 'DE'],
    ['1', 'US'],
    ['call me', 'DE'],
    ['030 123456', 'XX'],
  ])('is not "%s" in a company of %s', (input, country) => {
    expect(parsed(input, country)).toBeNull();
  });

  it('says why it is none, in a sentence', () => {
    expect(parsePhone('030 123456')).toMatchObject({
      kind: 'invalid',
      detail: expect.stringMatching(/country code.*\.$/),
    });
  });

  it('is read the same however it is separated, with + or 00 or as a query string leaves it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...exampleNumbers),
        fc.array(separator, { minLength: 15, maxLength: 15 }),
        ({ number }, separators) => {
          const digits = number.slice(1);
          const spaced = [...digits].map((digit, index) => `${separators[index] ?? ''}${digit}`).join('');
          expect(parsed(`+${spaced}`)).toBe(number);
          expect(parsed(` ${digits}`)).toBe(number);
          expect(parsed(`00${digits}`)).toBe(number);
        },
      ),
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
    expect([isPhoneCountry('DE'), isPhoneCountry('US'), isPhoneCountry('XX'), isPhoneCountry('de')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a phone number as other systems send it', () => {
  const sent = (input: string, country: string | null) => {
    const result = parsePhone(input, country);
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
    ['1001', null],
    ['sip:1001@pbx.example.com', null],
    ['tel:1001', null],
    ['15550100', null],
    ['5551230001', null],
    ['030123456', null],
    ['2025550123', null],
    ['1 202 555 0123', null],
    ['1234567890123456', null],
    ['12025550123 Grace', null],
    ['anonymous', null],
    ['', null],
    ['1', 'US'],
    ['4420794609581234', 'DE'],
    [`tel:12025550123;x=${'y'.repeat(256)}`, null],
  ])('"%s" in a company of %s is none', (input, country) => {
    expect(sent(input, country)).toBeNull();
  });
});

/** A text, the company's country, and what is right: a number, or why there is none. */
describe.each<[string, [string, string | null, string][]]>([
  [
    'keeps a zero that belongs to the number, and drops one that the plan does not have behind the country code',
    [
      ['+39 (0)6 1234 5678', null, '+390612345678'],
      ['0039 (0)6 1234 5678', null, '+390612345678'],
      ['0039 (0)6 1234 5678', 'DE', '+390612345678'],
      ['+390612345678', null, '+390612345678'],
      ['+378 (0549) 886382', null, '+3780549886382'],
      ['+225 07 12 34 56 78', null, '+2250712345678'],
      ['+44 ( 0 ) 20 7946 0018', null, '+442079460018'],
      ['00 44 (0) 20 7946 0018', null, '+442079460018'],
      ['+49 0171 3920001', null, '+491713920001'],
      ['+490171 3920001', 'US', '+491713920001'],
      ['+44 07700 900123', null, '+447700900123'],
      ['+33 (0)6 12 34 56 78', null, '+33612345678'],
      ['+36 06 1 234 5678', null, '+3612345678'],
      ['+7 8 495 123-45-67', null, '+74951234567'],
      ['+7 800 555 35 35', null, '+78005553535'],
      ['+370 8 5 212 3456', null, '+37052123456'],
      ['+1 1 202 555 0110', null, '+12025550110'],
    ],
  ],
  [
    'knows how the company’s country dials out',
    [
      ['0011 44 20 7946 0018', 'AU', '+442079460018'],
      ['0044 20 7946 0018', 'AU', '+442079460018'],
      ['001 44 20 7946 0018', 'HK', '+442079460018'],
      ['011 44 20 7946 0018', 'US', '+442079460018'],
      ['0044 20 7946 0018', 'US', '+442079460018'],
      ['010 44 20 7946 0018', 'JP', '+442079460018'],
      ['8 10 44 20 7946 0018', 'RU', '+442079460018'],
      ['00 44 20 7946 0018', 'DE', '+442079460018'],
      ['0011 44 20 7946 0018', null, 'phone_too_many_digits'],
      ['0011 44 20 7946 0018', 'DE', 'phone_not_of_country'],
    ],
  ],
  [
    'never joins two numbers',
    [
      ['+49 30 23125-001/002', null, 'phone_several'],
      ['+49 30 23125-001 - 002', null, 'phone_several'],
      ['030 23125-001/002', 'DE', 'phone_several'],
      ['+1 202 555 0110/0111', null, 'phone_several'],
      ['202-555-0110 / 0111', 'US', 'phone_several'],
      ['+1 202 555 0110 - 0111', null, 'phone_several'],
      ['+1 202 555 0110 0111', null, 'phone_several'],
      ['+1 202 555 0110-0111', null, 'phone_several'],
      ['202 555 0110 0111', 'US', 'phone_not_of_country'],
      ['+12025550110 +12025550111', null, 'phone_several'],
      ['+12025550110, +12025550111', null, 'phone_several'],
      ['+12025550110;+12025550111', null, 'phone_several'],
      ['+12025550110|0111', null, 'phone_several'],
      ['(+49) 171 3920001 3920002', null, 'phone_several'],
      // Longer than the plan knows, and one.
      ['+1 20255501100', null, '+120255501100'],
      ['+12025550110 or 0111', null, 'phone_with_other_characters'],
      // One number with a sign in it.
      ['030/123456', 'DE', '+4930123456'],
      ['0171/3920001', 'DE', '+491713920001'],
      ['030 / 12 34 56', 'DE', '+4930123456'],
      ['+49 (30) 123456 - 0', null, '+49301234560'],
      ['+49 30 - 12345678', null, '+493012345678'],
      ['02/12345678', 'AT', '+43212345678'],
    ],
  ],
  [
    'calls the line in front of an extension',
    [
      ['(202) 555-0112 x12', 'US', '+12025550112'],
      ['(202) 555-0112, ext 12', 'US', '+12025550112'],
      ['(202) 555-0112 ext. 12', 'US', '+12025550112'],
      ['(202) 555-0112 extension 12', 'US', '+12025550112'],
      ['202-555-0112x12', 'US', '+12025550112'],
      ['202 555 0112 #12', 'US', '+12025550112'],
      ['030 123456 Durchwahl 12', 'DE', '+4930123456'],
      ['+7 495 123-45-67 доб. 12', null, '+74951234567'],
      ['+12025550112 #12', null, '+12025550112'],
      ['tel:+1-202-555-0112;ext=12', null, '+12025550112'],
      ['x12', 'US', 'phone_without_digits'],
      ['+1555123x99', null, 'phone_with_other_characters'],
    ],
  ],
  [
    'has nothing of whoever withholds their number',
    [
      ['266696687', null, 'phone_withheld'],
      ['266696687', 'US', 'phone_withheld'],
      ['+266696687', null, 'phone_withheld'],
      ['00266696687', 'DE', 'phone_withheld'],
      ['+7378742833', null, 'phone_withheld'],
      ['+2562533', 'GB', 'phone_withheld'],
      ['sip:+266696687@10.0.0.1;user=phone', null, 'phone_withheld'],
      ['anonymous', 'US', 'phone_withheld'],
      ['Anonymous', null, 'phone_withheld'],
      ['anonymous@anonymous.invalid', null, 'phone_withheld'],
      ['sip:anonymous@anonymous.invalid', null, 'phone_withheld'],
      ['anonymous;cpc=ordinary', null, 'phone_withheld'],
      ['"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1', null, 'phone_withheld'],
      ['<sips:anonymous@anonymous.invalid;transport=tls>', 'DE', 'phone_withheld'],
      ['tel:anonymous', null, 'phone_withheld'],
      ['Restricted', null, 'phone_withheld'],
      ['', 'US', 'phone_without_digits'],
      // In Austin this is somebody's number.
      ['(737) 874-2833', 'US', '+17378742833'],
      ['7378742833', 'US', '+17378742833'],
    ],
  ],
  [
    'is read in the signs of other keyboards',
    [
      ['+49\u200b171\u200d3920001\ufeff', null, '+491713920001'],
      ['\u00ad+49 171 3920001', null, '+491713920001'],
      ['＋４９　１７１－３９２０００１', null, '+491713920001'],
      ['（０３０）１２３４５６', 'DE', '+4930123456'],
      ['+٤٩ ١٧١ ٣٩٢٠٠٠١', null, '+491713920001'],
      ['۰۲۱ ۱۲۳۴ ۵۶۷۸', 'IR', '+982112345678'],
      ['+९१ ९८१२३ ४५६७८', null, '+919812345678'],
      ['+49\u2212171\u22123920001', null, '+491713920001'],
    ],
  ],
  [
    'is not what a spreadsheet has made of it',
    [
      ['1713920001.0', 'DE', '+491713920001'],
      ['2025550110.00', 'US', '+12025550110'],
      ['491713920001.0', null, '+491713920001'],
      ['2.0256E+10', 'US', 'phone_rounded'],
      ['4,91713E+11', 'DE', 'phone_rounded'],
      ['+1.555.123.0001', null, '+15551230001'],
    ],
  ],
  [
    'is one, however often its country has changed how it is written',
    [
      ['+52 1 55 1234 5678', null, '+525512345678'],
      ['+52 55 1234 5678', null, '+525512345678'],
      ['55 1234 5678', 'MX', '+525512345678'],
      ['+55 11 8123-4567', null, '+5511981234567'],
      ['+55 11 98123-4567', null, '+5511981234567'],
      ['(11) 8123-4567', 'BR', '+5511981234567'],
      ['+55 11 3123-4567', null, '+551131234567'],
    ],
  ],
  [
    'stands for one number, whatever address it stands in',
    [
      ['sip:+12025550110;cpc=ordinary@10.0.0.1', null, '+12025550110'],
      ['sip:5550110;phone-context=+1202@10.0.0.1;user=phone', null, '+12025550110'],
      ['sip:+12025550110%3Bcpc%3Dordinary@10.0.0.1', null, '+12025550110'],
      ['+12025550110;cpc=ordinary', null, '+12025550110'],
      ['+12025550110;verstat=TN-Validation-Passed;oli=0', null, '+12025550110'],
      ['+1-202-555-0110; npdi; rn=+12025550000', null, '+12025550110'],
      ['5550110;phone-context=+1202;cpc=payphone', null, '+12025550110'],
      ['"Bob" <sip:+12025550110;cpc=ordinary;oli=0@10.0.0.1:5060;user=phone>;tag=abc', null, '+12025550110'],
      ['sip:%2B12025550110@pbx.example.com', null, '+12025550110'],
      ['tel:+1-202-555-0110;cpc=ordinary', null, '+12025550110'],
    ],
  ],
])('a phone number %s', (_, rows) => {
  it.each(rows)('"%s" in a company of %s is %s', (written, country, right) => {
    const read = parsePhone(written, country);
    expect(read.kind === 'phone' ? read.phone : read.cause.code).toBe(right);
  });
});

describe('digits alone', () => {
  const read = (digits: string, country: string, writer: 'network' | 'people') => {
    const result = parsePhone(digits, country, writer);
    return result.kind === 'phone' ? result.phone : null;
  };

  it.each([
    ['491713920001', 'DE', '+491713920001'],
    ['442079460018', 'DE', '+442079460018'],
    ['2025550110', 'US', '+12025550110'],
    ['12025550110', 'US', '+12025550110'],
    ['03012345678', 'DE', '+493012345678'],
    ['31123456', 'DK', '+4531123456'],
    ['612345678', 'ES', '+34612345678'],
  ])('%s of a carrier are in a company of %s %s', (digits, country, right) => {
    expect(read(digits, country, 'network')).toBe(right);
  });

  it.each([
    ['1713920001', 'DE', '+491713920001'],
    ['491713920001', 'DE', '+491713920001'],
    ['442079460018', 'GB', '+442079460018'],
    ['3012345678', 'DE', '+493012345678'],
    ['442079460018', 'US', '+442079460018'],
    ['2025550110', 'US', '+12025550110'],
  ])('%s of a spreadsheet are in a company of %s %s', (digits, country, right) => {
    expect(read(digits, country, 'people')).toBe(right);
  });
});

describe('a number of every country', () => {
  it.each(exampleNumbers.map(({ country, number }) => [String(country), String(number)] as const))(
    'of %s is %s in every spelling',
    (country, right) => {
      const digits = right.slice(1);
      const code = getCountryCallingCode(country as CountryCode);
      const national = exampleNumbers.find((one) => one.country === country)?.formatNational() ?? '';
      const read = (written: string, home: string | null, writer?: 'network') => {
        const result = parsePhone(written, home, writer);
        return result.kind === 'phone' ? result.phone : result.cause.code;
      };
      expect(read(right, null)).toBe(right);
      expect(read(`00${digits}`, null)).toBe(right);
      expect(read(national, country)).toBe(right);
      expect(read(`+${code} ${national}`, null)).toBe(right);
      expect(read(`+${code} (${national.slice(0, 1)})${national.slice(1)}`, null)).toBe(right);
      expect(read(digits, null)).toBe(right);
      expect(read(digits, country, 'network')).toBe(right);
      expect(read(`tel:${right}`, 'US')).toBe(right);
      expect(read(`${right} ext. 12`, null)).toBe(right);
    },
  );
});
