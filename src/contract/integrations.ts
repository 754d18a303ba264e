import { z } from 'zod';
import { webhookCause } from './causes.ts';
import { says } from './fieldErrors.ts';
import {
  bareDigitsRules,
  crmProviders,
  ctiConnectors,
  deliveryStates,
  disabledReasons,
  endpointConditions,
  modes,
  webhookEvents,
} from './vocabulary.ts';
import { crmProviderEntry } from './crm.ts';
import { optional, timestamp, webUrl } from './values.ts';

type Ids<T extends readonly { id: string }[]> = [T[number]['id'], ...T[number]['id'][]];
const ids = <T extends readonly { id: string }[]>(catalog: T) => catalog.map((entry) => entry.id) as Ids<T>;

/** Whether the gateway knows it, is seen when it is saved. */
export const crmProvider = z
  .string()
  .max(32)
  .regex(/^[a-z][a-z0-9_]*$/, says('invalid', 'must be an id of the catalog'))
  .meta({
    description: `An id of the catalog (\`providers\` of GET /api/integrations): ${ids(crmProviders).join(', ')}`,
  });
export const ctiConnector = z.enum(ids(ctiConnectors));
export const mode = z.enum(ids(modes));
/** Bounded, whatever is repeated in it. */
const webhookEventChoice = z.array(z.enum(webhookEvents)).max(50);
/** `https://` and a host, with a port or without: nothing that would add to the policy that it is put into. */
const frameOrigin = z
  .string()
  .max(255)
  .regex(
    /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/,
    says('invalid', 'must be an origin such as "https://desktop.example.com", in lower case'),
  );
const maxInFlight = z.int().min(1).max(32);

/** The first step of an admin; every field optional. */
export const connectRequest = z
  .strictObject({
    crm_provider: optional(crmProvider),
    cti_connector: optional(ctiConnector),
    webhook_url: optional(webUrl),
  })
  .meta({ id: 'Connect' });
export type ConnectRequest = z.infer<typeof connectRequest>;

/** Every field optional; null clears what can be empty. */
export const updateIntegrationRequest = z
  .strictObject({
    webhook_url: webUrl
      .nullable()
      .optional()
      .meta({
        description:
          'Where webhooks go. Setting it, to the same URL too, enables the endpoint. ' +
          '`null` gives up what waits, and drops the secrets with it',
      }),
    mode: mode.nullable().optional(),
    crm_provider: crmProvider.nullable().optional(),
    cti_connector: ctiConnector.nullable().optional(),
    default_country: z
      .string()
      .regex(/^[A-Z]{2}$/, says('not_a_country', 'must be an ISO 3166-1 alpha-2 code such as "DE"'))
      .nullable()
      .optional(),
    bare_digits: optional(z.enum(bareDigitsRules)).meta({
      description:
        'What digits without `+` and leading zero are that people, files and CRMs write, ' +
        'where they could be a number of the default country that lost its `0`, ' +
        'or another’s that lost its `+`: `national`, as in the beginning, or `international`. ' +
        'A telephone network writes international ones',
    }),
    webhook_secret: z
      .literal('rotate')
      .nullable()
      .optional()
      .meta({
        description:
          '`rotate`: a new secret; the one before it signs too for 24 hours. ' +
          '`null`: deliveries are not signed any more, with neither. ' +
          'To revoke a secret at once, send `null` and then `rotate`',
      }),
    webhook_enabled: optional(z.boolean()).meta({
      description:
        '`false`: nothing is sent any more, events are kept as `dead`, and what waits is given up. ' +
        '`true`: enabled, and taken for healthy again',
    }),
    webhook_max_in_flight: maxInFlight.nullable().optional().meta({
      description: 'How many webhooks may be on their way to the endpoint at once; `null`: 4',
    }),
    webhook_events: webhookEventChoice
      .nullable()
      .optional()
      .meta({
        description:
          'Which events are sent, and no others; from the next one on. ' +
          '`null`: those of the interface, without `call_transferred`, ' +
          '`call_ended` and those of the built-in CRM. ' +
          '`integration_test` is sent whether it is listed or not',
      }),
    pop_frame_ancestors: z
      .array(frameOrigin)
      .max(20)
      .nullable()
      .optional()
      .meta({
        description:
          'Origins whose pages may hold the pop page in a frame, such as the desktops of a telephony platform; ' +
          '`null`: none',
      }),
    rotate_api_key: optional(z.literal(true)),
  })
  .meta({ id: 'UpdateIntegration' });
export type UpdateIntegrationRequest = z.infer<typeof updateIntegrationRequest>;

