import type { LoginAnswer, LoginRequest } from '../../../../src/contract/auth.ts';
import { ApiProblem } from './apiProblem.ts';
import { setSignIn, signedIn } from './signIn.ts';

export type Query = Record<string, string | number | undefined>;

/** Reads an answer. Throws for what is no JSON. */
type ReadAnswer = (text: string) => unknown;

/**
 * Asks the gateway as who is signed in. A token that is not taken any more signs out. Throws ApiProblem; `code` is
 * `unreachable` when there was no answer.
 */
async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  query: Query = {},
  signal?: AbortSignal,
  headers: Record<string, string> = {},
  read: ReadAnswer = JSON.parse,
  isLeaving = false,
): Promise<T> {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) asked.set(name, String(value));
  const token = signedIn()?.token;
  const response = await fetch(asked.size > 0 ? `${path}?${asked.toString()}` : path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    keepalive: isLeaving,
    headers: {
      ...headers,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiProblem(0, { code: 'unreachable' });
  });
  const answer: unknown =
    response.status === 204
      ? null
      : await response
          .text()
          .then(read)
          .catch(() => ({}));
  if (response.ok) return answer as T;
  throw refusedWith(token, response.status, answer as object);
}

/**
 * What the gateway's refusal says. A token that is not taken any more signs out.
 * @param token that was sent
 * @param answer the body
 */
export function refusedWith(token: string | undefined, status: number, answer: object): ApiProblem {
  const problem = new ApiProblem(status, answer);
  // A log-in that was renewed while this was asked is none that has failed.
  const isCurrent = token !== undefined && token === signedIn()?.token;
  if (isCurrent && ['invalid_token', 'token_expired'].includes(problem.code)) setSignIn(null);
  return problem;
}

export const api = {
  /**
   * Given up by `signal`, it throws as if there was no answer.
   * `read`: for answers of which JavaScript's own reading would lose something.
   */
  get: <T>(path: string, query?: Query, signal?: AbortSignal, read?: ReadAnswer) =>
    ask<T>('GET', path, undefined, query, signal, {}, read),
  post: <T>(path: string, body?: unknown, headers?: Record<string, string>) =>
    ask<T>('POST', path, body, undefined, undefined, headers),
  /** @param isLeaving it is to arrive although the page is going */
  put: <T>(path: string, body: unknown, { isLeaving = false } = {}) =>
    ask<T>('PUT', path, body, undefined, undefined, undefined, undefined, isLeaving),
  patch: <T>(path: string, body: unknown) => ask<T>('PATCH', path, body),
  delete: <T>(path: string, query?: Query) => ask<T>('DELETE', path, undefined, query),
};

/** Logs in without signing in: for whoever renews, or signs in somebody else. */
export function logIn(login: LoginRequest): Promise<LoginAnswer> {
  return ask<LoginAnswer>('POST', '/api/auth/login', login);
}

/** Asks as nobody who is signed in: with a credential of its own in a header or the body. Throws ApiProblem. */
export async function askOpen<T>(
  method: string,
  path: string,
  {
    body,
    headers = {},
    signal,
    read = JSON.parse,
  }: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal; read?: ReadAnswer },
): Promise<T> {
  const response = await fetch(path, {
    method,
    ...(signal === undefined ? {} : { signal }),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiProblem(0, { code: 'unreachable' });
  });
  const answer: unknown = await response
    .text()
    .then(read)
    .catch(() => ({}));
  if (response.ok) return answer as T;
  throw new ApiProblem(response.status, answer as object);
}
