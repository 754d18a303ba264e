import type { CallReport } from '../../contract/reports.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';

/**
 * In the order of the file: what came later is at the end,
 * so that whoever reads columns by their places finds them there.
 */
const columns = [
  'calls',
  'outbound',
  'inbound',
  'answered',
  'missed',
  'talk_seconds',
  'answer_seconds',
  'signed_in_seconds',
  'wrap_up_seconds',
  'occupancy',
  'hold_seconds',
  'mos',
  'transferred',
  'clicks_refused',
  'mos_median',
  'mos_worst',
  'conversations',
] as const;

/** The rows of the report as CSV, with a line for the total; without a byte order mark. */
export function reportAsCsv({ rows, total, group_by: by }: CallReport): string {
  const line = (key: string | null, name: string | null, row: Pick<CallReport['total'], (typeof columns)[number]>) =>
    csvLine([key, name, ...columns.map((column) => row[column]?.toString() ?? null)]);
  return [
    csvLine([by, 'name', ...columns]),
    ...rows.map((row) => line(row.key, row.name, row)),
    line('total', null, total),
  ].join('');
}
