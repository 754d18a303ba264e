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
/** What a list is sorted by; with a minus: from the last to the first. */
export const organisationSorts = ['created', '-created', 'name', '-name', 'updated', '-updated'] as const;
export type OrganisationSort = (typeof organisationSorts)[number];

export const listOrganisationsQuery = z.strictObject({
  ...cursorQuery,
  cursor: z.string().min(1).max(1_000).optional().meta({ description: 'The `next_cursor` of the page before' }),
  sort: z
    .enum(organisationSorts)
    .default('created')
    .meta({
      description:
        'With a minus: from the last to the first. ' +
        'One that is renamed, or changed, between two pages may come twice or not at all',
    }),
  name: shortText.optional().meta({ description: 'Parts of the name, without regard to accents and case' }),
});
export type ListOrganisationsQuery = z.infer<typeof listOrganisationsQuery>;
export const organisationList = z
  .object({ organisations: z.array(organisationView), next_cursor: z.string().nullable() })
  .meta({ id: 'OrganisationList' });
