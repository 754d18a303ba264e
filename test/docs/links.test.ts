import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';

const inFolder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
const pages = [
  ...readdirSync(root),
  ...inFolder('docs'),
  'packages/client/README.md',
  'packages/webhooks/README.md',
  'test/README.md',
  'test/interop/README.md',
  'test/support/exports/README.md',
].filter((file) => file.endsWith('.md'));
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const prose = (page: string) => read(page).replaceAll(/^```[^]*?^```$/gm, '');

/** As the web pages that show Markdown make them of a heading. */
function anchorOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

const anchorsOf = (page: string) =>
  [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe('the documentation', () => {
  it.each(pages)('%s links to pages and headings that are there', (page) => {
    const broken = [...prose(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].filter(
      ([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).includes(anchor));
      },
    );
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  // The changelog tells of what was there when it was written.
  it.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names files and folders that are there', (page) => {
    const named = [
      ...prose(page).matchAll(/`((?:src|web|demo|test|bench|scripts|packages|docs|prisma|deploy)\/[^\s`*…<]*)`/g),
    ];
    const missing = named.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)));
    // What the build makes is not there before it.
    expect(missing.filter((path) => !/^packages\/\w+\/dist\/|^web\/dist\//.test(path))).toEqual([]);
  });

  it('tells what each folder of tests is for', () => {
    const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(
      folders.filter(({ name }) => !read('CONTRIBUTING.md').includes(`\`test/${name}/\``)).map(({ name }) => name),
    ).toEqual([]);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])('%s names npm scripts that are there', (page) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(page).matchAll(/\bnpm (?:run ([a-z][a-z:]+)|(start|test)\b)/g)].map(
      ([, run, own = '']) => run ?? own,
    );
    expect(named.filter((script) => scripts[script] === undefined)).toEqual([]);
  });
});
