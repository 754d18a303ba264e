import { z } from 'zod';
import { fieldKinds } from './contactFields.ts';
import { currency } from './deals.ts';
import { says } from './fieldErrors.ts';
import { sized } from './freeForm.ts';
import { optional, shortText, singleLine, timestamp } from './values.ts';
import { popFormats } from './vocabulary.ts';

/** How the screen pop shows what is known of a customer, as a company's admin has arranged it. */

/** It goes to every softphone of the company, whenever that connects. Bytes of JSON. */
const maxLayoutBytes = 32 * 1024;
const maxFields = 100;

const path = z
  .string()
  .min(1)
  .max(200)
  .regex(singleLine, says('control_characters', 'must not hold control characters'));

const field = {
  key: path.meta({
    description:
      'Of the field as it stands in `screen_pop.crm`, or `email`, `phone`, ' +
      '`external_system` and `external_id` of the `screen_pop` itself. Within objects a path, `account.plan`; ' +
      'within lists with `*` for whichever entry, `orders.*.total`',
  }),
  object: path.meta({
    description:
      'Holds for records of this kind alone, before what holds for all; the `external_object` of the screen pop',
  }),
  label: shortText.meta({ description: 'Shown in place of the key' }),
  pinned: z.boolean().meta({ description: 'Shown first, and large' }),
  hidden: z.boolean().meta({ description: 'Not shown, pinned or not' }),
  format: z.enum(popFormats).meta({
    description:
      'How the value is written; `auto` where it is left out: phone numbers in E.164, ISO dates and times, ' +
      '`http(s)` addresses and e-mail addresses as readers are used to them, anything else as it came. ' +
      'A `date` or `date_time` may also be seconds or milliseconds since the epoch. ' +
      'A value that does not fit its format stays as it came',
  }),
  currency: currency.meta({ description: 'Of `money`, ISO 4217' }),
  currency_key: path.meta({
    description:
      'Of `money` without a `currency`: the field that names it. ' +
      'Without either, the value may bring it along: `12.50 EUR`',
  }),
};

const requestedField = z.strictObject({
  key: field.key,
  object: optional(field.object),
  label: optional(field.label),
  pinned: optional(field.pinned),
  hidden: optional(field.hidden),
  format: optional(field.format),
  currency: optional(field.currency),
  currency_key: optional(field.currency_key),
});

const popField = z
  .object({ ...field, ...z.object(field).omit({ key: true }).partial().shape })
  .meta({ id: 'PopField' });
/** What holds for one field. */
export type PopField = z.infer<typeof popField>;

export const savePopLayoutRequest = sized(
  z
    .strictObject({
      fields: z
        .array(requestedField)
        .max(maxFields)
        .refine(
          (fields) => new Set(fields.map(({ key, object }) => JSON.stringify([key, object]))).size === fields.length,
          says('not_unique', 'must be unique'),
        )
        .meta({
          uniqueItems: true,
          description:
            'In the order in which they are shown, each once for all records and once for each kind of them; ' +
            'what is not named follows as the CRM has it. At most 32 KiB of JSON. ' +
            'An empty list: everything as the CRM has it',
        }),
      version: optional(z.int().min(0)).meta({
        description: 'The version that was read; another one now is refused. Also as `If-Match`',
      }),
    })
    .meta({ id: 'SavePopLayout' }),
  maxLayoutBytes,
);
export type SavePopLayoutRequest = z.infer<typeof savePopLayoutRequest>;

export const popLayoutView = z
  .object({
    version: z.int().meta({ description: 'Rises by one per change; 0: nothing was ever set' }),
    fields: z.array(popField),
    contact_fields: z.array(z.object({ key: z.string(), label: z.string(), kind: z.enum(fieldKinds) })).meta({
      description:
        'The company’s own fields of contacts that the screen pop shows: ' +
        'their labels and kinds hold where `fields` says nothing else',
    }),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'PopLayout' });
export type PopLayout = z.infer<typeof popLayoutView>;
