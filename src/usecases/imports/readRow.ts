import type { RequestCause } from '../../contract/causes.ts';
import { mostOfContact, updateContactRequest, type UpdateContactRequest } from '../../contract/contacts.ts';
import { fieldErrorsOf } from '../../contract/fieldErrors.ts';
import type { ColumnMapping, ImportMode } from '../../contract/imports.ts';
import { ownValue } from '../../contract/ownValue.ts';
import { shortText } from '../../contract/values.ts';
import { foldName } from '../../domain/company.ts';
import { type ContactContent, type ContactField, type ContactPhone, type FieldValues, fitsField, withExtension } from '../../domain/contacts.ts';
import type { RawRow, RowReason } from '../../domain/imports.ts';
import { betweenNumbers } from '../../domain/phones/phoneExtensions.ts';
import { type ParsedPhone, parsePhone } from '../../domain/phones/phoneNumbers.ts';
import { plainCell } from '../../domain/spreadsheetCells.ts';

/** What the rows of an import are read with. */
export type ReadingPlan = { mapping: readonly ColumnMapping[]; fields: readonly ContactField[]; country: string | null };

/** What a row says of a contact: only what is not empty. */
export type RowDraft = {
  id: string | null;
  externalId: string | null;
  phones: ContactContent['phones'];
  emails: ContactContent['emails'];
  tags: string[];
  /** By name; whether the company has it is seen later. */
  organisation: string | null;
  /** By code. */
  owner: string | null;
  ownerColumn: number | null;
  scalars: Partial<Pick<ContactContent, 'name' | 'tier' | 'language' | 'timeZone' | 'notes' | 'doNotCall'>>;
  fields: FieldValues;
  /** How each of them meets what is there. */
  modes: ReadonlyMap<string, ImportMode>;
};

export type ReadRow = { kind: 'read'; draft: RowDraft } | { kind: 'refused'; reason: RowReason };

/** Why a cell cannot be read; a phrase that goes on after the column. */
class CellFault extends Error {
  readonly reason: RequestCause;
  constructor(message: string, reason: RequestCause) {
    super(message);
    this.reason = reason;
  }
}

type Body = Omit<UpdateContactRequest, 'fields' | 'organisation_id' | 'owner_id' | 'version'>;

