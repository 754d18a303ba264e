import { AsYouType, getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min';
import { trunkOf } from './phonePlans.ts';

/** Fewer digits would fit half of a company's numbers. */
const fewestDigits = 3;
/** From so many digits on they may be a number's last ones. */
const fewestLastDigits = 4;

/** How phone numbers are written. */
const spelled = /^[\s+\d().\-/\u00a0\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/;

/**
 * What the digits that somebody types can be of phone numbers: their beginnings in E.164;
 * where no country is said, their beginnings in each other country; and their last digits, from the last to the first.
 */
export type SearchedNumbers = { prefixes: string[]; elsewhere: string[]; reversedEnd: string | null };

/**
 * Reads what is typed of a phone number, in any spelling. Null: it is none, or too little of one.
 * @param defaultCountry the country of numbers without country code; null: there is none
 */
export function searchedNumbers(query: string, defaultCountry: string | null): SearchedNumbers | null {
  if (!spelled.test(query)) return null;
  const { digits, written } = digitsOf(query);
  if (digits.length < fewestDigits || digits.length > 17) return null;
  const prefixes = new Set<string>();
  const begun = beginningOf(query, defaultCountry);
  if (begun !== null) prefixes.add(begun);
  // With the country code, its plus left out.
  if (!isInternational(written) && !digits.startsWith('0')) prefixes.add(`+${digits}`);
  const isNational = /^0[1-9]/.test(written);
  const inside = isNational ? digits.slice(1) : digits;
  const elsewhere =
    isNational && inside.length >= fewestDigits ? everywhere(digits).filter((prefix) => !prefixes.has(prefix)) : [];
  const end = inside.length < fewestLastDigits ? digits : inside;
  const reversedEnd = end.length < fewestLastDigits || written.startsWith('+') ? null : [...end].toReversed().join('');
  return { prefixes: [...prefixes].filter((prefix) => /^\+[1-9]\d*$/.test(prefix)), elsewhere, reversedEnd };
}

/** The digits that somebody wrote, and the same with every plus. */
function digitsOf(text: string): { digits: string; written: string } {
  // Behind a country code it is left out; without one it is how national numbers begin.
  const written = text.replace(/(?<=\d\D*)\(0\)/, '').replace(/[^\d+]/g, '');
  return { written, digits: written.replaceAll('+', '') };
}

function isInternational(written: string): boolean {
  return written.startsWith('+') || written.startsWith('00');
}

/**
 * How a number begins, in E.164, of which somebody wrote the first digits. Null: without its country code it is none.
 * @param defaultCountry the country of numbers without country code; null: there is none
 */
export function beginningOf(text: string, defaultCountry: string | null): string | null {
  if (!spelled.test(text)) return null;
  const { digits, written } = digitsOf(text);
  if (digits === '') return null;
  if (isInternational(written)) return `+${written.startsWith('+') ? digits : digits.slice(2)}`;
  return defaultCountry === null || !isSupportedCountry(defaultCountry) ? null : nationalPrefix(digits, defaultCountry);
}

function nationalPrefix(digits: string, country: string): string | null {
  const typing = new AsYouType(isSupportedCountry(country) ? country : undefined);
  typing.input(digits);
  return typing.getNumberValue() ?? null;
}

/**
 * Country codes by whether the 0 before national numbers is left out behind them: as nearly everywhere,
 * or dialed with them, as in Italy.
 */
let countryCodes: { without: string[]; with: string[] } | null = null;

/** How a national number with a 0 before it begins in each of the countries that have such. */
function everywhere(digits: string): string[] {
  countryCodes ??= readCountryCodes();
  return [
    ...countryCodes.without.map((code) => `+${code}${digits.slice(1)}`),
    ...countryCodes.with.map((code) => `+${code}${digits}`),
  ];
}

function readCountryCodes(): { without: string[]; with: string[] } {
  const codes = { without: new Set<string>(), with: new Set<string>() };
  for (const country of getCountries()) {
    const trunk = trunkOf(country);
    if (trunk === '0') codes.without.add(getCountryCallingCode(country));
    else if (trunk === '') codes.with.add(getCountryCallingCode(country));
  }
  return { without: [...codes.without], with: [...codes.with] };
}
