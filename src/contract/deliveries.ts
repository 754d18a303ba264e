import { z } from 'zod';
import { deliveryStates, webhookEvents } from './vocabulary.ts';
import { cursorQuery, freeForm, timestamp, uuid } from './values.ts';

/** One webhook on its way to the company's endpoint, or arrived, or given up. */
export const deliveryView = z
  .object({
    id: uuid,
    event: z.enum(webhookEvents),
    call_id: uuid.nullable(),
    sequence: z.int().nullable(),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable(),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.infer<typeof deliveryView>;

export const attemptView = z
  .object({
    number: z.int(),
    started_at: timestamp,
    latency_ms: z.int(),
    url: z.string(),
    request_headers: z.record(z.string(), z.string()),
    status_code: z.int().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response_body: z.string().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'WebhookAttempt' });
export type AttemptView = z.infer<typeof attemptView>;

export const deliveryDetail = deliveryView
  .extend({ body: freeForm, log: z.array(attemptView) })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const listDeliveriesQuery = z.strictObject({
  ...cursorQuery,
  event: z.enum(webhookEvents).optional(),
  state: z.enum(deliveryStates).optional(),
  call_id: uuid.optional(),
});
export const deliveryList = z
  .object({ deliveries: z.array(deliveryView), next_cursor: uuid.nullable() })
  .meta({ id: 'WebhookDeliveryList' });

export const recoverRequest = z
  .strictObject({ since: timestamp })
  .meta({ id: 'RecoverDeliveries' });
export const recoverAnswer = z.object({ redelivering: z.int() }).meta({ id: 'RecoverAnswer' });
