import { z } from 'zod';
import { crmProviders, ctiConnectors, deliveryStates, modes, webhookEvents } from './vocabulary.ts';
import { timestamp } from './values.ts';

type Ids<T extends readonly { id: string }[]> = [T[number]['id'], ...T[number]['id'][]];
const ids = <T extends readonly { id: string }[]>(catalog: T) => catalog.map((entry) => entry.id) as Ids<T>;

export const crmProvider = z.enum(ids(crmProviders));
export const ctiConnector = z.enum(ids(ctiConnectors));
export const mode = z.enum(ids(modes));
const webhookUrl = z.url({ protocol: /^https?$/ }).max(2048);

/** The first step of an admin; every field optional. */
export const connectRequest = z
  .strictObject({
    crm_provider: crmProvider.optional(),
    cti_connector: ctiConnector.optional(),
    webhook_url: webhookUrl.optional(),
  })
  .meta({ id: 'Connect' });
export type ConnectRequest = z.infer<typeof connectRequest>;

/** Every field optional; null clears. */
export const updateIntegrationRequest = z
  .strictObject({
    webhook_url: webhookUrl.nullable().optional(),
    mode: mode.nullable().optional(),
    crm_provider: crmProvider.nullable().optional(),
    cti_connector: ctiConnector.nullable().optional(),
    default_country: z
      .string()
      .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code such as "DE"')
      .nullable()
      .optional(),
    webhook_secret: z.literal('rotate').nullable().optional(),
    rotate_api_key: z.literal(true).optional(),
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
    api_key_prefix: z.string().nullable(),
    api_key_issued_at: timestamp.nullable(),
    webhook_secret_set: z.boolean(),
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

export const integrationOverview = z
  .object({
    integration: integrationView,
    status: z.object({
      connected: z.boolean(),
      missing: z.array(z.enum(['crm_provider', 'api_key', 'webhook_url', 'webhook_secret'])),
      last_delivery: z
        .object({
          id: z.string(),
          event: z.enum(webhookEvents),
          state: z.enum(deliveryStates),
          status_code: z.int().nullable(),
          error: z.string().nullable(),
          at: timestamp,
        })
        .nullable(),
    }),
    providers: z.array(z.object({ id: crmProvider, name: z.string() })),
    cti_connectors: z.array(z.object({ id: ctiConnector, name: z.string() })),
    modes: z.array(z.object({ id: mode, name: z.string() })),
  })
  .meta({ id: 'IntegrationOverview' });
export type IntegrationOverview = z.infer<typeof integrationOverview>;

export const testWebhookAnswer = z
  .object({
    outcome: z.enum(['success', 'skipped', 'fail']),
    status_code: z.int().optional(),
    latency_ms: z.int().optional(),
    detail: z.string().optional(),
  })
  .meta({ id: 'TestWebhookAnswer' });
export type TestWebhookAnswer = z.infer<typeof testWebhookAnswer>;
