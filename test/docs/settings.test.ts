import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../demo/cluster/program.ts';
import { variables } from '../../src/environment.ts';

describe('the table of settings', () => {
  it('has every environment variable that the gateway reads, once, and no other', () => {
    const [, settings = ''] =
      /^## Settings$([^]*?)^## /m.exec(readFileSync(join(root, 'docs/operating.md'), 'utf8')) ?? [];
    const names = [...settings.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(([, cell = '']) =>
      cell.replaceAll('`', '').split(', '),
    );
    expect(names.toSorted()).toEqual(Object.keys(variables.shape).toSorted());
  });
});
