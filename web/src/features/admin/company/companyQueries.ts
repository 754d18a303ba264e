import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { CompanyView, UpdateCompanyRequest } from '../../../../../src/contract/companies.ts';
import { api } from '../../../lib/gateway/api.ts';

/** The company's name and how its calls are wrapped up. */
export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: () => api.get<CompanyView>('/api/company'),
});

/** Changes the company; a list replaces the former list. */
export function useUpdateCompany() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: UpdateCompanyRequest) => api.patch<CompanyView>('/api/company', body),
    onSuccess: (company) => queries.setQueryData(companyQuery.queryKey, company),
  });
}
