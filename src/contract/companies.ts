import { z } from 'zod';
import { agentView } from './agents.ts';
import { codeWithLabel, shortText, timestamp, uuid } from './values.ts';

const slug = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, 'must be lower-case letters, digits and dashes');

const codeList = z
  .array(codeWithLabel)
  .max(100)
  .refine((list) => new Set(list.map((entry) => entry.code)).size === list.length, 'codes must be unique');

export const createCompanyRequest = z
  .strictObject({
    name: shortText,
    slug,
    admin: z.strictObject({
      email: z.email().max(254),
      password: z.string().min(8).max(1024),
      name: shortText.default('Administrator'),
      agent_code: z.string().min(1).max(64).default('admin'),
    }),
  })
  .meta({ id: 'CreateCompany' });
export type CreateCompanyRequest = z.infer<typeof createCompanyRequest>;

export const companyView = z
  .object({
    id: uuid,
    slug: z.string(),
    name: z.string(),
    wrap_up_seconds: z.int(),
    dispositions: z.array(codeWithLabel),
    not_ready_reasons: z.array(codeWithLabel),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Company' });
export type CompanyView = z.infer<typeof companyView>;

export const createdCompany = z.object({ company: companyView, admin: agentView }).meta({ id: 'CreatedCompany' });
export const companyList = z.object({ companies: z.array(companyView) }).meta({ id: 'CompanyList' });

/** What an admin may change of the own company. Lists replace the former list. */
export const updateCompanyRequest = z
  .strictObject({
    name: shortText.optional(),
    wrap_up_seconds: z.int().min(0).max(3600).optional(),
    dispositions: codeList.min(1).optional(),
    not_ready_reasons: codeList.optional(),
  })
  .meta({ id: 'UpdateCompany' });
export type UpdateCompanyRequest = z.infer<typeof updateCompanyRequest>;
