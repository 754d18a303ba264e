import type { CompanyId, ImportId } from '../../domain/ids.ts';
import { toId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import type { Import } from '../../domain/imports.ts';
import type { Services } from '../services.ts';

const pageRows = 500;
/** By which spreadsheets see that it is UTF-8. */
export const byteOrderMark = '\ufeff';

/** The rows that were refused, as CSV, a page at a time: with their numbers and reasons before what the file had. */
export async function refusedRows({ imports }: Pick<Services, 'imports'>, companyId: CompanyId, id: string): Promise<Outcome<AsyncIterable<string>>> {
  const one = await imports.find(companyId, toId<ImportId>(id));
  if (one === null) return refuse('not_found', 'The company has no such import.');
  return ok(linesOf({ imports }, one));
}

async function* linesOf({ imports }: Pick<Services, 'imports'>, { companyId, id, firstRow, hasHeader }: Import): AsyncGenerator<string> {
  const headers = firstRow.map((header, column) => (hasHeader ? header : `column ${column + 1}`));
  yield byteOrderMark + csvLine(['row', 'reason', ...headers]);
  for (let after = hasHeader ? 1 : 0; ; ) {
    const rows = await imports.rows(companyId, id, after, pageRows, 'refused');
    for (const { row, reason, cells } of rows) {
      const column = reason?.column ?? null;
      const where = column === null ? '' : `${headers[column] ?? `column ${column + 1}`}: `;
      yield csvLine([String(row), `${where}${reason?.message ?? ''}`, ...cells]);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.row;
  }
}
