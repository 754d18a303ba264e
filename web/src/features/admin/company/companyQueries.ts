import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { CompanyView, UpdateCompanyRequest } from '../../../../../src/contract/companies.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

/** The company's name and how its calls are wrapped up. */
export const companyQuery = queryOptions({
  queryKey: ['company'],
  queryFn: async ({ signal }) => withTags(await api.get<CompanyView>('/api/company', {}, signal)),
});

/** Gateways of before know of no tags, and tell of no contacts. */
function withTags(company: CompanyView): CompanyView {
  return { ...company, tags: (company.tags as CompanyView['tags'] | undefined) ?? [], free_tags: (company.free_tags as boolean | undefined) ?? false, contacts: (company.contacts as boolean | undefined) ?? false };
}

/** Changes the company; a list replaces the former list. Throws ApiProblem. */
export async function updateCompany(queries: QueryClient, body: UpdateCompanyRequest): Promise<void> {
  queries.setQueryData(companyQuery.queryKey, withTags(await api.patch<CompanyView>('/api/company', body)));
}

/** The same, as something that a person does. */
export function useUpdateCompany() {
  const queries = useQueryClient();
  return useAction((body: UpdateCompanyRequest) => updateCompany(queries, body));
}
