import { type DoNotDialImport, maxRefusedRows } from '../../contract/doNotDial.ts';
import { maxListBytes } from '../../contract/dialingLimits.ts';
import type { ImportEncoding } from '../../contract/imports.ts';
import type { Principal } from '../../domain/access.ts';
import { type DialPattern, readPattern } from '../../domain/doNotDial.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { cellReader } from '../../domain/imports.ts';
import { csvLine, plainCell } from '../../domain/spreadsheetCells.ts';
import type { PhoneRules } from '../../domain/phones/phoneNumbers.ts';
import { FileRefused } from '../../ports/csvFiles.ts';
import type { DoNotDialEntry } from '../../ports/dialing.ts';
import { restBetweenPieces } from '../concurrency/slices.ts';
import { bareCell } from '../imports/cellTexts.ts';
import { byteOrderMark } from '../imports/rowsToMend.ts';
import { beginningOf, suggestMapping } from '../imports/suggestMapping.ts';
import { limitedBytes, refusalOfFile } from '../imports/uploadedFile.ts';
import type { Services } from '../services.ts';
import { addedBy, maxListed, tooManyNumbers } from './doNotDialList.ts';

/** Files that are read at once: one of a company, and so many in this process. Each holds 30 MB at most. */
const filesAtOnce = 4;
const longestNote = 200;
const pageSize = 1_000;

type File = { bytes: AsyncIterable<Buffer>; encoding: ImportEncoding | undefined };
type Needs = Pick<Services, 'clock' | 'doNotDial' | 'forget' | 'listFiles' | 'newId' | 'readCsvFile' | 'companyOf'>;

/**
 * Puts the numbers of a CSV file on the company's list: its column of phone numbers, and one of notes if there is one.
 * Rows without a number that can be read are told, the others are added; a file that cannot be read to its end adds
 * nothing. Refuses with `rate_limited`, before anything is read, while too many files are being read.
 */
export async function importDoNotDial(
  services: Needs,
  principal: Principal,
  file: File,
): Promise<Outcome<DoNotDialImport>> {
  const { companyId } = principal;
  const { listFiles } = services;
  if (listFiles.has(companyId) || listFiles.size >= filesAtOnce) {
    return refuse('rate_limited', 'A file of numbers is being read already. Send them one after the other.', {
      retryAfterSeconds: 5,
      limit: 1,
    });
  }
  listFiles.add(companyId);
  try {
    return await readAndAdd(services, principal, file);
  } catch (error) {
    if (error instanceof FileRefused) return refusalOfFile(error);
    throw error;
  } finally {
    listFiles.delete(companyId);
  }
}

async function readAndAdd(services: Needs, principal: Principal, file: File): Promise<Outcome<DoNotDialImport>> {
  const { companyId } = principal;
  const company = await services.companyOf(companyId);
  const { errors, known, notes, refused, rows } = await readNumbers(services, file, company);
  if (rows === 0) return refuse('invalid_request', 'The file has no rows.', { cause: { code: 'file_empty' } });
  if ((await services.doNotDial.count(companyId, maxListed)) + notes.size > maxListed) return tooManyNumbers;
  const common = { addedBy: addedBy(principal), createdAt: new Date(services.clock.now()) };
  const entries = Array.from(notes, ([pattern, note]): DoNotDialEntry => ({
    id: services.newId(),
    pattern,
    note,
    ...common,
  }));
  const added = await services.doNotDial.addMany(companyId, entries);
  if (!company.hasDoNotDial) services.forget(companyId);
  return ok({ added, known: known + entries.length - added, refused, errors });
}

type ReadFile = {
  /** The numbers, with what is noted of each. */
  notes: Map<DialPattern, string | null>;
  known: number;
  refused: number;
  errors: DoNotDialImport['errors'];
  rows: number;
};

async function readNumbers({ readCsvFile }: Needs, { bytes, encoding }: File, rules: PhoneRules): Promise<ReadFile> {
  const csv = readCsvFile(limitedBytes(bytes, maxListBytes), {
    encoding: encoding ?? null,
    delimiter: null,
    rest: restBetweenPieces(),
  });
  const read: ReadFile = { notes: new Map(), known: 0, refused: 0, errors: [], rows: 0 };
  let place: Places | null = null;
  for await (const { row, cells } of csv.rows) {
    read.rows += 1;
    if (place === null) {
      place = await placesOf(cells);
      if (place.isHeader) continue;
    }
    const written = bareCell(cells[place.number] ?? '');
    const pattern = readPattern(written, rules);
    if (pattern.kind === 'invalid') {
      read.refused += 1;
      if (read.errors.length < maxRefusedRows) read.errors.push({ row, message: pattern.detail, ...pattern.cause });
    } else if (read.notes.has(pattern.pattern)) read.known += 1;
    else read.notes.set(pattern.pattern, place.note === null ? null : (cells[place.note] ?? null));
  }
  const cellsOf = cellReader({ encoding: csv.encoding(), samples: csv.samples() });
  for (const [pattern, note] of read.notes) {
    if (note !== null) read.notes.set(pattern, noteOf(cellsOf([note]).join('')));
  }
  return read;
}

type Places = { isHeader: boolean; number: number; note: number | null };

/** In which columns number and note are: as the header names them, else the first and the second. */
async function placesOf(first: readonly string[]): Promise<Places> {
  const { isHeader } = beginningOf([first], []);
  const mapping = isHeader ? await suggestMapping(first, [], { fields: [], country: null }) : [];
  const columnOf = (field: string) => mapping.find((each) => each.field === field)?.column;
  const number = columnOf('phone') ?? 0;
  const note = columnOf('notes') ?? (mapping.length > 0 || first.length < 2 ? null : 1);
  return { isHeader, number, note };
}

/** One line of it, as long as a note can be; null: nothing is noted. */
function noteOf(cell: string): string | null {
  const line = plainCell(cell)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, longestNote).join('');
}

/** The company's whole list as CSV, a page at a time, so that importing it again changes nothing. */
export async function* exportDoNotDial(
  { agentCards, doNotDial }: Pick<Services, 'agentCards' | 'doNotDial'>,
  companyId: CompanyId,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(['number', 'note', 'added_at', 'added_by']);
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof doNotDial.list>> = await doNotDial.list(companyId, null, {
      cursor,
      limit: pageSize,
    });
    if (page === null) throw new Error('the list did not go on');
    const agents = await agentCards(companyId, [...new Set(page.items.flatMap((entry) => entry.addedBy ?? []))]);
    yield page.items
      .map((entry) =>
        csvLine([
          entry.pattern,
          entry.note,
          entry.createdAt.toISOString(),
          (entry.addedBy === null ? undefined : agents.get(entry.addedBy))?.agentCode ?? null,
        ]),
      )
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
