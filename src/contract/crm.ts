import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { screenPop } from './screenPops.ts';
import { anyFields, optional, phoneInput, timestamp } from './values.ts';

/** What a connected CRM can do. */
export const crmAbilities = ['push', 'pull', 'write_back', 'link'] as const;
export type CrmAbility = (typeof crmAbilities)[number];

/** A provider's own fields: which, the catalog of `GET /api/integrations` says. */
const fields = z.record(z.string().max(100), z.string().max(4_000)).refine((given) => Object.keys(given).length <= 40, says('invalid', 'must have at most 40 fields'));

/** `credentials: null` disconnects. */
export const connectCrmRequest = z
  .strictObject({
    provider: z.string().max(32),
    credentials: fields.nullable(),
    options: optional(fields),
    keep_seconds: optional(z.int().min(0).max(86_400)).meta({
      description: 'For how long a record that was looked up is used again; 600 by default',
    }),
  })
  .meta({ id: 'ConnectCrm' });
export type ConnectCrmRequest = z.infer<typeof connectCrmRequest>;

export const crmConnectionView = z
  .object({
    provider: z.string(),
    name: z.string(),
    state: z.enum(['connected', 'needs_attention']).meta({
      description: '`needs_attention`: the CRM refuses the credentials; nothing is asked there until they are given anew',
    }),
    detail: z.string().nullable().meta({ description: 'The CRM’s own words; null where nothing is wrong' }),
    paused_until: timestamp.nullable().meta({ description: 'It did not answer several times in a row: until then this gateway asks it nothing. Null: it is asked' }),
    account: z.string().meta({ description: 'Who the gateway is there' }),
    options: z.record(z.string(), z.string()),
    keep_seconds: z.int(),
    connected_at: timestamp,
  })
  .meta({ id: 'CrmConnection' });
export type CrmConnectionView = z.infer<typeof crmConnectionView>;

export const crmConnectionAnswer = z.object({ connection: crmConnectionView.nullable() }).meta({ id: 'CrmConnectionAnswer' });

/** What each ability will do, as one harmless request each has shown. */
export const crmCheck = z
  .object({
    account: z.string(),
    abilities: z.array(
      z.object({
        ability: z.enum(crmAbilities),
        works: z.boolean(),
        needs: z.string().nullable().meta({ description: 'What has to be granted in the CRM first' }),
        detail: z.string().nullable().meta({ description: 'The CRM’s own words' }),
      }),
    ),
  })
  .meta({ id: 'CrmCheck' });
export type CrmCheck = z.infer<typeof crmCheck>;

export const previewRequest = z.strictObject({ phone_number: phoneInput }).meta({ id: 'CrmPreviewRequest' });

/** What would be shown for a number, asked of the CRM at this moment. */
export const crmPreview = z
  .object({
    phone_number: z.string(),
    outcome: z.enum(['none', 'one', 'several']),
    screen_pop: screenPop,
    took_ms: z.int(),
  })
  .meta({ id: 'CrmPreview' });
export type CrmPreview = z.infer<typeof crmPreview>;

/** An entry of the catalog. */
export const crmProviderEntry = z.object({
  abilities: z.array(z.enum(crmAbilities)).meta({ description: 'What connecting it does; empty where the gateway does not connect to it' }),
  credentials: anyFields.nullable().meta({ description: 'JSON Schema of `credentials`; `secret: true` marks what is never shown again' }),
  options: anyFields.nullable().meta({ description: 'JSON Schema of `options`' }),
  guide: z.string().nullable().meta({ description: 'Where the steps are described' }),
});
