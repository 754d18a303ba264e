import { importEncodings, type ImportPreview, type ImportRowView, type ImportView } from '../../contract/imports.ts';
import { readableFields } from '../../domain/contacts.ts';
import {
  type CellReader,
  cellReader,
  failedWork,
  type Import,
  type JudgedRow,
  type RawRow,
} from '../../domain/imports.ts';
import { bytesReader, isKeptInBytes } from '../../domain/keptBytes.ts';
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
    encodings: readings(one),
    has_header: one.hasHeader,
    header_row: one.hasHeader ? one.firstRowNumber : null,
    default_country: one.defaultCountry,
    columns: cellReader(one)(one.firstRow),
    mapping: one.mapping.map(({ column, field, mode, label }) => ({ column, field, mode, label: label ?? null })),
    rows: Math.max(0, one.rowCount - (one.hasHeader ? 1 : 0)),
    done: state === 'undoing' || state === 'undone' ? counts.undone + counts.left : judged,
    counts,
    failed_work: failedWork(one),
    version: one.version,
    created_at: one.createdAt.toISOString(),
    updated_at: one.updatedAt.toISOString(),
    finished_at: one.finishedAt?.toISOString() ?? null,
  };
}

/**
 * What a file that is not in Unicode can be in, the one that was taken first, each with its samples as they would read.
 */
export function readings({ encoding: taken, samples }: Pick<Import, 'encoding' | 'samples'>): ImportView['encodings'] {
  if (samples === null) return [];
  const likely = [
    taken,
    ...importEncodings.filter((each) => each === 'utf-8' || isKeptInBytes(each)).filter((each) => each !== taken),
  ];
  const read = likely.map((encoding) => ({ encoding, sample: samples.map(bytesReader(encoding)).join(', ') }));
  return read.filter(({ encoding, sample }) => encoding === taken || !/[\ufffd\x80-\x9f]/.test(sample));
}

/** A row of an import as the interface shows it. @param read what its file’s cells are read with */
export function rowView(
  { row, cells, outcome, reason, remarks, contactId }: ImportedRow,
  read: CellReader,
): ImportRowView {
  return { row, cells: read(cells), outcome, reason, remarks: remarks ?? [], contact_id: contactId };
}

/** A row of the preview: what would become of it, and how its contact would read. */
export function previewView(
  { row, cells }: RawRow,
  { outcome, reason, remarks, contactId, before, after }: JudgedRow,
): ImportPreview['rows'][number] {
  const content = after ?? before;
  const values =
    content === null
      ? []
      : [...readableFields(content)].filter((entry): entry is [string, string] => entry[1] !== null);
  return {
    row,
    cells,
    outcome,
    reason,
    remarks,
    contact_id: before === null ? null : contactId,
    values: Object.fromEntries(values),
  };
}
