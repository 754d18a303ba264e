import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min';
import type { RequestCause } from '../contract/causes.ts';
import { parseWritten, type PhoneNumber, type PhoneRules } from './phones/phoneNumbers.ts';
import { beginningOf } from './phones/searchedNumbers.ts';

/**
 * What the do-not-dial list of a company holds: a number in E.164, or how numbers begin, with an asterisk behind it.
 */
export type DialPattern = string & { readonly __brand: 'dial pattern' };

export type ReadPattern =
  { kind: 'pattern'; pattern: DialPattern } | { kind: 'invalid'; detail: string; cause: RequestCause };

/** Shorter than any number: a beginning leaves one digit at least to follow. */
const beginning = /^\+[1-9]\d{0,13}$/;
const longest = 64;

/**
 * Reads an entry as people and CRM systems write it: a number in any spelling,
 * or its beginning in any spelling with an asterisk behind it, `+49 900*`, `0900 *`.
 */
export function readPattern(written: string, rules: PhoneRules): ReadPattern {
  const { defaultCountry } = rules;
  const text = written.trim();
  if (!text.endsWith('*')) {
    const parsed = parseWritten(text, rules);
    return parsed.kind === 'phone' ? { kind: 'pattern', pattern: parsed.phone as string as DialPattern } : parsed;
  }
  const begun = text.length > longest ? null : beginningOf(text.slice(0, -1), defaultCountry);
  // `0*` alone would be the company's whole country, whose code nobody wrote.
  const isWholeCountry = begun !== null && begun === ownCode(defaultCountry) && !text.includes(begun.slice(1));
  if (begun !== null && beginning.test(begun) && !isWholeCountry)
    return { kind: 'pattern', pattern: `${begun}*` as DialPattern };
  return {
    kind: 'invalid',
    detail: 'It is not how phone numbers begin: write the country code, as in +49900*.',
    cause: { code: 'not_a_beginning' },
  };
}

function ownCode(country: string | null): string | null {
  return country !== null && isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : null;
}

/** Every entry that would keep a number from being dialed: itself, and each of its beginnings. */
export function patternsOf(phone: PhoneNumber | string): DialPattern[] {
  const beginnings = Array.from({ length: phone.length - 1 }, (_, digits) => `${phone.slice(0, digits + 2)}*`);
  return [phone, ...beginnings] as DialPattern[];
}
