import type { ColumnMapping, ImportView } from '../../contract/imports.ts';
import type { Principal } from '../../domain/access.ts';
import { ok, type Outcome, refuse } from '../../domain/outcome.ts';
import { maxRows } from '../../ports/csvFiles.ts';
import type { Services } from '../services.ts';
import { importView } from './importViews.ts';
import { beginWork } from './manageImports.ts';
import { makeImport, newImport, tooManyImports } from './uploadImport.ts';

/** As the store writes what was pushed. */
const columns = ['phone', 'name', 'email', 'tier', 'external_id'] as const;
const mapping: ColumnMapping[] = columns.map((field, column) => ({ column, field, mode: 'fill' }));

/**
 * Makes contacts of what a CRM has pushed, by an import that runs at once: numbers of one record are one contact,
 * and what a contact has already stays. Refuses where nothing was pushed.
 */
export async function importPushed(
  services: Pick<Services, 'clock' | 'imports' | 'newId' | 'wakeImporter'>,
  principal: Extract<Principal, { kind: 'agent' }>,
): Promise<Outcome<ImportView>> {
  const { clock, imports } = services;
  const { companyId } = principal;
  const one = {
    ...newImport(services, principal, 'CRM'),
    source: 'cache' as const,
    hasHeader: true,
    firstRow: [...columns],
    mapping,
  };
  if (!(await makeImport(services, one))) return tooManyImports;
  let isKept = false;
  try {
    const count = await imports.addPushed(companyId, one.id, maxRows);
    if (count === 0) return refuse('conflict', 'No CRM has pushed anything.', { cause: { code: 'nothing_pushed' } });
    const ready = {
      ...one,
      state: 'ready' as const,
      rowCount: count + 1,
      version: 2,
      updatedAt: new Date(clock.now()),
    };
    isKept = await imports.update(ready, null);
    const begun = await beginWork(services, companyId, one.id, 'running');
    return begun.kind === 'ok' ? begun : ok(importView(ready));
  } finally {
    if (!isKept) await imports.remove(companyId, one.id);
  }
}
