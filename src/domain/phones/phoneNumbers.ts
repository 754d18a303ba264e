import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import type { RequestCause } from '../../contract/causes.ts';
import type { BareDigits } from '../../contract/vocabulary.ts';
import { isWithheld, plainOf } from '../../contract/phoneText.ts';
import { lineOf } from './phoneExtensions.ts';
import { hasTrunkZero, planOf } from './phonePlans.ts';
import { currentSpelling } from './phoneSpellings.ts';

/** E.164: `+` and 2 to 15 digits. */
export type PhoneNumber = string & { readonly __brand: 'phone' };

/**
 * `extension`: behind the line, which is what is dialed and looked up; null: none was written.
 * `otherwise`: as which number the same digits could be read as well, where the writer's rule decided; null: as none.
 */
export type ParsedPhone =
  | { kind: 'phone'; phone: PhoneNumber; extension: string | null; otherwise: PhoneNumber | null }
  | { kind: 'invalid'; detail: string; cause: PhoneCause };
/** Why a text is no phone number. */
type PhoneCause = Extract<RequestCause, { code: `phone_${string}` }>;

/**
 * Who wrote a number. Of `people`, CRMs and files digits alone are a national number where the company's country has
 * such, unless they begin with the code of the country; a `network` (a carrier, a PBX, a softphone) writes national
 * ones as they are dialed. So both are international where the country's begin with a 0 that is not there.
 */
export type PhoneWriter = 'people' | 'network';

