import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { requestCause } from './causes.ts';
import { cursorQuery, optional, shortText, timestamp, uuid, withDefault } from './values.ts';

/** Contacts from a CSV file, or from what a CRM pushed. */

export const importStates = ['uploading', 'ready', 'checking', 'checked', 'running', 'done', 'canceled', 'failed', 'undoing', 'undone'] as const;
export type ImportState = (typeof importStates)[number];

/** What a column of a file can be. The company’s own fields beside these: `fields.` and their key. */
export const importFields = [
  'id', 'external_id', 'name', 'first_name', 'last_name', 'phone', 'phone_label', 'email', 'email_label', 'organisation', 'owner', 'tags',
  'tier', 'language', 'time_zone', 'notes', 'do_not_call',
] as const;

/** States in which a gateway works on an import. */
export const importWorks = ['checking', 'running', 'undoing'] as const satisfies readonly ImportState[];

export const importModes = ['fill', 'overwrite', 'keep'] as const;
export type ImportMode = (typeof importModes)[number];

export const importEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type ImportEncoding = (typeof importEncodings)[number];

/** What became of a row. */
export const rowOutcomes = ['created', 'updated', 'unchanged', 'refused', 'duplicate', 'undone', 'left'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

const target = z
  .string()
  .regex(new RegExp(`^(?:${importFields.join('|')}|fields\\.[a-z0-9][a-z0-9_]{0,39})$`), says('not_a_contact_field', 'must be a field of contacts, or fields. and the key of an own one'))
  .meta({ description: `One of ${importFields.map((each) => `\`${each}\``).join(', ')}, or \`fields.\` and the key of one of the company’s own fields`, examples: ['phone'] });

/** The most columns that a file can have. */
export const maxColumns = 200;

export const columnMapping = z.strictObject({
  column: z.int().min(0).max(maxColumns - 1).meta({ description: 'From 0' }),
  field: target,
  mode: withDefault(z.enum(importModes), 'fill').meta({
    description: 'What happens to a contact that exists: `fill` writes what is empty, `overwrite` replaces, `keep` changes nothing. An empty cell never erases; of numbers, addresses and tags none is taken away',
  }),
  label: optional(shortText.max(40)).meta({ description: 'Of a phone number or address' }),
});
export type ColumnMapping = z.output<typeof columnMapping>;

const onlyOnce = says('not_unique', 'must be unique');
const mapping = z
  .array(columnMapping)
  .max(maxColumns)
  .refine((list) => new Set(list.map(({ column }) => column)).size === list.length, onlyOnce)
  .refine((list) => isOnce(list.map(({ field }) => field).filter((field) => !['phone', 'phone_label', 'email', 'email_label', 'tags', 'notes'].includes(field))), onlyOnce);

function isOnce(list: string[]): boolean {
  return new Set(list).size === list.length;
}

const country = z.string().regex(/^[A-Z]{2}$/, says('not_a_country', 'must be an ISO 3166-1 alpha-2 code such as "DE"'));

export const updateImportRequest = z
  .strictObject({
    mapping: optional(mapping),
    has_header: optional(z.boolean()),
    default_country: country.nullable().optional().meta({ description: 'Of numbers in national form; null: the company’s' }),
    version: optional(z.int().min(1)),
  })
  .meta({ id: 'UpdateImport' });
export type UpdateImportRequest = z.infer<typeof updateImportRequest>;

/** The largest file. Bytes. */
export const maxFileBytes = 64 * 1024 * 1024;

export const runImportRequest = z.strictObject({ dry_run: withDefault(z.boolean(), false) }).meta({ id: 'RunImport' });

export const uploadQuery = z.strictObject({
  file_name: withDefault(shortText, 'contacts.csv'),
  delimiter: z.enum([',', ';', '|', 'tab']).optional().meta({ description: 'Left out: detected' }),
  encoding: z.enum(importEncodings).optional().meta({ description: 'Left out: detected' }),
});
export type UploadQuery = z.infer<typeof uploadQuery>;

const counts = z.object(Object.fromEntries(rowOutcomes.map((outcome) => [outcome, z.int()])) as Record<RowOutcome, z.ZodInt>);
export type ImportCounts = Record<RowOutcome, number>;

export const importView = z
  .object({
    id: uuid,
    state: z.enum(importStates),
    source: z.enum(['file', 'cache']),
    file_name: z.string(),
    delimiter: z.string(),
    encoding: z.enum(importEncodings),
    has_header: z.boolean(),
    default_country: z.string().nullable(),
    columns: z.array(z.string()).meta({ description: 'Texts of the first row: headers, where the file has them' }),
    mapping: z.array(z.object({ column: z.int(), field: z.string(), mode: z.enum(importModes), label: z.string().nullable() })),
    rows: z.int().meta({ description: 'Rows of contacts: without the header and empty lines' }),
    done: z.int().meta({ description: 'How many of them the check, the run or the undoing has done' }),
    counts: counts.meta({ description: 'Rows by outcome, of the check or the run; `undone` and `left` of the undoing' }),
    failed_work: z.enum(importWorks).nullable().meta({ description: 'The check, run or undoing that failed last, until another one is begun. An undoing that failed goes on when it is begun again' }),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Import' });
export type ImportView = z.infer<typeof importView>;

export const listImportsQuery = z.strictObject(cursorQuery);
export const importList = z.object({ imports: z.array(importView), next_cursor: uuid.nullable() }).meta({ id: 'ImportList' });

const reason = z
  .object({ column: z.int().nullable(), message: z.string(), ...requestCause.shape })
  .nullable()
  .meta({ description: 'Why it was refused, left or is a duplicate; `column` from 0' });

export const importRowView = z
  .object({
    row: z.int().meta({ description: 'Its number in the file, from 1; the header counts' }),
    cells: z.array(z.string()),
    outcome: z.enum(rowOutcomes).nullable(),
    reason,
    contact_id: uuid.nullable(),
  })
  .meta({ id: 'ImportRow' });
export type ImportRowView = z.infer<typeof importRowView>;

export const listRowsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(2_147_483_647).default(0).meta({ description: 'The `next_after` of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  outcome: z.enum(rowOutcomes).optional(),
});
export const importRowList = z.object({ rows: z.array(importRowView), next_after: z.int().nullable() }).meta({ id: 'ImportRowList' });

export const previewRow = z.object({
  row: z.int(),
  cells: z.array(z.string()),
  outcome: z.enum(rowOutcomes),
  reason,
  contact_id: uuid.nullable(),
  values: z.record(z.string(), z.string()).meta({ description: 'What the contact would hold, as people read it, by field' }),
});
export const importPreview = z.object({ rows: z.array(previewRow) }).meta({ id: 'ImportPreview' });
export type ImportPreview = z.infer<typeof importPreview>;
