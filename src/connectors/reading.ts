import { plainJson } from '../contract/jsonText.ts';
import { readXml, type XmlElement } from '../providers/xml.ts';
import { type PlatformAgentRef, type PlatformDelivery, UnreadableEvent } from './connector.ts';

// What platforms send is read with care: every field may be missing, of another kind, or far too long.

export type Fields = Readonly<Record<string, unknown>>;

/** Longer bodies are not read. Bytes. */
const maxBytes = 256 * 1_024;
/** Deeper nesting is not read; Genesys, the deepest, allows 50. */
const maxDepth = 64;
/** The longest id, number, name or word; longer ones are as if they had not been told. Characters. */
const maxText = 250;
/** Of a list, more entries than this are not read. */
const maxEntries = 200;
/** Control characters, half surrogate pairs, and what stands for bytes that were no UTF-8: no id and no name has them. */
const damaged = /[\p{Cc}\p{Cs}\uFFFD]/u;

/** Always throws. @param why holds nothing of what came */
export function unreadable(why: string): never {
  throw new UnreadableEvent(why);
}

/** The body as text, without a byte order mark. Throws `UnreadableEvent` where it is too large. */
export function textOfBody({ body }: PlatformDelivery): string {
  if (body.length > maxBytes) return unreadable('The body is too large.');
  return body.toString('utf8').replace(/^\uFEFF/, '').trim();
}

/** The fields of a JSON object, or of a form (`user[]` and repeated names become lists). Throws `UnreadableEvent`. */
export function readFields(delivery: PlatformDelivery): Fields {
  const text = textOfBody(delivery);
  const type = (delivery.headers['content-type'] ?? '').toLowerCase();
  // Bridges post forms without saying so.
  if (type.includes('x-www-form-urlencoded') || /^[\w%.[\]-]+=/.test(text)) return readForm(text);
  return fieldsOf(parsed(text)) ?? unreadable('Expected a JSON object or a form.');
}

/** Throws `UnreadableEvent`; refuses document types and entities of its own. */
export function readXmlText(text: string): XmlElement {
  try {
    return readXml(text);
  } catch {
    return unreadable('Expected one whole element of XML.');
  }
}

/** Numbers that a double does not hold come as texts, so that long ids stay whole. */
function parsed(text: string): unknown {
  if (depthOf(text) > maxDepth) return unreadable('The body is nested too deeply.');
  try {
    return plainJson(text);
  } catch {
    return unreadable('Expected JSON or a form.');
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

function readForm(text: string): Fields {
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const plain = name.replace(/\[\d{0,3}\]$/, '');
    lists.set(plain, [...(lists.get(plain) ?? []).slice(0, maxEntries), value]);
    if (lists.size > maxEntries) return unreadable('The form has too many fields.');
  }
  return Object.fromEntries(Array.from(lists, ([name, values]) => [name, values.length === 1 ? values[0] : values]));
}

/** An object's fields; null for what is none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

/** The fields of an object within; none where there is no object. */
export function within(fields: Fields, name: string): Fields {
  return fieldsOf(valueOf(fields, name)) ?? {};
}

/** The objects of a list within; none where there is no list. */
export function objectsWithin(fields: Fields, name: string): Fields[] {
  return listWithin(fields, name).map(fieldsOf).filter((one) => one !== null);
}

/** The texts of a list within, or the one text. */
export function textsWithin(fields: Fields, name: string): string[] {
  const list = listWithin(fields, name);
  return (list.length > 0 ? list : [valueOf(fields, name)]).map(asText).filter((one) => one !== null);
}

function listWithin(fields: Fields, name: string): unknown[] {
  const value = valueOf(fields, name);
  return Array.isArray(value) ? value.slice(0, maxEntries) : [];
}

/** The first of these fields that says something, as text; whole numbers too. Null: none does. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const text = asText(valueOf(fields, name));
    if (text !== null) return text;
  }
  return null;
}

/** The same as a word that can be compared: `InboundCall Ended` and `inbound-call-ended` are `inbound_call_ended`. */
export function wordOf(fields: Fields, ...names: string[]): string | null {
  const text = textOf(fields, ...names);
  return text === null ? null : foldWord(text);
}

/** Lower-case letters and digits, `_` between words. */
export function foldWord(text: string): string {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** A text as it can be kept: trimmed; null where it is none, empty, too long or damaged. */
export function asText(value: unknown): string | null {
  const text = Number.isSafeInteger(value) ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > maxText || damaged.test(text) ? null : text;
}

// A field of another object's, such as `constructor`, is none of this one.
function valueOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The first of these fields that is a time: ISO 8601 with its zone, seconds or milliseconds since 1970. Milliseconds; null: none is. */
export function timeOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const time = asTime(valueOf(fields, name));
    if (time !== null) return time;
  }
  return null;
}

const earliest = Date.UTC(2000, 0);
const latest = Date.UTC(2100, 0);

/** Null too for times of another century: no platform told them on purpose. */
export function asTime(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const time = /^\d{9,16}(?:\.\d{1,9})?$/.test(text) ? sinceEpoch(Number(text)) : fromIso(text);
  return time >= earliest && time < latest ? Math.floor(time) : null;
}

/** Seconds until 5138, milliseconds from 1973. */
function sinceEpoch(number: number): number {
  return number < 100_000_000_000 ? number * 1_000 : number;
}

/** NaN for what is no such time, and for one without a zone: whose it is, is not known. */
function fromIso(text: string): number {
  const found = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)$/.exec(text);
  if (found === null) return Number.NaN;
  const [, day = '', clock = '', zone = ''] = found;
  // 30 February would be 2 March.
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return Number.NaN;
  return Date.parse(`${day}T${clock.replace(',', '.')}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
}

/** An agent as a platform names it; null: it does not. An id or name that is an e-mail address counts as one. */
export function agentOf(id: string | null, email: string | null = null, name: string | null = null): PlatformAgentRef | null {
  const address = email ?? [id, name].find((text) => text !== null && /^[^@\s:]+@[^@\s]+\.[^@\s]+$/.test(text)) ?? null;
  return id === null && address === null && name === null ? null : { id, email: address, name };
}

const inbound = /^(?:in|inbound|incoming|true|acd_in|preroute_.*|.*_in)$/;
const outbound = /^(?:out|outbound|outgoing|false|outbound_.*|out_?dial|manual)$/;

/** In the words of all platforms; null: not told, or neither. @param word folded */
export function directionOf(word: string | null): 'inbound' | 'outbound' | null {
  if (word === null) return null;
  if (inbound.test(word)) return 'inbound';
  return outbound.test(word) ? 'outbound' : null;
}
