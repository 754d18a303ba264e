import { z } from 'zod';
import { longText } from './contacts.ts';
import { cursorQuery, optional, shortText, timestamp, uuid } from './values.ts';

export const createOrganisationRequest = z
  .strictObject({ name: shortText, website: shortText.nullable().optional(), notes: longText.nullable().optional() })
  .meta({ id: 'CreateOrganisation' });
export type CreateOrganisationRequest = z.infer<typeof createOrganisationRequest>;
export const updateOrganisationRequest = z
  .strictObject({
    name: optional(shortText),
    website: shortText.nullable().optional(),
    notes: longText.nullable().optional(),
    version: optional(z.int().min(1)),
  })
  .meta({ id: 'UpdateOrganisation' });
export type UpdateOrganisationRequest = z.infer<typeof updateOrganisationRequest>;
export const organisationView = z
  .object({
    id: uuid,
    name: z.string(),
    website: z.string().nullable(),
    notes: z.string().nullable(),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Organisation' });
export type OrganisationView = z.infer<typeof organisationView>;
export const listOrganisationsQuery = z.strictObject(cursorQuery);
export const organisationList = z.object({ organisations: z.array(organisationView), next_cursor: uuid.nullable() }).meta({ id: 'OrganisationList' });
