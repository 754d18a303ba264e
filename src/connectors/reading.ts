import { plainJson } from '../contract/jsonText.ts';
import { ownValue } from '../contract/ownValue.ts';
import { readXml, type XmlElement } from '../providers/xml.ts';
import { UnreadableEvent, type PlatformAgentRef, type PlatformDelivery } from './connector.ts';

// What platforms send is read with care: every field may be missing, of another kind, or far too long.

export type Fields = Readonly<Record<string, unknown>>;

/** Longer bodies are not read. Bytes. */
const maxBytes = 256 * 1_024;
/** Deeper nesting is not read; Genesys, the deepest, allows 50. */
const maxDepth = 64;
/** More fields are no event of a platform. */
const maxFormFields = 500;
/** The longest id, number or name that is read; longer ones are as if they were missing. Characters. */
const longest = 500;
/**
 * Control characters, half surrogate pairs, and what stands for bytes that were no UTF-8: no id and no name has them.
 */
const damaged = /[\p{Cc}\p{Cs}\uFFFD]/u;
/** Times of another century are none: no platform tells them on purpose. Milliseconds since the epoch. */
const [earliest, latest] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];

/** The body as text, without a byte order mark. Throws UnreadableEvent where it is too large. */
export function textOfBody({ body }: PlatformDelivery): string {
  return body.length > maxBytes
    ? unreadable('the body is too large.')
    : body
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trim();
}

/** A JSON object, or a form as one (`name[]` and repeated names become lists). Throws UnreadableEvent. */
export function readFields(delivery: PlatformDelivery): Fields {
  const type = (delivery.headers['content-type'] ?? '').toLowerCase();
  const text = textOfBody(delivery);
  if (type.includes('x-www-form-urlencoded') || (!text.startsWith('{') && /^[\w%.[\]-]+=/.test(text)))
    return formFields(text);
  return fieldsOf(parsed(text)) ?? unreadable('expected a JSON object.');
}

/** Throws UnreadableEvent. */
export function readXmlBody(text: string): XmlElement {
  try {
    return readXml(text);
  } catch {
    return unreadable('expected one whole element of XML.');
  }
}

/** Numbers that a double does not hold come as texts, so that long ids stay whole. */
function parsed(text: string): unknown {
  if (depthOf(text) > maxDepth) return unreadable('the body is nested too deeply.');
  try {
    return plainJson(text);
  } catch {
    return unreadable('expected JSON or a form.');
  }
}

/** How deep a JSON text is nested, before anything is made of it. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isString = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') isString = !isString;
    else if (isString && mark === '\\') at += 1;
    else if (!isString && (mark === '[' || mark === '{')) deepest = Math.max(deepest, (depth += 1));
    else if (!isString && (mark === ']' || mark === '}')) depth -= 1;
  }
  return deepest;
}

function formFields(text: string): Fields {
  if (text.split('&', maxFormFields + 1).length > maxFormFields) return unreadable('the form has too many fields.');
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const plain = name.replace(/\[\d*\]$/, '');
    const before = fields.get(plain);
    if (before === undefined) fields.set(plain, plain === name ? value : [value]);
    else if (Array.isArray(before)) before.push(value);
    else fields.set(plain, [before, value]);
  }
  return Object.fromEntries(fields);
}

/** Always throws. */
export function unreadable(why: string): never {
  throw new UnreadableEvent(why);
}

/** An object's fields; null for what is none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** What a table has under a word that a platform told; not what every object has, such as `constructor`. */
export function lookUp<Value>(
  table: Readonly<Record<string, Value>>,
  word: string | null | undefined,
): Value | undefined {
  return word === null || word === undefined ? undefined : ownValue(table, word);
}

/** The fields of an object within; empty where there is none. */
export function within(fields: Fields, ...path: string[]): Fields {
  return path.reduce<Fields>((found, name) => fieldsOf(lookUp(found, name)) ?? {}, fields);
}

/** The objects of a list; none where there is no list. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value)
    ? (value as unknown[])
        .slice(0, 200)
        .map(fieldsOf)
        .filter((one) => one !== null)
    : [];
}

/** The first of these fields that says something, as text; numbers too. Null: none does. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const text = asText(lookUp(fields, name));
    if (text !== null) return text;
  }
  return null;
}

/** A text as it can be kept, a whole number as one; null where it is none, empty, far too long or damaged. */
export function asText(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : trimmed(value);
  return text === '' || text.length > longest || damaged.test(text) ? null : text;
}

function trimmed(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** A yes or no in the words of platforms; null: not told. */
export function flagOf(fields: Fields, ...names: string[]): boolean | null {
  for (const name of names) {
    const value = lookUp(fields, name);
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if (word === true || word === 'true') return true;
    if (word === false || word === 'false') return false;
  }
  return null;
}

/**
 * The same as lower-case letters, digits and underscores: `InboundCall Ended` and `inbound-call-ended` are
 * `inbound_call_ended`.
 */
export function wordOf(fields: Fields, ...names: string[]): string | null {
  const text = textOf(fields, ...names);
  return text === null ? null : stateName(text);
}

/** The name of a state or event, as it is compared. */
export function stateName(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/**
 * The first of these fields that is a time: ISO 8601 with its zone, or seconds or milliseconds since 1970.
 * Milliseconds; null: none is.
 */
export function timeOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const value = lookUp(fields, name);
    const text = typeof value === 'number' ? String(value) : trimmed(value);
    const time = /^\d{9,16}(?:\.\d{1,9})?$/.test(text) ? sinceEpoch(Number(text)) : fromIso(text);
    if (time >= earliest && time < latest) return Math.floor(time);
  }
  return null;
}

function sinceEpoch(number: number): number {
  return number < 100_000_000_000 ? number * 1_000 : number;
}

/**
 * NaN for what is no such time, and for one without a zone, of which nobody knows when it is. Asterisk writes `+0000`.
 */
function fromIso(text: string): number {
  const [, day = '', clock = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)$/.exec(text) ?? [];
  // 30 February would be 2 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(`${day}T${clock}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}

/** A count of milliseconds or, by `factor`, of something longer; null: none, or a negative one. */
export function durationOf(fields: Fields, factor: number, ...names: string[]): number | null {
  const text = textOf(fields, ...names);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? Math.round(number * factor) : null;
}

/** An agent as named; null: not at all. */
export function agentOf(
  id: string | null,
  email: string | null = null,
  name: string | null = null,
): PlatformAgentRef | null {
  const address = email ?? [id, name].find((text) => text !== null && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) ?? null;
  return id === null && address === null && name === null ? null : { id, email: address, name };
}
