import type { Language } from '../../contract/vocabulary.ts';
import { foldName } from '../../domain/company.ts';
import { type ContactField, fitsField } from '../../domain/contacts.ts';
import { dayIn } from './cellTexts.ts';

const yes = new Set([
  'true',
  'yes',
  'y',
  '1',
  'x',
  'ja',
  'j',
  'wahr',
  'sí',
  'si',
  's',
  'verdadero',
  'oui',
  'o',
  'vrai',
  'do not allow',
  'do not call',
]);
const no = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'falso', 'non', 'faux', 'allow']);

/** Yes or no in the languages of the pages; null: neither. */
export function readYes(cell: string): boolean | null {
  const folded = cell.toLowerCase();
  if (yes.has(folded)) return true;
  return no.has(folded) ? false : null;
}

/** How a company writes days. */
export type Writing = { language: Language | null; country: string | null };

/** A value of one of the company's own fields, as spreadsheets write it; null: it is none of its kind. */
export function readValue(field: ContactField, cell: string, writing: Writing): string | number | null {
  const value = spelled(field, cell, writing);
  return fitsField(field, value) && (typeof value === 'number' || value.length <= 2_000) ? value : null;
}

function spelled({ kind, choices }: ContactField, cell: string, { language, country }: Writing): string | number {
  switch (kind) {
    case 'number': {
      const plain = cell.replace(/^(-?\d+),(\d+)$/, '$1.$2');
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(plain) ? Number(plain) : Number.NaN;
    }
    case 'date':
      return dayIn(cell, language, country) ?? '';
    case 'money':
      return cell.replace(/^(-?\d+),(\d{1,3}) /, '$1.$2 ').toUpperCase();
    case 'choice':
      return choices?.find((choice) => foldName(choice) === foldName(cell)) ?? cell;
    case 'text':
    case 'link':
      return cell;
  }
}
