import { z } from 'zod';
import { directions, endReasons, webhookEvents } from './vocabulary.ts';
import { crmProvider, ctiConnector } from './integrations.ts';
import { freeForm, timestamp, uuid } from './values.ts';

/** What arrives at a company's webhook_url. */

const callEvent = z.object({
  call_id: uuid,
  sequence: z.int().min(1),
  phone: z.string(),
  direction: z.enum(directions),
  agent: z.object({ id: uuid, agent_code: z.string() }),
  external_id: z.string().nullable(),
  contact_id: uuid.nullable(),
  campaign_id: uuid.nullable(),
  metadata: freeForm.nullable(),
});

/** `data` of each event. */
export const webhookData = {
  cti_click_to_dial: callEvent,
  call_started: callEvent,
  call_answered: callEvent.extend({ answered_at: timestamp }),
  disposition: callEvent.extend({
    code: z.string(),
    label: z.string(),
    notes: z.string().nullable(),
    callback_at: timestamp.nullable(),
    duration_seconds: z.int(),
    end_reason: z.enum(endReasons).nullable(),
  }),
  integration_test: z.object({ requested_by: z.object({ id: uuid, agent_code: z.string() }) }),
} as const satisfies Record<(typeof webhookEvents)[number], z.ZodType>;

type WebhookDataOf = { [E in keyof typeof webhookData]: z.infer<(typeof webhookData)[E]> };

/** Every call event as `{event, data}`, told apart by `event`. */
export type WebhookMessage = { [E in keyof WebhookDataOf]: { event: E; data: WebhookDataOf[E] } }[keyof WebhookDataOf];
export type CallWebhookMessage = Exclude<WebhookMessage, { event: 'integration_test' }>;

/** The body of every webhook. */
export const webhookEnvelope = z
  .object({
    event: z.enum(webhookEvents),
    company_id: uuid,
    occurred_at: timestamp,
    crm_provider: crmProvider,
    cti_connector: ctiConnector,
    data: freeForm,
  })
  .meta({ id: 'WebhookEnvelope' });
export type WebhookEnvelope = Omit<z.infer<typeof webhookEnvelope>, 'event' | 'data'> & WebhookMessage;
