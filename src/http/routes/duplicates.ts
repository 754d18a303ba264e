import { duplicateList, listDuplicatesQuery } from '../../contract/duplicates.ts';
import { supervisorToken } from '../../domain/access.ts';
import { dismissDuplicate, listDuplicates } from '../../usecases/contacts/duplicates.ts';
import { idInPath, reply, replyWith, route } from '../route.ts';

const tag = 'Contacts';

export const duplicateRoutes = [
  route({
    method: 'get',
    path: '/api/crm/duplicates',
    id: 'listDuplicates',
    summary: 'Contacts that are probably one person',
    description:
      'Two at a time, those for which most speaks first. ' +
      'Contacts are compared in the background, a moment after they were made or changed.',
    tag,
    access: supervisorToken,
    share: 'lists',
    query: listDuplicatesQuery,
    answers: { 200: duplicateList },
    handler: async ({ services, principal, query }) => reply(200, await listDuplicates(services, principal, query)),
  }),
  route({
    method: 'delete',
    path: '/api/crm/duplicates/{id}',
    id: 'dismissDuplicate',
    summary: 'They are two people',
    description:
      'The two are not suggested again, also when one of them is changed. ' +
      'To put them into one: `POST /api/crm/contacts/{id}/merge`.',
    tag,
    access: supervisorToken,
    params: idInPath,
    answers: { 204: null },
    refusals: ['not_found'],
    handler: async ({ services, principal, params }) =>
      replyWith(204, await dismissDuplicate(services, principal, params.id)),
  }),
];
