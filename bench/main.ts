import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../demo/cluster/program.ts';
import { CommandError, runCommand } from '../demo/commandLine.ts';
import { cases } from './cases/cases.ts';
import { describeMachine, machineLine, quietLoad } from './measure/machine.ts';
import { fullPlan, type Plan, quickPlan } from './plan.ts';
import { writeSections } from './report/document.ts';
import type { CaseResult } from './report/rows.ts';
import { tableOf } from './report/table.ts';
import { openRoom, withCaseRoom } from './room/room.ts';
import { countingStatements } from './trace/statements.ts';
import { traceCalls } from './trace/traceCalls.ts';

const names = cases.map(({ name }) => name);
const usage = `usage: npm run bench -- [case …] [--quick] [--busy] [--report <file.md>]
       npm run bench -- --trace [--quick] [--report <file.md>]

Measures Readyline beside a bare stack that does the unavoidable minimum, in turn, on a PostgreSQL and a Redis of its
own. Needs Linux, redis-server 7 and, for recovery, haproxy. Cases: ${names.join(', ')}; all of them by default.

  --quick   a short run that shows that everything works; its figures mean nothing
  --busy    measures though the machine does something else (a load above 0.5): that flatters the stack that needs more,
            and is said under the tables
  --trace   measures nothing: takes one call apart into statements, commands, frames and system calls (by strace)
  --report  where the tables go; docs/performance.md by default, nowhere with --quick

Every single value goes to data/bench/<time>.json.`;

runCommand(usage, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      busy: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      report: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new CommandError(`There is no case "${unknown}". Cases: ${names.join(', ')}.`);
  if (process.platform !== 'linux') throw new CommandError('The benchmark reads /proc and so runs on Linux only.');
  const report = values.report ?? (values.quick ? null : join(root, 'docs/performance.md'));
  const plan = values.quick ? quickPlan : fullPlan;
  if (values.trace) return trace(plan, report);
  if (!values.quick && !values.busy) refuseWhileBusy();
  const chosen = positionals.length === 0 ? cases : cases.filter(({ name }) => positionals.includes(name));
  await bench(chosen, values.quick, report);
});

/** Other work slows the smaller stack more than the larger one, and so hides what that costs. */
function refuseWhileBusy(): void {
  const [load = 0] = loadavg();
  if (load > quietLoad) {
    throw new CommandError(
      `The machine does something else: its load was ${load.toFixed(2)} ` +
        `in the last minute, and at most ${String(quietLoad)} is quiet. ` +
        'Wait, or measure all the same with --busy.',
    );
  }
}

async function bench(chosen: typeof cases, quick: boolean, report: string | null): Promise<void> {
  const room = await openRoom((line) => console.log(line));
  process.once('beforeExit', endedTooEarly);
  try {
    const machine = await describeMachine(room.databaseUrl, room.redisUrl);
    const results: CaseResult[] = [];
    const raw = join(root, 'data/bench', `${machine.at.replaceAll(':', '-')}.json`);
    await mkdir(join(root, 'data/bench'), { recursive: true });
    for (const { name, run } of chosen) {
      console.log(`\n${name} …`);
      const rows = await withCaseRoom(room, (caseRoom) => run(caseRoom, quick ? quickPlan : fullPlan));
      console.log(tableOf(rows));
      results.push({ name, rows });
      // At once: what was measured must not be lost because a later case fails.
      if (report !== null)
        await writeSections(report, new Map([[name, `${tableOf(rows)}\n\n${machineLine(machine)}`]]));
      await writeFile(raw, JSON.stringify({ machine, quick, results }, null, 2));
    }
    console.log(`\n${machineLine(machine)}\nEvery value: ${raw}`);
  } finally {
    await room.close();
    process.off('beforeExit', endedTooEarly);
  }
}

/** Counts do not depend on what else the machine does. */
async function trace(plan: Plan, report: string | null): Promise<void> {
  const room = await openRoom((line) => console.log(line), countingStatements);
  try {
    const machine = await describeMachine(room.databaseUrl, room.redisUrl);
    const table = await withCaseRoom(room, (caseRoom) => traceCalls(caseRoom, plan));
    console.log(table);
    if (report !== null) await writeSections(report, new Map([['trace', `${table}\n\n${machineLine(machine)}`]]));
  } finally {
    await room.close();
  }
}

/** Nothing is left to wait for, and yet it is not finished: that must not look like success. */
function endedTooEarly(): void {
  console.error('The benchmark ended before it was finished.');
  process.exitCode = 1;
}
