import type { RequestCause } from '../contract/causes.ts';
import type { DealView } from '../contract/deals.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { FieldError } from '../contract/fieldErrors.ts';
import type { AgentState } from '../contract/vocabulary.ts';

/** An expected refusal: a stable code, and a sentence for the person who reads it. */
export type Refused = {
  kind: 'refused';
  code: ErrorCode;
  detail: string;
  /** What the sentence says, as a code: closer than `code`, for pages in other languages. */
  cause?: RequestCause;
  /** When it is worth trying again. */
  retryAfterSeconds?: number;
  /** With `rate_limited`: how many were allowed. */
  limit?: number;
  /** What the agent in question is doing now. */
  agentState?: { state: AgentState; reason: string | null; since: Date | null };
  /** The deal as it is now, where somebody has changed it meanwhile. */
  deal?: DealView;
  /** Where exactly a body does not fit. */
  errors?: FieldError[];
};

/** What a use case answers: its value, or why not. */
export type Outcome<T> = { kind: 'ok'; value: T } | Refused;

export function ok<T>(value: T): Outcome<T> {
  return { kind: 'ok', value };
}

type More = Omit<Refused, 'kind' | 'code' | 'detail'>;

/** These codes alone say too little: such a refusal tells its cause as well. */
type Vague = 'conflict' | 'invalid_request' | 'invalid_phone';

/**
 * @param more with `conflict`, `invalid_request` and `invalid_phone` the cause too, or each invalid field with its own
 */
export function refuse<C extends ErrorCode>(
  code: C,
  detail: string,
  ...[more]: C extends Vague ? [more: More & ({ cause: RequestCause } | { errors: FieldError[] })] : [more?: More]
): Refused {
  return { kind: 'refused', code, detail, ...more };
}

/** Ends a switch over a union: compiles only when every case is handled, throws if data broke the types. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`);
}

/**
 * The words of somebody else as a sentence, so that another one may follow: with a full stop where they end without any
 * mark. Closing quotes and brackets do not count. Empty stays empty.
 */
export function asSentence(words: string): string {
  const text = words.trim();
  return text === '' || /[.!?…。][\p{Pe}\p{Pf}"']*$/u.test(text) ? text : `${text.replace(/[,;:]$/, '')}.`;
}
