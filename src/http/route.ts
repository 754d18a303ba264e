import type { Request } from 'express';
import { z } from 'zod';
import type { ErrorCode } from '../contract/errors.ts';
import type { JsonText } from '../contract/jsonText.ts';
import { uuid } from '../contract/values.ts';
import type { Access, Principal } from '../domain/access.ts';
import type { Outcome, Refused } from '../domain/outcome.ts';
import type { Services } from '../usecases/services.ts';

/**
 * Routes as data: path, access rule, schemas and handler side by side; served, documented and tested from one table.
 */

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** An agent with a token, as opposed to a CRM with the company's key. */
export type AgentPrincipal = Extract<Principal, { kind: 'agent' }>;

type PrincipalFor<A extends Access> = A extends { kind: 'company' }
  ? A extends { key: false }
    ? AgentPrincipal
    : Principal
  : null;

/** Status → schema of the body; null: no body. */
type Answers = Readonly<Record<number, z.ZodType | null>>;
type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

/** A handler's answer. `body` null: none is sent. */
export type Reply<S extends number = number, B = unknown> = {
  kind: 'reply';
  status: S;
  body: B;
  headers?: Readonly<Record<string, string>>;
  /** Of a body that is a text already, or an async iterable of its parts; missing: the body is written as JSON. */
  contentType?: string;
};

type ReplyFor<A extends Answers> = {
  [S in keyof A & number]: Reply<S, A[S] extends z.ZodType ? z.output<A[S]> : null>;
}[keyof A & number];

/** What a handler gets: validated input, after the access rule was applied. */
export type Input<Who, P, Q, B, H> = {
  services: Services;
  platform: PlatformFacts;
  principal: Who;
  params: P;
  query: Q;
  body: B;
  headers: H;
  request: Request;
  /** Time spent on authentication. Milliseconds. */
  identifiedMs: number;
};

type Documentation = {
  method: Method;
  /** As OpenAPI writes it: `/api/agents/{id}`. */
  path: string;
  /** What the path was in the version before: served alike, and documented no more. */
  formerPath?: string;
  /** `operationId`; unique. */
  id: string;
  summary: string;
  description?: string;
  tag: Tag;
  /** Error codes beside those of every route of its kind. */
  refusals?: readonly ErrorCode[];
  /** Headers of an answer that are worth documenting. */
  answerHeaders?: Readonly<Record<string, string>>;
  /** Media types of a body that the handler reads byte by byte itself. */
  takes?: readonly string[];
  /** Media type of an answer of success that is a file, and no JSON. */
  file?: string;
  /** Media types that an answer of success may have beside JSON. */
  gives?: readonly string[];
  /** Of which share of the company's it takes a part while it is under way. */
  share?: keyof Services['shares'];
  /** Whose a request is at the door, where nobody has to say who calls; missing or null: its address's. */
  countsFor?: (services: Services, request: Request) => string | null;
};

type Definition<
  A extends Access,
  P extends z.ZodObject | undefined,
  Q extends z.ZodObject | undefined,
  B extends z.ZodType | undefined,
  H extends z.ZodObject | undefined,
  R extends Answers,
> = Documentation & {
  access: A;
  params?: P;
  /** When absent, the query string is ignored. */
  query?: Q;
  /** When absent, no body is read. */
  body?: B;
  /** An empty body stands for `{}`. */
  bodyOptional?: boolean;
  /** The handler reads the request itself, as a stream of this type; `body` describes one line of it. */
  stream?: string;
  /** Request headers by lower-case name, e.g. `idempotency-key`. */
  headers?: H;
  answers: R;
  handler: (
    input: Input<PrincipalFor<A>, Parsed<P>, Parsed<Q>, Parsed<B>, Parsed<H>>,
  ) => Promise<ReplyFor<R> | Refused>;
};

/** One row of the route table, its types erased. */
export type Route = Documentation & {
  access: Access;
  params: z.ZodObject | null;
  query: z.ZodObject | null;
  body: z.ZodType | null;
  bodyOptional: boolean;
  stream: string | null;
  headers: z.ZodObject | null;
  answers: Answers;
  handle: (input: Input<Principal | null, unknown, unknown, unknown, unknown>) => Promise<Reply | Refused>;
};

/**
 * Whether it waits, where one asks for more than there is time for: not what load balancers, pages and operators read.
 */
export function passesDoor({ access, method }: Pick<Route, 'access' | 'method'>): boolean {
  return access.kind === 'company' || (access.kind === 'open' && method !== 'get');
}

