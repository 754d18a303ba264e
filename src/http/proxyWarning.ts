import type { RequestHandler } from 'express';
import type { RequestLogger } from './requestLog.ts';

/**
 * Warns once about a proxy that TRUST_PROXY does not name: all callers then share the proxy's address, and one caller's
 * failed log-ins count against everybody.
 */
export function warnOfUnnamedProxy(logger: RequestLogger): RequestHandler {
  let warned = false;
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true;
      logger.warn('requests come through a proxy, but TRUST_PROXY is not set: all callers count as one address');
    }
    next();
  };
}
