import { readJson, type JsonBuilder } from '../../../../src/contract/jsonReader.ts';
import type { Translate } from '../../lib/i18n/catalog.ts';
import type { PlainValue } from '../values/writeValue.ts';

/**
 * One thing that is known of a customer: its path in the record, what it is called, and its values,
 * one below the other.
 */
export type CustomerField = { key: string; label: string; values: readonly PlainValue[] };

/** Longer values are cut: a page that holds a book is no use on a call. */
const longestText = 20_000;
const deepest = 6;

/**
 * Everything that a CRM has told, readable: objects become paths, lists of plain values become lines; every digit and
 * the order of fields as the CRM wrote them. Values come from strangers; they are text and nothing else.
 * @param json of an object
 */
export function customerFields(t: Translate, json: string): CustomerField[] {
  return walk(t, readJson(json, knownIn(t)).parts ?? [], []);
}

/** A value: as JSON, as a person reads it, and what it is made of; `null` for a plain one. */
type Known = {
  json: string;
  values: readonly PlainValue[];
  parts: [name: string, value: Known][] | null;
  isList: boolean;
};

/** @param t words what JSON has as `true` and `false` */
function knownIn(t: Translate): JsonBuilder<Known> {
  return {
    object(fields) {
      const parts = Array.from(fields);
      const json = `{${parts.map(([name, value]) => `${JSON.stringify(name)}:${value.json}`).join(',')}}`;
      return { json, values: parts.length === 0 ? nothing : asText(json), parts, isList: false };
    },
    array(values) {
      const json = `[${values.map((value) => value.json).join(',')}]`;
      const lines = values.every((value) => value.parts === null)
        ? values.flatMap((value) => value.values)
        : asText(json);
      return {
        json,
        values: lines.length === 0 ? nothing : lines,
        parts: values.map((value, index) => [String(index), value]),
        isList: true,
      };
    },
    string: (written) => plain(written, written === '""' ? nothing : asText(JSON.parse(written) as string)),
    number: (written) => plain(written, [{ type: 'number', text: written }]),
    word: (written) =>
      plain(
        written,
        written === 'null'
          ? nothing
          : [{ type: 'words', text: t(`softphone.customer.${written === 'true' ? 'yes' : 'no'}`) }],
      ),
  };
}

const nothing: readonly PlainValue[] = [{ type: 'words', text: '–' }];

function asText(text: string): PlainValue[] {
  return [{ type: 'text', text }];
}

function plain(json: string, values: readonly PlainValue[]): Known {
  return { json, values, parts: null, isList: false };
}

function walk(t: Translate, fields: readonly [string, Known][], path: readonly string[]): CustomerField[] {
  return fields.flatMap(([name, value]) => {
    const here = [...path, name];
    if (isBranch(value) && path.length < deepest) return walk(t, value.parts ?? [], here);
    return [{ key: here.join('.'), label: fieldLabel(t, here), values: shorten(t, value.values) }];
  });
}

/** Worth lines of its own: not empty, and more than a list of plain values. */
function isBranch({ parts, isList }: Known): boolean {
  if (parts === null || parts.length === 0) return false;
  return !isList || parts.some(([, part]) => part.parts !== null);
}

function shorten(t: Translate, values: readonly PlainValue[]): readonly PlainValue[] {
  const text = textOf(values);
  if (text.length <= longestText) return values;
  return asText(
    t('softphone.customer.moreCharacters', { text: text.slice(0, longestText), count: text.length - longestText }),
  );
}

/** The values as they came, a line each. */
export function textOf(values: readonly PlainValue[]): string {
  return values.map(({ text }) => text).join('\n');
}

/** What a field is called that nobody has named: its path in words. */
export function fieldLabel(t: Translate, path: readonly string[]): string {
  return path.map((name) => labelOf(t, name)).join(' › ');
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
