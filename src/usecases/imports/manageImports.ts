import type {
  ImportPreview,
  ImportRowView,
  ImportView,
  ListRowsQuery,
  UpdateImportRequest,
} from '../../contract/imports.ts';
import { beginsFrom, cellReader, type Import, noCounts, startOf, type WorkState } from '../../domain/imports.ts';
import { toId, type CompanyId } from '../../domain/ids.ts';
import { isPhoneCountry } from '../../domain/phones/phoneNumbers.ts';
import { ok, type Outcome, refuse, type Refused } from '../../domain/outcome.ts';
import type { Services } from '../services.ts';
import { importView, previewView, readings, rowView } from './importViews.ts';
import { judgeBatch, type JudgeNeeds, readBatch } from './judgeBatch.ts';
import { readingPlanOf } from './readingPlan.ts';
import { sampleRows, suggestedOf } from './suggestMapping.ts';

type Needs = Pick<Services, 'clock' | 'imports'>;

const noSuchImport = refuse('not_found', 'The company has no such import.');
const previewRows = 20;

function inState({ state }: Import): Refused {
  return refuse('conflict', `The import is ${state}: that is not possible now.`, {
    cause: { code: 'import_state', params: { state } },
  });
}

async function find({ imports }: Pick<Services, 'imports'>, companyId: CompanyId, id: string): Promise<Import | null> {
  const found = await imports.find(companyId, toId(id));
  return found === null || found.state === 'uploading' ? null : found;
}

/** The company's imports, the latest first. */
export async function listImports(
  { imports }: Needs,
  companyId: CompanyId,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ imports: ImportView[]; next_cursor: string | null }> {
  const listed = await imports.list(companyId, { cursor: cursor ?? null, limit });
  return { imports: listed.items.map(importView), next_cursor: listed.nextCursor };
}