/** Reads a row as the mapping says, by the rules of contacts that are written one by one. A cell that cannot be read refuses the whole row. */
export function readRow({ mapping, fields, country }: ReadingPlan, { cells }: RawRow): ReadRow {
  const body: Body = {};
  const phones: NonNullable<Body['phones']> = [];
  const extensions: (string | null)[] = [];
  const emails: NonNullable<Body['emails']> = [];
  const own: FieldValues = {};
  const names = new Map<string, string>();
  const notes: string[] = [];
  const tags: string[] = [];
  /** From which column a part of the body comes. */
  const columns = new Map<string, number>();
  const modes = new Map<string, ImportMode>();
  let id: string | null = null;
  let organisation: string | null = null;
  let owner: string | null = null;

  for (const { column, field, mode, label } of mapping) {
    const cell = plainCell(cells[column] ?? '').trim();
    if (cell === '') continue;
    try {
      const name = bodyField(field);
      if (!modes.has(name)) modes.set(name, mode);
      columns.set(name, column);
      switch (field) {
        case 'id':
          id = /^[0-9a-f-]{36}$/i.test(cell) ? cell.toLowerCase() : fault('is no id', { code: 'not_an_id' });
          break;
        case 'phone':
          for (const one of partsOf(cell, betweenNumbers, phones.length, mostOfContact.phones)) {
            columns.set(`phones[${phones.length}]`, column);
            const { phone, extension } = readNumber(one, country);
            phones.push({ phone_number: phone, label: label ?? null, primary: false });
            extensions.push(extension);
          }
          break;
        case 'email':
          for (const one of partsOf(cell, /[;|,\s]/, emails.length, mostOfContact.emails)) {
            columns.set(`emails[${emails.length}]`, column);
            emails.push({ email: one, label: label ?? null, primary: false });
          }
          break;
        case 'phone_label':
          labelLast(phones, columns, 'phones', column, cell);
          break;
        case 'email_label':
          labelLast(emails, columns, 'emails', column, cell);
          break;
        case 'first_name':
        case 'last_name':
        case 'name':
          names.set(field, cell);
          break;
        case 'organisation':
          organisation = shortText.safeParse(cell).success ? cell : fault('must be at most 200 characters in one line', { code: 'too_long', params: { max: 200 } });
          break;
        case 'owner':
          owner = cell;
          break;
        case 'tags':
          tags.push(...partsOf(cell, tagSeparator(cell), tags.length, mostOfContact.tags));
          break;
        case 'notes':
          notes.push(cell);
          break;
        case 'do_not_call':
          body.do_not_call = readYes(cell);
          break;
        case 'external_id':
        case 'tier':
        case 'language':
        case 'time_zone':
          body[field] = cell;
          break;
        default: {
          const found = fields.find(({ key }) => `fields.${key}` === field);
          if (found === undefined) fault('is not a known field', { code: 'unknown_field' });
          own[found.key] = readValue(found, cell);
        }
      }
    } catch (error) {
      if (!(error instanceof CellFault)) throw error;
      return { kind: 'refused', reason: { message: error.message, column, ...error.reason } };
    }
  }
  const name = names.get('name') ?? [names.get('first_name'), names.get('last_name')].filter((part) => part !== undefined).join(' ');
  if (name !== '') body.name = name;
  if (notes.length > 0) body.notes = notes.join('\n');
  if (phones.length > 0) body.phones = phones;
  if (emails.length > 0) body.emails = emails;
  if (tags.length > 0) body.tags = tags;
  const parsed = updateContactRequest.safeParse(body);
  if (!parsed.success) {
    const [first] = parsed.error.issues.flatMap(fieldErrorsOf);
    if (first === undefined) throw new Error('what does not fit has a reason');
    const { path, message, ...cause } = first;
    const place = [...columns.keys()].filter((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`)).toSorted((a, b) => b.length - a.length)[0];
    return { kind: 'refused', reason: { message, column: columns.get(place ?? '') ?? null, ...(cause as RequestCause) } };
  }
  const { data } = parsed;
  return {
    kind: 'read',
    draft: {
      id,
      externalId: data.external_id ?? null,
      phones: onceEach((data.phones ?? []).map(({ phone_number, label }, at) => ({ phone: phone_number as ContactPhone['phone'], label: withExtension(label || null, extensions[at] ?? null), isPrimary: false })), ({ phone }) => phone),
      emails: onceEach((data.emails ?? []).map(({ email, label }) => ({ email: foldName(email), label: label || null, isPrimary: false })), ({ email }) => email),
      tags: [...new Set(data.tags ?? [])],
      organisation,
      owner,
      ownerColumn: columns.get('owner') ?? null,
      scalars: {
        ...(data.name == null ? {} : { name: data.name }),
        ...(data.tier == null ? {} : { tier: data.tier }),
        ...(data.language == null ? {} : { language: data.language }),
        ...(data.time_zone == null ? {} : { timeZone: data.time_zone }),
        ...(data.notes == null ? {} : { notes: data.notes }),
        ...(data.do_not_call === undefined ? {} : { doNotCall: data.do_not_call }),
      },
      fields: own,
      modes,
    },
  };
}

/** Under which name a field stands in the body and among the modes. */
function bodyField(field: string): string {
  const plain: Record<string, string> = { phone: 'phones', phone_label: 'phones', email: 'emails', email_label: 'emails', first_name: 'name', last_name: 'name' };
  return ownValue(plain, field) ?? field;
}

function fault(message: string, reason: RequestCause): never {
  throw new CellFault(message, reason);
}

/** What stands between the separators, each once: a cell may hold thousands. @param before how many other cells of the row have; @param max of a contact */
function partsOf(cell: string, separator: RegExp | string, before: number, max: number): string[] {
  const parts = [...new Set(cell.split(separator).map((part) => part.trim()).filter((part) => part !== ''))];
  return before + parts.length > max ? fault(`makes more than ${max} of them`, { code: 'too_many', params: { max } }) : parts;
}

function onceEach<T>(list: T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>();
  return list.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** A comma can be part of a tag where others are between them. */
function tagSeparator(cell: string): string {
  return ['|', ';'].find((separator) => cell.includes(separator)) ?? ',';
}

/** A label belongs to the number or address of the column before it. */
function labelLast(list: { label?: string | null | undefined }[], columns: Map<string, number>, name: string, column: number, cell: string): void {
  const last = list.at(-1);
  if (last === undefined) return;
  last.label = cell;
  columns.set(`${name}[${list.length - 1}].label`, column);
}

function readNumber(written: string, country: string | null): Extract<ParsedPhone, { kind: 'phone' }> {
  const parsed = parsePhone(written, country);
  return parsed.kind === 'phone' ? parsed : fault(parsed.detail, parsed.cause);
}

const yes = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'j', 'wahr', 'sí', 'si', 's', 'verdadero', 'oui', 'o', 'vrai']);
const no = new Set(['false', 'no', 'n', '0', '-', 'nein', 'falsch', 'falso', 'non', 'faux']);

function readYes(cell: string): boolean {
  const folded = cell.toLowerCase();
  if (yes.has(folded)) return true;
  return no.has(folded) ? false : fault('must be yes or no', { code: 'not_a_yes_or_no' });
}

/** A value of one of the company's own fields, as spreadsheets write it. */
function readValue(field: ContactField, cell: string): string | number {
  const value = spelled(field, cell);
  if (fitsField(field, value) && (typeof value === 'number' || value.length <= 2_000)) return value;
  return fault(`is no value of the kind ${field.kind}`, { code: 'not_of_field', params: { kind: field.kind } });
}

function spelled({ kind, choices }: ContactField, cell: string): string | number {
  switch (kind) {
    case 'number': {
      const plain = cell.replace(/^(-?\d+),(\d+)$/, '$1.$2');
      return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(plain) ? Number(plain) : fault('is no number', { code: 'not_a_number' });
    }
    case 'date': {
      const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(cell) ?? [];
      return year === undefined ? cell.replaceAll('/', '-') : `${year}-${month?.padStart(2, '0') ?? ''}-${day?.padStart(2, '0') ?? ''}`;
    }
    case 'money':
      return cell.replace(/^(-?\d+),(\d{1,3}) /, '$1.$2 ').toUpperCase();
    case 'choice':
      return choices?.find((choice) => foldName(choice) === foldName(cell)) ?? cell;
    case 'text':
    case 'link':
      return cell;
  }
}
