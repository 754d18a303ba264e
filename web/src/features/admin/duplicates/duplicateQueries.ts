import { useQueryClient } from '@tanstack/react-query';
import type { DuplicateList } from '../../../../../src/contract/duplicates.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';

const key = ['duplicates'];
const pageSize = 25;
/** While contacts are being compared. Milliseconds. */
const lookAgainMs = 2_000;

/** Pages of contacts that are probably one person; again and again while contacts are still being compared. */
export const duplicatesQuery = pagedQuery({
  queryKey: key,
  path: '/api/crm/duplicates',
  query: { limit: pageSize },
  entries: (page: DuplicateList) => [page],
  refetchInterval: ({ state: { data } }) => (data !== undefined && isComparing(data.pages) ? lookAgainMs : false),
});

/** Whether there may be more in a moment, as the page that was read last says. */
export function isComparing(pages: readonly DuplicateList[]): boolean {
  return pages.at(-1)?.comparing ?? false;
}

/** Says that the two of a suggestion are two people. */
export function useDismiss() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`/api/crm/duplicates/${id}`);
    await queries.invalidateQueries({ queryKey: key });
  });
}
