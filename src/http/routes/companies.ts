import { companyList, createCompanyRequest, createdCompany } from '../../contract/companies.ts';
import { createCompany } from '../../usecases/companies/createCompany.ts';
import { listCompanies } from '../../usecases/companies/readCompanies.ts';
import { platformOnly } from '../accessRules.ts';
import { reply, replyWith, route } from '../route.ts';

export const companiesRoutes = [
  route({
    method: 'post',
    path: '/api/companies',
    id: 'createCompany',
    summary: 'Create a company with its first admin',
    tag: 'Companies',
    access: platformOnly,
    body: createCompanyRequest,
    answers: { 201: createdCompany },
    refusals: ['conflict'],
    handler: async ({ services, body }) => replyWith(201, await createCompany(services, body)),
  }),
  route({
    method: 'get',
    path: '/api/companies',
    id: 'listCompanies',
    summary: 'All companies',
    tag: 'Companies',
    access: platformOnly,
    answers: { 200: companyList },
    handler: async ({ services }) => reply(200, { companies: await listCompanies(services) }),
  }),
];
