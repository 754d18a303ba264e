import { readXml, type XmlElement } from '../providers/xml.ts';
import { UnreadableEvent, type PlatformAgentRef, type PlatformDelivery } from './connector.ts';

// What platforms send is read with care: every field may be missing, of another kind, or far too long.

export type Fields = Readonly<Record<string, unknown>>;

/** The longest id, number or name that is read; longer ones are as if they were missing. Characters. */
const longest = 500;

/** A JSON object, or a form as one (`name[]` and repeated names become lists). Throws UnreadableEvent. */
export function readFields({ body, headers }: PlatformDelivery): Fields {
  const type = (headers['content-type'] ?? '').toLowerCase();
  const text = body.toString('utf8').trim();
  if (type.includes('x-www-form-urlencoded') || (!text.startsWith('{') && /^[\w%.[\]-]+=/.test(text))) return formFields(text);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return unreadable('expected JSON or a form.');
  }
}

function formFields(text: string): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of new URLSearchParams(text)) {
    const plain = name.replace(/\[\d*\]$/, '');
    const before = fields.get(plain);
    fields.set(plain, before === undefined ? (plain === name ? value : [value]) : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value]);
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

/** The fields of an object within; empty where there is none. */
export function within(fields: Fields, ...path: string[]): Fields {
  return path.reduce<Fields>((found, name) => fieldsOf(found[name]) ?? {}, fields);
}

/** The objects of a list; none where there is no list. */
export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, 200).map(fieldsOf).filter((one) => one !== null) : [];
}

/** The first of these fields that says something, as text; numbers too. Null: none does. */
export function textOf(fields: Fields, ...names: string[]): string | null {
  for (const name of names) {
    const value = fields[name];
    const text = typeof value === 'number' && Number.isFinite(value) ? String(value) : typeof value === 'string' ? value.trim() : '';
    if (text !== '' && text.length <= longest && !/[\0\p{Cs}]/u.test(text)) return text;
  }
  return null;
}

/** The same as lower-case letters, digits and underscores: `InboundCall Ended` and `inbound-call-ended` are `inbound_call_ended`. */
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

/** The first of these fields that is a time: ISO 8601, or seconds or milliseconds since 1970. Milliseconds; null: none is. */
export function timeOf(fields: Fields, ...names: string[]): number | null {
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === 'number' ? value : typeof value === 'string' && /^\d{9,16}(?:\.\d+)?$/.test(value.trim()) ? Number(value) : null;
    const time = number === null ? (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(withColon(value)) : Number.NaN) : number < 100_000_000_000 ? number * 1_000 : number;
    if (Number.isFinite(time) && time > 0 && time < 8_640_000_000_000_000) return Math.round(time);
  }
  return null;
}

/** `+0000`, as Asterisk writes offsets, is `+00:00`. */
function withColon(iso: string): string {
  return iso.replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
}

/** A count of milliseconds or, by `factor`, of something longer; null: none, or a negative one. */
export function durationOf(fields: Fields, factor: number, ...names: string[]): number | null {
  const text = textOf(fields, ...names);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? Math.round(number * factor) : null;
}

/** An agent as named; null: not at all. */
export function agentOf(id: string | null, email: string | null = null, name: string | null = null): PlatformAgentRef | null {
  const address = email ?? [id, name].find((text) => text !== null && /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text)) ?? null;
  return id === null && address === null && name === null ? null : { id, email: address, name };
}