/** Characters of a number, and with the address that it stands in. */
const [maxInput, maxWrapped] = [64, 256];
const e164 = /^\+[1-9]\d{1,14}$/;
const separators = /[\s.\-()/\u2010-\u2015\u2212]/g;
const spelled = /^[\s(]*\+?[\d\s.\-()/\u2010-\u2015\u2212]+$/;
/** As spreadsheets show numbers of many digits: the last ones are gone. */
const rounded = /^\+?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

/**
 * Reads a phone number, however it came: in E.164, with separators, with the exit code of the company's country or `00`
 * for `+`, in national form where the company has a default country, as digits alone, with an extension, as a `tel:` or
 * `sip:` address, in the digits of any script, or with the leading space that a raw `+` becomes in a query string. A
 * zero before the national number stays where the plan of its country has it, and goes where it has not.
 */
export function parsePhone(
  written: string,
  defaultCountry: string | null = null,
  writer: PhoneWriter = 'people',
): ParsedPhone {
  const text = written.length > maxWrapped ? written : plainOf(written);
  if (text.length > maxInput) return invalid('it is longer than any phone number', { code: 'phone_too_long' });
  const country = defaultCountry !== null && isSupportedCountry(defaultCountry) ? defaultCountry : null;
  if (isWithheld(text) && !(country !== null && isLocal(text, country))) {
    return invalid('whoever calls keeps it to themselves', { code: 'phone_withheld' });
  }
  // A raw plus in a query string arrives as a space.
  const { line, extension } = lineOf(/^ [1-9]\d{1,14}$/.test(text) ? `+${text.trim()}` : text.trim());
  const parsed = readLine(line, country, writer);
  if (parsed.kind === 'invalid' || extension === null) return parsed;
  // Behind anything else it may be a part of the number.
  return planOf(parsed.phone.slice(1)) === null || isPossible(parsed.phone)
    ? { ...parsed, extension }
    : invalid('before its extension there is no number', { code: 'phone_with_other_characters' });
}

/**
 * Whether these digits are what people of this country write for a number of it: some of those withheld by keypad are.
 */
function isLocal(digits: string, country: CountryCode): boolean {
  return /^[1-9]/.test(digits) && !hasTrunkZero(country) && isAssigned(national(digits, country));
}

function readLine(written: string, country: CountryCode | null, writer: PhoneWriter): ParsedPhone {
  if (!/\d/.test(written)) return invalid('it has no digits', { code: 'phone_without_digits' });
  if (rounded.test(written)) return invalid('a spreadsheet has rounded it', { code: 'phone_rounded' });
  const line = written.replace(/^(\+?\d{5,})\.0+$/, '$1');
  if (isSeveral(line, country)) return several;
  if (!spelled.test(line)) {
    return line.startsWith('+') || country !== null
      ? invalid('it holds characters that no phone number has', { code: 'phone_with_other_characters' })
      : withoutCountryCode;
  }
  const compact = line.replace(separators, '');
  return compact.startsWith('+') ? readInternational(compact, line) : readNational(line, compact, country, writer);
}

/**
 * It may be longer than the plan knows, unless a number and more is written there.
 * @param line the same with what is between its digits
 */
function readInternational(compact: string, line: string): ParsedPhone {
  const phone = byPlan(compact);
  if (isTooLong(phone) && headsOf(line, /\D+/g).some((head) => isPossible(byPlan(head)))) return several;
  if (!e164.test(phone))
    return invalid('after the + there must be 2 to 15 digits, the first not 0', { code: 'phone_not_international' });
  return { kind: 'phone', phone: phone as PhoneNumber, extension: null, otherwise: null };
}

/** Digits alone, as many as a number with its country code has. */
const bareDigits = /^[1-9]\d{6,14}$/;

function readNational(line: string, compact: string, country: CountryCode | null, writer: PhoneWriter): ParsedPhone {
  const here = country === null ? null : national(line, country);
  const abroad = /^00[1-9]/.test(compact) ? byPlan(`+${compact.slice(2)}`) : null;
  const bare = bareDigits.test(line) ? byPlan(`+${line}`) : null;
  // Where national numbers begin with a 0 that is not there, people have lost it or the plus: the plus,
  // where the country's own code is.
  const isOwn = country !== null && line.startsWith(getCountryCallingCode(country));
  const isAbroadFirst = country !== null && hasTrunkZero(country) && (writer === 'network' || isOwn);
  const readings = isAbroadFirst ? [bare, here, abroad] : [here, abroad, bare];
  const phone =
    readings.find(isAssigned) ??
    [here, abroad].find((one) => one !== null && e164.test(one) && !isTooLong(one)) ??
    null;
  if (phone !== null) {
    const isRuled =
      bare !== null &&
      here !== null &&
      !isOwn &&
      country !== null &&
      hasTrunkZero(country) &&
      isAssigned(bare) &&
      hasLostZero(here);
    const other = phone === here ? bare : here;
    return {
      kind: 'phone',
      phone: phone as PhoneNumber,
      extension: null,
      otherwise: isRuled ? (other as PhoneNumber) : null,
    };
  }
  if (country !== null)
    return invalid(`it is no phone number in ${country}`, { code: 'phone_not_of_country', params: { country } });
  return abroad === null ? withoutCountryCode : tooManyDigits;
}

/** The number that people of a country dial so, by its exit code, too; null: none can be. */
function national(line: string, country: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(line, { defaultCountry: country, extract: false });
  return parsed?.isPossible() === true ? currentSpelling(parsed.number) : null;
}

/** An international number without what its plan leaves out behind the country code. */
function byPlan(compact: string): string {
  const found = planOf(compact.slice(1));
  if (found === null) return compact;
  const { plan, national: behind } = found;
  const isPlain = plan.lengths.has(behind.length) && !plan.trunks.has(behind.slice(0, 1));
  const phone = currentSpelling(isPlain ? compact : (parsePhoneNumberFromString(compact)?.number ?? compact));
  // Several zeros go one by one.
  return phone.length < compact.length ? byPlan(phone) : phone;
}

function isTooLong(phone: string): boolean {
  const found = planOf(phone.slice(1));
  return found !== null && found.national.length > found.plan.longest;
}

/** What is written before each such sign, without what is between its digits. */
function headsOf(line: string, sign: RegExp): string[] {
  return [...line.matchAll(sign)]
    .map(({ index }) => line.slice(0, index).replace(separators, ''))
    .filter((head) => head.length > 1);
}

/** Whether the plan has numbers of so many digits. */
function isPossible(international: string): boolean {
  return parsePhoneNumberFromString(international)?.isPossible() === true;
}

/**
 * Whether a numbering plan has this number, so that digits without a plus are not taken for a country code by chance.
 */
function isAssigned(international: string | null): boolean {
  return international !== null && parsePhoneNumberFromString(international)?.isValid() === true;
}

/** Whether people of its country write a 0 before such a number: not before mobile numbers of China, e.g. */
function hasLostZero(phone: string): boolean {
  const parsed = parsePhoneNumberFromString(phone);
  return parsed?.isValid() === true && parsed.formatNational().startsWith('0');
}

/** Between two numbers; within one, too, so that it depends on what is before it. */
const between = /\s[-\u2010-\u2015\u2212]\s|\//g;

/**
 * Whether more than one number is written there: they are never joined.
 * `+49 30 23125-001/002` are two, `030/123456` is one.
 */
function isSeveral(line: string, country: CountryCode | null): boolean {
  if (/\d[^\d+]*\+\D*\d|\d\D*[,;|&\n]\D*\d/.test(line)) return true;
  return [...line.matchAll(between)].some(({ 0: sign, index }) => {
    const [before, after] = [line.slice(0, index), line.slice(index + sign.length)];
    // Behind a dash there may be an extension of the line, unless it is as long as what it would replace.
    const groups = [/\d+$/.exec(before)?.[0], /^\d+/.exec(after)?.[0]].map((group) => group?.length ?? 0);
    if (sign !== '/' && (groups[0] !== groups[1] || (groups[0] ?? 0) < 3)) return false;
    return (
      /\d/.test(after) &&
      isAssigned(
        before.trim().startsWith('+') ? byPlan(before.replace(separators, '')) : country && national(before, country),
      )
    );
  });
}

function invalid(reason: string, cause: PhoneCause): ParsedPhone & { kind: 'invalid' } {
  return { kind: 'invalid', detail: `The phone number cannot be read: ${reason}.`, cause };
}

const withoutCountryCode = invalid('it must start with + and the country code (the company has no default country)', {
  code: 'phone_without_country_code',
});
const several = invalid('it is more than one number', { code: 'phone_several' });
const tooManyDigits = invalid('it has more digits than numbers of its country', { code: 'phone_too_many_digits' });

/** Whether a country can be a company's default country (ISO 3166-1 alpha-2). */
export function isPhoneCountry(country: string): boolean {
  return isSupportedCountry(country);
}

/** How a company’s people, files and CRM write numbers. */
export type PhoneRules = { defaultCountry: string | null; bareDigits: BareDigits };

/** Reads what they write: as `parsePhone` does, digits that could be either as the company says. */
export function parseWritten(written: string, { defaultCountry, bareDigits }: PhoneRules): ParsedPhone {
  return parsePhone(written, defaultCountry, bareDigits === 'international' ? 'network' : 'people');
}
