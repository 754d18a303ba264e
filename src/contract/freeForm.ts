import { z } from 'zod';
import { holdsMoreValues, readFields } from './jsonReader.ts';
import { bytesOf, canonical, JsonText } from './jsonText.ts';

/** What a CRM may attach to a customer or a call in one field, in bytes of UTF-8 JSON without white space. */
export const maxFreeFormBytes = 64 * 1024;
/** More than any record has; a body of as many empty lists would take a hundred times its size in memory. */
const maxValues = 10_000;
/** Longer numbers, and such powers of ten, are no record's; PostgreSQL and receivers could not take them all. */
const maxDigits = 1_000;
const maxExponent = 1_000;

export type JsonInput =
  | { kind: 'ok'; value: unknown }
  | { kind: 'malformed'; error: unknown }
  /** Valid JSON that cannot be kept; `reason` goes on after "cannot be kept: ". */
  | { kind: 'unfit'; reason: string };

/**
 * Parses JSON that somebody sent, and remembers the texts of the objects in it, for the free-form fields.
 * @param text without halves of surrogate pairs, as decoded UTF-8 is
 */
export function readJsonInput(text: string): JsonInput {
  // Each value takes a letter and a comma.
  if (text.length >= 2 * maxValues && holdsMoreValues(text, maxValues))
    return unfit(`it holds more than ${maxValues.toLocaleString('en')} values`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: 'malformed', error };
  }
  const fault = unstorableReason(value, { texts: text.includes('\\u') });
  if (fault !== null) return unfit(fault);
  // Nearly always: what would be written again is what came, so nothing is lost that its text would tell.
  if (JSON.stringify(value) === text) return { kind: 'ok', value };
  let hasLongNumber = false;
  const fields = readFields(text, {
    ...canonical,
    number: (number) => {
      hasLongNumber ||= isTooLong(number);
      return number;
    },
  });
  if (hasLongNumber) return unfit(`a number in it has more than ${maxDigits.toLocaleString('en')} digits`);
  if (fields !== null) rememberTexts(value as object, fields);
  return { kind: 'ok', value };
}

function unfit(reason: string): JsonInput {
  return { kind: 'unfit', reason };
}

function isTooLong(number: string): boolean {
  return number.length > maxDigits || Math.abs(Number(/[eE](.+)/.exec(number)?.[1] ?? 0)) > maxExponent;
}

/** What objects of parsed JSON were read from. */
const texts = new WeakMap<object, string>();

function rememberTexts(parent: object, fields: Map<string, string>): void {
  for (const [name, text] of fields) {
    const value: unknown = (parent as Record<string, unknown>)[name];
    if (typeof value === 'object' && value !== null) texts.set(value, text);
  }
}

/** The text that an object was read from; one that a program has made is written out. */
function textOf(value: object): string {
  return texts.get(value) ?? JSON.stringify(value);
}

/** How `sizeFault` marks its refusal among zod's issues. */
const tooLarge = 'payload_too_large';

/** The issue that says that a free-form value is too large, and by how much; null where none does. */
export function oversize(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | null {
  return issues.find((issue) => issue.code === 'custom' && issue.params?.['code'] === tooLarge) ?? null;
}

/** What is wrong with the size of a free-form value, as a zod issue; null where it fits. @param max bytes of UTF-8 */
function sizeFault(
  text: string,
  max = maxFreeFormBytes,
): { code: 'custom'; message: string; params: { code: string; bytes: number; max: number } } | null {
  // No character takes more than three bytes for each unit of its text.
  if (text.length * 3 <= max) return null;
  const bytes = bytesOf(text);
  if (bytes <= max) return null;
  const [is, most] = [bytes, max].map((size) => size.toLocaleString('en'));
  return {
    code: 'custom',
    message: `is ${String(is)} bytes of JSON, at most ${String(most)} are taken`,
    params: { code: tooLarge, bytes, max },
  };
}

/**
 * An object of any fields, at most 64 KiB, kept as it was written.
 * @param known those of its fields that are looked at
 */
export function freeFormWith(known: z.ZodType) {
  const { $schema: _dialect, ...documented } = z.toJSONSchema(known, { io: 'input' });
  return z
    .unknown()
    .transform((value, context): JsonText => {
      const parsed = known.safeParse(value);
      if (!parsed.success) {
        for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
        return z.NEVER;
      }
      const text = textOf(value as object);
      const fault = sizeFault(text);
      if (fault !== null) context.issues.push({ ...fault, input: value });
      return new JsonText(text);
    })
    .meta({
      ...documented,
      description: 'Any fields, at most 64 KiB of JSON; numbers keep every digit, fields their order',
    });
}

export const freeForm = freeFormWith(z.record(z.string(), z.unknown()));

/**
 * An object of these fields, some of which are free-form, of at most so much JSON.
 * @param max bytes of UTF-8, 64 KiB where it is left out
 */
export function sized<T extends z.ZodType>(schema: T, max = maxFreeFormBytes): T {
  const checked = z.preprocess((value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const text = textOf(value);
    const fault = sizeFault(text, max);
    if (fault !== null) context.addIssue(fault);
    else rememberTexts(value, readFields(text, canonical) ?? new Map());
    return value;
  }, schema);
  // The same values in and out as those of the schema.
  return checked as unknown as T;
}

/** Deeper than any record of a CRM; far below what would exhaust a stack here or in the database. */
const maxDepth = 64;
// \p{Cs} matches half a surrogate pair only: the halves of a whole pair are read as one character.
const halfPair = /\p{Cs}/u;

/**
 * Why a parsed JSON value cannot be kept by the database: it is nested deeper than 64 levels, or a text or key in it
 * holds U+0000 or half a surrogate pair, which PostgreSQL's jsonb refuses. Null when it can be kept.
 * @param checked `texts`: false where it is known that no text in it can be one of those
 */
export function unstorableReason(value: unknown, checked: { texts: boolean } = { texts: true }): string | null {
  return faultAt(value, 0, checked.texts ? isStorable : () => true);
}

function faultAt(value: unknown, depth: number, isFine: (text: string) => boolean): string | null {
  if (typeof value === 'string') return isFine(value) ? null : badText;
  if (typeof value !== 'object' || value === null) return null;
  if (depth === maxDepth) return `it is nested deeper than ${String(maxDepth)} levels`;
  if (Array.isArray(value)) {
    for (const entry of value) {
      const fault = faultAt(entry, depth + 1, isFine);
      if (fault !== null) return fault;
    }
    return null;
  }
  for (const [key, entry] of Object.entries(value)) {
    if (!isFine(key)) return badText;
    const fault = faultAt(entry, depth + 1, isFine);
    if (fault !== null) return fault;
  }
  return null;
}

const badText = 'a text in it holds U+0000 or half a surrogate pair';

function isStorable(text: string): boolean {
  return !text.includes('\0') && !halfPair.test(text);
}
