import type { ImportPreview, ImportRowView, ImportView } from '../../contract/imports.ts';
import { readableFields } from '../../domain/contacts.ts';
import { failedWork, type Import, type JudgedRow, type RawRow, startOf } from '../../domain/imports.ts';
import type { ImportedRow } from '../../ports/imports.ts';

/** An import as the interface shows it. */
export function importView(one: Import): ImportView {
  const { counts, state } = one;
  const judged = counts.created + counts.updated + counts.unchanged + counts.refused + counts.duplicate;
  return {
    id: one.id,
    state,
    source: one.source,
    file_name: one.fileName,
    delimiter: one.delimiter === '\t' ? 'tab' : one.delimiter,
    encoding: one.encoding,
    has_header: one.hasHeader,
    default_country: one.defaultCountry,
    columns: one.firstRow,
    mapping: one.mapping.map(({ column, field, mode, label }) => ({ column, field, mode, label: label ?? null })),
    rows: Math.max(0, one.rowCount - startOf(one)),
    done: state === 'undoing' || state === 'undone' ? counts.undone + counts.left : judged,
    counts,
    failed_work: failedWork(one),
    version: one.version,
    created_at: one.createdAt.toISOString(),
    updated_at: one.updatedAt.toISOString(),
    finished_at: one.finishedAt?.toISOString() ?? null,
  };
}

/** A row of an import as the interface shows it. */
export function rowView({ row, cells, outcome, reason, contactId }: ImportedRow): ImportRowView {
  return { row, cells, outcome, reason, contact_id: contactId };
}

/** A row of the preview: what would become of it, and how its contact would read. */
export function previewView({ row, cells }: RawRow, { outcome, reason, contactId, before, after }: JudgedRow): ImportPreview['rows'][number] {
  const content = after ?? before;
  const values = content === null ? [] : [...readableFields(content)].filter((entry): entry is [string, string] => entry[1] !== null);
  return { row, cells, outcome, reason, contact_id: before === null ? null : contactId, values: Object.fromEntries(values) };
}
