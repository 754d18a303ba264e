import { z } from 'zod';
import { freeForm, freeFormWith, sized } from './freeForm.ts';
import type { JsonText } from './jsonText.ts';
import { anyFields, e164, optional, phoneInput, uuid } from './values.ts';

/** The most records or contacts with one number that a screen pop offers. */
export const mostCandidates = 20;

/** One of several records that have the number, to choose from. */
export const crmCandidate = z
  .object({
    object: z.string().meta({
      description: 'The CRM’s name for its kind, such as `Contact`; `builtin_contact` of a contact of the built-in CRM',
    }),
    id: z.string(),
    name: z.string().nullable(),
    email: z.string().nullable(),
    account_number: z.string().nullable(),
    vip_tier: z.string().nullable(),
    record_url: z.string().nullable(),
    crm: anyFields.optional().meta({ description: 'What else the CRM has told of it since it was chosen' }),
  })
  .meta({ id: 'CrmCandidate' });
export type CrmCandidate = z.infer<typeof crmCandidate>;

/** What an agent sees of the customer. */
export const screenPop = z
  .strictObject({
    name: z.string().max(500).optional(),
    phone: z.string().max(64).optional(),
    email: z.string().max(500).optional(),
    vip_tier: z.string().max(200).nullable().optional(),
    crm: anyFields.optional(),
    contact_id: uuid.optional().meta({ description: 'The contact of the built-in CRM' }),
    external_system: z.string().max(200).optional(),
    external_id: z.string().max(500).optional(),
    external_object: z
      .string()
      .max(200)
      .optional()
      .meta({ description: 'The CRM’s name for the kind of that record, such as `Contact`' }),
    record_url: z.string().max(2048).optional().meta({ description: 'Where the record is opened in the CRM' }),
    candidates: z
      .array(crmCandidate)
      .max(mostCandidates)
      .optional()
      .meta({
        description:
          'Several records have the number. The one that `external_object` and `external_id` name is chosen, ' +
          'of contacts of the built-in CRM the one that `contact_id` names; any of them may be chosen later',
      }),
  })
  .meta({ id: 'ScreenPop' });
export type ScreenPop = z.infer<typeof screenPop>;

/** Which of the records that have a call's number the customer is. */
export const chooseRecordRequest = z
  .strictObject({
    object: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: '`object` of one of the `candidates` of the call’s screen pop' }),
    id: z.string().min(1).max(500).meta({ description: '`id` of the same' }),
  })
  .meta({ id: 'ChooseRecord' });
export type ChooseRecordRequest = z.infer<typeof chooseRecordRequest>;

/** The same with the CRM's fields as they were written. */
export type ExactScreenPop = Omit<ScreenPop, 'crm'> & { crm?: JsonText | undefined };
/**
 * Beside an object that came over a socket: the JSON texts of those of its free-form fields of which parsing loses
 * something (digits that a double cannot hold or would not write, the order of fields whose names are numbers).
 */
export type ExactTexts = { crm?: string; metadata?: string };

/** The same, as a click may bring it, at most 64 KiB. */
export const screenPopInput = sized(
  z
    .strictObject({
      name: optional(z.string().max(500)),
      phone: optional(z.string().max(64)),
      email: optional(z.string().max(500)),
      vip_tier: z.string().max(200).nullable().optional(),
      crm: optional(freeForm),
      external_system: optional(z.string().max(200)),
      external_id: optional(z.string().max(500)),
    })
    .meta({ id: 'ScreenPopInput' }),
);

/** What a CRM pushes; `data` keeps keys that are not known here. */
export const inboundPush = z
  .strictObject({
    phone_number: phoneInput,
    data: freeFormWith(
      z.looseObject({
        name: optional(z.string().max(500)),
        email: optional(z.string().max(500)),
        account_number: optional(z.string().max(500)),
        open_tickets: optional(z.int()),
      }),
    ),
    external_system: optional(z.string().max(200)),
    external_id: optional(z.string().max(500)),
    tier: optional(z.string().max(200)),
  })
  .meta({ id: 'InboundPush' });
/** A push as the gateway reads it. */
export type ReadPush = z.infer<typeof inboundPush>;
/** A push as a CRM writes it. */
export type InboundPush = Omit<ReadPush, 'data'> & {
  data: { name?: string; email?: string; account_number?: string; open_tickets?: number; [field: string]: unknown };
};

/** The number as which the same digits could be read as well (`bare_digits` of the settings). */
export const readOtherwise = e164.optional().meta({
  description: 'Where the digits could be read in two ways: as which other number. The settings’ `bare_digits` decides',
});

export const inboundPushAnswer = z
  .object({ ok: z.literal(true), phone_number: e164, read_otherwise: readOtherwise })
  .meta({ id: 'InboundPushAnswer' });

/**
 * Answer of the NDJSON bulk push. `line` counts from 1.
 * At most 1,000 refusals are listed, and as many numbers that could be read otherwise; `refused` counts all.
 */
export const bulkPushAnswer = z
  .object({
    accepted: z.int(),
    refused: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
    read_otherwise: z.array(z.object({ line: z.int(), phone_number: e164, read_otherwise: e164 })).meta({
      description:
        'Accepted lines whose digits could be read in two ways: as which number, and as which other. ' +
        'The settings’ `bare_digits` decides',
    }),
  })
  .meta({ id: 'BulkPushAnswer' });
export type BulkPushAnswer = z.infer<typeof bulkPushAnswer>;

/** Other parameters are left alone: telephony platforms add their own, such as `nocache`. */
export const lookupQuery = z.object({ phone: phoneInput, format: z.enum(['flat']).optional() });
export const forgetQuery = z.strictObject({ phone: phoneInput });

export const lookupAnswer = z.object({ found: z.literal(true), screen_pop: screenPop }).meta({ id: 'LookupAnswer' });

/** `?format=flat`: for platforms whose flows break on 404 and null. All strings, in this order. */
export const flatScreenPop = z
  .object({
    found: z.enum(['true', 'false']),
    name: z.string(),
    email: z.string(),
    vip_tier: z.string(),
    external_system: z.string(),
    external_id: z.string(),
    phone: z.string(),
  })
  .meta({ id: 'FlatScreenPop' });
export type FlatScreenPop = z.infer<typeof flatScreenPop>;
