import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import type { ContactSort, ContactView } from '../../../../src/contract/contacts.ts';
import type { CrmSearchResult } from '../../../../src/contract/crmSearch.ts';
import type { OrganisationView } from '../../../../src/contract/organisations.ts';
import { api } from '../../lib/gateway/api.ts';
import { pagedQuery } from '../../shared/list/pagedQuery.ts';
import { noteMade } from '../crm/madeContacts.ts';

/** So many are read at once; a company may have a hundred thousand. */
const pageSize = 50;

type ContactList = { contacts: ContactView[]; next_cursor: string | null };
type ActivityList = { activities: ContactActivityView[]; next_cursor: string | null };

/** The contacts of the company, a page after the other. @param filter as `GET /api/crm/contacts` takes it */
export function contactsQuery(
  filter: { organisation?: string; owner?: string; tag?: string; sort?: ContactSort } = {},
) {
  return pagedQuery({
    queryKey: ['contacts', 'list', filter],
    path: '/api/crm/contacts',
    query: { ...filter, limit: pageSize },
    entries: (page: ContactList) => page.contacts,
  });
}

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
  return pagedQuery({
    queryKey: ['contacts', 'timeline', contact],
    path: '/api/crm/activities',
    query: { contact, limit: pageSize },
    entries: (page: ActivityList) => page.activities,
  });
}

/** A contact was made or changed: whatever shows it is read anew, and calls know of it. @param contact as it is now */
export function noteSaved(queries: QueryClient, contact: ContactView): void {
  noteMade(
    contact.phones.map(({ phone_number }) => phone_number),
    contact.id,
  );
  queries.setQueryData(contactQuery(contact.id).queryKey, contact);
  void queries.invalidateQueries({ queryKey: ['contacts', 'list'] });
}
