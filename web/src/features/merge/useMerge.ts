import { useQueryClient } from '@tanstack/react-query';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import type { MergeContactRequest } from '../../../../src/contract/mergeContacts.ts';
import { api } from '../../lib/gateway/api.ts';
import { useAction } from '../../lib/gateway/useAction.ts';

/**
 * Puts two contacts into one. What shows them is read anew however it ends: where it was refused,
 * one of them was changed meanwhile, and the refusal waits for what it says now.
 */
export function useMerge() {
  const queries = useQueryClient();
  return useAction(async ({ id, ...request }: MergeContactRequest & { id: string }) => {
    const readAnew = () =>
      Promise.all(['duplicates', 'contacts'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    try {
      const merged = await api.post<ContactView>(`/api/crm/contacts/${id}/merge`, request);
      // Not waited for: what shows the two is gone with them.
      void readAnew();
      return merged;
    } catch (error) {
      await readAnew();
      throw error;
    }
  });
}
