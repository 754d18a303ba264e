import type { Page } from '../../ports/lookup.ts';

/** One page of `limit` items, read with one row too many to know whether there is another. */
export function pageOf<R extends { id: string }, T>(rows: R[], limit: number, read: (row: R) => T): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(read), nextCursor: rows.length > limit && last !== undefined ? last.id : null };
}
