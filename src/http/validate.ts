import type { z } from 'zod';
import { fieldErrorsOf, pathOf } from '../contract/fieldErrors.ts';
import { oversize } from '../contract/freeForm.ts';
import { ok, refuse, type Outcome } from '../domain/outcome.ts';

/** The part of a request that is validated. */
export type Part = 'path' | 'query' | 'header' | 'body';

/** Errors listed in one refusal, so that it does not get longer than the body it refuses. */
const namedAtMost = 100;

/** Validates a part of a request. Refuses with `invalid_request`, naming the invalid fields, never their values. */
export function validate(part: Part, schema: z.ZodType, value: unknown): Outcome<unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const tooLarge = oversize(parsed.error.issues);
  if (tooLarge !== null) {
    return refuse('payload_too_large', `The ${part}’s ${pathOf(tooLarge.path)} ${tooLarge.message}.`, {
      errors: fieldErrorsOf(tooLarge),
    });
  }
  const errors = parsed.error.issues.flatMap(fieldErrorsOf);
  const [first] = errors;
  const where = first === undefined || first.path === '' ? '' : `${first.path} `;
  const more = errors.length > 1 ? ` (and ${String(errors.length - 1)} more)` : '';
  return refuse('invalid_request', `The ${part} does not fit: ${where}${first?.message ?? ''}${more}.`, {
    cause: { code: 'invalid_fields' },
    errors: errors.slice(0, namedAtMost),
  });
}

/** Validates query parameters; one given twice is refused rather than dropped. */
export function validateQuery(schema: z.ZodType, query: Record<string, unknown>): Outcome<unknown> {
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  if (repeated.length === 0) return validate('query', schema, query);
  return refuse('invalid_request', `The query does not fit: ${repeated.join(', ')} is given more than once.`, {
    cause: { code: 'invalid_fields' },
    errors: repeated.map((path) => ({ path, message: 'is given more than once', code: 'repeated' })),
  });
}
