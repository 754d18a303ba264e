import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { PhoneQuery } from '../../providers/provider.ts';
import { parsePhone, type PhoneNumber } from './phoneNumbers.ts';
import { otherSpelling } from './phoneSpellings.ts';

/** A number with the forms in which people and CRM systems write it. */
export function phoneQuery(phone: PhoneNumber): PhoneQuery {
  const digits = phone.slice(1);
  const parsed = parsePhoneNumberFromString(phone);
  const national = parsed?.nationalNumber ?? digits;
  const groups = parsed?.formatInternational().split(' ').slice(1) ?? [];
  const written = [
    phone,
    digits,
    national,
    parsed?.formatNational(),
    parsed?.formatInternational(),
    groups.join('-'),
    groups.join('.'),
    groups.join(' '),
  ];
  return {
    e164: phone,
    digits,
    national,
    country: parsed?.country ?? null,
    written: [...new Set(written.filter((form) => form != null && form !== ''))] as string[],
  };
}

/**
 * Whether one of the numbers, as somebody typed them into a CRM, is that number. National ones are read as the
 * company's country reads them, and as the number's own country does where the company's cannot.
 * @param country the number's own; null: it belongs to none
 */
export function hasNumber(
  typed: readonly string[],
  phone: PhoneNumber,
  defaultCountry: string | null,
  country: string | null,
): boolean {
  const spellings = new Set([phone, otherSpelling(phone)]);
  return typed.some((text) => {
    const here = parsePhone(text, defaultCountry);
    if (here.kind === 'phone')
      return spellings.has(here.phone) || (here.otherwise !== null && spellings.has(here.otherwise));
    const there = parsePhone(text, country);
    return there.kind === 'phone' && spellings.has(there.phone);
  });
}
