import { z } from 'zod';
import { inboundAbility, inboundList } from './crmInbound.ts';
import { screenPop } from './screenPops.ts';
import { anyFields, mostEntries, optional, phoneInput, timestamp } from './values.ts';

/** Which calls are logged in the CRM once they have ended. */
export const loggedCalls = ['all', 'answered', 'none'] as const;
export type LoggedCalls = (typeof loggedCalls)[number];

/**
 * How a repeated attempt is kept from logging a call twice: the CRM refuses it,
 * or the gateway looks for the first entry.
 */
export const onceKinds = ['native', 'looked_up'] as const;

/** Why a CRM is left alone for a while. */
export const pauseReasons = ['no_answer', 'told_to_wait'] as const;

/** What a connected CRM can do. */
export const crmAbilities = ['push', 'pull', 'write_back', 'link'] as const;
export type CrmAbility = (typeof crmAbilities)[number];

/** A provider's own fields: which, the catalog of `GET /api/integrations` says. */
const fields = z.record(z.string().max(100), z.string().max(4_000)).refine(...mostEntries(40));

/** What the provider calls a disposition, by the company's code. */
const dispositionValues = z.record(z.string().max(40), z.string().trim().max(200)).refine(...mostEntries(100));

/** `credentials: null` disconnects; without `credentials` those that are stored stay. */
export const connectCrmRequest = z
  .strictObject({
    provider: z.string().max(32),
    credentials: fields.nullable().optional(),
    options: optional(fields),
    keep_seconds: optional(z.int().min(0).max(86_400)).meta({
      description: 'For how long a record that was looked up is used again; 600 by default',
    }),
    log_calls: optional(z.enum(loggedCalls)).meta({
      description: 'Which calls are logged once they have ended; `all` by default',
    }),
    dispositions: optional(dispositionValues).meta({
      description: 'What the CRM’s own list calls a disposition, by the company’s code; none by default',
    }),
  })
  .meta({ id: 'ConnectCrm' });
export type ConnectCrmRequest = z.infer<typeof connectCrmRequest>;

export const crmConnectionView = z
  .object({
    provider: z.string(),
    name: z.string(),
    state: z.enum(['connected', 'needs_attention', 'needs_login']).meta({
      description:
        '`needs_attention`: the CRM refuses the credentials; ' +
        'nothing is asked there until they are given anew, and calls wait to be logged. ' +
        '`needs_login`: an admin has to log in there',
    }),
    detail: z.string().nullable().meta({ description: 'The CRM’s own words; null where nothing is wrong' }),
    paused_until: timestamp.nullable().meta({
      description:
        'Until then the CRM is asked nothing: no number is looked up there, and calls wait to be logged. ' +
        'Null: it is asked',
    }),
    paused_because: z
      .enum(pauseReasons)
      .nullable()
      .meta({
        description:
          '`told_to_wait`: the CRM itself has asked for it (429 with `Retry-After`), ' +
          'and every gateway keeps to it. `no_answer`: it did not answer several times in a row, ' +
          'and this gateway leaves it alone. Null: it is asked',
      }),
    can_log_in: z.boolean().meta({
      description:
        'The id and secret of an app are kept: ' +
        '`GET /api/integrations/crm/authorize/{provider}` tells where an admin logs in, ' +
        'for the first time or again',
    }),
    account: z.string().meta({ description: 'Who the gateway is there' }),
    options: z.record(z.string(), z.string()),
    keep_seconds: z.int(),
    log_calls: z.enum(loggedCalls),
    dispositions: z.record(z.string(), z.string()),
    once: z.enum(onceKinds).meta({ description: 'How a call is kept from being logged twice' }),
    connected_at: timestamp,
  })
  .meta({ id: 'CrmConnection' });
export type CrmConnectionView = z.infer<typeof crmConnectionView>;

export const crmConnectionAnswer = z
  .object({
    connection: crmConnectionView.nullable(),
    inbound: inboundList.meta({ description: 'The addresses that were made for CRM systems to send to' }),
  })
  .meta({ id: 'CrmConnectionAnswer' });

/** What each ability will do, as one harmless request each has shown. */
export const crmCheck = z
  .object({
    account: z.string(),
    abilities: z.array(
      z.object({
        ability: z.enum(crmAbilities),
        works: z.boolean().nullable().meta({ description: 'Null: it could not be told' }),
        needs: z
          .string()
          .nullable()
          .meta({
            description:
              'What is not granted in the CRM. ' +
              'Where it works nevertheless, it works less well: ' +
              'a call may be logged by looking for an earlier entry, for instance',
          }),
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
    requests: z
      .array(
        z.object({
          purpose: z.enum(['search', 'log']),
          method: z.string(),
          url: z.string(),
          headers: z.record(z.string(), z.string()),
          body: z.string().nullable(),
        }),
      )
      .meta({
        description:
          'Who has the number (`search`), and how a sample call of it would be logged (`log`; ' +
          'none where the CRM keeps none): without what authenticates',
      }),
  })
  .meta({ id: 'CrmPreview' });
export type CrmPreview = z.infer<typeof crmPreview>;

/** An entry of the catalog. */
export const crmProviderEntry = z.object({
  abilities: z
    .array(z.enum(crmAbilities))
    .meta({ description: 'What connecting it does; empty where the gateway does not connect to it' }),
  credentials: anyFields
    .nullable()
    .meta({ description: 'JSON Schema of `credentials`; `secret: true` marks what is never shown again' }),
  options: anyFields.nullable().meta({ description: 'JSON Schema of `options`' }),
  authorization: z
    .boolean()
    .meta({ description: 'Whether an admin may log in there instead of typing what authenticates' }),
  once: z.enum(onceKinds).meta({
    description: 'How a call is kept from being logged twice; `native` may take what is made when it is connected',
  }),
  inbound: inboundAbility.meta({ description: 'How its own webhooks are told from others’' }),
  guide: z.string().nullable().meta({ description: 'Where the steps are described' }),
});
