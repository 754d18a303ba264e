import { z } from 'zod';
import { code, optional, uuid } from './values.ts';

/** Two contacts that are one person. */

/** What one of both can be taken from the other; numbers, addresses and tags are put together. */
export const mergeableFields = [
  'name',
  'organisation_id',
  'owner_id',
  'tier',
  'language',
  'time_zone',
  'notes',
  'do_not_call',
  'external_id',
] as const;

const readVersion = z.int().min(1);

export const mergeContactRequest = z
  .strictObject({
    contact_id: uuid.meta({
      description: 'The contact that goes into this one. Its id leads to this one from then on',
    }),
    version: readVersion.meta({ description: 'The version of the contact that stays, as it was read' }),
    other_version: readVersion.meta({ description: 'The version of the other one, as it was read' }),
    take: optional(z.array(z.enum(mergeableFields)).max(mergeableFields.length)).meta({
      description:
        'Fields in which the other one is right. In all others the one that stays is, where it says anything; ' +
        'either is not to be called if one is not, unless `do_not_call` is named',
    }),
    take_fields: optional(z.array(code).max(100)).meta({
      description: 'Keys of the company’s own fields in which the other one is right',
    }),
  })
  .meta({ id: 'MergeContact' });
export type MergeContactRequest = z.infer<typeof mergeContactRequest>;
