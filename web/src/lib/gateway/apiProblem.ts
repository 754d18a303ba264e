import type { Refusal } from '../../../../src/contract/socket.ts';
import { SoftphoneRefusal } from '../../../../src/client/refusal.ts';
import type { Translate } from '../i18n/catalog.ts';
import { causeText, type Cause } from './causeText.ts';

/** What is wrong with one field: `message` goes on after its name, in English; `code` and `params` say the same. */
export type FieldError = { path: string; message: string } & Partial<Cause>;

/** The parts of a refusal, over HTTP or the socket, that a person is told. */
type Told = Pick<Refusal, 'detail'> & {
  code: string;
  cause?: Cause | undefined;
  errors?: readonly FieldError[] | undefined;
};

/**
 * What the gateway answered instead of what was asked for (RFC 9457). `code` is one of the contract's error codes;
 * `message` its detail, in English.
 */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  /** What `message` says, as a code that is closer than `code`. */
  readonly why: Cause | undefined;
  readonly errors: readonly FieldError[];

  constructor(status: number, body: Partial<Told>) {
    super(body.detail ?? body.code ?? String(status));
    this.status = status;
    this.code = body.code ?? 'unknown';
    this.why = body.cause;
    this.errors = body.errors ?? [];
  }
}

/** What to tell a person about something that was thrown: what the gateway's code means, or that it said nothing. */
export function messageOf(t: Translate, error: unknown): string {
  if (error instanceof SoftphoneRefusal) return refusalText(t, error.refusal);
  if (error instanceof ApiProblem)
    return refusalText(t, { code: error.code, detail: error.message, cause: error.why, errors: error.errors });
  return t('shared.problem.unreachable');
}

/** What a refusal means, in the page's language; of a code that pages do not know, as the gateway put it. */
export function refusalText(t: Translate, { code, detail, cause, errors = [] }: Told): string {
  if (cause !== undefined && cause.code !== 'invalid_fields') return causeText(t, cause, detail);
  const [first] = errors;
  if (first?.code !== undefined && first.path !== '' && saysLittle.has(code)) {
    return t('shared.problem.atField', { field: first.path, what: fieldText(t, first) });
  }
  return t(`shared.problem.${code as 'conflict'}`, { detail, defaultValue: detail });
}

/** Codes that need to be told more closely. */
const saysLittle: ReadonlySet<string> = new Set(['invalid_request', 'conflict', 'invalid_phone', 'payload_too_large']);

/** What is wrong with a field, as a sentence beside it. */
export function fieldText(t: Translate, { message, code, params }: FieldError): string {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
  return code === undefined ? sentence : causeText(t, { code, params }, sentence);
}
