import type { Request, RequestHandler, Response } from 'express';
import type { Principal } from '../domain/access.ts';
import { ok, type Outcome, refuse, type Refused } from '../domain/outcome.ts';
import { withDeadline } from '../usecases/concurrency/withDeadline.ts';
import type { Services } from '../usecases/services.ts';
import { sendProblem, sendReply } from './answers.ts';
import { authenticate, type Authenticate } from './authentication.ts';
import { charsetFault, isEmpty, readJsonBody } from './jsonBody.ts';
import { rateLimitKey } from './rateLimitKey.ts';
import type { RequestRecord } from './requestLog.ts';
import { passesDoor, type PlatformFacts, type Reply, type Route } from './route.ts';
import { validate, validateQuery } from './validate.ts';

export type ServeOptions = {
  services: Services;
  platform: PlatformFacts;
  authenticate: Authenticate;
  /** Opens platform routes; null makes them answer 404. */
  platformToken: string | null;
};

/** Longest time for authentication, as long as a click may last. Milliseconds. */
const identifyWithinMs = 5_000;

/** Serves one row of the route table: authentication, validation, handler, answer. */
export function serveRoute(route: Route, options: ServeOptions): RequestHandler {
  return async (request, response) => {
    const { record } = response.locals;
    record.route = route;
    record.pattern = route.path;
    const known = await identify(route, options, request, record);
    if (known.kind === 'refused') return sendProblem(response, known);
    const serve = () => answer(route, options, request, response, known.value);
    if (!passesDoor(route)) return serve();
    const { services } = options;
    const who = known.value.principal?.companyId ?? route.countsFor?.(services, request) ?? rateLimitKey(request.ip);
    const refused = await services.door.enter(who, serve);
    if (refused !== undefined) sendProblem(response, refused);
  };
}

/** Validation, handler, answer: as of `serveRoute`. */
async function answer(
  route: Route,
  { services, platform }: ServeOptions,
  request: Request,
  response: Response,
  { principal, identifiedMs }: Known,
): Promise<void> {
  const read = await readRequest(route, request, response);
  if (read.kind === 'refused') return sendProblem(response, read);
  const handle = () => route.handle({ services, platform, principal, ...read.value, request, identifiedMs });
  const { share } = route;
  if (share === undefined || principal === null) return send(response, await handle());
  // The place is held until the answer is written: of a list that is most of the work.
  const refused = await services.shares[share].use(principal.companyId, async () => send(response, await handle()));
  if (refused !== undefined) sendProblem(response, refused);
}

async function send(response: Response, answer: Reply | Refused): Promise<void> {
  if (answer.kind === 'reply') await sendReply(response, answer);
  else sendProblem(response, answer);
}

/** Who calls; null where nobody has to say. `identifiedMs`: how long it took to find out. */
type Known = { principal: Principal | null; identifiedMs: number };

async function identify(
  route: Route,
  options: ServeOptions,
  request: Request,
  record: RequestRecord,
): Promise<Outcome<Known>> {
  const { clock } = options.services;
  const askedAt = clock.now();
  const identifying = authenticate(route.access, request.headers, options.authenticate, options.platformToken);
  const caller = await withDeadline(clock, askedAt + identifyWithinMs, identifying);
  if (caller === null)
    return refuse('dependency_unavailable', 'The database did not say in time who calls. Try again shortly.');
  if (caller.kind === 'refused') return caller;
  noteCaller(record, route, caller.value);
  return ok({ principal: caller.value, identifiedMs: clock.now() - askedAt });
}

/** What a request that fits its route holds. */
type Read = { params: unknown; query: unknown; body: unknown; headers: unknown };

async function readRequest(route: Route, request: Request, response: Response): Promise<Outcome<Read>> {
  const params = route.params === null ? nothing : validate('path', route.params, request.params);
  if (params.kind === 'refused') return params;
  const query = route.query === null ? nothing : validateQuery(route.query, request.query);
  if (query.kind === 'refused') return query;
  const headers = route.headers === null ? nothing : validate('header', route.headers, request.headers);
  if (headers.kind === 'refused') return headers;
  const body = await readBody(route, request, response);
  if (body.kind === 'refused') return body;
  return ok({ params: params.value, query: query.value, body: body.value, headers: headers.value });
}

const nothing = ok<unknown>(undefined);

async function readBody(route: Route, request: Request, response: Response): Promise<Outcome<unknown>> {
  if (route.body === null) return nothing;
  if (route.stream !== null) return checkStream(route.stream, request);
  const json = await readJsonBody(request, response, route.bodyOptional);
  return json.kind === 'refused' ? json : validate('body', route.body, json.value);
}

function checkStream(type: string, { headers }: Request): Outcome<unknown> {
  const [given, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  if (given?.toLowerCase() !== type) return refuse('unsupported_media_type', `The content type must be ${type}.`);
  const charset = charsetFault(parameters);
  if (charset !== null) return refuse('unsupported_media_type', charset);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return refuse('unsupported_media_type', 'The stream must not be compressed.');
  }
  return isEmpty(headers)
    ? refuse('invalid_request', 'The stream is empty.', { cause: { code: 'unreadable' } })
    : nothing;
}

function noteCaller(record: RequestRecord, route: Route, principal: Principal | null): void {
  if (principal === null) {
    if (route.access.kind === 'platform') record.principal = 'platform';
    return;
  }
  record.companyId = principal.companyId;
  record.principal = principal.kind === 'agent' ? principal.role : principal.kind;
}
