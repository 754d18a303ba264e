import { z } from 'zod';
import { says } from './fieldErrors.ts';
import { requestCause } from './causes.ts';
import { cursorQuery, optional, shortText, timestamp, uuid, withDefault } from './values.ts';

/** Contacts from a CSV file, or from what a CRM pushed. */

export const importStates = [
  'uploading',
  'ready',
  'checking',
  'checked',
  'running',
  'done',
  'canceled',
  'failed',
  'undoing',
  'undone',
] as const;
export type ImportState = (typeof importStates)[number];

/** What a column of a file can be. The company’s own fields beside these: `fields.` and their key. */
export const importFields = [
  'id',
  'external_id',
  'name',
  'first_name',
  'last_name',
  'phone',
  'phone_label',
  'email',
  'email_label',
  'organisation',
  'owner',
  'tags',
  'tier',
  'language',
  'time_zone',
  'notes',
  'do_not_call',
] as const;

/** States in which a gateway works on an import. */
export const importWorks = ['checking', 'running', 'undoing'] as const satisfies readonly ImportState[];

export const importModes = ['fill', 'overwrite', 'keep'] as const;
export type ImportMode = (typeof importModes)[number];

/** Encodings of files that do not say what they are in: of a language or a few each. */
export const byteEncodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'koi8-r',
  'macintosh',
  'shift_jis',
  'euc-jp',
  'gbk',
  'big5',
  'euc-kr',
] as const;
export const importEncodings = ['utf-8', 'utf-16le', 'utf-16be', ...byteEncodings] as const;
export type ImportEncoding = (typeof importEncodings)[number];

/** What became of a row. */
export const rowOutcomes = ['created', 'updated', 'unchanged', 'refused', 'duplicate', 'undone', 'left'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

const target = z
  .string()
  .regex(
    new RegExp(`^(?:${importFields.join('|')}|fields\\.[a-z0-9][a-z0-9_]{0,39})$`),
    says('not_a_contact_field', 'must be a field of contacts, or fields. and the key of an own one'),
  )
  .meta({
    description:
      `One of ${importFields.map((each) => `\`${each}\``).join(', ')}, ` +
      `or \`fields.\` and the key of one of the company’s own fields`,
    examples: ['phone'],
  });

/** The most columns of a file that are more than empty, and the most of them that can become fields. */
export const [maxColumns, maxMapped] = [2_000, 200];

export const columnMapping = z.strictObject({
  column: z
    .int()
    .min(0)
    .max(maxColumns - 1)
    .meta({ description: 'From 0' }),
  field: target,
  mode: withDefault(z.enum(importModes), 'fill').meta({
    description:
      'What happens to a contact that exists: `fill` writes what is empty, `overwrite` replaces, ' +
      '`keep` changes nothing. An empty cell never erases; of numbers, addresses and tags none is taken away',
  }),
  label: optional(shortText.max(40)).meta({ description: 'Of a phone number or address' }),
});
export type ColumnMapping = z.output<typeof columnMapping>;

const onlyOnce = says('not_unique', 'must be unique');
const mapping = z
  .array(columnMapping)
  .max(maxMapped)
  .refine((list) => new Set(list.map(({ column }) => column)).size === list.length, onlyOnce)
  .refine(
    (list) =>
      isOnce(
        list
          .map(({ field }) => field)
          .filter((field) => !['phone', 'phone_label', 'email', 'email_label', 'tags', 'notes'].includes(field)),
      ),
    onlyOnce,
  );

function isOnce(list: string[]): boolean {
  return new Set(list).size === list.length;
}

const country = z
  .string()
  .regex(/^[A-Z]{2}$/, says('not_a_country', 'must be an ISO 3166-1 alpha-2 code such as "DE"'));

