import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { consoleCauses, pageCauses, webhookCauses } from '../../../../src/contract/causes.ts';
import { demoSignatureReasons } from '../../../../src/contract/demo.ts';
import { errorCodes } from '../../../../src/contract/errors.ts';
import {
  defaultDispositions,
  languages,
  standardNotReadyReasons,
  systemReasons,
} from '../../../../src/contract/vocabulary.ts';

const folder = fileURLToPath(new URL('../../../../web/src/locales/', import.meta.url));
const areas = readdirSync(`${folder}en`);
const others = languages.filter((language) => language !== 'en');

describe('the catalogs of the pages', () => {
  it('are of every language that the pages speak, and of no other', () => {
    expect(readdirSync(folder).toSorted()).toEqual([...languages].toSorted());
    for (const language of languages) expect(readdirSync(`${folder}${language}`), language).toEqual(areas);
  });

  it.each(others)('have in %s every text that English has, and no other', (language) => {
    for (const area of areas)
      expect([...texts(language, area).keys()].toSorted(), area).toEqual([...texts('en', area).keys()].toSorted());
  });

  it.each(others)('put in %s the same parameters and tags into a text', (language) => {
    for (const area of areas) {
      const english = texts('en', area);
      for (const [key, text] of texts(language, area))
        expect([key, ...holes(text, language)]).toEqual([key, ...holes(english.get(key) ?? '', 'en')]);
    }
  });

  it.each(languages)(
    'name no tag in %s as HTML names an element without content: what stands in it would be lost',
    (language) => {
      for (const area of areas) {
        for (const [key, text] of texts(language, area)) {
          expect(text, `${area}.${key}`).not.toMatch(
            /<(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b/i,
          );
        }
      }
    },
  );

  it.each([
    ['what is wrong with a request', 'shared', 'cause', pageCauses],
    ['what is wrong with a connection or a webhook', 'admin', 'cause', { ...consoleCauses, ...webhookCauses }],
  ])(
    'have a text for every code with which the gateway says %s, and put in no other parameters than it tells',
    (_what, area, group, causes) => {
      const english = inGroup(area, group);
      expect([...english.keys()].toSorted()).toEqual(Object.keys(causes).toSorted());
      for (const [code, told] of Object.entries<readonly string[]>(causes)) {
        const used = holes(english.get(code) ?? '', 'en').map((hole) => hole.split(' ')[1]);
        expect(
          used.filter((name) => name === undefined || !told.includes(name)),
          code,
        ).toEqual([]);
      }
    },
  );

  it('have a text for every code of a refusal, every standard disposition and every reason of the gateway', () => {
    // Pages make no request that could be refused so; where one is all the same, it is told in the gateway’s words.
    const forPrograms = [
      'malformed_json',
      'invalid_api_key',
      'method_not_allowed',
      'idempotency_in_progress',
      'idempotency_mismatch',
      'unsupported_media_type',
    ];
    const refusals = inGroup('shared', 'problem');
    expect(Object.keys(errorCodes).filter((code) => !refusals.has(code))).toEqual(forPrograms);
    expect([...inGroup('demo', 'inspector.signature').keys()]).toEqual(demoSignatureReasons);
    expect([...inGroup('shared', 'disposition').keys()]).toEqual(defaultDispositions.map(({ code }) => code));
    expect([...inGroup('shared', 'reason').keys()].toSorted()).toEqual(
      [...standardNotReadyReasons, ...systemReasons].toSorted(),
    );
  });

  it.each(languages)('have no empty text in %s', (language) => {
    for (const area of areas) {
      for (const [key, text] of texts(language, area)) expect(text.trim(), `${area}.${key}`).not.toBe('');
    }
  });
});

/** The texts of a catalog by their keys: `call.hangUp`. */
function texts(language: string, area: string): Map<string, string> {
  const found = new Map<string, string>();
  const collect = (node: object, path: string): void => {
    for (const [name, value] of Object.entries(node) as [string, string | object][]) {
      if (typeof value === 'string') found.set(`${path}${name}`, value);
      else collect(value, `${path}${name}.`);
    }
  };
  collect(JSON.parse(readFileSync(`${folder}${language}/${area}`, 'utf8')) as object, '');
  return found;
}

/** The English texts of a group, such as `problem`, by their keys in it. */
function inGroup(area: string, group: string): Map<string, string> {
  const inArea = [...texts('en', `${area}.json`)].filter(([key]) => key.startsWith(`${group}.`));
  return new Map(inArea.map(([key, text]) => [key.slice(group.length + 1), text]));
}

/** What a text leaves open: parameters with their kind, and tags. Throws where it is no ICU message. */
function holes(text: string, language: string): string[] {
  const found = new Set<string>();
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(collect);
    else if (typeof node === 'object' && node !== null) {
      const { type, value, options, children } = node as {
        type: number;
        value?: string;
        options?: Record<string, { value: unknown }>;
        children?: unknown;
      };
      // 0 is plain text, 7 the # of a plural.
      if (type !== 0 && type !== 7) found.add(`${String(type)} ${value ?? ''}`);
      for (const option of Object.values(options ?? {})) collect(option.value);
      collect(children);
    }
  };
  collect(new IntlMessageFormat(text, language).getAst());
  return [...found].toSorted();
}
