import { readJson, type JsonBuilder } from '../../../../src/contract/jsonReader.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';

/** One thing that is known of a customer. `href`: where the value is an address that may be opened; `isPhone`: it is a phone number. */
export type CustomerField = { key: string; label: string; text: string; href: string | null; isPhone?: boolean };

/** Longer values are cut: a page that holds a book is no use on a call. */
const longestText = 20_000;
const deepest = 6;

/**
 * Everything that a CRM has told, readable: objects become paths, lists of plain values become lines; every digit and the
 * order of fields as the CRM wrote them. Values come from strangers; they are text and nothing else, and only `https:`
 * addresses can be opened.
 * @param json of an object
 */
export function customerFields(t: Translate, json: string): CustomerField[] {
  return walk(t, readJson(json, knownIn(t)).parts ?? [], []);
}

/** A value: as JSON, as a person reads it, and what it is made of; `null` for a plain one. */
type Known = { json: string; text: string; parts: [name: string, value: Known][] | null; isList: boolean };

/** @param t words what JSON has as `true` and `false` */
function knownIn(t: Translate): JsonBuilder<Known> {
  return {
    object(fields) {
      const parts = Array.from(fields);
      const json = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${value.json}`).join(',')}}`;
      return { json, text: parts.length === 0 ? nothing : json, parts, isList: false };
    },
    array(values) {
      const json = `[${values.map((value) => value.json).join(',')}]`;
      const text = values.every((value) => value.parts === null) ? values.map((value) => value.text).join('\n') || nothing : json;
      return { json, text, parts: values.map((value, index) => [String(index), value]), isList: true };
    },
    string: (written) => plain(written, (JSON.parse(written) as string) || nothing),
    number: (written) => plain(written, written),
    word: (written) => plain(written, written === 'null' ? nothing : written === 'true' ? t('softphone.customer.yes') : t('softphone.customer.no')),
  };
}

const nothing = '–';

function plain(json: string, text: string): Known {
  return { json, text, parts: null, isList: false };
}

function walk(t: Translate, fields: readonly [string, Known][], path: readonly string[]): CustomerField[] {
  return fields.flatMap(([name, value]) => {
    const here = [...path, name];
    if (isBranch(value) && path.length < deepest) return walk(t, value.parts ?? [], here);
    const text = shorten(t, value.text);
    return [{ key: here.join('.'), label: here.map((name) => labelOf(t, name)).join(' › '), text, href: safeAddress(text) }];
  });
}

/** Worth lines of its own: not empty, and more than a list of plain values. */
function isBranch({ parts, isList }: Known): boolean {
  if (parts === null || parts.length === 0) return false;
  return !isList || parts.some(([, part]) => part.parts !== null);
}

function shorten(t: Translate, text: string): string {
  if (text.length <= longestText) return text;
  return t('softphone.customer.moreCharacters', { text: text.slice(0, longestText), count: text.length - longestText });
}

/** `open_tickets` and `openTickets` → `Open tickets`; what is no name of a field stays as it is. */
function labelOf(t: Translate, key: string): string {
  if (key.trim() === '') return t('softphone.customer.noName');
  if (/^\d+$/.test(key)) return String(Number(key) + 1);
  if (!/^[\w-]+$/.test(key)) return key;
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** The address if the whole text is one that may be opened, else null. */
export function safeAddress(text: string): string | null {
  if (text.length > 2048 || !/^https:\/\/\S+$/.test(text)) return null;
  try {
    const address = new URL(text);
    // A name before the host shows one address and opens another.
    return address.protocol === 'https:' && address.username === '' && address.password === '' ? address.href : null;
  } catch {
    return null;
  }
}
