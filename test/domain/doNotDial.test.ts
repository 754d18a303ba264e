import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternsOf, readPattern } from '../../src/domain/doNotDial.ts';

const read = (written: string, country: string | null = null) => {
  const pattern = readPattern(written, { defaultCountry: country, bareDigits: 'national' });
  return pattern.kind === 'pattern' ? pattern.pattern : pattern.cause.code;
};

describe('an entry of the do-not-dial list', () => {
  it.each<[string, string | null, string]>([
    ['+1 (555) 123-0001', null, '+15551230001'],
    ['0151/2345678', 'DE', '+491512345678'],
    ['4930123456', 'DE', '+4930123456'],
    ['+49 900*', null, '+49900*'],
    [' 0900 * ', 'DE', '+49900*'],
    ['00 49 (900) *', null, '+49900*'],
    ['+1*', null, '+1*'],
    ['9*', 'US', '+19*'],
  ])('is read as it is written: %j with country %s is %s', (written, country, pattern) => {
    expect(read(written, country)).toBe(pattern);
  });

  it.each<[string, string | null, string]>([
    ['*', 'DE', 'not_a_beginning'],
    ['+*', 'DE', 'not_a_beginning'],
    ['0900*', null, 'not_a_beginning'],
    // The company's whole country, whose code nobody wrote.
    ['0*', 'DE', 'not_a_beginning'],
    ['+0*', null, 'not_a_beginning'],
    ['abc*', 'DE', 'not_a_beginning'],
    ['+155512300011234*', null, 'not_a_beginning'],
    ['+49*00*', null, 'not_a_beginning'],
    ['nobody', 'DE', 'phone_without_digits'],
    ['12', null, 'phone_without_country_code'],
  ])('is none: %j with country %s (%s)', (written, country, cause) => {
    expect(read(written, country)).toBe(cause);
  });

  it('keeps from being dialed each number that it covers, and no other', () => {
    const number = fc
      .tuple(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 14 }))
      .map(([first, rest]) => `+${[first, ...rest].join('')}`);
    fc.assert(
      fc.property(number, number, (listed, dialed) => {
        expect(patternsOf(dialed).includes(listed as never)).toBe(listed === dialed);
        expect(patternsOf(dialed).includes(`${listed}*` as never)).toBe(dialed.startsWith(listed));
      }),
    );
    expect(patternsOf('+155')).toEqual(['+155', '+1*', '+15*', '+155*']);
  });
});
