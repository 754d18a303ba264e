import { crmSearchQuery, crmSearchResult } from '../../contract/crmSearch.ts';
import { keyOrToken } from '../../domain/access.ts';
import { searchContacts } from '../../usecases/contacts/searchContacts.ts';
import { reply, route } from '../route.ts';

export const crmSearchRoutes = [
  route({
    method: 'get',
    path: '/api/crm/search',
    id: 'searchCrm',
    summary: 'Contacts and organisations, as you type',
    description:
      'By parts of names without regard to accents and case, by e-mail address and organisation, ' +
      'with a letter wrong too; and by digits of a number, in any spelling. ' +
      'An agent finds those contacts that it sees (`contact_scope`).',
    tag: 'Contacts',
    access: keyOrToken,
    share: 'searches',
    query: crmSearchQuery,
    answers: { 200: crmSearchResult },
    handler: async ({ services, principal, query }) => reply(200, await searchContacts(services, principal, query)),
  }),
];
