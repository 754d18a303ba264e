// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { CountryMark } from '../../../web/src/shared/phoneNumbers/CountryMark.tsx';
import { phoneCountry } from '../../../web/src/shared/phoneNumbers/internationalFormat.ts';
import { show } from '../../support/components/page.tsx';

it('tells the country of a number by its letters, and its name to those who hear the page', () => {
  const page = show(<CountryMark number="+4930123456" own={null} countryOf={phoneCountry} />);
  expect(page.getByText('DE').getAttribute('aria-hidden')).toBe('true');
  expect(page.getByText('Germany')).toBeTruthy();
});

it.each<[string, string | null, string | null]>([
  ['+4915', null, 'DE'],
  ['0044 20 7946 0958', null, 'GB'],
  ['030 12', 'DE', 'DE'],
  ['+12025550142', null, 'US'],
  // Countries that share a code, as long as nobody can tell.
  ['+15551230001', null, null],
  ['+44 20', null, null],
  ['030 12', null, null],
  ['Grace', 'DE', null],
  [`+49${'1'.repeat(60)}`, null, null],
])('of %s, where numbers without a code are of %s, is %s', (number, own, country) => {
  expect(phoneCountry(number, own)).toBe(country);
});
