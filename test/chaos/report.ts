import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../demo/cluster/program.ts';
import type { Finding } from './invariants/finding.ts';
import type { Deed } from './ledger.ts';

/** Not kept in the repository. */
const directory = join(root, 'data', 'chaos');
/** More of one kind say nothing new. */
const mostLines = 8;

/** `said`: the latest of what each gateway's running process has logged. */
export type Report = {
  scenario: string;
  seconds: number;
  deeds: readonly Deed[];
  findings: readonly Finding[];
  said: Readonly<Record<string, string[]>>;
};

/** Writes the report as JSON; returns where. */
export function keepReport(report: Report): string {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `${report.scenario.replaceAll(/[^a-z0-9]+/gi, '-').toLowerCase()}.json`);
  writeFileSync(file, JSON.stringify(report, null, 2));
  return file;
}

/** The ledger for humans: what was done, what was counted, and what was broken. */
export function tableOf({ scenario, seconds, deeds, findings }: Report): string {
  const lines = [`\n== ${scenario} (${seconds} s)`];
  for (const { at, what } of deeds) lines.push(`   ${(at / 1000).toFixed(1).padStart(6)} s  ${what}`);
  for (const { invariant, figures, violations } of findings) {
    const counted = Object.entries(figures)
      .map(([name, figure]) => `${name} ${figure}`)
      .join(', ');
    lines.push(`${violations.length === 0 ? 'kept  ' : 'BROKEN'} ${invariant}: ${counted}`);
    for (const violation of violations.slice(0, mostLines)) lines.push(`       ! ${violation}`);
    if (violations.length > mostLines) lines.push(`       ! and ${violations.length - mostLines} more`);
  }
  return lines.join('\n');
}
