import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { DeliveryDetail, DeliveryView } from '../../../../../src/contract/deliveries.ts';
import { api } from '../../../lib/gateway/api.ts';
import { integrationQuery } from '../connect/integrationQueries.ts';

const base = '/api/integrations/webhook-deliveries';
const pageSize = 50;

/** Which deliveries are listed; times are ISO 8601, empty is any. */
export type DeliveryFilter = { event: string; state: string; call_id: string; since: string; until: string };

type DeliveryPage = { deliveries: DeliveryView[]; next_cursor: string | null };

/** The delivery log, newest first, page by page. */
export const deliveriesQuery = (filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'list', filter],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      api.get<DeliveryPage>(base, {
        ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')),
        limit: pageSize,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    getNextPageParam: (page) => page.next_cursor,
  });

/** One delivery with each attempt. */
export const deliveryQuery = (id: string) =>
  queryOptions({ queryKey: ['deliveries', 'one', id], queryFn: () => api.get<DeliveryDetail>(`${base}/${id}`) });

/** Sends one delivery again. */
export function useRedeliver() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post<DeliveryView>(`${base}/${id}/redeliver`),
    onSettled: () => readAgain(queries),
  });
}

/** Sends all again that was given up since a time; answers how many. @param since ISO 8601 */
export function useRecover() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (since: string) => api.post<{ redelivering: number }>(`${base}/recover`, { since }),
    onSettled: () => readAgain(queries),
  });
}

function readAgain(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ['deliveries'] });
  void queries.invalidateQueries({ queryKey: integrationQuery.queryKey });
}
