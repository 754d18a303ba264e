import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { CompanyView, UpdateCompanyRequest } from '../../../../../src/contract/companies.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { companyQuery } from '../../../shared/sharedQueries.ts';

/** Changes the company; a list replaces the former list. Throws ApiProblem. */
export async function updateCompany(queries: QueryClient, body: UpdateCompanyRequest): Promise<void> {
  queries.setQueryData(companyQuery.queryKey, await api.patch<CompanyView>('/api/company', body));
}

/** The same, as something that a person does. */
export function useUpdateCompany() {
  const queries = useQueryClient();
  return useAction((body: UpdateCompanyRequest) => updateCompany(queries, body));
}
