import { z } from 'zod';
import { problem } from '../../contract/problem.ts';
import {
  defaultWebhookEvents,
  type WebhookEvent,
  webhookEventNames,
  webhookEvents,
} from '../../contract/vocabulary.ts';
import { webhookData, webhookEnvelope } from '../../contract/webhooks.ts';
import { interfaceVersion, type PlatformFacts, type Route, tags } from '../route.ts';
import { webhookExamples } from './examples/webhooks.ts';
import { operationOf } from './operation.ts';
import { createSchemaBook, type Direction, type Json, type SchemaBook } from './schemas.ts';

/** The OpenAPI 3.1 document of a route table, made of the very schemas that validate. */
export function openApiDocument(routes: readonly Route[], platform: Omit<PlatformFacts, 'isDraining'>): Json {
  const book = createSchemaBook(usedSchemas(routes));
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, book) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Readyline',
      version: interfaceVersion,
      description:
        'Ties a company’s CRM to its agents’ softphones. Errors are RFC 9457 problems with a stable `code`. ' +
        'The softphone’s side is Socket.IO, described apart.',
      contact: {
        name: 'The operator of this gateway',
        ...(platform.publicUrl === null ? {} : { url: platform.publicUrl }),
      },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: platform.publicUrl ?? '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooksSection(book),
    components: { schemas: book.components(), securitySchemes },
  };
}

const securitySchemes = {
  ServiceApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Api-Key',
    description: 'The company key, shown once when an admin connects a CRM or rotates it',
  },
  XApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The company key again, for platforms that can send no other header',
  },
  basicKey: {
    type: 'http',
    scheme: 'basic',
    description: 'The company key as password; the user name does not matter',
  },
  bearerJwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An agent’s token, from log-in' },
  platformToken: { type: 'http', scheme: 'bearer', description: 'The operator’s PLATFORM_TOKEN' },
};

type Used = { schema: z.ZodType; direction: Direction };

function usedSchemas(routes: readonly Route[]): Used[] {
  const sent = webhookBodies.map(({ schema }): Used => ({ schema, direction: 'output' }));
  const used = routes.flatMap((route): Used[] => [
    ...[route.params, route.query, route.headers, route.body]
      .filter((schema) => schema !== null)
      .map((schema): Used => ({ schema, direction: 'input' })),
    ...Object.values(route.answers)
      .filter((schema) => schema !== null)
      .map((schema): Used => ({ schema, direction: 'output' })),
  ]);
  return [...used, ...sent, { schema: problem, direction: 'output' }];
}

/** Each event with what arrives: the envelope, its `event` and `data` narrowed. */
const webhookBodies = webhookEvents.map((event) => ({
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
    'Standard Webhooks: `v1,` and the signature in base64; ' +
      'two of them, with a space between, for 24 hours after the secret was rotated',
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
function webhooksSection(book: SchemaBook): Json {
  return Object.fromEntries(
    webhookBodies.map(({ event, schema }) => [
      event,
      {
        post: {
          operationId: `on_${event}`,
          summary: webhookEventNames[event],
          description:
            `${defaultEvents.has(event) ? '' : 'Sent only where `webhook_events` chooses it. '}At least once; ` +
            'tried again for about three days until answered with 2xx. ' +
            `The events of one call that are sent are numbered by \`sequence\`.`,
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
