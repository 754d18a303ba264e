import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Response } from 'express';
import { errorCodes, type ErrorCode } from '../contract/errors.ts';
import { writeJson } from '../contract/jsonText.ts';
import type { Problem } from '../contract/problem.ts';
import type { Refused } from '../domain/outcome.ts';
import type { Reply } from './route.ts';

const json = 'application/json; charset=utf-8';
const problemJson = 'application/problem+json; charset=utf-8';

/** Default `Retry-After` in seconds, by error code. */
const usualRetryAfter: Partial<Record<ErrorCode, number>> = {
  rate_limited: 30,
  no_ready_agent: 2,
  agent_not_ready: 2,
  dependency_unavailable: 2,
  outcome_unknown: 5,
};

/**
 * Answers to GET of at least this size are compressed: lists are, what is read on every call is not. Bytes.
 * Safe against BREACH: credentials travel in headers that no foreign page can send, and keys and tokens
 * only answer other methods.
 */
const worthCompressing = 8 * 1024;
const compress = promisify(gzip);

/** Sends a handler's answer. */
export async function sendReply(response: Response, { status, body, headers, contentType }: Reply): Promise<void> {
  response.statusCode = status;
  if (headers !== undefined) {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  }
  if (body === null) return void response.end();
  if (contentType !== undefined && typeof body === 'string') return sendText(response, contentType, body);
  if (contentType !== undefined) return sendParts(response, contentType, body as AsyncIterable<string>);
  const text = writeJson(body);
  if (response.req.method !== 'GET' || text.length < worthCompressing) return sendText(response, json, text);
  response.vary('Accept-Encoding');
  if (response.req.acceptsEncodings('gzip') !== 'gzip') return sendText(response, json, text);
  const compressed = await compress(text);
  // The caller may have hung up.
  if (response.destroyed) return;
  response.setHeader('Content-Encoding', 'gzip');
  sendText(response, json, compressed);
}

/** Sends a refusal as an RFC 9457 problem; notes its code for the log. A caller who has hung up gets nothing. */
export function sendProblem(response: Response, refused: Refused): void {
  const { record } = response.locals;
  record.code = refused.code;
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const { status } = errorCodes[refused.code];
  response.statusCode = status;
  if (status === 401) response.setHeader('WWW-Authenticate', challengeOf(refused, record.route?.access));
  const retryAfter = refused.retryAfterSeconds ?? usualRetryAfter[refused.code];
  if (retryAfter !== undefined) {
    const seconds = String(Math.max(1, Math.ceil(retryAfter)));
    response.setHeader('Retry-After', seconds);
    if (status === 429) {
      if (refused.limit !== undefined) response.setHeader('RateLimit-Limit', String(refused.limit));
      response.setHeader('RateLimit-Remaining', '0');
      response.setHeader('RateLimit-Reset', seconds);
    }
  }
  sendText(response, problemJson, JSON.stringify(problemOf(refused, record.id)));
}

/** A refusal as the body of its answer. */
export function problemOf(refused: Refused, requestId: string): Problem {
  const { code, detail, cause, errors, agentState, deal } = refused;
  const { status, title } = errorCodes[code];
  return {
    type: `urn:readyline:problem:${code}`,
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(cause === undefined ? {} : { cause }),
    ...(errors === undefined ? {} : { errors }),
    ...(agentState === undefined
      ? {}
      : { agent_state: { ...agentState, since: agentState.since?.toISOString() ?? null } }),
    ...(deal === undefined ? {} : { deal }),
    // Callers of lookups read `found` whatever the status.
    ...(code === 'unknown_phone' ? { found: false as const, screen_pop: null } : {}),
  };
}

/** RFC 9110 and RFC 6750: which credentials would have been accepted, and what was wrong with the token. */
function challengeOf({ code }: Refused, access: { kind: string; key?: boolean } | undefined): string {
  const bearer =
    code === 'invalid_token' || code === 'token_expired'
      ? `Bearer realm="readyline", error="invalid_token", error_description="${errorCodes[code].title}"`
      : 'Bearer realm="readyline"';
  return access?.key === true ? `${bearer}, ApiKey realm="readyline", header="X-Service-Api-Key"` : bearer;
}

/**
 * As fast as the caller reads. A failure in the middle breaks the connection off,
 * so that nobody takes a part for the whole.
 */
async function sendParts(response: Response, contentType: string, parts: AsyncIterable<string>): Promise<void> {
  response.setHeader('Content-Type', contentType);
  response.setHeader('Cache-Control', 'no-store');
  try {
    await pipeline(Readable.from(parts), response);
  } catch (error) {
    if (!response.destroyed || !isHangUp(error)) throw error;
  }
}

/** The caller has hung up: nobody waits for the rest. */
function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function sendText(response: Response, contentType: string, text: string | Buffer): void {
  response.setHeader('Content-Type', contentType);
  // Answers hold personal data.
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
