import type { ColumnMapping } from '../../contract/imports.ts';
import type { BareDigits } from '../../contract/vocabulary.ts';
import type { ContactField } from '../../domain/contacts.ts';
import type { Import } from '../../domain/imports.ts';
import type { Services } from '../services.ts';
import type { Writing } from './cellValues.ts';

/**
 * A column that becomes a field; `labelFrom`: the column whose cells are the labels of its numbers or
 * addresses, null: none is.
 */
export type PlannedColumn = ColumnMapping & { labelFrom: number | null };

/** What the rows of an import are read with. */
export type ReadingPlan = Writing & {
  bareDigits: BareDigits;
  columns: readonly PlannedColumn[];
  fields: readonly ContactField[];
};

/** Of an import: its mapping, the company's own fields, its language, and the country of its numbers. */
export async function readingPlanOf(
  { companyOf, contacts }: Pick<Services, 'contacts' | 'companyOf'>,
  one: Import,
): Promise<ReadingPlan> {
  const [fields, { bareDigits, defaultCountry, settings }] = await Promise.all([
    contacts.fields(one.companyId),
    companyOf(one.companyId),
  ]);
  return {
    columns: plannedColumns(one.mapping),
    fields,
    language: settings.language,
    country: one.defaultCountry ?? defaultCountry,
    bareDigits,
  };
}

/** In the order of the file, labels beside what they are labels of. */
export function plannedColumns(mapping: readonly ColumnMapping[]): PlannedColumn[] {
  const sorted = mapping.toSorted((a, b) => a.column - b.column);
  const labelsOf = new Map((['phone', 'email'] as const).flatMap((kind) => pairs(sorted, kind)));
  return sorted
    .filter(({ field }) => field !== 'phone_label' && field !== 'email_label')
    .map((each) => ({ ...each, labelFrom: labelsOf.get(each.column) ?? null }));
}

/**
 * A label belongs to the number or address at its left;
 * where the first label stands before all of them, as Google writes it, to that at its right.
 */
function pairs(sorted: readonly ColumnMapping[], kind: 'phone' | 'email'): [of: number, label: number][] {
  const parts = sorted.filter(({ field }) => field === kind || field === `${kind}_label`);
  const isBefore = parts[0]?.field !== kind;
  return parts.flatMap(({ column, field }, at): [number, number][] => {
    const other = parts[isBefore ? at + 1 : at - 1];
    return field === kind || other?.field !== kind ? [] : [[other.column, column]];
  });
}
