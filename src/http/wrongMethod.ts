import { type RequestHandler, Router } from 'express';
import { refuse } from '../domain/outcome.ts';
import { sendProblem } from './answers.ts';
import { named } from './requestLog.ts';

/** An address as Express matches it, with the methods it takes, in capitals. */
type Address = { pattern: string; methods: readonly string[] };

/**
 * Answers methods that an address does not take, after everything that does: 405 with what it takes in `Allow` (RFC 9110
 * §15.5.6), and OPTIONS with 204 and the same. HEAD is taken where GET is.
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
