import { auditList, listAuditQuery } from '../../contract/audit.ts';
import { adminToken } from '../../domain/access.ts';
import { listAudit } from '../../usecases/contacts/readAudit.ts';
import { reply, route } from '../route.ts';

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/crm/audit',
    id: 'listAudit',
    summary: 'What was merged and erased',
    description:
      'Who merged which contacts and erased which people, the latest first. Kept for good; ' +
      'of somebody who was erased it holds the former id and how much was erased, and nothing else.',
    tag: 'Contacts',
    access: adminToken,
    share: 'lists',
    query: listAuditQuery,
    answers: { 200: auditList },
    handler: async ({ services, principal, query }) => reply(200, await listAudit(services, principal, query)),
  }),
];
