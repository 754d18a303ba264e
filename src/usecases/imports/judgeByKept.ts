import type { Contact } from '../../domain/contacts.ts';
import type { JudgedRow, RawRow } from '../../domain/imports.ts';
import { type KeptCustomer, KeptCustomers } from './keptCustomers.ts';
import { judgeRows, type Known } from './judgeRows.ts';
import type { ReadRow } from './readRow.ts';
import { contactKey, firstKeys } from './rowKeys.ts';

/** How often rows are judged anew before half of them are left to the next batch: their keys can lead on and on. */
const mostRounds = 8;

type Finds = {
  customers: (keys: string[]) => Promise<readonly KeptCustomer[]>;
  /** Null: nothing is written. */
  reached: ((rows: number[]) => Promise<readonly (Contact & { row: number })[]>) | null;
};

/**
 * Judges rows by what is kept of the customers of earlier ones, which is asked for as it is found to matter.
 * @param rows in their order, one at least @returns of the first ones, of all of them as a rule,
 * and what was asked for
 */
export async function judgeByKept(
  rows: readonly { raw: RawRow; read: ReadRow }[],
  known: Omit<Known, 'customers' | 'reached'>,
  find: Finds,
): Promise<{ rows: JudgedRow[]; customers: KeptCustomers }> {
  const customers = new KeptCustomers(rows[0]?.raw.row ?? 0);
  const reached = find.reached && new Map<number, Contact>();
  const keys = [
    ...known.contacts.map(contactKey),
    ...rows.flatMap(({ read }) => (read.kind === 'read' ? firstKeys(read.draft) : [])),
  ];
  let some = rows;
  let found = await customers.ask(find.customers, keys);
  for (let round = 1; ; round += 1) {
    await meet(found ?? []);
    const judged = judgeRows(some, { ...known, customers, reached });
    found = await customers.ask(find.customers);
    if (found === null) return { rows: judged, customers };
    if (round % mostRounds === 0) some = some.slice(0, Math.ceil(some.length / 2));
  }

  async function meet(rowsFound: readonly number[]): Promise<void> {
    const fresh = rowsFound.filter((row) => reached?.has(row) === false);
    if (fresh.length === 0) return;
    for (const { row, ...contact } of (await find.reached?.(fresh)) ?? []) reached?.set(row, contact);
  }
}
