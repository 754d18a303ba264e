import type { RequestHandler } from 'express';
import type { Route } from './route.ts';

/** What the log line and the metrics say of one request: filled while it is served. */
export type RequestRecord = {
  id: string;
  /** `performance.now()`, in milliseconds. */
  startedAt: number;
  /** The pattern, never the path itself: paths and query strings may hold phone numbers. */
  pattern: string;
  route: Route | null;
  companyId: string | null;
  principal: 'company_key' | 'admin' | 'supervisor' | 'agent' | 'dialer' | 'platform' | null;
  /** The error code answered. */
  code: string | null;
  /** What was thrown. */
  error: unknown;
};

declare global {
  namespace Express {
    interface Locals {
      record: RequestRecord;
    }
  }
}

/** Notes the name under which a page is logged and counted. */
export function named(pattern: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.record.pattern = pattern;
    next();
  };
}
