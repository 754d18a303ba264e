import type { WebhookEvent } from '../contract/vocabulary.ts';
import type { WebhookEnvelope } from '../contract/webhooks.ts';

export type { WebhookEvent } from '../contract/vocabulary.ts';

/** A webhook of an event that this version knows. `event` tells what is in `data`. */
export type KnownWebhook = WebhookEnvelope;

/**
 * A webhook of an event that came into being after this version of the toolkit. Its `event` reads `'unknown'`, and
 * the event's own name is `event_name`: had it stood in `event`, a `switch` could tell none of the others apart.
 */
export type UnknownWebhook = {
  event: 'unknown';
  /** As Readyline sent it in `event`. */
  event_name: string;
  company_id: string;
  /** ISO 8601, UTC, with milliseconds. */
  occurred_at: string;
  crm_provider: string;
  cti_connector: string;
  data: Record<string, unknown>;
};

/**
 * The body of a webhook; a `switch` over `event` narrows `data`. A later Readyline may add fields, and values to the
 * enumerated ones: ignore what you do not know.
 */
export type Webhook = KnownWebhook | UnknownWebhook;

/** The webhook of one event: `WebhookOf<'disposition'>['data']['end_reason']`. */
export type WebhookOf<E extends WebhookEvent> = Extract<KnownWebhook, { event: E }>;

/** A webhook that tells of a call: `data` has `call_id` and `sequence`. */
export type CallWebhook = Extract<KnownWebhook, { data: { call_id: string } }>;
