import type { z } from 'zod';
import { type ErrorCode, errorCodes } from '../../contract/errors.ts';
import { problem } from '../../contract/problem.ts';
import { type Access, anyRole } from '../../domain/access.ts';
import { unreachable } from '../../domain/outcome.ts';
import { passesDoor, type Route } from '../route.ts';
import { agentExamples } from './examples/agents.ts';
import { callExamples } from './examples/calls.ts';
import { companyExamples } from './examples/company.ts';
import { contactExamples } from './examples/contacts.ts';
import { dealExamples } from './examples/deals.ts';
import { reportExamples } from './examples/reports.ts';
import { taskExamples } from './examples/tasks.ts';
import { dialingExamples } from './examples/dialing.ts';
import { teamExamples } from './examples/teams.ts';
import { importExamples } from './examples/imports.ts';
import { crmExamples } from './examples/crm.ts';
import { messageExamples } from './examples/messages.ts';
import { popExamples } from './examples/pop.ts';
import { ctiRecipeExamples } from './examples/ctiRecipes.ts';
import { ctiConnectionExamples } from './examples/ctiConnections.ts';
import { integrationExamples } from './examples/integration.ts';
import type { Json, SchemaBook } from './schemas.ts';

const statusWords: Record<number, string> = { 200: 'Done', 201: 'Created', 204: 'Done; no body', 503: 'Unavailable' };

/** One route as an OpenAPI operation. */
export function operationOf(route: Route, book: SchemaBook): Json {
  const parameters = [
    ...parametersOf('path', route.params, book),
    ...parametersOf('query', route.query, book),
    ...parametersOf('header', route.headers, book),
  ];
  const about = [route.description, accessSentence(route.access)].filter((text) => text !== undefined && text !== '');
  return {
    operationId: route.id,
    summary: route.summary,
    description: about.join('\n\n'),
    tags: [route.tag],
    security: securityOf(route.access),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === null ? bytesOf(route) : { requestBody: requestBodyOf(route, route.body, book) }),
    responses: { ...answersOf(route, book), ...problemAnswers(route, book) },
  };
}

function requestBodyOf(route: Route, body: z.ZodType, book: SchemaBook): Json {
  const described = { schema: book.schema(body, 'input'), ...bodyExample(route.id) };
  return route.stream === null
    ? { required: !route.bodyOptional, content: { 'application/json': described } }
    : { required: true, description: 'One JSON object per line', content: { [route.stream]: described } };
}

/** A body that is described by its types alone. */
function bytesOf({ takes }: Route): { requestBody?: Json } {
  if (takes === undefined) return {};
  return { requestBody: { required: true, content: Object.fromEntries(takes.map((type) => [type, { schema: {} }])) } };
}

function answersOf(route: Route, book: SchemaBook): Json {
  const headers = Object.entries(route.answerHeaders ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return Object.fromEntries(
    Object.entries(route.answers).map(([status, schema]) => [
      status,
      {
        description: statusWords[Number(status)] ?? 'Answer',
        ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Json }),
        ...(schema === null ? {} : { content: contentsOf(route, Number(status), schema, book) }),
      },
    ]),
  );
}

function contentsOf(route: Route, status: number, schema: z.ZodType, book: SchemaBook): Json {
  if (route.file !== undefined) return { [route.file]: contentOf(route, status, {}) };
  return { 'application/json': contentOf(route, status, book.schema(schema, 'output')), ...othersOf(route, status) };
}

/** What an answer of success is written in beside JSON. */
function othersOf({ gives = [] }: Route, status: number): Record<string, Json> {
  return status < 300 ? Object.fromEntries(gives.map((type) => [type, { schema: { type: 'string' } }])) : {};
}

function contentOf(route: Route, status: number, schema: Json): Json {
  return status < 300 ? { schema, ...answerExamples(route.id) } : { schema };
}

