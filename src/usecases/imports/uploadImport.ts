import { createHash } from 'node:crypto';
import { type ImportView, maxFileBytes, type UploadQuery } from '../../contract/imports.ts';
import type { Principal } from '../../domain/access.ts';
import { cellReader, type Import, noCounts, type RawRow } from '../../domain/imports.ts';
import { toId, type ImportId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { FileRefused, maxRows, tooManyRows } from '../../ports/csvFiles.ts';
import { type Created, createOnce, keyTakenOver, type Remember } from '../concurrency/createOnce.ts';
import type { KeyNeeds } from '../concurrency/idempotencyKey.ts';
import { restBetweenPieces } from '../concurrency/slices.ts';
import type { Services } from '../services.ts';
import { importView } from './importViews.ts';
import { beginningOf, sampleRows, suggestedOf } from './suggestMapping.ts';
import { limitedBytes, refusalOfFile } from './uploadedFile.ts';

/** Imports of a company that are not over. */
const maxOpen = 20;
/** Rows written together, and their cells together. Characters. */
const batchRows = 500;
const batchLength = 500_000;

type Needs = Pick<Services, 'clock' | 'contacts' | 'imports' | 'newId' | 'readCsvFile' | 'companyOf'>;
type Admin = Extract<Principal, { kind: 'agent' }>;

/** A new import of nothing yet. */
export function newImport(
  { clock, newId }: Pick<Services, 'clock' | 'newId'>,
  { companyId, agentId }: Admin,
  fileName: string,
): Import {
  const at = new Date(clock.now());
  return {
    companyId,
    id: toId<ImportId>(newId()),
    state: 'uploading',
    source: 'file',
    fileName,
    agentId,
    delimiter: ',',
    encoding: 'utf-8',
    samples: null,
    hasHeader: false,
    firstRowNumber: 1,
    firstRow: [],
    mapping: [],
    defaultCountry: null,
    rowCount: 0,
    position: 0,
    pass: 0,
    counts: noCounts,
    version: 1,
    failures: 0,
    createdAt: at,
    updatedAt: at,
    finishedAt: null,
  };
}

export const tooManyImports = refuse(
  'conflict',
  `The company has ${maxOpen} imports that were not run. Run or remove one.`,
  { cause: { code: 'too_many_imports', params: { max: maxOpen } } },
);
/** Makes the import where the company has room for one more. */
export function makeImport({ imports }: Pick<Services, 'imports'>, one: Import): Promise<boolean> {
  return imports.create(one, maxOpen);
}

/**
 * Takes a CSV file as it arrives, with bounded memory, and keeps its rows until they are mapped and run.
 * Delimiter, encoding and header are told from the file. A file that cannot be read to its end is refused,
 * and nothing of it is kept.
 * @param idempotencyKey the first answer under this key is given again for 24 h to the same file;
 * what the file is, is known at its end
 */
export async function uploadImport(
  services: Needs & KeyNeeds,
  principal: Admin,
  bytes: AsyncIterable<Buffer>,
  query: UploadQuery,
  idempotencyKey: string | null,
): Promise<Outcome<Created<ImportView>>> {
  const { delimiter, encoding, file_name } = query;
  const one = newImport(services, principal, file_name);
  const hasRoom = await makeImport(services, one);
  if (!hasRoom && idempotencyKey === null) return tooManyImports;
  const digest = createHash('sha256');
  let isKept = false;
  try {
    const csv = services.readCsvFile(
      limitedBytes(bytes, maxFileBytes, (chunk) => digest.update(chunk)),
      {
        encoding: encoding ?? null,
        delimiter: delimiter === 'tab' ? '\t' : (delimiter ?? null),
        rest: restBetweenPieces(),
      },
    );
    const { rowCount, sample } = await keepRows(services, hasRoom ? one : null, csv.rows);
    const read = { ...one, rowCount, delimiter: csv.delimiter(), encoding: csv.encoding(), samples: csv.samples() };
    const made = await createOnce(
      services,
      principal,
      { path: '/api/crm/imports', body: { ...query, sha256: digest.digest('hex') }, idempotencyKey },
      async (remember) => (hasRoom ? finish(services, read, sample, remember) : tooManyImports),
    );
    isKept = made.kind === 'ok' && !made.value.replayed;
    return made;
  } catch (error) {
    if (error instanceof FileRefused) return refusalOfFile(error);
    throw error;
  } finally {
    if (hasRoom && !isKept) await services.imports.remove(one.companyId, one.id);
  }
}

/** @param one null: there is no room for it, and the file is only read */
async function keepRows(
  { imports }: Needs,
  one: Import | null,
  rows: AsyncIterable<RawRow>,
): Promise<{ rowCount: number; sample: RawRow[] }> {
  let [rowCount, length, sampled] = [0, 0, 0];
  let batch: RawRow[] = [];
  const sample: RawRow[] = [];
  const write = async () => {
    if (one !== null && batch.length > 0 && !(await imports.addRows(one.companyId, one.id, batch)))
      throw new Error('the import is gone');
    [batch, length] = [[], 0];
  };
  for await (const row of rows) {
    rowCount += 1;
    if (rowCount > maxRows + sampleRows) throw tooManyRows();
    const rowLength = row.cells.reduce((sum, cell) => sum + cell.length + 8, 0);
    if (sample.length < sampleRows && sampled < batchLength) {
      sample.push(row);
      sampled += rowLength;
    }
    batch.push(row);
    length += rowLength;
    if (batch.length === batchRows || length >= batchLength) await write();
  }
  await write();
  return { rowCount, sample };
}

async function finish(
  services: Needs,
  one: Import,
  sample: RawRow[],
  remember: Remember | undefined,
): Promise<Outcome<ImportView>> {
  const { clock, contacts, imports } = services;
  const cellsOf = cellReader(one);
  const { at, isHeader } = beginningOf(
    sample.map(({ cells }) => cellsOf(cells)),
    await contacts.fields(one.companyId),
  );
  const rows = sample.slice(at);
  const [first] = rows;
  if (first === undefined) return refuse('invalid_request', 'The file has no rows.', { cause: { code: 'file_empty' } });
  const rowCount = one.rowCount - at;
  if (rowCount - (isHeader ? 1 : 0) > maxRows) return refusalOfFile(tooManyRows());
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const firstRow = Array.from({ length: width }, (_, column) => first.cells[column] ?? '');
  const read: Import = { ...one, rowCount, hasHeader: isHeader, firstRowNumber: first.row, firstRow };
  const mapping = await suggestedOf(services, read, isHeader ? rows.slice(1) : rows);
  const ready: Import = {
    ...read,
    state: 'ready',
    mapping,
    version: one.version + 1,
    updatedAt: new Date(clock.now()),
  };
  const view = importView(ready);
  if (await imports.update(ready, null, remember === undefined ? undefined : { ...remember, body: view }))
    return ok(view);
  if (remember !== undefined) return keyTakenOver;
  throw new Error('the import is gone');
}
