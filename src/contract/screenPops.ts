import { z } from 'zod';
import { e164, freeForm, phoneInput } from './values.ts';

/** What an agent sees of the customer. */
export const screenPop = z
  .strictObject({
    name: z.string().max(500).optional(),
    phone: z.string().max(64).optional(),
    email: z.string().max(500).optional(),
    vip_tier: z.string().max(200).nullable().optional(),
    crm: freeForm.optional(),
    external_system: z.string().max(200).optional(),
    external_id: z.string().max(500).optional(),
  })
  .meta({ id: 'ScreenPop' });
export type ScreenPop = z.infer<typeof screenPop>;

/** What a CRM pushes; `data` keeps keys that are not known here. */
export const inboundPush = z
  .strictObject({
    phone_number: phoneInput,
    data: z.looseObject({
      name: z.string().max(500).optional(),
      email: z.string().max(500).optional(),
      account_number: z.string().max(500).optional(),
      open_tickets: z.int().optional(),
    }),
    external_system: z.string().max(200).optional(),
    external_id: z.string().max(500).optional(),
    tier: z.string().max(200).optional(),
  })
  .meta({ id: 'InboundPush' });
export type InboundPush = z.infer<typeof inboundPush>;

export const inboundPushAnswer = z.object({ ok: z.literal(true), phone_number: e164 }).meta({ id: 'InboundPushAnswer' });

/** Answer of the NDJSON bulk push. `line` counts from 1. At most 1,000 refusals are listed; `refused` counts all. */
export const bulkPushAnswer = z
  .object({
    accepted: z.int(),
    refused: z.int(),
    errors: z.array(z.object({ line: z.int(), code: z.string(), message: z.string() })),
  })
  .meta({ id: 'BulkPushAnswer' });
export type BulkPushAnswer = z.infer<typeof bulkPushAnswer>;

export const lookupQuery = z.strictObject({ phone: phoneInput, format: z.enum(['flat']).optional() });
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