function parametersOf(place: 'path' | 'query' | 'header', schema: z.ZodObject | null, book: SchemaBook): Json[] {
  if (schema === null) return [];
  const { properties, required } = book.schema(schema, 'input') as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property;
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** `idempotency-key` → `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replace(/(^|-)\w/g, (start) => start.toUpperCase());
}

function securityOf(access: Access): Json[] {
  switch (access.kind) {
    case 'open':
      return [];
    case 'platform':
      return [{ platformToken: [] }];
    case 'company':
      return access.key
        ? [{ ServiceApiKey: [] }, { XApiKey: [] }, { basicKey: [] }, { bearerJwt: [] }]
        : [{ bearerJwt: [] }];
    default:
      return unreachable(access);
  }
}

function accessSentence(access: Access): string {
  if (access.kind === 'open') return 'Open to everyone.';
  if (access.kind === 'platform')
    return 'For the operator: needs the platform token. Answers 404 where none is configured.';
  const roles = access.roles.length === anyRole.length ? 'any role' : access.roles.join(' or ');
  return access.key ? `Needs the company key, or a token of ${roles}.` : `Needs a token of ${roles}.`;
}

/** The problem answers of a route, by status. */
function problemAnswers(route: Route, book: SchemaBook): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codesOf(route))) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('. '),
        ...headersOf(status),
        content: { 'application/problem+json': { schema: book.schema(problem, 'output') } },
      },
    ]),
  );
}

function codesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (route.params !== null || route.query !== null || route.headers !== null) codes.push('invalid_request');
  if (route.body !== null) {
    codes.push('invalid_request', 'malformed_json', 'payload_too_large', 'unsupported_media_type');
  }
  if (route.takes !== undefined) codes.push('invalid_request', 'payload_too_large', 'unsupported_media_type');
  if (passesDoor(route)) codes.push('rate_limited');
  codes.push(...accessCodes(route), ...(route.refusals ?? []), 'internal_error');
  // Health and discovery answer whatever is down.
  if (route.tag !== 'Platform') codes.push('dependency_unavailable');
  return codes;
}

function accessCodes({ access }: Route): ErrorCode[] {
  switch (access.kind) {
    case 'open':
      return [];
    case 'platform':
      return ['unauthenticated', 'invalid_token', 'not_found'];
    case 'company':
      return [
        'unauthenticated',
        'invalid_token',
        'token_expired',
        'invalid_api_key',
        'wrong_company',
        ...(access.roles.length < anyRole.length ? (['role_required'] as const) : []),
      ];
  }
}

function headersOf(status: number): Json {
  const text = { schema: { type: 'string' } };
  const seconds = { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait before the next try' };
  if (status === 401) return { headers: { 'WWW-Authenticate': text } };
  if (status === 503) return { headers: { 'Retry-After': seconds } };
  if (status !== 429) return {};
  const count = { schema: { type: 'integer' } };
  return {
    headers: {
      'Retry-After': seconds,
      'RateLimit-Limit': count,
      'RateLimit-Remaining': count,
      'RateLimit-Reset': seconds,
    },
  };
}

/** What is sent, and the answer of a success; `answers`: several by name, where one does not show it. */
type Example = { body?: unknown; answer?: unknown; answers?: Readonly<Record<string, unknown>> };

const examples: Readonly<Record<string, Example>> = {
  ...callExamples,
  ...integrationExamples,
  ...contactExamples,
  ...dealExamples,
  ...taskExamples,
  ...importExamples,
  ...crmExamples,
  ...ctiConnectionExamples,
  ...ctiRecipeExamples,
  ...popExamples,
  ...agentExamples,
  ...teamExamples,
  ...dialingExamples,
  ...messageExamples,
  ...reportExamples,
  ...companyExamples,
};

/** The example of an operation's request body, as a field of its media type. */
function bodyExample(operationId: string): Json {
  return shown(examples[operationId]?.body);
}

/** The examples of an operation's successful answer, as a field of its media type. */
function answerExamples(operationId: string): Json {
  const { answer, answers } = examples[operationId] ?? {};
  if (answers === undefined) return shown(answer);
  return { examples: Object.fromEntries(Object.entries(answers).map(([name, value]) => [name, { value }])) };
}

function shown(example: unknown): Json {
  return example === undefined ? {} : { example };
}
