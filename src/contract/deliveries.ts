import { z } from 'zod';
import { webhookCause } from './causes.ts';
import { says } from './fieldErrors.ts';
import { deliveryEvents, deliveryStates, deliveryTargets } from './vocabulary.ts';
import { cursorQuery, anyFields, moment, momentInQuery, timestamp, uuid } from './values.ts';

/** One webhook on its way to the company's endpoint, or one call on its way into its CRM; or arrived, or given up. */
export const deliveryView = z
  .object({
    id: uuid,
    target: z.enum(deliveryTargets).meta({ description: '`crm`: a call that is logged in the connected CRM' }),
    event: z.enum(deliveryEvents),
    call_id: uuid.nullable(),
    sequence: z.int().nullable(),
    state: z.enum(deliveryStates).meta({
      description:
        '`pending`: waits for its first or next attempt. `delivered`: answered with 2xx. ' +
        '`dead`: given up, or never sent because the endpoint was disabled',
    }),
    attempts: z.int().meta({ description: 'Since it was made or last sent again' }),
    next_attempt_at: timestamp
      .nullable()
      .meta({ description: 'Null unless it is `pending`; later while the endpoint is paused' }),
    last_status_code: z.int().nullable(),
    last_error: z.string().nullable().meta({ description: 'What went wrong last, and what to look at' }),
    last_error_cause: webhookCause
      .nullable()
      .meta({ description: 'What `last_error` says, as a code; null also where it is from before this field' }),
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
    method: z.string().nullable(),
    url: z.string().nullable().meta({ description: 'Null where nothing was sent' }),
    request_headers: z.record(z.string(), z.string()).meta({ description: 'Without those that authenticate' }),
    request_body: z.string().nullable().meta({ description: 'Of a request to the CRM; webhooks send `raw_body`' }),
    status_code: z.int().nullable(),
    response_headers: z.record(z.string(), z.string()).nullable(),
    response_body: z.string().nullable(),
    error: z.string().nullable(),
    error_cause: webhookCause
      .nullable()
      .meta({ description: 'What `error` says, as a code; null also where it is from before this field' }),
  })
  .meta({ id: 'WebhookAttempt' });
export type AttemptView = z.infer<typeof attemptView>;

export const deliveryDetail = deliveryView
  .extend({
    body: anyFields,
    raw_body: z.string().meta({
      description:
        'The body byte for byte, as every attempt sends and signs it; ' +
        'of a call for the CRM, what its requests are made of',
    }),
    log: z.array(attemptView).meta({ description: 'The attempts, the earliest first; kept through redeliveries' }),
  })
  .meta({ id: 'WebhookDeliveryDetail' });
export type DeliveryDetail = z.infer<typeof deliveryDetail>;

export const listDeliveriesQuery = z
  .strictObject({
    ...cursorQuery,
    target: z.enum(deliveryTargets).optional(),
    event: z.enum(deliveryEvents).optional(),
    state: z.enum(deliveryStates).optional(),
    call_id: uuid.optional(),
    since: momentInQuery.optional().meta({ description: 'Made at that time or later; ISO 8601 with any offset' }),
    until: momentInQuery.optional().meta({ description: 'Made before that time; ISO 8601 with any offset' }),
  })
  // What is no time at all is refused for that alone.
  .refine(({ since = '', until = '' }) => !(Date.parse(until) < Date.parse(since)), {
    path: ['until'],
    message: says('ends_before_start', 'must not be before since'),
  });
export const deliveryList = z
  .object({ deliveries: z.array(deliveryView), next_cursor: uuid.nullable() })
  .meta({ id: 'WebhookDeliveryList' });

export const recoverRequest = z
  .strictObject({
    since: moment.meta({ description: 'What was made at that time or later; ISO 8601 with any offset' }),
  })
  .meta({ id: 'RecoverDeliveries' });
export const recoverAnswer = z
  .object({ redelivering: z.int().meta({ description: 'How many deliveries are sent again' }) })
  .meta({ id: 'RecoverAnswer' });
