import { type InfiniteData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { DealBoard, DealMoveView, DealView, ListDealsQuery } from '../../../../src/contract/deals.ts';
import { api } from '../../lib/gateway/api.ts';
import { pagedQuery } from '../../shared/list/pagedQuery.ts';

/** So many are read at once; a stage may have thousands. */
const pageSize = 20;

type DealList = { deals: DealView[]; next_cursor: string | null };
type MoveList = { moves: DealMoveView[]; next_cursor: string | null };
/** What a list of deals is narrowed to, and how it is sorted; undefined: not. */
export type DealFilter = { [K in Exclude<keyof ListDealsQuery, 'cursor' | 'limit'>]?: ListDealsQuery[K] | undefined };
type Column = DealBoard['stages'][number];

/** So often a board that somebody looks at is read anew: colleagues move deals too. Milliseconds. */
const boardRefreshMs = 15_000;

/** A pipeline with the totals and the first deals of each stage. @param owner undefined: whoever's */
export function boardQuery(pipeline: string, owner: string | undefined) {
  return queryOptions({
    queryKey: ['deals', 'board', pipeline, owner],
    queryFn: ({ signal }) =>
      api.get<DealBoard>(
        `/api/crm/pipelines/${encodeURIComponent(pipeline)}/board`,
        { owner, limit: pageSize },
        signal,
      ),
    refetchInterval: boardRefreshMs,
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
}

/**
 * The deals of one stage, the latest moved first; the first page is what the board had,
 * which says when it is another one.
 * @param readAt when the board was read, in milliseconds
 */
export function columnQuery(column: Column, owner: string | undefined, readAt: number) {
  return {
    ...listQuery(columnKey(column.id, owner), { stage: column.id, owner, sort: '-moved' }),
    initialData: firstPage(column),
    initialDataUpdatedAt: readAt,
    staleTime: Infinity,
  };
}

function firstPage({ deals, next_cursor }: Column): InfiniteData<DealList, string | null> {
  return { pages: [{ deals, next_cursor }], pageParams: [null] };
}

/**
 * Shows a column as the board was read anew. Where more than the first page is shown, all of them are read again.
 * @param isChanged whether the board says something else of this column than before
 */
export function showColumn(queries: QueryClient, column: Column, owner: string | undefined, isChanged: boolean): void {
  const queryKey = columnKey(column.id, owner);
  const shown = queries.getQueryData<InfiniteData<DealList, string | null>>(queryKey);
  if (shown === undefined || shown.pages.length === 1) queries.setQueryData(queryKey, firstPage(column));
  else if (isChanged) void queries.invalidateQueries({ queryKey });
}

/** The name of a column among what was read. */
export function columnKey(stage: string, owner: string | undefined): string[] {
  return ['deals', 'column', stage, owner ?? ''];
}

/** Deals that fit, a page after the other. */
export function dealsQuery(filter: DealFilter) {
  return listQuery(['deals', 'list', filter], filter);
}

function listQuery(queryKey: readonly unknown[], filter: DealFilter) {
  return pagedQuery({
    queryKey,
    path: '/api/crm/deals',
    query: { ...filter, limit: pageSize },
    entries: (page: DealList) => page.deals,
  });
}

/** One deal. */
export function dealQuery(id: string) {
  return queryOptions({
    queryKey: ['deals', 'one', id],
    queryFn: ({ signal }) => api.get<DealView>(`/api/crm/deals/${encodeURIComponent(id)}`, undefined, signal),
  });
}

/** Where a deal has been, the latest move first, a page after the other. */
export function movesQuery(id: string) {
  return pagedQuery({
    queryKey: ['deals', 'moves', id],
    path: `/api/crm/deals/${encodeURIComponent(id)}/moves`,
    query: { limit: pageSize },
    entries: (page: MoveList) => page.moves,
  });
}

/** A deal was made or changed: whatever shows it is read anew. @param deal as it is now */
export function noteChanged(queries: QueryClient, deal: DealView): void {
  queries.setQueryData(dealQuery(deal.id).queryKey, deal);
  for (const key of ['board', 'list']) void queries.invalidateQueries({ queryKey: ['deals', key] });
  // Those in view follow the board.
  void queries.invalidateQueries({ queryKey: ['deals', 'column'], refetchType: 'none' });
  void queries.invalidateQueries({ queryKey: movesQuery(deal.id).queryKey });
  if (deal.contact !== null) void queries.invalidateQueries({ queryKey: ['contacts', 'timeline', deal.contact.id] });
}

/** Shows a deal in another column at once, before the gateway has said so. */
export function showMoved(
  queries: QueryClient,
  deal: DealView,
  to: DealView['stage'],
  owner: string | undefined,
): void {
  const columns = (stage: string, change: (pages: DealList[]) => DealList[]) =>
    queries.setQueryData<InfiniteData<DealList, string | null>>(columnKey(stage, owner), (data) =>
      data === undefined ? undefined : { ...data, pages: change(data.pages) },
    );
  columns(deal.stage.id, (pages) =>
    pages.map((page) => ({ ...page, deals: page.deals.filter(({ id }) => id !== deal.id) })),
  );
  columns(to.id, (pages) =>
    pages.map((page, index) =>
      index > 0 ? page : { ...page, deals: [{ ...deal, stage: to }, ...page.deals.filter(({ id }) => id !== deal.id)] },
    ),
  );
}
