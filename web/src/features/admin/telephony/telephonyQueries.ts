import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { TelephonyView, UpdateTelephonyRequest } from '../../../../../src/contract/telephony.ts';
import { api } from '../../../lib/gateway/api.ts';

/** How the company telephones. */
export const telephonyQuery = queryOptions({
  queryKey: ['telephony'],
  queryFn: () => api.get<TelephonyView>('/api/telephony'),
});

/** Changes how the company telephones; softphones that are connected learn of it at once. */
export function useUpdateTelephony() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateTelephonyRequest) => api.put<TelephonyView>('/api/telephony', body),
    onSuccess: (telephony) => queries.setQueryData(telephonyQuery.queryKey, telephony),
  });
}
