import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';

const guides = join(root, 'docs/guides');
const images = readdirSync(join(guides, 'images'));
const named = readdirSync(guides)
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) => [...readFileSync(join(guides, file), 'utf8').matchAll(/!\[([^\]]*)\]\(images\/([^)]+)\)/g)])
  .map(([, text = '', file = '']) => ({ text, file }));

// That their words and pictures are those of the pages is shown in test/browser/guides.full.test.ts.
describe('the pictures of the guides', () => {
  it('are those that are named', () => {
    expect(named.map(({ file }) => file).toSorted()).toEqual(images.toSorted());
  });

  it('are told of to those who cannot see them', () => {
    expect(named.filter(({ text }) => text.length < 10)).toEqual([]);
  });

  it('are small', () => {
    const bytes = images.reduce((sum, file) => sum + statSync(join(guides, 'images', file)).size, 0);
    expect(bytes).toBeLessThan(1_500_000);
  });
});
