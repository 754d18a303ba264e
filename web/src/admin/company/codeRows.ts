import type { CodeWithLabel } from '../../../../src/contract/values.ts';

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
  return label
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
}

/** The list with one row moved. @param by -1: up, 1: down */
export function moved<T>(rows: readonly T[], index: number, by: -1 | 1): T[] {
  const next = [...rows];
  const [row] = next.splice(index, 1);
  if (row !== undefined) next.splice(index + by, 0, row);
  return next;
}
