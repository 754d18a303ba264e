import type { CodeWithLabel } from '../../../../../src/contract/values.ts';
import { foldText } from '../../../shared/foldText.ts';

/** A row: of a disposition with the flag, of a Not Ready reason without. */
export type EditedCode = CodeWithLabel & { requires_callback_at?: boolean };

/** What is wrong with each row that can be seen from here; null: nothing. */
export function rowFaults(rows: readonly CodeWithLabel[]): (string | null)[] {
  return rows.map(({ code, label }, index) => {
    if (label.trim() === '') return 'Enter a label.';
    if (code === '') return 'Enter a code.';
    if (!/^[a-z0-9][a-z0-9_]{0,39}$/.test(code)) return 'A code is lower-case letters, digits and underscores, at most 40.';
    const first = rows.findIndex((row) => row.code === code);
    return first === index ? null : `Row ${String(first + 1)} has this code already.`;
  });
}

/** A code that goes with a label: `Sent an offer` is `sent_an_offer`. */
export function codeFor(label: string): string {
  return foldText(label)
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
}

/** A new row of a list. @param asksForTime whether its rows say if they need a time to call back */
export function emptyRow(asksForTime: boolean): EditedCode {
  return { code: '', label: '', ...(asksForTime ? { requires_callback_at: false } : {}) };
}

/** The list with one row moved. @param by -1: up, 1: down */
export function moved<T>(rows: readonly T[], index: number, by: -1 | 1): T[] {
  const next = [...rows];
  const [row] = next.splice(index, 1);
  if (row !== undefined) next.splice(index + by, 0, row);
  return next;
}
