import { z } from 'zod';
import { agentView } from './agents.ts';
import { givenSettings, shownSettings } from './companySettings.ts';
import { says } from './fieldErrors.ts';
import { emailInput, newPassword, optional, shortText, timestamp, uuid, withDefault } from './values.ts';

const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, says('not_a_slug', 'must be lower-case letters, digits and dashes'));

export const createCompanyRequest = z
  .strictObject({
    name: shortText,
    slug,
    admin: z.strictObject({
      email: emailInput,
      password: newPassword,
      name: withDefault(shortText, 'Administrator'),
      agent_code: withDefault(z.string().trim().min(1).max(64), 'admin'),
    }),
  })
  .meta({ id: 'CreateCompany' });
export type CreateCompanyRequest = z.infer<typeof createCompanyRequest>;

export const companyView = z
  .object({
    id: uuid,
    slug: z.string(),
    name: z.string(),
    ...shownSettings,
    contacts: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether its people work with contacts here: in the built-in CRM, or beside another one. ' +
          'Absent from the platform’s list',
      }),
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
    name: optional(shortText),
    ...givenSettings,
  })
  .meta({ id: 'UpdateCompany' });
export type UpdateCompanyRequest = z.infer<typeof updateCompanyRequest>;
