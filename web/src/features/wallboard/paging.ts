/** How many pages there are; one at least. */
export function pageCount(rows: number, perPage: number): number {
  return Math.max(1, Math.ceil(rows / Math.max(1, perPage)));
}

/** What is on that page, from 0. */
export function onPage<T>(rows: readonly T[], page: number, perPage: number): readonly T[] {
  return rows.slice(page * perPage, (page + 1) * perPage);
}
