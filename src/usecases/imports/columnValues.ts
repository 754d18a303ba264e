import { uuid } from '../../contract/values.ts';
import type { ContactField } from '../../domain/contacts.ts';
import { betweenNumbers } from '../../domain/phones/phoneExtensions.ts';
import { parsePhone } from '../../domain/phones/phoneNumbers.ts';
import { addressesIn, bareCell, languageIn, timeZoneIn } from './cellTexts.ts';
import { readValue, readYes } from './cellValues.ts';

/** What the first rows of a column tell of it. */

/** Longer ones are none, and how long a text may be tried for one grows with the square of its length. Characters. */
const longestEmail = 254;

/** Whether a cell is an address, or several. */
export function isEmail(cell: string): boolean {
  return cell.length <= longestEmail && addressesIn(cell).every((each) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(each));
}

/** A day, however it is written, and with a time or not; also what Outlook writes for none. */
const day = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}(?:[T\s]|$)/;
/** Numbers of a few digits, amounts, years, counts. */
const amount = /^-?\d{1,6}(?:[.,]\d{1,2})?$|^\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{1,2})?$/;

/** Seven digits or more, and what is written between them: postcodes have fewer. */
const hasNational = /^(?:[\s().\-/]*\d){7,15}[\s().\-/]*$/;
/** Longer cells hold something else, or more numbers than anybody has. Characters. */
const longestPhones = 1_000;

/**
 * Whether a cell holds a telephone number. Where the country is not known,
 * digits that begin as national numbers do are one.
 */
export function isPhone(cell: string, country: string | null): boolean {
  if (cell.length > longestPhones || day.test(cell) || amount.test(cell)) return false;
  return cell
    .split(betweenNumbers)
    .slice(0, 5)
    .every((part) => {
      const parsed = parsePhone(part.trim(), country);
      return (
        parsed.kind === 'phone' || (parsed.cause.code === 'phone_without_country_code' && hasNational.test(part.trim()))
      );
    });
}

/**
 * Begins or is broken up as telephone numbers are. Where a header says something else, a zero in front is not enough,
 * and of ids nothing but a plus is.
 */
export const forms = {
  unnamed: /^(?:\+|00?[1-9]|\()|\d[\s./()-]+\d/,
  named: /^(?:\+|\()|\d[\s./()-]+\d/,
  id: /^\+/,
  anywhere: /^(?:\+|0|\()/,
} as const;

type Column = { cells: readonly string[]; country: string | null };

/**
 * Whether what stands in a column can be of a field: a good part of its cells fits, or it is empty.
 * @param isSure the header says so, and nothing else
 */
export function fits(
  field: string,
  isSure: boolean,
  { cells, country }: Column,
  fields: readonly ContactField[],
): boolean {
  const given = cells
    .map(bareCell)
    .filter((cell) => cell !== '' && (cell !== '0' || field === 'do_not_call' || field.startsWith('fields.')));
  if (given.length === 0) return isSure;
  const enough = (test: (cell: string) => boolean, share = isSure ? 0.3 : 0.5) =>
    given.filter(test).length >= given.length * share;
  switch (field) {
    case 'phone':
      return isSure
        ? enough((cell) => isPhone(cell, country))
        : enough((cell) => isPhone(cell, country) && forms.unnamed.test(cell), 0.8);
    case 'email':
      return enough(isEmail);
    case 'id':
      return enough((cell) => uuid.safeParse(cell).success, 1);
    case 'external_id':
      // The same for everybody tells nobody apart.
      return (
        enough((cell) => cell.length <= 100 && !/\s{2}|\n/.test(cell)) && (given.length < 3 || new Set(given).size > 1)
      );
    case 'name':
    case 'customer':
    case 'first_name':
    case 'last_name':
    case 'organisation':
      return enough((cell) => /\p{L}/u.test(cell) && !isEmail(cell));
    case 'phone_label':
    case 'email_label':
      return enough((cell) => cell.length <= 40 && !/^(?:smtp|ex)$/i.test(cell));
    case 'owner':
      return enough((cell) => !/^\d{6,}$/.test(cell));
    case 'language':
      return enough((cell) => languageIn(cell) !== null);
    case 'time_zone':
      return enough((cell) => timeZoneIn(cell) !== null);
    case 'do_not_call':
      return enough((cell) => readYes(cell) !== null);
    default: {
      const own = fields.find(({ key }) => `fields.${key}` === field);
      return own === undefined || enough((cell) => readValue(own, cell, { language: null, country }) !== null);
    }
  }
}

/**
 * What a column is by its cells: addresses or numbers, where nearly all are; null: anything else.
 * @param form how numbers must be written there
 */
export function fieldOfCells({ cells, country }: Column, form: RegExp = forms.unnamed): 'email' | 'phone' | null {
  const given = cells.map(bareCell).filter((cell) => cell !== '' && cell !== '0');
  if (given.length === 0) return null;
  const most = (test: (cell: string) => boolean) => given.filter(test).length >= given.length * 0.8;
  // Where national numbers cannot be told from others, how a number begins has to tell.
  const isWritten = (cell: string) => form.test(cell) && (country !== null || forms.anywhere.test(cell));
  if (most((cell) => isEmail(cell) && !/\s/.test(cell))) return 'email';
  return most((cell) => isPhone(cell, country) && isWritten(cell)) ? 'phone' : null;
}
