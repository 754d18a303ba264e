import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, plainCell, safeCell } from '../../src/domain/spreadsheetCells.ts';

/**
 * The cells of a line as a spreadsheet reads them that takes this for their separator: quotation marks count at the
 * start of a cell alone.
 */
function cellsIn(line: string, separator: string): string[] {
  const cells: string[] = [];
  for (let rest = line; ;) {
    const [quoted = '', inside = ''] = /^"((?:[^"]|"")*)"/.exec(rest) ?? [];
    const end = rest.slice(quoted.length).search(new RegExp(`[${separator === '|' ? '|' : separator}\\r\\n]`));
    const stop = end < 0 ? rest.length : quoted.length + end;
    cells.push(inside.replaceAll('""', '"') + rest.slice(quoted.length, stop));
    if (end < 0) return cells;
    rest = rest.slice(stop + 1);
  }
}

const formula = /^[=+\-@\t\r＝＋－＠]/;

describe('a cell that is written', () => {
  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠x',
    "'=1",
    "''=1",
    'Bob;=1+1;x',
    'Bob;"=1+1;x',
    'Bob|=1',
    'Bob\t=1',
    'Bob\n=1',
    'Bob\r\n=1',
    '"=1',
    'a,b',
    'say "hi"',
    ';;=',
    '+4930;+4940',
    'no formula',
    '',
    "O'Neil",
  ])('%j is no formula for any spreadsheet, and comes back as it was', (text) => {
    for (const separator of [',', ';', '\t', '|']) {
      for (const cell of cellsIn(csvLine(['first', text, 'last']), separator))
        expect(cell, separator).not.toMatch(formula);
    }
    expect(plainCell(safeCell(text))).toBe(text);
  });

  it('comes back as it was, and is no formula, whatever it is', () => {
    const text = fc
      .array(fc.constantFrom('=', '+', "'", '"', ';', '|', ',', '\n', '\r\n', '\t', 'a', ' ', '-', '＝'), {
        maxLength: 8,
      })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(text, (cell) => {
        expect(plainCell(safeCell(cell))).toBe(cell);
        for (const separator of [',', ';', '|']) {
          for (const one of cellsIn(csvLine(['x', cell, 'y']), separator)) expect(one).not.toMatch(/^[=+\-@＝]/);
        }
      }),
    );
  });

  it('keeps the lines and lists of a text as people read them', () => {
    expect(csvLine(['first line\r\nsecond, -not third', 'a-b; c=d'])).toBe(
      '"first line\r\nsecond, -not third","a-b; c=d"\r\n',
    );
  });
});
