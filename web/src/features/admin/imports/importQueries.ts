import { keepPreviousData, queryOptions, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type {
  ImportPreview,
  ImportRowView,
  ImportState,
  ImportView,
  RowOutcome,
  UpdateImportRequest,
} from '../../../../../src/contract/imports.ts';
import { api } from '../../../lib/gateway/api.ts';
import { useAction } from '../../../lib/gateway/useAction.ts';
import { pagedQuery } from '../../../shared/list/pagedQuery.ts';

export const importsPath = '/api/crm/imports';
const pageSize = 20;
const rowsPageSize = 50;
/** How often an import under way is asked for. Milliseconds. */
const pollMs = 1_000;

/** Whether a gateway is at work on it. */
export function isUnderWay({ state }: { state: ImportState }): boolean {
  return state === 'checking' || state === 'running' || state === 'undoing';
}

/** Whether its counts are of a check alone, which may have been ended before its end. */
export function wasNotRun({ state }: { state: ImportState }): boolean {
  return state === 'ready' || state === 'checking' || state === 'checked';
}

/** The company's imports, the latest first, page by page. */
export const importsQuery = pagedQuery({
  queryKey: ['imports', 'list'],
  path: importsPath,
  query: { limit: pageSize },
  entries: (page: { imports: ImportView[]; next_cursor: string | null }) => page.imports,
  refetchInterval: ({ state: { data } }) =>
    data?.pages.some(({ imports }) => imports.some(isUnderWay)) ? pollMs : false,
});

/** One import, read again as long as a gateway is at work on it. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => api.get<ImportView>(`${importsPath}/${id}`, {}, signal),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnderWay(data) ? pollMs : false),
  });

/** How its first rows would be read. @param version of the import: another one is read in another way */
export const previewQuery = ({ id, version }: Pick<ImportView, 'id' | 'version'>) =>
  queryOptions({
    queryKey: ['imports', 'preview', id, version],
    queryFn: async ({ signal }) => (await api.get<ImportPreview>(`${importsPath}/${id}/preview`, {}, signal)).rows,
    placeholderData: keepPreviousData,
  });

/** Rows with one outcome, or with remarks. */
export type WhichRows = RowOutcome | 'with_remarks';

/** Some rows of an import, page by page. @param version as in previewQuery */
export const rowsQuery = ({ id, version }: Pick<ImportView, 'id' | 'version'>, which: WhichRows) =>
  pagedQuery({
    queryKey: ['imports', 'rows', id, version, which],
    path: `${importsPath}/${id}/rows`,
    place: 'after',
    query: { ...(which === 'with_remarks' ? { with_remarks: 'true' } : { outcome: which }), limit: rowsPageSize },
    entries: (page: { rows: ImportRowView[]; next_after: number | null }) => page.rows,
  });

/** Says how the file of an import is to be read. Where it was changed meanwhile, it is read anew. */
export function useChangeImport() {
  const queries = useQueryClient();
  return useAction(({ id, ...change }: UpdateImportRequest & { id: string }) =>
    kept(queries, id, api.patch<ImportView>(`${importsPath}/${id}`, change)),
  );
}

export type Step = 'check' | 'run' | 'cancel' | 'undo';

/** Checks, runs, ends or takes back an import. */
export function useImportStep() {
  const queries = useQueryClient();
  return useAction(({ id, step }: { id: string; step: Step }) => {
    const isRun = step === 'check' || step === 'run';
    return kept(
      queries,
      id,
      api.post<ImportView>(
        `${importsPath}/${id}/${isRun ? 'runs' : step}`,
        isRun ? { dry_run: step === 'check' } : undefined,
      ),
    );
  });
}

/** Makes contacts of what a CRM has pushed. */
export function useImportPushed() {
  const queries = useQueryClient();
  return useAction(async () => {
    const made = await api.post<ImportView>(`${importsPath}/from-cache`);
    await queries.invalidateQueries({ queryKey: importsQuery.queryKey });
    return made;
  });
}

/** Forgets an import and its rows. */
export function useRemoveImport() {
  const queries = useQueryClient();
  return useAction(async (id: string) => {
    await api.delete(`${importsPath}/${id}`);
    queries.removeQueries({ queryKey: importQuery(id).queryKey });
    await queries.invalidateQueries({ queryKey: importsQuery.queryKey });
  });
}

/** Shows what was answered; where it was refused, what the import has become. */
async function kept(queries: QueryClient, id: string, asked: Promise<ImportView>): Promise<ImportView> {
  const { queryKey } = importQuery(id);
  // What was asked for before would be shown after.
  await queries.cancelQueries({ queryKey });
  try {
    const answer = await asked;
    queries.setQueryData(queryKey, answer);
    return answer;
  } catch (error) {
    await queries.invalidateQueries({ queryKey });
    throw error;
  } finally {
    void queries.invalidateQueries({ queryKey: importsQuery.queryKey });
  }
}