/** Makes a row of the route table; the schemas' types flow into the handler. */
export function route<
  const A extends Access,
  R extends Answers,
  P extends z.ZodObject | undefined = undefined,
  Q extends z.ZodObject | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
  H extends z.ZodObject | undefined = undefined,
>(definition: Definition<A, P, Q, B, H, R>): Route {
  const { handler, params, query, body, bodyOptional, stream, headers, ...rest } = definition;
  return {
    ...rest,
    params: params ?? null,
    query: query ?? null,
    body: body ?? null,
    bodyOptional: bodyOptional ?? false,
    stream: stream ?? null,
    headers: headers ?? null,
    // Types are erased here only: the server validates with these schemas before it calls the handler.
    handle: handler as Route['handle'],
  };
}

/** An answer with a body, or with none where it is null. */
export function reply<const S extends number, B>(status: S, body: B, headers?: Record<string, string>): Reply<S, B> {
  return headers === undefined ? { kind: 'reply', status, body } : { kind: 'reply', status, body, headers };
}

/** A replayed answer, typed as any answer of its status. */
export function replyAsWritten<const S extends number>(
  status: S,
  body: JsonText,
  headers: Record<string, string>,
): Reply<S, never> {
  return { kind: 'reply', status, body: body as never, headers };
}

/** An answer in another program's own words, typed as any. */
export function replyAs({
  status,
  contentType,
  body,
}: {
  status: number;
  contentType: string;
  body: string;
}): Reply<never, never> {
  return { kind: 'reply', status: status as never, contentType, body: body as never };
}

/** A text that is written as it is read, to be saved as a file. */
export function replyWithText<const S extends number>(
  status: S,
  contentType: string,
  body: AsyncIterable<string>,
  fileName: string,
): Reply<S, never> {
  return {
    kind: 'reply',
    status,
    contentType: `${contentType}; charset=utf-8`,
    body: body as never,
    headers: { 'Content-Disposition': `attachment; filename="${fileName}"` },
  };
}

/** A use case's outcome as an answer: its value with this status, or its refusal. */
export function replyWith<const S extends number, T>(status: S, outcome: Outcome<T>): Reply<S, T> | Refused {
  return outcome.kind === 'ok' ? reply(status, outcome.value) : outcome;
}

/** Groups in the documentation, in its order. */
export const tags = {
  'Customer data': 'Push customers, look them up, forget them.',
  'Click-to-dial': 'Ring out from the softphone of a Ready agent.',
  Integration: 'Connect a CRM or CTI, set the webhook, rotate the key.',
  'Webhook deliveries': 'What was sent to your webhook, and sending it again.',
  'Telephony platforms': 'Let Genesys, Cisco, Five9 and others tell of their calls and agents.',
  Calls: 'Read calls and wrap them up.',
  Reports: 'The calls in figures, views of them, and reports that are sent by themselves.',
  Agents: 'Manage agents; see and set what they are doing.',
  Teams: 'Who takes calls together; a click may be for a team alone.',
  'Do-not-dial list': 'Numbers that nobody of the company dials.',
  Messages: 'What supervisors write to agents, as softphones show it.',
  Contacts: 'The built-in CRM: whom the company calls, and what happened with them.',
  Deals: 'The built-in CRM: what may be sold, and how far it is.',
  Tasks: 'The built-in CRM: what is to be done at a time, and who is called back when.',
  Imports: 'Contacts from CSV files, and files of contacts, calls and deals.',
  Telephony: 'How the agents of the company telephone.',
  'Log-in': 'Get a token.',
  Companies: 'Tenants, and the settings of your own.',
  Platform: 'Health and discovery.',
} as const;
export type Tag = keyof typeof tags;

/** Facts about this installation. */
export type PlatformFacts = {
  /** Version of the software, as in package.json. */
  version: string;
  mode: 'embedded' | 'scaled';
  /** Public URL without trailing slash; null when not configured. */
  publicUrl: string | null;
  /** Origins that may embed the softphone in an iframe. */
  embedOrigins: readonly string[];
  /** Whether only this machine can reach it. */
  isLocal: boolean;
  /** Whether the demo is served: its page, webhook inspector and echo carrier. */
  hasDemo: boolean;
  /** Whether it is draining and wants no more requests. */
  isDraining: () => boolean;
};

/** Version of the interface that callers depend on. */
export const interfaceVersion = '2.0.0';

/** `{id}` in a path. */
export const idInPath = z.object({ id: uuid });
