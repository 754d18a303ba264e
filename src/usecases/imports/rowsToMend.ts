import type { CompanyId, ImportId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import { cellReader, type Import, type RowReason, startOf } from '../../domain/imports.ts';
import type { Services } from '../services.ts';

const pageRows = 500;
/** By which spreadsheets see that it is UTF-8. */
export const byteOrderMark = '\ufeff';

/** Rows to mend: those that were refused, or those that came in with remarks. */
type ToMend = 'refused' | 'with_remarks';

/** Rows to mend as CSV, a page at a time: with their numbers and why before what the file had. */
export async function rowsToMend(
  { imports }: Pick<Services, 'imports'>,
  companyId: CompanyId,
  id: string,
  which: ToMend,
): Promise<Outcome<AsyncIterable<string>>> {
  const one = await imports.find(companyId, toId<ImportId>(id));
  if (one === null) return refuse('not_found', 'The company has no such import.');
  return ok(linesOf({ imports }, one, which));
}

async function* linesOf({ imports }: Pick<Services, 'imports'>, one: Import, which: ToMend): AsyncGenerator<string> {
  const { companyId, id, firstRow, hasHeader } = one;
  const cellsOf = cellReader(one);
  const headers = cellsOf(firstRow).map((header, column) => (hasHeader ? header : `column ${column + 1}`));
  yield byteOrderMark + csvLine(['row', 'reason', ...headers]);
  for (let after = startOf(one); ;) {
    const rows = await imports.rows(companyId, id, after, pageRows, which);
    for (const { row, reason, remarks, cells } of rows) {
      const why = (which === 'refused' ? [reason] : (remarks ?? [])).flatMap((each) =>
        each === null ? [] : [saidOf(each, headers)],
      );
      yield csvLine([String(row), why.join('; '), ...cellsOf(cells)]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.row;
  }
}

function saidOf({ column, message }: RowReason, headers: readonly string[]): string {
  return column === null ? message : `${headers[column] ?? `column ${column + 1}`}: ${message}`;
}
