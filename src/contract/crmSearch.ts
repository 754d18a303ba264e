import { z } from 'zod';
import { e164, uuid } from './values.ts';

/** Finding contacts and organisations as somebody types. */

export const crmSearchQuery = z.strictObject({
  q: z
    .string()
    .max(200)
    .meta({
      description:
        'What was typed so far: parts of names, of an organisation’s name or of an e-mail address; ' +
        'or digits of a phone number, in any spelling, its beginning or its last four to seven digits',
      examples: ['hopper navy'],
    }),
  limit: z.coerce.number().int().min(1).max(50).default(10),
});
export type CrmSearchQuery = z.infer<typeof crmSearchQuery>;

export const searchedFields = ['name', 'phone', 'email', 'organisation'] as const;

export const foundContact = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    organisation: z.object({ id: uuid, name: z.string() }).nullable(),
    owner: z.object({ id: uuid, name: z.string() }).nullable(),
    phone_number: e164.nullable().meta({ description: 'The one that was found, else the primary one' }),
    email: z.string().nullable().meta({ description: 'The one that was found, else the primary one' }),
    tier: z.string().nullable(),
    do_not_call: z.boolean(),
    matched: z.array(z.enum(searchedFields)).meta({ description: 'What was found in it' }),
    approximate: z.boolean().meta({ description: 'Found with a letter wrong, missing or too many' }),
  })
  .meta({ id: 'FoundContact' });
export type FoundContact = z.infer<typeof foundContact>;

export const crmSearchResult = z
  .object({
    contacts: z.array(foundContact).meta({
      description: 'Names that begin so first, then those with such parts, then those that are spelled nearly so',
    }),
    organisations: z.array(z.object({ id: uuid, name: z.string() })),
  })
  .meta({ id: 'CrmSearchResult' });
export type CrmSearchResult = z.infer<typeof crmSearchResult>;
