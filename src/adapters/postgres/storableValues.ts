import { isStorableText, storableJson } from '../../domain/storable.ts';
import { InvalidTextError } from '../../ports/invalidText.ts';

/** A value as text for a `::jsonb` parameter. Throws InvalidTextError where jsonb would refuse it. */
export function jsonFor(field: string, value: unknown, index: number | null = null): string {
  const json = storableJson(value);
  if (json.kind === 'json') return json.text;
  throw new InvalidTextError(field, json.detail, index);
}

/** The same for a column that may be null. */
export function jsonOrNullFor(field: string, value: unknown): string | null {
  return value === null ? null : jsonFor(field, value);
}

/** A text as it is. Throws InvalidTextError where PostgreSQL would refuse or alter it. */
export function textFor<T extends string | null>(field: string, text: T, index: number | null = null): T {
  if (text === null || isStorableText(text)) return text;
  throw new InvalidTextError(field, 'it holds U+0000 or half of a surrogate pair', index);
}

/** A stranger's text, kept for reading: what cannot be stored shows as U+FFFD. */
export function tolerantText<T extends string | null>(text: T): T | string {
  return text === null ? text : text.replace(/[\0\p{Surrogate}]/gu, '\ufffd');
}

/** The headers of a stranger, made storable in the same way. */
export function tolerantHeaders(headers: Record<string, string> | null): string | null {
  if (headers === null) return null;
  const entries = Object.entries(headers).map(([name, value]) => [tolerantText(name), tolerantText(value)]);
  return JSON.stringify(Object.fromEntries(entries));
}
