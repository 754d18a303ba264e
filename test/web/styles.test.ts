import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = join(root, 'web/src');
const mantine = join(root, 'node_modules/@mantine/core');
const area = join(pages, 'features/crm/CrmArea.tsx');
/** What belongs to a component, and stands nowhere by itself: the overlay of a Popover, a Radio as a card. */
const unused: Record<string, readonly string[]> = {
  Popover: ['Overlay'],
  Menu: ['Overlay'],
  Select: ['Overlay'],
  TagsInput: ['Overlay'],
  MultiSelect: ['Overlay'],
  Radio: ['RadioCard', 'RadioIndicator'],
  Checkbox: ['CheckboxCard'],
  RingProgress: ['Tooltip'],
};

type Source = { eager: string[]; lazy: string[]; components: string[]; styles: string[] };

/** What a file of the pages imports. */
function read(file: string): Source {
  const text = readFileSync(file, 'utf8');
  const own = (path: string) => resolve(dirname(file), path);
  const isCode = (path: string) => /^\..*\.tsx?$/.test(path);
  const imported = [...text.matchAll(/^(?:import|export) (?!type )(?:[^;']*? from )?'([^']+)';/gm)].map(
    ([, path]) => path!,
  );
  return {
    eager: imported.filter(isCode).map(own),
    lazy: [...text.matchAll(/import\('([^']+)'\)/g)]
      .map(([, path]) => path!)
      .filter(isCode)
      .map(own),
    components: [...text.matchAll(/^import \{([^}]*)\} from '@mantine\/core';/gm)]
      .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
      .filter((name) => /^[A-Z]/.test(name)),
    styles: imported.flatMap((path) => /^@mantine\/core\/styles\/(.*)\.css$/.exec(path)?.[1] ?? []),
  };
}

const sources = new Map<string, Source>();
function sourceOf(file: string): Source {
  const known = sources.get(file) ?? read(file);
  sources.set(file, known);
  return known;
}

/** Every file that comes with one. @param follow which imports lead on */
function reached(file: string, follow: (source: Source) => string[], found = new Set<string>()): Set<string> {
  if (!found.has(file)) {
    found.add(file);
    for (const next of follow(sourceOf(file))) reached(next, follow, found);
  }
  return found;
}
const stylesWith = (file: string) => [...reached(file, ({ eager }) => eager)].flatMap((one) => sourceOf(one).styles);

/** The styles of a component and of those that it is made of, by the files of Mantine. */
function stylesOf(component: string): string[] {
  const folder = ['', 'Typography']
    .map((inside) => join(mantine, 'esm/components', inside, component))
    .find((path) => existsSync(join(path, `${component}.mjs`)));
  if (folder === undefined) return [];
  const within = new Set<string>();
  const names = new Set<string>();
  const look = (file: string): void => {
    if (within.has(file) || !existsSync(file)) return;
    within.add(file);
    if (file.endsWith('.module.mjs')) names.add(basename(file, '.module.mjs'));
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
      look(resolve(dirname(file), path!));
  };
  look(join(folder, `${component}.mjs`));
  return [...names].filter(
    (name) => existsSync(join(mantine, 'styles', `${name}.css`)) && unused[component]?.includes(name) !== true,
  );
}

/** The components of a file whose styles nothing has loaded, with those. */
function unstyled(file: string, loaded: readonly string[]): string[] {
  const there = new Set([...loaded, ...stylesWith(file)]);
  return sourceOf(file).components.flatMap((component) =>
    stylesOf(component)
      .filter((name) => !there.has(name))
      .map((name) => `${file.slice(pages.length + 1)}: ${component} needs ${name}.css`),
  );
}

describe('the softphone page loads the styles of every component', () => {
  const main = join(pages, 'features/softphone/main.tsx');
  const all = ({ eager, lazy }: Source) => [...eager, ...lazy];
  const beside = [...reached(main, (source) => all(source).filter((file) => file !== area))];

  it('that it shows, whether or not the CRM area is there', () => {
    expect(stylesOf('Modal')).toEqual(expect.arrayContaining(['Modal', 'ModalBase', 'Overlay']));
    expect(beside.flatMap((file) => unstyled(file, stylesWith(main)))).toEqual([]);
  });

  it('that the CRM area shows', () => {
    const inside = [...reached(area, all)].filter((file) => !beside.includes(file));
    expect(inside.length).toBeGreaterThan(20);
    expect(inside.flatMap((file) => unstyled(file, [...stylesWith(main), ...stylesWith(area)]))).toEqual([]);
  });
});
