import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { DeliveryDetail, DeliveryView } from '../../../../../src/contract/deliveries.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';

const base = '/api/integrations/webhook-deliveries';
const pageSize = 50;

export const deliveryFilters = ['target', 'event', 'state', 'call_id', 'since', 'until'] as const;
/** Which deliveries are listed; times are ISO 8601, empty is any. */
export type DeliveryFilter = Record<(typeof deliveryFilters)[number], string>;

type DeliveryPage = { deliveries: DeliveryView[]; next_cursor: string | null };

/** The delivery log, newest first, page by page. */
export const deliveriesQuery = (filter: DeliveryFilter) =>
  pagedQuery({
    queryKey: ['deliveries', 'list', filter],
    path: base,
    query: { ...filter, limit: pageSize },
    entries: (page: DeliveryPage) => page.deliveries,
  });

/** One delivery with each attempt. */
export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: ({ signal }) => api.get<DeliveryDetail>(`${base}/${id}`, {}, signal),
  });

/** Sends one delivery again. */
export function useRedeliver() {
  const queries = useQueryClient();
  return useAction((id: string) => api.post<DeliveryView>(`${base}/${id}/redeliver`).finally(() => readAgain(queries)));
}

/** Sends all again that was given up since a time; answers how many. @param since ISO 8601 */
export function useRecover() {
  const queries = useQueryClient();
  return useAction((since: string) =>
    api.post<{ redelivering: number }>(`${base}/recover`, { since }).finally(() => readAgain(queries)),
  );
}

function readAgain(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['deliveries'] });
  void queries.invalidateQueries({ queryKey: integrationQuery.queryKey });
}