/** One import, with how far it is. */
export async function readImport(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<ImportView>> {
  const found = await find(services, companyId, id);
  return found === null ? noSuchImport : ok(importView(found));
}

/** Says what the columns of an import are. A check that was made before counts no more. */
export async function updateImport(
  services: Needs & Pick<Services, 'contacts' | 'companyOf'>,
  companyId: CompanyId,
  id: string,
  body: UpdateImportRequest,
  expected: number | null,
): Promise<Outcome<ImportView>> {
  const before = await find(services, companyId, id);
  if (before === null) return noSuchImport;
  const changed = refuse('conflict', 'The import was changed meanwhile.', {
    cause: { code: 'changed_meanwhile', params: { version: before.version } },
  });
  if (expected !== null && expected !== before.version) return changed;
  if (before.state !== 'ready' && before.state !== 'checked') return inState(before);
  const fields = new Set((await services.contacts.fields(companyId)).map(({ key }) => `fields.${key}`));
  const unknown = body.mapping?.findIndex(({ field }) => field.startsWith('fields.') && !fields.has(field)) ?? -1;
  if (unknown >= 0) {
    return refuse('invalid_request', 'The company has no such field.', {
      errors: [{ path: `mapping[${unknown}].field`, message: 'is not a known field', code: 'unknown_field' }],
    });
  }
  if (body.default_country != null && !isPhoneCountry(body.default_country)) {
    return refuse('invalid_request', 'There is no such country.', {
      errors: [
        { path: 'default_country', message: 'must be an ISO 3166-1 alpha-2 code such as "DE"', code: 'not_a_country' },
      ],
    });
  }
  const choices = readings(before).map(({ encoding }) => encoding);
  if (body.encoding !== undefined && body.encoding !== before.encoding && !choices.includes(body.encoding)) {
    const message =
      choices.length === 0 ? 'is told from the file, which is in Unicode' : `must be one of ${choices.join(', ')}`;
    return refuse('invalid_request', 'The file cannot be read so.', {
      errors: [{ path: 'encoding', message, code: 'unknown_choice', params: { choices: choices.join(', ') } }],
    });
  }
  const {
    encoding = before.encoding,
    has_header: hasHeader = before.hasHeader,
    default_country: defaultCountry = before.defaultCountry,
  } = body;
  const mapping = body.mapping ?? (await mappingIn(services, before, encoding));
  const after: Import = {
    ...before,
    encoding,
    mapping,
    hasHeader,
    defaultCountry,
    state: 'ready',
    counts: noCounts,
    version: before.version + 1,
    failures: 0,
    updatedAt: new Date(services.clock.now()),
  };
  return (await services.imports.update(after, null)) ? ok(importView(after)) : changed;
}

/** What was suggested of headers that could not be read is suggested anew; what somebody chose stays. */
async function mappingIn(
  services: Needs & Pick<Services, 'contacts' | 'companyOf'>,
  before: Import,
  encoding: Import['encoding'],
): Promise<Import['mapping']> {
  if (encoding === before.encoding) return before.mapping;
  const rows = await services.imports.rows(before.companyId, before.id, startOf(before), sampleRows);
  const [former, now] = await Promise.all(
    [before, { ...before, encoding }].map((one) => suggestedOf(services, one, rows)),
  );
  return JSON.stringify(former) === JSON.stringify(before.mapping) ? (now ?? []) : before.mapping;
}

/** The first rows, and what would become of each. */
export async function previewImport(
  services: Needs & JudgeNeeds,
  companyId: CompanyId,
  id: string,
): Promise<Outcome<ImportPreview>> {
  const found = await find(services, companyId, id);
  if (found === null) return noSuchImport;
  const rows = await services.imports.rows(companyId, found.id, startOf(found), previewRows);
  // Of no pass: no earlier row counts.
  const read = await readBatch(found, await readingPlanOf(services, found), rows);
  const judged = await judgeBatch(services, { ...found, pass: 0 }, read);
  const cellsOf = cellReader(found);
  return ok({
    rows: judged.rows.flatMap((each, at) =>
      rows[at] === undefined ? [] : [previewView({ ...rows[at], cells: cellsOf(rows[at].cells) }, each)],
    ),
  });
}

/** Begins a check, a run or the undoing; any gateway does it. A run that was ended goes on where it was. */
export async function beginWork(
  services: Needs & Pick<Services, 'wakeImporter'>,
  companyId: CompanyId,
  id: string,
  work: WorkState,
): Promise<Outcome<ImportView>> {
  const before = await find(services, companyId, id);
  if (before === null) return noSuchImport;
  const from: readonly Import['state'][] = beginsFrom[work];
  if (!from.includes(before.state)) return inState(before);
  if (work !== 'undoing' && before.mapping.length === 0)
    return refuse('conflict', 'No column is mapped to a field.', { cause: { code: 'nothing_mapped' } });
  const goesOn = work === 'running' && (before.state === 'canceled' || before.state === 'failed');
  const at = new Date(services.clock.now());
  const begun = { ...before, state: work, version: before.version + 1, failures: 0, updatedAt: at, finishedAt: null };
  const after: Import = goesOn
    ? begun
    : {
        ...begun,
        position: work === 'undoing' ? 0 : startOf(before),
        pass: before.pass + 1,
        counts: work === 'undoing' ? before.counts : noCounts,
      };
  if (!(await services.imports.update(after, at))) {
    return refuse('conflict', 'The import was changed meanwhile.', {
      cause: { code: 'changed_meanwhile', params: { version: before.version } },
    });
  }
  services.wakeImporter();
  return ok(importView(after));
}

/** Ends a check or a run after the batch that is being written. What is done stays. */
export async function cancelImport(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<ImportView>> {
  const canceled = await services.imports.cancel(companyId, toId(id), new Date(services.clock.now()));
  if (canceled !== null) return ok(importView(canceled));
  const found = await find(services, companyId, id);
  return found === null ? noSuchImport : inState(found);
}

/** Forgets an import and its rows; contacts stay. */
export async function removeImport(services: Needs, companyId: CompanyId, id: string): Promise<Outcome<null>> {
  const found = await find(services, companyId, id);
  if (found === null) return noSuchImport;
  return (await services.imports.remove(companyId, found.id)) ? ok(null) : inState(found);
}

/** Rows of an import with what became of them, in their order. */
export async function listRows(
  services: Needs,
  companyId: CompanyId,
  id: string,
  { after, limit, outcome, with_remarks }: ListRowsQuery,
): Promise<Outcome<{ rows: ImportRowView[]; next_after: number | null }>> {
  const found = await find(services, companyId, id);
  if (found === null) return noSuchImport;
  const rows = await services.imports.rows(
    companyId,
    found.id,
    Math.max(after, startOf(found)),
    limit + 1,
    with_remarks === undefined ? outcome : 'with_remarks',
  );
  const [page, cellsOf] = [rows.slice(0, limit), cellReader(found)];
  return ok({
    rows: page.map((row) => rowView(row, cellsOf)),
    next_after: rows.length > limit ? (page.at(-1)?.row ?? null) : null,
  });
}
