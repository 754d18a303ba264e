import { AsYouType, isSupportedCountry } from 'libphonenumber-js/min';

/** Fewer digits would fit half of a company's numbers. */
const fewestDigits = 3;
/** From so many digits on they may be a number's last ones. */
const fewestLastDigits = 4;

/** What the digits that somebody types can be of phone numbers: their beginnings in E.164, and their last digits, from the last to the first. */
export type SearchedNumbers = { prefixes: string[]; reversedEnd: string | null };

/**
 * Reads what is typed of a phone number, in any spelling. Null: it is none, or too little of one.
 * @param defaultCountry the country of numbers without country code; null: there is none
 */
export function searchedNumbers(query: string, defaultCountry: string | null): SearchedNumbers | null {
  if (!/^[\s+\d().\-/\u00a0\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]+$/.test(query)) return null;
  const written = query.replace(/\(0\)/, '').replace(/[^\d+]/g, '');
  const digits = written.replaceAll('+', '');
  if (digits.length < fewestDigits || digits.length > 17) return null;
  const prefixes = new Set<string>();
  if (written.startsWith('+')) prefixes.add(`+${digits}`);
  else if (digits.startsWith('00')) prefixes.add(`+${digits.slice(2)}`);
  else {
    const national = defaultCountry === null || !isSupportedCountry(defaultCountry) ? null : nationalPrefix(digits, defaultCountry);
    if (national !== null) prefixes.add(national);
    // With the country code, its plus left out.
    if (!digits.startsWith('0')) prefixes.add(`+${digits}`);
  }
  const reversedEnd = digits.length < fewestLastDigits || written.startsWith('+') ? null : [...digits].toReversed().join('');
  return { prefixes: [...prefixes].filter((prefix) => /^\+[1-9]\d*$/.test(prefix)), reversedEnd };
}

function nationalPrefix(digits: string, country: string): string | null {
  const typing = new AsYouType(isSupportedCountry(country) ? country : undefined);
  typing.input(digits);
  return typing.getNumberValue() ?? null;
}
