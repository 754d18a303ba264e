import type { Pool } from 'pg';
import { isUuid } from '../../domain/ids.ts';
import type { Page, PageRequest } from '../../ports/queryResults.ts';
import { placeCursor, readPlace } from './placeCursor.ts';
import { run, type Statement } from './queries.ts';

/**
 * What a list is sorted by before the id; never null, so that a page can go on behind it.
 * `place`: as a cursor holds it.
 */
export type SortedBy = { by: string; place: string; type: string; isPlace: (text: string) => boolean };

/**
 * A filter that is given: its condition, on its parameter, and the value of that.
 * `name`: among all filters of the list.
 */
export type GivenFilter = { name: string; condition: (parameter: string) => string; value: unknown };

type List = {
  /** Of the statement, before what tells its filters apart. */
  name: string;
  columns: string;
  /** FROM and WHERE, on the first of the values. */
  from: string;
  values: unknown[];
  /** Of the table whose id comes last in the order. */
  alias: string;
  /** A minus before it: from the last to the first. */
  sort: string;
  /** Null: by the id alone, in the order in which they were made. */
  sorted: SortedBy | null;
  filters: readonly GivenFilter[];
  /** All that the list has. */
  filterNames: readonly string[];
  planEachTime?: boolean;
};

/**
 * A name for one of the statements that differ by their filters: PostgreSQL keeps 63 characters.
 * @param all of the list's filters,
 * @param given those of this statement
 */
export function filteredName(name: string, all: readonly string[], given: readonly string[]): string {
  return `${name}_${all.map((each) => (given.includes(each) ? '1' : '0')).join('')}`;
}

/**
 * A page of a list: one statement for each set of filters and way to sort, so that each has a plan of its own.
 * Null: the cursor is none of such a list.
 */
export async function sortedPage<R extends { id: string }>(
  pool: Pool,
  list: List,
  { cursor, limit }: PageRequest,
): Promise<Page<R> | null> {
  const { alias, sorted, values } = list;
  const [sign, order] = list.sort.startsWith('-') ? ['<', 'DESC'] : ['>', 'ASC'];
  const after = cursor === null ? [] : placeAfter(cursor, sorted?.isPlace);
  if (after === null) return null;
  const parameter = (place: number) => `$${String(values.length + place)}`;
  const columns = sorted === null ? `${alias}.id` : `${sorted.by}, ${alias}.id`;
  const behind = sorted === null ? `${parameter(2)}::uuid` : `${parameter(2)}::${sorted.type}, ${parameter(3)}::uuid`;
  const further = after.length === 0 ? '' : ` AND (${columns}) ${sign} (${behind})`;
  const wheres = list.filters
    .map(({ condition }, index) => ` AND ${condition(parameter(index + 2 + after.length))}`)
    .join('');
  const name = [list.name, list.sort.replace('-', 'down_'), ...(after.length === 0 ? [] : ['on'])].join('_');
  const statement: Statement = {
    name: filteredName(
      name,
      list.filterNames,
      list.filters.map((filter) => filter.name),
    ),
    ...(list.planEachTime === true ? { planEachTime: true as const } : {}),
    text: `SELECT ${list.columns}, ${sorted?.place ?? 'NULL'} AS place ${list.from}${further}${wheres}
    ORDER BY ${sorted === null ? '' : `${sorted.by} ${order}, `}${alias}.id ${order} LIMIT ${parameter(1)}`,
  };
  const rows = await run<R & { place: string | null }>(pool, statement, [
    ...values,
    limit + 1,
    ...after,
    ...list.filters.map(({ value }) => value),
  ]);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  if (last === undefined || rows.length <= limit) return { items, nextCursor: null };
  return { items, nextCursor: last.place === null ? last.id : placeCursor(last.place, last.id) };
}

/** What a page goes on behind; null: nothing that the list is sorted by. */
function placeAfter(cursor: string, isPlace: ((text: string) => boolean) | undefined): string[] | null {
  if (isPlace === undefined) return isUuid(cursor) ? [cursor] : null;
  return readPlace(cursor, isPlace);
}
