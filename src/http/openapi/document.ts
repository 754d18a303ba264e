import type { z } from 'zod';
import { problem } from '../../contract/problem.ts';
import { interfaceVersion, type PlatformFacts } from '../platformFacts.ts';
import { tags, type Route } from '../route.ts';
import { operationOf } from './operation.ts';
import { createSchemaBook, type Direction, type Json } from './schemas.ts';
import { webhookBodies, webhooksSection } from './webhooks.ts';

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
        'Ties a company’s CRM to its agents’ softphones. Errors are RFC 9457 problems with a stable `code`. The softphone’s side is Socket.IO, described apart.',
      contact: { name: 'The operator of this gateway', ...(platform.publicUrl === null ? {} : { url: platform.publicUrl }) },
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
