import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import type { FieldView } from '../../../../src/contract/contactFields.ts';
import type { ContactSort, ContactView } from '../../../../src/contract/contacts.ts';
import type { CrmSearchResult } from '../../../../src/contract/crmSearch.ts';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { api } from '../../lib/gateway/api.ts';

/** So many are read at once; a company may have a hundred thousand. */
const pageSize = 50;

type ContactList = { contacts: ContactView[]; next_cursor: string | null };
type ActivityList = { activities: ContactActivityView[]; next_cursor: string | null };

/** The contacts of the company, a page after the other. @param filter as `GET /api/crm/contacts` takes it */
export function contactsQuery(
  filter: { organisation?: string; owner?: string; tag?: string; sort?: ContactSort } = {},
) {
  return infiniteQueryOptions({
    queryKey: ['contacts', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<ContactList>('/api/crm/contacts', { ...filter, limit: pageSize, cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** A pause of this length is the end of a burst of typing. Milliseconds. */
export const typingPauseMs = 200;
/** So many are shown of what is found. */
export const mostFound = 30;

/** Whom and what the words that were typed find; one more than are shown, where there are more. */
export function searchQuery(typed: string) {
  return queryOptions({
    queryKey: ['contacts', 'search', typed],
    queryFn: ({ signal }) => api.get<CrmSearchResult>('/api/crm/search', { q: typed, limit: mostFound + 1 }, signal),
  });
}

/** One organisation. */
export function organisationQuery(id: string) {
  return queryOptions({
    queryKey: ['contacts', 'organisation', id],
    queryFn: ({ signal }) =>
      api.get<OrganisationView>(`/api/crm/organisations/${encodeURIComponent(id)}`, undefined, signal),
  });
}

/** One contact. */
export function contactQuery(id: string) {
  return queryOptions({
    queryKey: ['contacts', 'one', id],
    queryFn: ({ signal }) => api.get<ContactView>(`/api/crm/contacts/${encodeURIComponent(id)}`, undefined, signal),
  });
}

/** What happened with a contact, the latest first, a page after the other. */
export function timelineQuery(contact: string) {
  return infiniteQueryOptions({
    queryKey: ['contacts', 'timeline', contact],
    queryFn: ({ pageParam, signal }) =>
      api.get<ActivityList>(
        '/api/crm/activities',
        { contact, limit: pageSize, cursor: pageParam ?? undefined },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
}

/** The company's own fields, in the order that its admin chose. */
export const fieldsQuery = queryOptions({
  queryKey: ['contacts', 'fields'],
  queryFn: async ({ signal }) => (await api.get<{ fields: FieldView[] }>('/api/crm/fields', undefined, signal)).fields,
  staleTime: 60_000,
});

/** All entries of the pages that have been read. */
export function entriesOf<P, T>(data: InfiniteData<P> | undefined, entries: (page: P) => T[]): T[] {
  return data?.pages.flatMap(entries) ?? [];
}
