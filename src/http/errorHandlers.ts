import { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { refuse } from '../domain/outcome.ts';
import { InvalidTextError, isDependencyFailure } from '../ports/storeErrors.ts';
import { sendProblem } from './answers.ts';
import { named } from './requestLog.ts';

/** Answers 404 to what no route matches. */
export const answerUnknownRoute: RequestHandler = (_request, response) => {
  sendProblem(response, refuse('not_found', 'There is nothing at this address.'));
};

/** Answers thrown errors: the log gets the error, the caller a problem without details. */
export const answerThrown: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  if (request.destroyed && !request.complete) {
    // The caller hung up in the middle of the body: there is nobody to answer.
    sendProblem(response, refuse('invalid_request', 'The request broke off.', { cause: { code: 'unreadable' } }));
    return;
  }
  if (error instanceof URIError) {
    sendProblem(
      response,
      refuse('invalid_request', 'The path does not fit: it cannot be decoded.', { cause: { code: 'unreadable' } }),
    );
    return;
  }
  if (error instanceof InvalidTextError) {
    sendProblem(
      response,
      refuse('invalid_request', `The body does not fit: ${error.message}.`, { cause: { code: 'cannot_be_kept' } }),
    );
    return;
  }
  response.locals.record.error = error;
  sendProblem(
    response,
    isDependencyFailure(error)
      ? refuse('dependency_unavailable', 'A part of the service cannot be reached at the moment. Try again shortly.')
      : refuse('internal_error', 'Something went wrong here. The request_id lets the operator find out what.'),
  );
};

/** An address as Express matches it, with the methods it takes, in capitals. */
type Address = { pattern: string; methods: readonly string[] };

/**
 * Answers methods that an address does not take, after everything that does: 405 with what it takes in `Allow` (RFC
 * 9110 §15.5.6), and OPTIONS with 204 and the same. HEAD is taken where GET is.
 */
export function answerWrongMethods(addresses: readonly Address[]): Router {
  const router = Router();
  const byPattern = new Map<string, Set<string>>();
  for (const { pattern, methods } of addresses) {
    const taken = byPattern.get(pattern) ?? new Set();
    for (const method of methods) taken.add(method);
    byPattern.set(pattern, taken);
  }
  for (const [pattern, methods] of byPattern) {
    const taken = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
    router.all(pattern, named(pattern), tellMethods(taken));
  }
  return router;
}

function tellMethods(taken: readonly string[]): RequestHandler {
  const allow = taken.join(', ');
  return (request, response, next) => {
    // Of a method that is taken: what was asked for is not there.
    if (request.method !== 'OPTIONS' && taken.includes(request.method)) return next();
    response.setHeader('Allow', allow);
    if (request.method === 'OPTIONS') response.status(204).end();
    else sendProblem(response, refuse('method_not_allowed', `This address takes ${allow}, not ${request.method}.`));
  };
}
