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
 * direction, with `00` for `+`, with an extension, as a `tel:` or `sip:` address, in national form where the company has a default country, or with the leading space that
 * a raw `+` becomes in a query string.
 */
export function parsePhone(written: string, defaultCountry: string | null = null): ParsedPhone {
  if (written.length > maxInput) return invalid('it is longer than any phone number', { code: 'phone_too_long' });
  const input = withoutScheme(written.replace(marks, ''));
  const international = readInternational(input);
  if (international !== null) {
    return e164.test(international)
      ? { kind: 'phone', phone: international as PhoneNumber }
      : invalid('after the + there must be 2 to 15 digits, the first not 0', { code: 'phone_not_international' });
  }
  return readNational(input, defaultCountry);
}

/** Digits alone, as many as a number with its country code has. */
const bareDigits = /^[1-9]\d{6,14}$/;

/**
 * Reads a phone number as other systems send it: as `parsePhone` does, and as digits alone. Those are a number of the company's default
 * country where that has such numbers, else an international one without its plus where such a number is assigned, else what
 * `parsePhone` makes of them.
 */
export function parseSentPhone(written: string, defaultCountry: string | null = null): ParsedPhone {
  const parsed = parsePhone(written, defaultCountry);
  if (written.length > maxInput || (parsed.kind === 'phone' && isAssigned(parsed.phone))) return parsed;
  const digits = withoutScheme(written.replace(marks, '')).trim();
  const international = `+${digits}`;
  return bareDigits.test(digits) && isAssigned(international) ? { kind: 'phone', phone: international as PhoneNumber } : parsed;
}

/** Whether a numbering plan has this number, so that digits without a plus are not taken for a country code by chance. */
function isAssigned(international: string): boolean {
  return parsePhoneNumberFromString(international)?.isValid() === true;
}

const tel = /^tel:([^;?]*)(.*)$/i;
const sip = /^sips?:([^@;?]+)(?:@[^;?]*)?(?:[;?].*)?$/i;
const named = /^(?:"[^"]*"\s*|[^<"]*)<([^<>]+)>$/;

/**
 * The number in an address of a telephone (`tel:`, RFC 3966, in its `phone-context` where that is one) or of a telephony network
 * (`sip:+49…@host`), in angle brackets after a name or not. What is none stays as it is.
 */
function withoutScheme(input: string): string {
  const trimmed = input.trim();
  const address = named.exec(trimmed)?.[1]?.trim() ?? trimmed;
  const [, number = '', parameters = ''] = tel.exec(address) ?? [];
  if (number !== '') {
    const context = /;phone-context=(\+\d+)/i.exec(parameters)?.[1];
    return context === undefined || number.startsWith('+') ? number : context + number;
  }
  return sip.exec(address)?.[1]?.replace(/;.*$/, '') ?? input;
}

/** An extension behind a number that is international already: whoever is called or looked up is the line. */
const extension = /(?:;ext=|\s+(?:ext\.?|x)\s*)\d{1,7}$/i;

/** `+digits` when the text claims to be international, null when it is national. */
function readInternational(input: string): string | null {
  const bareQueryPlus = /^ [1-9]\d{1,14}$/.test(input);
  const trimmed = input.trim();
  const withoutTrunkZero = (trimmed.startsWith('+') ? trimmed.replace(extension, '') : trimmed).replace(/\(0\)/, '');
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
