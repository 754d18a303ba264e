import type { CrmSearchResult, FoundContact } from '../../../../src/contract/crmSearch.ts';
import { api } from '../../lib/gateway/api.ts';
import { useRead } from '../../lib/gateway/useRead.ts';
import { useWorkplace } from '../workplace/workplaceContext.ts';

/** A pause of this length is the end of a burst of typing. Milliseconds. */
export const pauseMs = 200;
/** Less fits half of what there is. */
export const fewestCharacters = 2;
export const askedFor = 6;

/** Contacts that what was typed may mean; none where the company works with none, or they cannot be read. */
export function useFoundContacts(typed: string): FoundContact[] {
  const sought = typed.trim();
  const { settings } = useWorkplace().view;
  const isAsked = sought.length >= fewestCharacters && settings?.contacts === true;
  const { data } = useRead({
    key: isAsked ? sought : null,
    read: (signal) => api.get<CrmSearchResult>('/api/crm/search', { q: sought, limit: askedFor }, signal),
    pauseMs,
  });
  return isAsked ? (data?.contacts ?? []) : [];
}
