import type { CompanyId } from '../../domain/ids.ts';
import type { Lookup, Page } from '../../ports/lookup.ts';

/** What a look-up by id alone means for one company. */
export function lookupOf<R extends { companyId: string }, T>(
  companyId: CompanyId,
  row: R | null | undefined,
  read: (row: R) => T,
): Lookup<T> {
  if (row === null || row === undefined) return { kind: 'unknown' };
  return row.companyId === companyId ? { kind: 'found', value: read(row) } : { kind: 'wrong_company' };
}

/** One page of `limit` items, read with one row too many to know whether there is another. */
export function pageOf<R extends { id: string }, T>(rows: R[], limit: number, read: (row: R) => T): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(read), nextCursor: rows.length > limit && last !== undefined ? last.id : null };
}