export const updateImportRequest = z
  .strictObject({
    mapping: optional(mapping),
    has_header: optional(z.boolean()),
    encoding: optional(z.enum(importEncodings)).meta({
      description: 'Of a file that is not in Unicode: one of the `encodings`',
    }),
    default_country: country
      .nullable()
      .optional()
      .meta({ description: 'Of numbers in national form; null: the company’s' }),
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

/** Rows by outcome, and how many of those that are not refused have remarks. */
const counted = [...rowOutcomes, 'with_remarks'] as const;
const counts = z.object(
  Object.fromEntries(counted.map((name) => [name, z.int()])) as Record<(typeof counted)[number], z.ZodInt>,
);
export type ImportCounts = z.output<typeof counts>;

export const importView = z
  .object({
    id: uuid,
    state: z.enum(importStates),
    source: z.enum(['file', 'cache']),
    file_name: z.string(),
    delimiter: z.string(),
    encoding: z.enum(importEncodings),
    encodings: z.array(z.object({ encoding: z.enum(importEncodings), sample: z.string() })).meta({
      description:
        'Of a file that is not in Unicode: what it can be in, each with words of it as they would read. ' +
        'The likeliest was taken',
    }),
    has_header: z.boolean(),
    header_row: z.int().nullable().meta({ description: 'The row of the header; lines above it are left out' }),
    default_country: z.string().nullable(),
    columns: z.array(z.string()).meta({ description: 'Texts of the first row: headers, where the file has them' }),
    mapping: z.array(
      z.object({ column: z.int(), field: z.string(), mode: z.enum(importModes), label: z.string().nullable() }),
    ),
    rows: z.int().meta({ description: 'Rows of contacts: without the header and empty lines' }),
    done: z.int().meta({ description: 'How many of them the check, the run or the undoing has done' }),
    counts: counts.meta({
      description:
        'Rows by outcome, of the check or the run, and of those that came in the ones `with_remarks`; ' +
        '`undone` and `left` of the undoing',
    }),
    failed_work: z
      .enum(importWorks)
      .nullable()
      .meta({
        description:
          'The check, run or undoing that failed last, until another one is begun. ' +
          'An undoing that failed goes on when it is begun again',
      }),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Import' });
export type ImportView = z.infer<typeof importView>;

export const listImportsQuery = z.strictObject(cursorQuery);
export const importList = z
  .object({ imports: z.array(importView), next_cursor: uuid.nullable() })
  .meta({ id: 'ImportList' });

const remark = z.object({ column: z.int().nullable(), message: z.string(), ...requestCause.shape });
const reason = remark.nullable().meta({ description: 'Why it was refused, left or is a duplicate; `column` from 0' });
const remarks = z
  .array(remark)
  .meta({ description: 'Cells that were left out, each with why; and what else to know of the row' });

export const importRowView = z
  .object({
    row: z.int().meta({ description: 'Its number in the file, from 1; the header counts' }),
    cells: z.array(z.string()),
    outcome: z.enum(rowOutcomes).nullable(),
    reason,
    remarks,
    contact_id: uuid.nullable(),
  })
  .meta({ id: 'ImportRow' });
export type ImportRowView = z.infer<typeof importRowView>;

export const listRowsQuery = z.strictObject({
  after: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .default(0)
    .meta({ description: 'The `next_after` of the page before' }),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  outcome: z.enum(rowOutcomes).optional(),
  with_remarks: z.enum(['true']).optional().meta({ description: 'Only those that came in with remarks' }),
});
export type ListRowsQuery = z.output<typeof listRowsQuery>;
export const importRowList = z
  .object({ rows: z.array(importRowView), next_after: z.int().nullable() })
  .meta({ id: 'ImportRowList' });

export const previewRow = z.object({
  row: z.int(),
  cells: z.array(z.string()),
  outcome: z.enum(rowOutcomes),
  reason,
  remarks,
  contact_id: uuid.nullable(),
  values: z
    .record(z.string(), z.string())
    .meta({ description: 'What the contact would hold, as people read it, by field' }),
});
export const importPreview = z.object({ rows: z.array(previewRow) }).meta({ id: 'ImportPreview' });
export type ImportPreview = z.infer<typeof importPreview>;
