import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startProgram } from '../../demo/cluster/program.ts';
import { median, percentile, ratios } from '../../bench/measure/statistics.ts';
import { writeSections } from '../../bench/report/document.ts';
import { wholePatienceMs } from '../support/time/pace.ts';
import { tableOf } from '../../bench/report/table.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'readyline-bench-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

// Those with many softphones need a machine of their own, even for a short run.
const cases = [
  'lookup',
  'push',
  'crmIsolation',
  'claims',
  'search',
  'longLists',
  'imports',
  'hostileNeighbour',
  'webhooks',
];

describe('npm run bench', () => {
  let text = '';

  // All of them by one run, as it is for everybody: servers and customers are there once.
  beforeAll(async () => {
    const report = join(directory, 'report.md');
    const bench = startProgram(process.execPath, [
      'scripts/run.mjs',
      'bench/main.ts',
      ...cases,
      '--quick',
      '--report',
      report,
    ]);
    const { code, stdout, stderr } = await bench.ended;
    if (code !== 0 || stderr !== '') throw new Error(`it ended with ${code}:\n${stdout}\n${stderr}`);
    text = await readFile(report, 'utf8');
  }, cases.length * wholePatienceMs());

  it.each(cases)('measures %s from end to end and writes its table', (name) => {
    const [, table = ''] =
      new RegExp(`^<!-- measured: ${name} -->\\n\\n([^]*?)\\n\\n<!-- end of ${name} -->$`, 'm').exec(text) ?? [];
    expect(table, text).toMatch(/^\| +\| +Readyline \| +bare stack \|/);
    // Figures, not the text of something that was never measured.
    expect(table).not.toMatch(/NaN|undefined/);
    expect(table).toMatch(/Measured \d{4}-\d\d-\d\d at .* on \d+ cores of .*Node\.js .*PostgreSQL .*Redis /);
  });

  it('refuses a case that there is not', async () => {
    const bench = startProgram(process.execPath, ['scripts/run.mjs', 'bench/main.ts', 'coffee']);
    const { code, stderr } = await bench.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no case "coffee"\. Cases: lookup, /);
  });
});

describe('the figures', () => {
  it('take the middle of what was measured', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(percentile([10, 20, 30, 40, 50], 99)).toBeCloseTo(49.6);
    expect(percentile([], 50)).toBeNaN();
  });

  it('compare what was measured side by side', () => {
    expect(ratios([2, 6], [4, 2])).toEqual([0.5, 3]);
  });

  it('say whether the goal was met', () => {
    const row = { what: 'lookup', unit: 'requests/s', readyline: [900, 800, 700], bare: [1_000, 1_000, 1_000] };
    expect(tableOf([{ ...row, goal: { atLeast: 0.8 } }])).toMatch(
      /\| lookup \| 800 requests\/s \| 1,000 requests\/s \| \*\*0\.80\*\* \| 0\.70 to 0\.90 \| ≥ 0\.8: met \|$/,
    );
    expect(tableOf([{ ...row, goal: { atMost: 0.5 } }])).toMatch(/≤ 0\.5: \*\*missed\*\* \|$/);
    expect(tableOf([{ ...row, bare: null, goal: null }])).toMatch(
      /\| lookup \| 800 requests\/s \| – \| – \| 700 to 900 \| {2}\|$/,
    );
  });
});

describe('the document', () => {
  it('keeps what is written by hand around the tables', async () => {
    const file = join(directory, 'performance.md');
    await writeFile(file, '# By hand\n\n<!-- measured: a -->\nold\n<!-- end of a -->\n\nMore by hand.\n');
    await writeSections(
      file,
      new Map([
        ['a', 'new'],
        ['b', 'added'],
      ]),
    );
    await writeSections(file, new Map([['b', 'changed']]));
    expect(await readFile(file, 'utf8')).toBe(
      '# By hand\n\n<!-- measured: a -->\n\nnew\n\n<!-- end of a -->\n\nMore by hand.\n\n' +
        '<!-- measured: b -->\n\nchanged\n\n<!-- end of b -->\n',
    );
  });
});
