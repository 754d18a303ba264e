import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CompanyView, UpdateCompanyRequest } from '../../../../../src/contract/companies.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

/** The company's name and how its calls are wrapped up. */
export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: ({ signal }) => api.get<CompanyView>('/api/company', {}, signal),
});

/** Changes the company; a list replaces the former list. */
export function useUpdateCompany() {
  const queries = useQueryClient();
  return useAction(async (body: UpdateCompanyRequest) => {
    queries.setQueryData(companyQuery.queryKey, await api.patch<CompanyView>('/api/company', body));
  });
}
