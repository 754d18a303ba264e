import type { PopField } from '../../../../../src/contract/popLayout.ts';
import { patternOf } from '../../../shared/customerDetails/arrangeFields.ts';
import type { CustomerField } from '../../../shared/customerDetails/customerFields.ts';

/** As many as the gateway takes. */
export const maxFields = 100;

/** A field as its row has it; `id` names it while it is edited. */
export type Row = PopField & { id: string };

/** The rows of what is saved. */
export function rowsOf(fields: readonly PopField[]): Row[] {
  return fields.map((field) => ({ ...field, id: crypto.randomUUID() }));
}

/** Another row, below the others. */
export function newRow(key: string, object?: string): Row {
  return { id: crypto.randomUUID(), key, ...(object === undefined ? {} : { object }) };
}

/** The rows as the gateway takes them: what says nothing is left out. */
export function fieldsOf(rows: readonly Row[]): PopField[] {
  return rows.map(({ key, object, label, pinned, hidden, format, currency, currency_key }) => ({
    key,
    ...(object === undefined ? {} : { object }),
    ...(label === undefined || label.trim() === '' ? {} : { label: label.trim() }),
    ...(pinned === true ? { pinned } : {}),
    ...(hidden === true ? { hidden } : {}),
    ...(format === undefined || format === 'auto' ? {} : { format }),
    ...(currency === undefined ? {} : { currency }),
    ...(currency_key === undefined ? {} : { currency_key }),
  }));
}

/** Puts a row where another one is. */
export function moveTo(rows: readonly Row[], id: string, place: string): Row[] {
  const [from, to] = [rows.findIndex((row) => row.id === id), rows.findIndex((row) => row.id === place)];
  const moved = rows[from];
  return moved === undefined || to === -1 ? [...rows] : rows.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** The keys of a record that no row is about, each with its label: those of lists once, for whichever entry. */
export function keysLeft(fields: readonly CustomerField[], rows: readonly Row[]): { key: string; label: string }[] {
  const listed = new Set(rows.map(({ key }) => key));
  const left = new Map<string, string>();
  for (const { key, label } of fields) {
    const pattern = patternOf(key);
    if (!listed.has(key) && !listed.has(pattern) && !left.has(pattern)) left.set(pattern, label);
  }
  return [...left].map(([key, label]) => ({ key, label }));
}

/**
 * The first of them that is listed neither for all records nor for those of that kind yet; null: there is none left.
 * @param object of the customer who is looked at
 */
export function rowFor(rows: readonly Row[], key: string, object: string | undefined): Row | null {
  const isListed = (kind: string | undefined) => rows.some((row) => row.key === key && row.object === kind);
  if (!isListed(undefined)) return newRow(key);
  return object === undefined || isListed(object) ? null : newRow(key, object);
}
