import { errorCodes, type ErrorCode } from '../../contract/errors.ts';
import { problem } from '../../contract/problem.ts';
import { anyRole } from '../../domain/access.ts';
import type { Route } from '../route.ts';
import type { Json, SchemaBook } from './schemas.ts';

/** The problem answers of a route, by status. */
export function problemAnswers(route: Route, book: SchemaBook): Record<string, Json> {
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
