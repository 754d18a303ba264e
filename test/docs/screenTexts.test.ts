import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';

const catalogs = join(root, 'web/src/locales/en');
const texts = readdirSync(catalogs).flatMap((file) =>
  wordsIn(JSON.parse(readFileSync(join(catalogs, file), 'utf8')) as object),
);

/** A text as documentation quotes it: without tags, and up to what differs from screen to screen. */
function wordsIn(node: object): string[] {
  return Object.values(node).flatMap((value: string | object) =>
    typeof value === 'string' ? [value.replaceAll(/<\/?\w+>/g, '')] : wordsIn(value),
  );
}

/** Whether a screen says so: as a whole text, or within a longer one. */
function isOnAScreen(quoted: string): boolean {
  return texts.some(
    (text) => text === quoted || text.startsWith(`${quoted}:`) || (quoted.includes(' ') && text.includes(quoted)),
  );
}

const markdown = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file));
const read = (page: string) => readFileSync(join(root, page), 'utf8').replaceAll(/\s+/g, ' ');

// That these words are seen on the very screens that a guide tells of is shown in test/browser/guides.full.test.ts.
describe('what the documentation quotes of the screens', () => {
  it.each(markdown('docs/guides'))('is said by one of them: what stands in bold in %s', (page) => {
    const bold = [...read(page).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
    expect(bold.length).toBeGreaterThan(0);
    expect(bold.filter((words) => !isOnAScreen(words))).toEqual([]);
  });

  it('is said by one of them: what the runbook and the pages for operators put between “ and ”', () => {
    const pages = [...markdown('docs'), ...markdown('docs/integrating')];
    const quotes = pages.flatMap((page) =>
      [...read(page).matchAll(/“([^”]+)”/g)].map(([, words = '']) => `${page}: ${words}`),
    );
    expect(quotes.length).toBeGreaterThan(0);
    expect(quotes.filter((quote) => !isOnAScreen(quote.slice(quote.indexOf(': ') + 2)))).toEqual([]);
  });
});

describe('the glossary', () => {
  const rows = [...readFileSync(join(root, 'docs/glossary.md'), 'utf8').matchAll(/^\| \*\*([^*]+)\*\*/gm)].map(
    ([, names = '']) => names,
  );
  const terms = rows.flatMap((names) => names.split(', '));

  it('has fewer than 40 words, each once, by the alphabet', () => {
    expect(terms.length).toBeGreaterThan(20);
    expect(terms.length).toBeLessThan(40);
    expect(new Set(terms).size).toBe(terms.length);
    expect(rows).toEqual(rows.toSorted((one, other) => one.localeCompare(other, 'en')));
  });

  it('has no word that neither the rest of the documentation nor the sources use', () => {
    const sources = (folder: string) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'))
        .map((file) => join(folder, file));
    const pages = [
      ...markdown('docs').filter((page) => page !== 'docs/glossary.md'),
      ...markdown('docs/guides'),
      ...markdown('docs/integrating'),
    ];
    const all = [...pages, ...sources('src'), ...sources('web/src')].map((file) => read(file).toLowerCase()).join('\n');
    // `call_id`, `callId` and `call id` are one word.
    const forms = (term: string) =>
      [term, term.replaceAll(/[ -]/g, '_'), term.replaceAll(/[ _-]/g, '')].map((form) => form.toLowerCase());
    expect(terms.filter((term) => !forms(term).some((form) => all.includes(form)))).toEqual([]);
  });
});
