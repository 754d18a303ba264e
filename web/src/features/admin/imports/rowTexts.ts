import type { ImportRowView, ImportState, RowOutcome } from '../../../../../src/contract/imports.ts';
import { fieldText } from '../../../lib/gateway/apiProblem.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';

type Color = 'teal' | 'blue' | 'orange' | 'red' | 'gray';

export const outcomeColors = {
  created: 'teal',
  updated: 'blue',
  unchanged: 'gray',
  refused: 'red',
  duplicate: 'orange',
  undone: 'teal',
  left: 'orange',
} as const satisfies Record<RowOutcome, Color>;

export const stateColors = {
  uploading: 'blue',
  ready: 'orange',
  checking: 'blue',
  checked: 'orange',
  running: 'blue',
  done: 'teal',
  canceled: 'orange',
  failed: 'red',
  undoing: 'blue',
  undone: 'gray',
} as const satisfies Record<ImportState, Color>;

/** What a column is called: by its header, else by its number. */
export function columnName(
  t: Translate,
  { columns, has_header }: { columns: readonly string[]; has_header: boolean },
  column: number,
): string {
  const header = has_header ? (columns[column] ?? '').trim() : '';
  return header === '' ? t('imports.mapping.column', { number: column + 1 }) : header;
}

/** Why a row was refused, left, or is a duplicate; of which column, where it is one's fault. */
export function rowReasonText(
  t: Translate,
  of: Parameters<typeof columnName>[1],
  reason: ImportRowView['reason'],
): string | null {
  if (reason === null) return null;
  const { column, ...cause } = reason;
  const what = fieldText(t, { path: '', ...cause });
  return column === null ? what : t('shared.problem.atField', { field: columnName(t, of, column), what });
}
