import { queryOptions, useQueryClient } from '@tanstack/react-query';
import type { DuplicateList } from '../../../../../src/contract/duplicates.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';

const key = ['duplicates'];
/** While contacts are being compared. Milliseconds. */
const lookAgainMs = 2_000;

/** Contacts that are probably one person, the first of them; again and again while contacts are still being compared. @param limit 1 to 100 */
export const duplicatesQuery = (limit: number) =>
  queryOptions({
    queryKey: [...key, limit],
    queryFn: ({ signal }) => api.get<DuplicateList>('/api/crm/duplicates', { limit }, signal),
    refetchInterval: ({ state }) => (state.data?.comparing === true ? lookAgainMs : false),
  });

/** Says that the two of a suggestion are two people. */
export function useDismiss() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`/api/crm/duplicates/${id}`);
    await queries.invalidateQueries({ queryKey: key });
  });
}
