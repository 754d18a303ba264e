import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import type { Route } from './route.ts';

/** Counts requests. `pattern` is the path of the route table, or `none`. */
export interface RequestMetrics {
  request(method: string, pattern: string, status: number, seconds: number): void;
  /** In the text format of Prometheus. */
  expose(): Promise<{ contentType: string; text: string }>;
}

export type RequestLogger = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

const saneId = /^[\w.:-]{1,128}$/;

/** Polled by machines every few seconds; logged only when they fail. */
const quietPatterns = new Set(['/api/health', '/api/health/live', '/metrics']);

/** Gives every request an id and a record; logs one line and counts it when it is over. */
export function recordRequests(logger: RequestLogger, metrics: RequestMetrics): RequestHandler {
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const record: RequestRecord = {
      id: typeof given === 'string' && saneId.test(given) ? given : randomUUID(),
      startedAt: performance.now(),
      pattern: 'none',
      route: null,
      companyId: null,
      principal: null,
      code: null,
      error: null,
    };
    response.locals.record = record;
    response.setHeader('X-Request-Id', record.id);
    response.once('close', () => {
      const ms = performance.now() - record.startedAt;
      const method = request.method;
      metrics.request(method, record.pattern, statusOf(response), ms / 1000);
      writeLine(logger, record, method, response, ms);
    });
    next();
  };
}

/** 499, as proxies write it: the caller hung up before the answer. */
function statusOf(response: Response): number {
  return response.writableFinished ? response.statusCode : 499;
}

function writeLine(logger: RequestLogger, record: RequestRecord, method: string, response: Response, ms: number): void {
  const status = statusOf(response);
  const line = {
    request_id: record.id,
    method,
    route: record.pattern,
    status,
    ms: Math.round(ms * 100) / 100,
    company_id: record.companyId,
    principal: record.principal,
    code: record.code,
  };
  if (record.error !== null) logger.error({ ...line, err: record.error }, 'request');
  else if (quietPatterns.has(record.pattern) && status < 400) logger.debug(line, 'request');
  else logger.info(line, 'request');
}

/** What is logged and counted of one request; filled while it is served. */
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
  /** The error that was thrown. */
  error: unknown;
};

declare global {
  namespace Express {
    interface Locals {
      record: RequestRecord;
    }
  }
}

/** Sets the pattern under which a page is logged and counted. */
export function named(pattern: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.record.pattern = pattern;
    next();
  };
}
