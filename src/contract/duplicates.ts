import { z } from 'zod';
import { contactView } from './contacts.ts';
import { says } from './fieldErrors.ts';
import { uuid } from './values.ts';

/** Contacts that are probably one person. */

/** What speaks for it. */
export const duplicateReasons = [
  'record',
  'email',
  'phone',
  'name',
  'extension',
  'similar_name',
  'organisation',
] as const;
export type DuplicateReason = (typeof duplicateReasons)[number];

export const duplicateView = z
  .object({
    id: uuid,
    score: z.int().meta({ description: 'How much speaks for it; at least 30' }),
    reasons: z.array(z.enum(duplicateReasons)).meta({
      description:
        '`record`: the number of one was pushed under the external id of the other · `email`: ' +
        'the same address · `phone`: numbers with the same last nine digits, ' +
        'so with another country code or prefix · `name`: the same words in any order, ' +
        'without accents and case · `extension`: ' +
        'the number of one is that of the other with an extension · `similar_name`: ' +
        'a letter or two wrong · `organisation`: both belong to it',
    }),
    contacts: z.array(contactView).length(2).meta({ description: 'The one that was made first comes first' }),
  })
  .meta({ id: 'Duplicate' });
export type DuplicateView = z.infer<typeof duplicateView>;

export const listDuplicatesQuery = z.strictObject({
  cursor: z
    .string()
    .regex(
      /^\d{1,4}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      says('not_an_id', 'must be the next_cursor of a page'),
    )
    .optional()
    .meta({ description: 'The `next_cursor` of the page before' }),
  limit: z.coerce.number().int().min(1).max(100).default(25),
});
export type ListDuplicatesQuery = z.infer<typeof listDuplicatesQuery>;

export const duplicateList = z
  .object({
    duplicates: z.array(duplicateView),
    comparing: z.boolean().meta({
      description:
        'Whether contacts that were made or changed are still being compared, ' +
        'as after an import: there may be more in a moment',
    }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'DuplicateList' });
export type DuplicateList = z.infer<typeof duplicateList>;