export const integrationView = z
  .object({
    crm_provider: crmProvider.nullable(),
    cti_connector: ctiConnector.nullable(),
    webhook_url: z.string().nullable(),
    mode,
    default_country: z.string().nullable(),
    bare_digits: z.enum(bareDigitsRules),
    api_key_prefix: z.string().nullable(),
    api_key_issued_at: timestamp.nullable(),
    webhook_secret_set: z.boolean(),
    webhook_secret_previous_until: timestamp
      .nullable()
      .meta({ description: 'Until then deliveries are signed with the secret before the last rotation too' }),
    webhook_enabled: z.boolean().nullable().meta({ description: 'Null where no URL is set' }),
    webhook_max_in_flight: maxInFlight.nullable().meta({ description: 'Null where no URL is set' }),
    webhook_events: z.array(z.enum(webhookEvents)).meta({ description: 'Which events are sent' }),
    pop_frame_ancestors: z
      .array(z.string())
      .meta({ description: 'Origins whose pages may hold the pop page in a frame' }),
    connected_at: timestamp.nullable(),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Integration' });
export type IntegrationView = z.infer<typeof integrationView>;

/** Answer of connect and PUT. `api_key` and `webhook_secret` are shown this once. */
export const savedIntegration = z
  .object({
    integration: integrationView,
    api_key: z.string().optional(),
    webhook_secret: z.string().optional(),
  })
  .meta({ id: 'SavedIntegration' });
export type SavedIntegration = z.infer<typeof savedIntegration>;

/** What the company has of a chosen CRM or telephony platform; see `connection`. */
export const partnerConnections = [
  'not_chosen',
  'not_connected',
  'by_interface',
  'built_in',
  'connected',
  'needs_attention',
  'needs_login',
] as const;
export type PartnerConnection = (typeof partnerConnections)[number];
const partner = {
  connection: z.enum(partnerConnections).meta({
    description:
      '`not_connected`: it is chosen, and nothing is exchanged with it; ' +
      'a CTI connector is named in webhooks, and connected by `/api/integrations/cti/connections`. ' +
      '`by_interface`: it sends requests to this interface and gets webhooks. ' +
      '`built_in`: a part of this service. `connected`: the gateway asks it; ' +
      '`needs_attention`: it refuses the gateway’s credentials. `needs_login`: an admin has to log in there',
  }),
  detail: z.string().meta({ description: 'For a person: what choosing it does' }),
};
const partnerStatus = z.object(partner);

/** How the webhook endpoint does. */
const webhookStatus = z
  .object({
    condition: z.enum(endpointConditions).meta({
      description:
        '`failing`: the last attempt failed. ' +
        '`paused`: nothing is sent until `paused_until`, after 10 failures in a row. ' +
        '`disabled`: nothing is sent until an admin enables it',
    }),
    consecutive_failures: z.int().meta({ description: 'Failed attempts since the last success' }),
    failing_since: timestamp.nullable().meta({ description: 'When the first of them ended' }),
    paused_until: timestamp.nullable().meta({ description: 'Null where it is not paused' }),
    disabled_at: timestamp.nullable(),
    disabled_reason: z.enum(disabledReasons).nullable().meta({
      description: '`gone`: it answered 410. `failing`: nothing had arrived for five days. `admin`: an admin said so',
    }),
  })
  .meta({ id: 'WebhookStatus' });
export type WebhookStatus = z.infer<typeof webhookStatus>;

const noticeCodes = [
  'webhook_disabled',
  'webhook_paused',
  'webhook_failing',
  'webhook_secret_overlap',
  'webhook_unsigned',
] as const;

/** What an admin should know of, and can do about it. */
const notice = z
  .object({
    code: z.enum(noticeCodes),
    detail: z.string().meta({ description: 'For a person: what is the matter, and what to do' }),
    params: z
      .object({
        failures: z.int().optional().meta({ description: 'Failed attempts in a row' }),
        until: timestamp.optional().meta({ description: 'When the pause, or the old secret, ends' }),
        reason: z.enum(disabledReasons).optional().meta({ description: 'Why it is disabled' }),
        recover_since: timestamp
          .optional()
          .meta({ description: 'Since when to recover deliveries, so that nothing is left out' }),
      })
      .optional()
      .meta({
        description:
          'What `detail` is about, for programs that word it themselves. Absent from gateways older than this field',
      }),
    since: timestamp.nullable().meta({ description: 'Null where that is not known' }),
  })
  .meta({ id: 'Notice' });
export type Notice = z.infer<typeof notice>;

export const integrationOverview = z
  .object({
    integration: integrationView,
    status: z.object({
      connected: z.boolean().meta({
        description:
          'Whether an admin has connected the company, so that requests and webhooks work. With whom: `crm`, `cti`',
      }),
      crm: partnerStatus.meta({ description: 'Whether anything is exchanged with the chosen CRM' }),
      cti: partnerStatus.meta({ description: 'Whether anything is exchanged with the chosen connector' }),
      missing: z.array(z.enum(['crm_provider', 'api_key', 'webhook_url', 'webhook_secret'])),
      last_delivery: z
        .object({
          id: z.string(),
          event: z.enum(webhookEvents),
          state: z.enum(deliveryStates),
          status_code: z.int().nullable(),
          error: z.string().nullable(),
          error_cause: webhookCause.nullable(),
          at: timestamp,
        })
        .nullable(),
      webhook: webhookStatus.nullable().meta({ description: 'Null where no URL is set' }),
      notices: z.array(notice).meta({ description: 'What asks for attention, the most urgent first' }),
    }),
    providers: z.array(z.object({ id: crmProvider, name: z.string(), ...partner, ...crmProviderEntry.shape })),
    cti_connectors: z.array(z.object({ id: ctiConnector, name: z.string(), ...partner })),
    modes: z.array(z.object({ id: mode, name: z.string() })),
    webhook_events: z
      .array(z.object({ id: z.enum(webhookEvents), name: z.string(), is_default: z.boolean() }))
      .meta({ description: 'What may be chosen as `webhook_events`; `is_default`: sent where nothing was chosen' }),
  })
  .meta({ id: 'IntegrationOverview' });
export type IntegrationOverview = z.infer<typeof integrationOverview>;

export const testWebhookAnswer = z
  .object({
    outcome: z.enum(['success', 'skipped', 'fail']),
    status_code: z.int().optional(),
    latency_ms: z.int().optional(),
    detail: z.string().optional(),
    cause: webhookCause.optional().meta({ description: 'What `detail` says, as a code' }),
  })
  .meta({ id: 'TestWebhookAnswer' });
export type TestWebhookAnswer = z.infer<typeof testWebhookAnswer>;
