import { type ColumnMapping, maxMapped } from '../../contract/imports.ts';
import type { ContactField } from '../../domain/contacts.ts';
import { cellReader, type Import, type RawRow } from '../../domain/imports.ts';
import { inSlices } from '../concurrency/slices.ts';
import type { Services } from '../services.ts';
import { bareCell } from './cellTexts.ts';
import { fieldOfCells, fits, forms, isEmail, isPhone } from './columnValues.ts';
import { labelIn, meaningOf, namesAnId, ownHeaders } from './headerWords.ts';

/** Rows by which the columns are told. */
export const sampleRows = 50;
/** A header is sought in so many rows, and told by so many of their columns. */
const [headerWithin, headerColumns] = [10, 100];

const several = new Set(['phone', 'phone_label', 'email', 'email_label', 'tags', 'notes']);

/** What the columns of an import probably are. @param rows the first of its contacts, as they are kept */
export async function suggestedOf(
  { companyOf, contacts }: Pick<Services, 'contacts' | 'companyOf'>,
  one: Import,
  rows: readonly RawRow[],
): Promise<ColumnMapping[]> {
  const [fields, { defaultCountry }] = await Promise.all([contacts.fields(one.companyId), companyOf(one.companyId)]);
  const cellsOf = cellReader(one);
  const headers = one.hasHeader ? cellsOf(one.firstRow) : one.firstRow.map(() => '');
  return suggestMapping(
    headers,
    rows.map(({ cells }) => cellsOf(cells)),
    { fields, country: one.defaultCountry ?? defaultCountry },
  );
}

type Known = { fields: readonly ContactField[]; country: string | null };

/**
 * What the columns of a file probably are, without keeping others waiting: what their headers mean,
 * where what stands in them fits; where a header means nothing, what stands there.
 */
export async function suggestMapping(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { fields, country }: Known,
): Promise<ColumnMapping[]> {
  const own = ownHeaders(fields);
  const cellsOf = (column: number) => rows.map((cells) => cells[column] ?? '');
  const mapping: ColumnMapping[] = [];
  for await (const [column, header] of inSlices(headers.entries())) {
    const cells = cellsOf(column);
    const field = fieldOfColumn(header, { cells, country, fields, own });
    if (field === null || (!several.has(field) && mapping.some((each) => each.field === field))) continue;
    const label = field === 'phone' || field === 'email' ? labelIn(header) : undefined;
    mapping.push({ column, field, mode: 'fill', ...(label === undefined ? {} : { label }) });
  }
  return withCustomers(withoutFamilyNamesAsNames(mapping, cellsOf)).slice(0, maxMapped);
}

type Column = Known & { cells: readonly string[]; own: ReadonlyMap<string, string> };

/**
 * What one column is; null: nothing of a contact.
 * @param column its first cells, and what is known of the company; `own`: as `ownHeaders` makes them
 */
export function fieldOfColumn(header: string, { cells, country, fields, own }: Column): string | null {
  const meaning = meaningOf(header, own);
  if (meaning === null) {
    if (header.trim() === '') return fieldOfCells({ cells, country }, forms.unnamed);
    return fieldOfCells({ cells, country }, namesAnId(header) ? forms.id : forms.named);
  }
  const { field, isSure } = meaning;
  if (field === null) return null;
  if (fits(field, isSure, { cells, country }, fields)) return field;
  // The id of another program is its own.
  return field === 'id' && fits('external_id', isSure, { cells, country }, fields) ? 'external_id' : null;
}

/** Where somebody is named, a `Customer` is where they work; else whoever is called. */
function withCustomers(mapping: ColumnMapping[]): ColumnMapping[] {
  const has = (...fields: string[]) => mapping.some(({ field }) => fields.includes(field));
  const field = has('name', 'first_name', 'last_name') ? 'organisation' : 'name';
  const others = has(field) ? mapping.filter((each) => each.field !== 'customer') : mapping;
  return others.map((each) => (each.field === 'customer' ? { ...each, field } : each));
}

/** Beside first names, a `Name` in which they do not stand is the family name. */
function withoutFamilyNamesAsNames(mapping: ColumnMapping[], cellsOf: (column: number) => string[]): ColumnMapping[] {
  const columnOf = (field: string) => mapping.find((each) => each.field === field)?.column;
  const [name, first, last] = [columnOf('name'), columnOf('first_name'), columnOf('last_name')];
  if (name === undefined || first === undefined || last !== undefined) return mapping;
  const firstNames = cellsOf(first).map(bareCell);
  const both = cellsOf(name).flatMap((cell, at) =>
    cell.trim() === '' || (firstNames[at] ?? '') === '' ? [] : [cell.includes(firstNames[at] ?? '')],
  );
  const isWhole = both.filter((has) => has).length * 2 >= both.length;
  return isWhole ? mapping : mapping.map((each) => (each.field === 'name' ? { ...each, field: 'last_name' } : each));
}

/** Where a file begins, from 0 among its rows: with its header, or with its first contact. */
export type Beginning = { at: number; isHeader: boolean };

/**
 * Where a file begins, below nothing but titles: with the row of which most cells are known;
 * else with a header that is not, where columns of numbers or addresses begin with something else; else with a contact.
 */
export function beginningOf(file: readonly (readonly string[])[], fields: readonly ContactField[]): Beginning {
  const own = ownHeaders(fields);
  const rows = file.map((cells) => cells.slice(0, headerColumns));
  const filled = rows.map((cells) => cells.filter((cell) => cell.trim() !== '').length);
  const known = rows.slice(0, headerWithin).map((cells, at) => {
    const isBelowTitles = filled.slice(0, at).every((count) => count <= Math.max(1, (filled[at] ?? 0) / 2));
    return !isBelowTitles || cells.some(isValue) ? 0 : cells.filter((cell) => meaningOf(cell, own) !== null).length;
  });
  const best = known.indexOf(Math.max(0, ...known));
  if ((known[best] ?? 0) > 0) return { at: best, isHeader: true };
  const below = filled.slice(0, headerWithin).findIndex((count, at) => count > 1 || rows[at]?.some(isValue) === true);
  const at = Math.max(0, below);
  const [first = [], ...rest] = rows.slice(at);
  const isHeader =
    !first.some(isValue) &&
    first.some(
      (cell, column) =>
        cell.trim() !== '' &&
        fieldOfCells({ cells: rest.slice(0, headerWithin).map((cells) => cells[column] ?? ''), country: null }) !==
          null,
    );
  return { at, isHeader };
}

/** Characters. */
const longestValue = 500;

/** What stands in rows of contacts and in no header: an address, a number, a day. */
function isValue(cell: string): boolean {
  if (cell.length > longestValue) return false;
  const text = bareCell(cell);
  if (text.includes('@') && isEmail(text)) return true;
  return /\d/.test(text) && (isPhone(text, null) || /^[\d\s().+\-/:]{5,}$/.test(text));
}
