import { infiniteQueryOptions, type QueryKey, type UndefinedInitialDataInfiniteOptions } from '@tanstack/react-query';
import { api, type Query } from '../../lib/gateway/api.ts';

/** What the gateway names the place by where a page begins. */
type Place = 'cursor' | 'after';
/** A page of a list as the gateway tells it; null: it is the last one. */
type Page = Partial<Record<`next_${Place}`, string | number | null>>;

type Options<P, T> = Omit<
  UndefinedInitialDataInfiniteOptions<P, Error, T[], QueryKey, string | number | null>,
  'queryFn' | 'initialPageParam' | 'getNextPageParam' | 'select'
> & {
  path: string;
  /** What the list is narrowed to, and how much of it is read at once; what is empty is not asked for. */
  query: Query;
  place?: Place;
  /** What a page tells. */
  entries: (page: P) => T[];
};

/** A list of the gateway, read page by page; `data` are all entries that have been read. */
export function pagedQuery<P extends Page, T>({ path, query, place = 'cursor', entries, ...options }: Options<P, T>) {
  const asked = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
  return infiniteQueryOptions({
    ...options,
    queryFn: ({ pageParam, signal }) => api.get<P>(path, { ...asked, [place]: pageParam ?? undefined }, signal),
    initialPageParam: null as string | number | null,
    getNextPageParam: (last: P) => last[`next_${place}`],
    select: ({ pages }) => pages.flatMap(entries),
  });
}
