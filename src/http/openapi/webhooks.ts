import { z } from 'zod';
import { defaultWebhookEvents, webhookEventNames, webhookEvents, type WebhookEvent } from '../../contract/vocabulary.ts';
import { webhookData, webhookEnvelope } from '../../contract/webhooks.ts';
import { webhookExamples } from './examples/webhooks.ts';
import type { Json, SchemaBook } from './schemas.ts';

/** Each event with what arrives: the envelope, its `event` and `data` narrowed. */
export const webhookBodies = webhookEvents.map((event) => ({
  event,
  schema: webhookEnvelope.extend({ event: z.literal(event), data: webhookData[event] }),
}));

const headers = [
  ['X-Service-Event', 'The event name'],
  ['X-Service-Company', 'The company id'],
  ['X-Service-Key-Prefix', 'The public prefix of the company’s current API key'],
  ['X-Service-Signature', '`sha256=` and the HMAC-SHA256 of the raw body under the webhook secret, in lower-case hex'],
  [
    'X-Service-Signature-Previous',
    'For 24 hours after the secret was rotated: the same as `X-Service-Signature`, made with the previous secret',
  ],
  ['X-Service-Delivery', 'The delivery id, the same for every attempt: use it to drop repeats'],
  ['X-Service-Attempt', 'The number of the attempt, from 1'],
  ['webhook-id', 'Standard Webhooks: the delivery id'],
  ['webhook-timestamp', 'Standard Webhooks: seconds since the epoch at this attempt'],
  [
    'webhook-signature',
    'Standard Webhooks: `v1,` and the signature in base64; two of them, with a space between, for 24 hours after the secret was rotated',
  ],
] as const;

const defaultEvents: ReadonlySet<WebhookEvent> = new Set(defaultWebhookEvents);

/** Present only where the company has what they are made of. */
const conditional = new Set([
  'X-Service-Key-Prefix',
  'X-Service-Signature',
  'X-Service-Signature-Previous',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
]);

/** The `webhooks` section: what the service sends to a company's `webhook_url`. */
export function webhooksSection(book: SchemaBook): Json {
  return Object.fromEntries(
    webhookBodies.map(({ event, schema }) => [
      event,
      {
        post: {
          operationId: `on_${event}`,
          summary: webhookEventNames[event],
          description:
            `${defaultEvents.has(event) ? '' : 'Sent only where `webhook_events` chooses it. '}At least once; tried again for about three days until answered with 2xx. The events of one call that are sent are numbered by \`sequence\`.`,
          security: [],
          parameters: headers.map(([name, description]) => ({
            name,
            in: 'header',
            required: !conditional.has(name),
            description,
            schema: { type: 'string' },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: book.schema(schema, 'output'), example: webhookExamples[event] } },
          },
          responses: { '2XX': { description: 'Taken' } },
        },
      },
    ]),
  );
}
