import { holdsMoreValues } from '../contract/jsonReader.ts';
import { plainJson } from '../contract/jsonText.ts';
import { UnreadableAnswer } from './provider.ts';

/** How providers read answers and notices. */

export type Json = null | boolean | number | string | Json[] | { [field: string]: Json | undefined };
export type JsonObject = { [field: string]: Json | undefined };

/** More is no answer about a few records: what was made of it would take a hundred times its size. */
const maxValues = 25_000;

/** What was read last: an answer is looked at for failures, and read for what was asked right after. */
let latest: { text: string; json: Json } = { text: 'null', json: null };

/**
 * The JSON of an answer or a notice. Numbers that a double does not hold exactly come as texts, so that long ids
 * stay whole. Throws `UnreadableAnswer` where there is none (a page of a proxy, half an answer), and where it holds
 * more than 25,000 values.
 */
export function readJson(text: string): Json {
  if (text === latest.text) return latest.json;
  if (holdsMoreValues(text, maxValues)) unreadable(`Expected at most ${maxValues.toLocaleString('en')} values.`);
  try {
    const json = plainJson(text) as Json;
    latest = { text, json };
    return json;
  } catch {
    throw new UnreadableAnswer('Expected JSON.');
  }
}

/** The same, which must be an object. */
export function readObject(text: string): JsonObject {
  return objectIn(readJson(text)) ?? unreadable('Expected a JSON object.');
}

/** The JSON of an answer; null where it is none. For failures, which may come from a proxy. */
export function tryJson(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}

export function unreadable(message: string): never {
  throw new UnreadableAnswer(message);
}

export function objectIn(value: Json | undefined): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
}

/** The objects of a list; whatever else is in it is left out. Empty where it is no list. */
export function objectsIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn).filter((one) => one !== null) : [];
}

/** A list of objects, which must be one. Throws `UnreadableAnswer`. @param what such as `records` */
export function rowsOf(value: Json | undefined, what: string): JsonObject[] {
  return Array.isArray(value) ? objectsIn(value) : unreadable(`Expected ${what}.`);
}

/** A text or number as text; null where it is missing, empty or anything else. */
export function textIn(value: Json | undefined): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** The same, which must be there. Throws `UnreadableAnswer`. @param what such as `the id of the call` */
export function textOf(value: Json | undefined, what: string): string {
  return textIn(value) ?? unreadable(`Expected ${what}.`);
}

/** The texts among the values, without repetitions. */
export function textsIn(...values: (Json | undefined)[]): string[] {
  return [...new Set(values.map(textIn).filter((text) => text !== null))];
}

/** What a field names, one thing or a list of them, with commas between; null where it names nothing. */
export function namesIn(value: Json | undefined): string | null {
  return textIn(textsIn(...(Array.isArray(value) ? value : [value])).join(', '));
}

/** A number, also one that is written as text; null where it is none. */
export function numberIn(value: Json | undefined): number | null {
  const text = textIn(value);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** A link of the web, as the provider gives it; null where it is anything else. */
export function linkIn(value: Json | undefined): string | null {
  const link = textIn(value);
  return link !== null && /^https?:\/\//.test(link) && URL.canParse(link) ? link : null;
}
