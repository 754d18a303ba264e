import { companyView, updateCompanyRequest } from '../../contract/companies.ts';
import { readCompany } from '../../usecases/companies/readCompanies.ts';
import { updateCompany } from '../../usecases/companies/updateCompany.ts';
import { adminToken, anyToken } from '../accessRules.ts';
import { replyWith, route } from '../route.ts';

export const companyRoutes = [
  route({
    method: 'get',
    path: '/api/company',
    id: 'readCompany',
    summary: 'The own company',
    tag: 'Companies',
    access: anyToken,
    answers: { 200: companyView },
    handler: async ({ services, principal }) => replyWith(200, await readCompany(services, principal.companyId)),
  }),
  route({
    method: 'patch',
    path: '/api/company',
    id: 'updateCompany',
    summary: 'Change the own company',
    description: 'Lists replace the former list.',
    tag: 'Companies',
    access: adminToken,
    body: updateCompanyRequest,
    answers: { 200: companyView },
    handler: async ({ services, principal, body }) =>
      replyWith(200, await updateCompany(services, principal.companyId, body)),
  }),
];
