import { median, ratios } from '../measure/statistics.ts';
import { isMet, type Goal, type Row } from './rows.ts';

const head = ['', 'Readyline', 'bare stack', 'ratio', 'lowest to highest', 'goal'];

/** Markdown: one line per figure, medians over the repetitions; the ratio is the median of the pairs' ratios. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [head, head.map((_, column) => (column === 0 ? '---' : '---:')), ...rows.map(cellsOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function cellsOf({ what, unit, readyline, bare, goal }: Row): string[] {
  const own = `${rounded(median(readyline))} ${unit}`;
  if (bare === null) return [what, own, '–', '–', rangeOf(readyline), goalOf(goal, median(readyline))];
  const pairs = ratios(readyline, bare);
  const ratio = median(pairs);
  return [what, own, `${rounded(median(bare))} ${unit}`, `**${rounded(ratio)}**`, rangeOf(pairs), goalOf(goal, ratio)];
}

function rangeOf(values: readonly number[]): string {
  return `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}`;
}

function goalOf(goal: Goal | null, value: number): string {
  if (goal === null) return '';
  const demanded = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return `${demanded}: ${isMet(goal, value) ? 'met' : '**missed**'}`;
}

/** Three digits that mean something; large numbers in groups. */
export function rounded(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  const size = Math.abs(value);
  const few = size >= 10 ? 1 : 2;
  const decimals = size >= 100 ? 0 : few;
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
