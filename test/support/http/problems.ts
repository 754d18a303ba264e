import { expect } from 'vitest';
import { errorCodes, type ErrorCode } from '../../../src/contract/errors.ts';
import { problem, type Problem } from '../../../src/contract/problem.ts';
import type { RouteAnswer } from './routeRequests.ts';

/** Expects a refusal of the error table, and gives its body. */
export function expectProblem(answer: RouteAnswer, status: number, code: ErrorCode): Problem {
  expect([answer.status, answer.body['code'], answer.body['detail']]).toEqual([status, code, expect.any(String)]);
  expect(answer.type).toBe('application/problem+json');
  const body = problem.strict().parse(answer.body);
  expect(body).toMatchObject({ status, title: errorCodes[code].title, type: `urn:readyline:problem:${code}` });
  expect(answer.headers.get('x-request-id')).toBe(body.request_id);
  expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  if (status === 429 || status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  return body;
}
