import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { RequestCause } from '../contract/causes.ts';

/** E.164: `+` and 2 to 15 digits. */
export type PhoneNumber = string & { readonly __brand: 'phone' };

export type ParsedPhone = { kind: 'phone'; phone: PhoneNumber } | { kind: 'invalid'; detail: string; cause: PhoneCause };
/** Why a text is no phone number. */
type PhoneCause = Extract<RequestCause, { code: `phone_${string}` }>;

const maxInput = 64;
const e164 = /^\+[1-9]\d{1,14}$/;
/** Invisible marks of direction, which come along when a number is copied from a page or an address book. */
const marks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const separators = /[\s.\-()\u2010-\u2015\u00a0/]/g;

/**
 * Reads a phone number as people and CRMs write it: E.164, with spaces, dots, dashes, slashes, parentheses or invisible marks of
 * direction, with `00` for `+`, in national form where the company has a default country, or with the leading space that
 * a raw `+` becomes in a query string.
 */
export function parsePhone(written: string, defaultCountry: string | null = null): ParsedPhone {
  if (written.length > maxInput) return invalid('it is longer than any phone number', { code: 'phone_too_long' });
  const input = written.replace(marks, '');
  const international = readInternational(input);
  if (international !== null) {
    return e164.test(international)
      ? { kind: 'phone', phone: international as PhoneNumber }
      : invalid('after the + there must be 2 to 15 digits, the first not 0', { code: 'phone_not_international' });
  }
  return readNational(input, defaultCountry);
}

/** `+digits` when the text claims to be international, null when it is national. */
function readInternational(input: string): string | null {
  const bareQueryPlus = /^ [1-9]\d{1,14}$/.test(input);
  const withoutTrunkZero = input.trim().replace(/\(0\)/, '');
  const compact = withoutTrunkZero.replace(separators, '');
  if (bareQueryPlus) return `+${compact}`;
  if (compact.startsWith('+')) return compact;
  if (/^00[1-9]\d+$/.test(compact)) return `+${compact.slice(2)}`;
  return null;
}

function readNational(input: string, defaultCountry: string | null): ParsedPhone {
  if (!/\d/.test(input)) return invalid('it has no digits', { code: 'phone_without_digits' });
  if (defaultCountry === null || !isSupportedCountry(defaultCountry)) {
    return invalid('it must start with + and the country code (the company has no default country)', { code: 'phone_without_country_code' });
  }
  if (/[^\d\s.\-()\u2010-\u2015\u00a0/]/.test(input.trim())) {
    return invalid('it holds characters that no phone number has', { code: 'phone_with_other_characters' });
  }
  const parsed = parsePhoneNumberFromString(input, { defaultCountry, extract: false });
  if (parsed === undefined || !parsed.isPossible() || !e164.test(parsed.number)) {
    return invalid(`it is no phone number in ${defaultCountry}`, { code: 'phone_not_of_country', params: { country: defaultCountry } });
  }
  return { kind: 'phone', phone: parsed.number as string as PhoneNumber };
}

function invalid(reason: string, cause: PhoneCause): ParsedPhone {
  return { kind: 'invalid', detail: `The phone number cannot be read: ${reason}.`, cause };
}

/** Whether a country can be a company's default country (ISO 3166-1 alpha-2). */
export function isPhoneCountry(country: string): boolean {
  return isSupportedCountry(country);
}
