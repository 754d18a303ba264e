import type { ErrorCode } from '../contract/errors.ts';
import type { AgentState } from '../contract/vocabulary.ts';

/** An expected refusal: a stable code, and a sentence for the person who reads it. */
export type Refused = {
  kind: 'refused';
  code: ErrorCode;
  detail: string;
  /** When it is worth trying again. */
  retryAfterSeconds?: number;
  /** With `rate_limited`: how many were allowed. */
  limit?: number;
  /** What the agent in question is doing now. */
  agentState?: { state: AgentState; reason: string | null; since: Date | null };
  /** Where exactly a body does not fit. */
  errors?: { path: string; message: string }[];
};

/** What a use case answers: its value, or why not. */
export type Outcome<T> = { kind: 'ok'; value: T } | Refused;

export function ok<T>(value: T): Outcome<T> {
  return { kind: 'ok', value };
}

export function refuse(code: ErrorCode, detail: string, more: Omit<Refused, 'kind' | 'code' | 'detail'> = {}): Refused {
  return { kind: 'refused', code, detail, ...more };
}

/** Ends a switch over a union: compiles only when every case is handled, throws if data broke the types. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}
