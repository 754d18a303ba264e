import { unstorableReason } from '../../contract/freeForm.ts';
import type { JsonText } from '../../contract/jsonText.ts';
import { InvalidTextError } from '../../ports/storeErrors.ts';

/** JSON text for a `::jsonb` parameter. Throws InvalidTextError where jsonb would refuse it. */
export function jsonFor(field: string, { text }: JsonText, index: number | null = null): string {
  // Only an escape can be a character that the database refuses.
  const fault = unstorableReason(JSON.parse(text), { texts: text.includes('\\u') });
  if (fault !== null) throw new InvalidTextError(field, fault, index);
  return text;
}

/** A text as it is. Throws InvalidTextError where PostgreSQL would refuse or alter it. */
export function textFor<T extends string | null>(field: string, text: T, index: number | null = null): T {
  refuseFault(field, text, index);
  return text;
}

/** Whether a text to look for can be in the database at all; PostgreSQL fails on others. */
export function isStorableText(text: string): boolean {
  return unstorableReason(text) === null;
}

/** Text from an endpoint's answer: characters that cannot be stored become U+FFFD. */
export function sanitizeText<T extends string | null>(text: T): T | string {
  return text === null ? text : text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

/** An endpoint's headers as JSON, made storable in the same way. */
export function sanitizeHeaders(headers: Record<string, string> | null): string | null {
  if (headers === null) return null;
  const json = JSON.stringify(headers);
  // Nearly always: JSON writes what cannot be stored as \\u0000 or \\ud8.. to \\udf.., and little else in that form.
  if (!/\\u(?:0000|d[89a-f])/.test(json)) return json;
  const entries = Object.entries(headers).map(([name, value]) => [sanitizeText(name), sanitizeText(value)]);
  return JSON.stringify(Object.fromEntries(entries));
}

function refuseFault(field: string, value: unknown, index: number | null): void {
  const fault = unstorableReason(value);
  if (fault !== null) throw new InvalidTextError(field, fault, index);
}
