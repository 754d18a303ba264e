import {
  companyList,
  companyView,
  createCompanyRequest,
  createdCompany,
  updateCompanyRequest,
} from '../../contract/companies.ts';
import { adminToken, anyToken, platformOnly } from '../../domain/access.ts';
import { createCompany, listCompanies, readCompany, updateCompany } from '../../usecases/companies/manageCompanies.ts';
import { reply, replyWith, route } from '../route.ts';

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
