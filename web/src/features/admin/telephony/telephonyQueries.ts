import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { TelephonyView, UpdateTelephonyRequest } from '../../../../../src/contract/telephony.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

/** How the company telephones. */
export const telephonyQuery = queryOptions({
  queryKey: ['telephony'],
  queryFn: ({ signal }) => api.get<TelephonyView>('/api/telephony', {}, signal),
});

/** Changes how the company telephones; softphones that are connected learn of it at once. */
export function useUpdateTelephony() {
  const queries = useQueryClient();
  return useAction(async (body: UpdateTelephonyRequest) => {
    queries.setQueryData(telephonyQuery.queryKey, await api.put<TelephonyView>('/api/telephony', body));
  });
}
