import type { z } from 'zod';
import type { Cause, RequestCause } from './causes.ts';

/**
 * What is wrong with one field of a request: `message` goes on after the field's name, in English;
 * the code says the same.
 */
export type FieldError = { path: string; message: string } & Cause;

const causesOfMessages = new Map<string, RequestCause['code']>();

/** A schema's own message, with the code of what it says. Throws where the same message already has another code. */
export function says(code: Extract<RequestCause, { params?: never }>['code'], message: string): string {
  const former = causesOfMessages.get(message);
  if (former !== undefined && former !== code) throw new Error(`“${message}” is ${former} and ${code}`);
  causesOfMessages.set(message, code);
  return message;
}

/** A finding of zod as errors of fields. */
export function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: 'is not a known field',
      code: 'unknown_field',
    }));
  }
  const meant = issue.code === 'invalid_union' ? meantChoice(issue.errors) : null;
  if (meant !== null)
    return meant.flatMap((inner) => fieldErrorsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  return [{ path: pathOf(issue.path), message: messageOf(issue), ...causeOf(issue) }];
}

/**
 * What is wrong with that one of several sets of fields whose fields were given;
 * null: it cannot be told which one was meant.
 */
function meantChoice(choices: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | null {
  const fitting = choices.filter((issues) => !issues.some(({ code }) => code === 'unrecognized_keys'));
  return fitting.length === 1 && choices.length > 1 ? (fitting[0] ?? null) : null;
}

/** E.g. `screen_pop.crm`, `dispositions[2].code`; empty for the whole part. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${String(step).slice(0, 100)}`))
    .join('')
    .replace(/^\./, '');
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (isMissing(issue)) return 'is required';
  return issue.message
    .replace(/^Invalid input: /, '')
    .replace(/^(Too|Invalid|Unrecognized)/, (word) => word.toLowerCase());
}

function causeOf(issue: z.core.$ZodIssue): RequestCause {
  const own = causesOfMessages.get(issue.message);
  if (own !== undefined) return { code: own } as RequestCause;
  switch (issue.code) {
    case 'invalid_type':
      return isMissing(issue) ? { code: 'required' } : { code: 'wrong_type', params: { expected: issue.expected } };
    case 'too_small':
      return smallness(issue.origin, Number(issue.minimum));
    case 'too_big':
      return bigness(issue.origin, Number(issue.maximum));
    case 'invalid_value':
      return { code: 'unknown_choice', params: { choices: issue.values.map(String) } };
    case 'invalid_format':
      return { code: formats[issue.format] ?? 'invalid' };
    case 'custom':
      return sizeOf(issue.params) ?? hostOf(issue.params) ?? { code: 'invalid' };
    default:
      return { code: 'invalid' };
  }
}

const formats: Readonly<Partial<Record<string, 'not_an_id' | 'not_an_email' | 'not_a_time'>>> = {
  uuid: 'not_an_id',
  email: 'not_an_email',
  datetime: 'not_a_time',
};

function smallness(origin: string, min: number): RequestCause {
  if (origin === 'string') return { code: 'too_short', params: { min } };
  return { code: origin === 'array' ? 'too_few' : 'too_small', params: { min } };
}

function bigness(origin: string, max: number): RequestCause {
  if (origin === 'string') return { code: 'too_long', params: { max } };
  return { code: origin === 'array' ? 'too_many' : 'too_large', params: { max } };
}

/** Of a free-form field that is too large: see freeForm.ts. */
function sizeOf(params: Record<string, unknown> | undefined): RequestCause | null {
  const { bytes, max } = params ?? {};
  return typeof bytes === 'number' && typeof max === 'number'
    ? { code: 'json_too_large', params: { bytes, max } }
    : null;
}

/** Of a host that has to be the vendor's. */
function hostOf(params: Record<string, unknown> | undefined): RequestCause | null {
  const endings = params?.['endings'];
  return Array.isArray(endings) ? { code: 'not_a_vendor_host', params: { endings: endings.map(String) } } : null;
}
