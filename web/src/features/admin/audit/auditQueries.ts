import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { AuditEntryView } from '../../../../../src/contract/audit.ts';
import type { ContactView } from '../../../../../src/contract/contacts.ts';
import type { CrmSearchResult } from '../../../../../src/contract/crmSearch.ts';
import type { ErasureView } from '../../../../../src/contract/eraseContact.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';

const key = ['audit'];
const personKey = ['person to erase'];
const [pageSize, mostFound] = [25, 10];

/** What was merged and erased, the latest first, page by page. */
export const auditQuery = pagedQuery({
  queryKey: [...key, 'list'],
  path: '/api/crm/audit',
  query: { limit: pageSize },
  entries: (page: { entries: AuditEntryView[]; next_cursor: string | null }) => page.entries,
});

/** Whom the words that were typed find; nobody for none. */
export const findPersonQuery = (typed: string) =>
  queryOptions({
    queryKey: [...key, 'found', typed],
    queryFn: async ({ signal }) =>
      typed === ''
        ? []
        : (await api.get<CrmSearchResult>('/api/crm/search', { q: typed, limit: mostFound }, signal)).contacts,
    placeholderData: keepPreviousData,
  });

/** One contact with all that is known, as it is to be erased. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey, id],
    queryFn: ({ signal }) => api.get<ContactView>(`/api/crm/contacts/${id}`, undefined, signal),
    gcTime: 0,
  });

/** Erases a person, at the version that was shown; where it was refused, the person is read anew. */
export function useErase() {
  const queries = useQueryClient();
  return useAction(async ({ id, version }: Pick<ContactView, 'id' | 'version'>) => {
    try {
      const report = await api.post<ErasureView>(`/api/crm/contacts/${id}/erase`, { version });
      void queries.invalidateQueries({ queryKey: key });
      return report;
    } catch (error) {
      await queries.invalidateQueries({ queryKey: personKey });
      throw error;
    }
  });
}
