import { z } from 'zod';
import { says } from './fieldErrors.ts';
import {
  code,
  cursorQuery,
  e164,
  emailInput,
  mostEntries,
  optional,
  phoneInput,
  shortText,
  singleLine,
  timestamp,
  uuid,
  withDefault,
} from './values.ts';

/** The built-in CRM: the people whom a company calls. */

/** What a phone number or an address of a contact is called. */
export const labelInput = z
  .string()
  .trim()
  .max(40)
  .regex(singleLine, says('control_characters', 'must not hold control characters'))
  .meta({ description: 'Such as `mobile` or `work`', examples: ['mobile'] });

/** A text of several lines. */
export const longText = z.string().max(10_000);

/** A language as BCP 47 has it. */
export const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/, says('not_a_language', 'must be a language such as "de" or "pt-BR"'))
  .refine(isLanguage, says('not_a_language', 'must be a language such as "de" or "pt-BR"'))
  .meta({ description: 'BCP 47', examples: ['de'] });

/** A name of the IANA time zone database; offsets such as `+01:00` are none: they know no daylight saving time. */
export const timeZone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z]/, says('not_a_time_zone', 'must be a time zone such as "Europe/Berlin"'))
  .refine(isTimeZone, says('not_a_time_zone', 'must be a time zone such as "Europe/Berlin"'))
  .meta({ description: 'IANA time zone', examples: ['Europe/Berlin'] });

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** At most one is the primary one; where none is, the first. */
function onePrimary(list: { primary?: boolean | undefined }[]): boolean {
  return list.filter(({ primary }) => primary === true).length <= 1;
}
const atMostOnePrimary = says('several_primary', 'only one can be the primary one');

/** The most of each that a contact has. */
export const mostOfContact = { phones: 20, emails: 20, tags: 50 };
/** How many fields a company can define. */
export const mostFields = 100;

const primary = withDefault(z.boolean(), false).meta({
  description: 'The one that is dialed or written to. Where none is marked: the first',
});

const phones = z
  .array(z.strictObject({ phone_number: phoneInput, label: labelInput.nullable().optional(), primary }))
  .max(mostOfContact.phones)
  .refine(onePrimary, atMostOnePrimary);
const emails = z
  .array(z.strictObject({ email: emailInput, label: labelInput.nullable().optional(), primary }))
  .max(mostOfContact.emails)
  .refine(onePrimary, atMostOnePrimary);

export const tagInput = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(singleLine, says('control_characters', 'must not hold control characters'));

/** Values of the company's own fields, by their keys; null clears one. */
const fieldValues = z
  .record(code, z.union([z.string().max(2_000), z.number(), z.null()]))
  .refine(...mostEntries(mostFields))
  .meta({
    description:
      'Values of the company’s own fields (`/api/crm/fields`) by key. ' +
      'Money as `12.50 EUR`, dates as `2026-11-22`. Null clears one',
  });

const contactFields = {
  name: shortText.nullable().optional(),
  organisation_id: uuid.nullable().optional(),
  owner_id: uuid.nullable().optional().meta({ description: 'The agent who looks after the contact' }),
  phones: optional(phones),
  emails: optional(emails),
  tags: optional(z.array(tagInput).max(mostOfContact.tags)),
  tier: shortText.nullable().optional(),
  language: languageTag.nullable().optional(),
  time_zone: timeZone.nullable().optional(),
  notes: longText.nullable().optional(),
  do_not_call: optional(z.boolean()),
  external_id: shortText.nullable().optional().meta({ description: 'The id in another system; unique in the company' }),
  fields: optional(fieldValues),
};

const isSomebody = (body: {
  name?: string | null | undefined;
  phones?: unknown[] | undefined;
  emails?: unknown[] | undefined;
}) => body.name != null || (body.phones?.length ?? 0) > 0 || (body.emails?.length ?? 0) > 0;

export const createContactRequest = z
  .strictObject({
    ...contactFields,
    shared: optional(z.boolean()).meta({
      description:
        'Another person than the contact that has one of the numbers, though nothing tells the two apart: ' +
        'else a contact of the same name, or where one of both has no name, is refused with 409, `phone_taken`',
    }),
  })
  .refine(isSomebody, {
    path: ['name'],
    message: says('nobody', 'a name, a phone number or an e-mail address is needed'),
  })
  .meta({
    id: 'CreateContact',
    anyOf: [
      { required: ['name'], properties: { name: { type: 'string' } } },
      { required: ['phones'], properties: { phones: { type: 'array', minItems: 1 } } },
      { required: ['emails'], properties: { emails: { type: 'array', minItems: 1 } } },
    ],
  });
export type CreateContactRequest = z.infer<typeof createContactRequest>;

/** Every field optional; null clears what can be empty, a list replaces the former one. */
export const updateContactRequest = z
  .strictObject({
    ...contactFields,
    version: optional(z.int().min(1)).meta({
      description: 'The version that was read; another one now is refused. Also as `If-Match`',
    }),
  })
  .meta({ id: 'UpdateContact' });
export type UpdateContactRequest = z.infer<typeof updateContactRequest>;

const named = z.object({ id: uuid, name: z.string() });

export const contactView = z
  .object({
    id: uuid,
    name: z.string().nullable(),
    organisation: named.nullable(),
    owner: named.nullable(),
    phones: z.array(
      z.object({
        phone_number: e164,
        label: z.string().nullable(),
        primary: z.boolean(),
        shared_with: z
          .array(z.object({ id: uuid, name: z.string().nullable() }))
          .optional()
          .meta({
            description:
              'Other contacts with the number, as far as they are shown to the caller, at most 20. ' +
              'Absent where there is none, and from lists',
          }),
      }),
    ),
    emails: z.array(z.object({ email: z.string(), label: z.string().nullable(), primary: z.boolean() })),
    tags: z.array(z.string()),
    tier: z.string().nullable(),
    language: z.string().nullable(),
    time_zone: z.string().nullable(),
    notes: z.string().nullable(),
    do_not_call: z.boolean(),
    external_id: z.string().nullable(),
    fields: z.record(z.string(), z.union([z.string(), z.number()])),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Contact' });
export type ContactView = z.infer<typeof contactView>;

/** What a list is sorted by; with a minus: from the last to the first. */
export const contactSorts = ['created', '-created', 'name', '-name', 'updated', '-updated'] as const;
export type ContactSort = (typeof contactSorts)[number];

export const listContactsQuery = z.strictObject({
  ...cursorQuery,
  cursor: z.string().min(1).max(1_000).optional().meta({ description: 'The `next_cursor` of the page before' }),
  sort: z
    .enum(contactSorts)
    .default('created')
    .meta({
      description:
        'With a minus: from the last to the first. Whoever has no name comes behind all names. ' +
        'A contact that is renamed, or changed, between two pages may come twice or not at all',
    }),
  phone: phoneInput.optional().meta({ description: 'Who has this phone number' }),
  email: emailInput.optional(),
  external_id: shortText.optional(),
  owner: uuid.optional(),
  organisation: uuid.optional(),
  tag: tagInput.optional(),
  tier: shortText.optional(),
  do_not_call: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Who does not want to be called, or everybody else' }),
  language: languageTag.optional().meta({ description: 'BCP 47; `de` finds `de-AT` too' }),
});
export type ListContactsQuery = z.infer<typeof listContactsQuery>;
export const contactList = z
  .object({ contacts: z.array(contactView), next_cursor: z.string().nullable() })
  .meta({ id: 'ContactList' });
