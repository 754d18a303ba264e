import type { z } from 'zod';
import type { RequestCause } from '../../contract/causes.ts';
import { labelInput, mostOfContact, tagInput, updateContactRequest } from '../../contract/contacts.ts';
import { fieldErrorsOf } from '../../contract/fieldErrors.ts';
import type { ImportMode } from '../../contract/imports.ts';
import { ownValue } from '../../contract/ownValue.ts';
import { emailInput, shortText, uuid } from '../../contract/values.ts';
import { foldName } from '../../domain/company.ts';
import { type ContactContent, type ContactField, type FieldValues, withExtension } from '../../domain/contacts.ts';
import type { RowReason } from '../../domain/imports.ts';
import { betweenNumbers } from '../../domain/phones/phoneExtensions.ts';
import { parseWritten } from '../../domain/phones/phoneNumbers.ts';
import { addressesIn, bareCell, languageIn, timeZoneIn } from './cellTexts.ts';
import { readValue, readYes } from './cellValues.ts';
import type { PlannedColumn, ReadingPlan } from './readingPlan.ts';

/** What a row says of a contact: only what is not empty and can be read. */
export type RowDraft = {
  id: string | null;
  externalId: string | null;
  phones: ContactContent['phones'];
  emails: ContactContent['emails'];
  tags: string[];
  /** By name; whether the company has it is seen later. */
  organisation: string | null;
  /** By code or name. */
  owner: string | null;
  ownerColumn: number | null;
  scalars: Partial<Pick<ContactContent, 'name' | 'tier' | 'language' | 'timeZone' | 'notes' | 'doNotCall'>>;
  fields: FieldValues;
  /** How each of them meets what is there. */
  modes: ReadonlyMap<string, ImportMode>;
  /** The cells that are left out. */
  remarks: RowReason[];
};

export type ReadRow = { kind: 'read'; draft: RowDraft } | { kind: 'refused'; reason: RowReason };

/** More of a row are not told. */
const mostRemarks = 20;

/** Why a cell, or a part of it, is left out; a phrase that goes on after the column. */
class CellFault extends Error {
  readonly reason: RequestCause;
  constructor(message: string, reason: RequestCause) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Reads a row as the mapping says, by the rules of contacts that are written one by one. A cell that cannot be read is
 * left out and told; it refuses the row only where nothing is left by which whoever it is could be reached or known.
 */
export function readRow(plan: ReadingPlan, cells: readonly string[]): ReadRow {
  const row = new RowReader(plan, cells);
  for (const column of plan.columns) row.take(column);
  return row.read();
}

const { shape } = updateContactRequest;
/** `0` is a value of these, and nothing of all others. */
const mayBeZero = (field: string) =>
  field === 'do_not_call' || field === 'notes' || field === 'tags' || field.startsWith('fields.');
/** By which somebody is reached or known. */
const reaching: ReadonlySet<string> = new Set(['phone', 'email', 'external_id', 'id']);

class RowReader {
  readonly #plan: ReadingPlan;
  readonly #cells: readonly string[];
  readonly #names = new Map<string, { text: string; column: number }>();
  readonly #notes: string[] = [];
  readonly #modes = new Map<string, ImportMode>();
  readonly #remarks: { field: string; reason: RowReason }[] = [];
  readonly #draft: Omit<RowDraft, 'modes' | 'remarks'> = {
    id: null,
    externalId: null,
    phones: [],
    emails: [],
    tags: [],
    organisation: null,
    owner: null,
    ownerColumn: null,
    scalars: {},
    fields: {},
  };

  constructor(plan: ReadingPlan, cells: readonly string[]) {
    this.#plan = plan;
    this.#cells = cells;
  }

  /** Reads the cell of a column, and keeps what it says, or why it says nothing. */
  take(planned: PlannedColumn): void {
    const { column, field, mode } = planned;
    const cell = this.#cell(column);
    if (cell === '' || (cell === '0' && !mayBeZero(field))) return;
    const name = contentField(field);
    if (!this.#modes.has(name)) this.#modes.set(name, mode);
    this.#attempt(field, column, () => {
      if (cell.includes('\ufffd'))
        fault('holds characters that are none of the encoding of the file', { code: 'not_of_encoding' });
      this.#keep(planned, cell);
    });
  }

  read(): ReadRow {
    this.#takeName();
    const draft = this.#draft;
    this.#attempt('notes', null, () => {
      if (this.#notes.length > 0) draft.scalars.notes = checked(shape.notes, this.#notes.join('\n'));
    });
    const isReached =
      draft.phones.length > 0 || draft.emails.length > 0 || draft.externalId !== null || draft.id !== null;
    const worst = this.#remarks.find(({ field }) => reaching.has(field)) ?? this.#remarks[0];
    if (!isReached && worst !== undefined) return { kind: 'refused', reason: worst.reason };
    return {
      kind: 'read',
      draft: { ...draft, modes: this.#modes, remarks: this.#remarks.slice(0, mostRemarks).map(({ reason }) => reason) },
    };
  }

  #keep({ column, field, label, labelFrom }: PlannedColumn, cell: string): void {
    const draft = this.#draft;
    switch (field) {
      case 'id':
        draft.id = uuid.safeParse(cell).success ? cell.toLowerCase() : fault('is no id', { code: 'not_an_id' });
        break;
      case 'external_id':
        draft.externalId = checked(shape.external_id, cell);
        break;
      case 'phone': {
        const parts = partsOf(cell, betweenNumbers, draft.phones.length, mostOfContact.phones);
        const labels = this.#labelsOf(field, parts.length, { label, labelFrom });
        for (const [at, part] of parts.entries()) {
          this.#attempt(field, column, () => {
            const { bareDigits, country: defaultCountry } = this.#plan;
            const parsed = parseWritten(part, { defaultCountry, bareDigits });
            if (parsed.kind === 'invalid') fault(parsed.detail, parsed.cause);
            const { phone: read, otherwise } = parsed;
            if (otherwise !== null) {
              this.#note(field, column, `is read as ${read}, and could be ${otherwise}`, {
                code: 'phone_read_otherwise',
                params: { phone: read, otherwise },
              });
            }
            const found = {
              phone: parsed.phone,
              label: withExtension(labels[at] ?? null, parsed.extension),
              isPrimary: false,
            };
            if (!draft.phones.some(({ phone }) => phone === found.phone)) draft.phones.push(found);
          });
        }
        break;
      }
      case 'email': {
        const parts = atMost(addressesIn(cell), draft.emails.length, mostOfContact.emails);
        const labels = this.#labelsOf(field, parts.length, { label, labelFrom });
        for (const [at, part] of parts.entries()) {
          this.#attempt(field, column, () => {
            const email = foldName(checked(emailInput, part));
            if (!draft.emails.some((each) => each.email === email))
              draft.emails.push({ email, label: labels[at] ?? null, isPrimary: false });
          });
        }
        break;
      }
      case 'first_name':
      case 'last_name':
      case 'name':
        this.#names.set(field, { text: cell, column });
        break;
      case 'organisation':
        draft.organisation = checked(shortText, cell);
        break;
      case 'owner':
        [draft.owner, draft.ownerColumn] = [cell, column];
        break;
      case 'tags':
        for (const tag of tagsIn(cell, draft.tags.length)) {
          // Google marks the groups that it made itself.
          if (!tag.startsWith('* ') && !draft.tags.includes(tag))
            this.#attempt(field, column, () => draft.tags.push(checked(tagInput, tag)));
        }
        break;
      case 'notes':
        this.#notes.push(cell);
        break;
      case 'do_not_call':
        draft.scalars.doNotCall = readYes(cell) ?? fault('must be yes or no', { code: 'not_a_yes_or_no' });
        break;
      case 'tier':
        draft.scalars.tier = checked(shape.tier, cell);
        break;
      case 'language':
        draft.scalars.language = checked(shape.language, languageIn(cell) ?? cell);
        break;
      case 'time_zone':
        draft.scalars.timeZone = checked(shape.time_zone, timeZoneIn(cell) ?? cell);
        break;
      default: {
        const found =
          this.#plan.fields.find(({ key }) => `fields.${key}` === field) ??
          fault('is not a known field', { code: 'unknown_field' });
        draft.fields[found.key] = readValue(found, cell, this.#plan) ?? fault(...notOf(found));
      }
    }
  }

  /** The name as it stands, else first and last. */
  #takeName(): void {
    const parts = ['name', 'first_name', 'last_name'].flatMap((field) => this.#names.get(field) ?? []);
    const [first] = parts;
    if (first === undefined) return;
    const text = this.#names.has('name') ? first.text : parts.map((part) => part.text).join(' ');
    this.#attempt('name', first.column, () => {
      this.#draft.scalars.name = checked(shape.name, text);
    });
  }

  /**
   * A label for each part of a cell: of the column of labels, in which each may have its own,
   * else the one that the mapping names.
   */
  #labelsOf(
    field: string,
    count: number,
    { label, labelFrom }: Pick<PlannedColumn, 'label' | 'labelFrom'>,
  ): (string | null)[] {
    const told = labelFrom === null ? '' : this.#cell(labelFrom);
    const each = told.split(':::').map((one) => one.replace(/^\s*\*\s*/, '').trim());
    let labels: (string | null)[] = [label ?? null];
    this.#attempt(`${field}_label`, labelFrom, () => {
      if (told !== '') labels = each.map((one) => (one === '' ? (label ?? null) : checked(labelInput, one)));
    });
    return Array.from({ length: count }, (_, at) => (labels.length === count ? labels[at] : labels[0]) ?? null);
  }

  #cell(column: number): string {
    return bareCell(this.#cells[column] ?? '');
  }

  #note(field: string, column: number | null, message: string, cause: RequestCause): void {
    this.#remarks.push({ field, reason: { message, column, ...cause } });
  }

  #attempt(field: string, column: number | null, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof CellFault)) throw error;
      this.#note(field, column, error.message, error.reason);
    }
  }
}

/** Under which name a field stands among the modes. */
function contentField(field: string): string {
  const plain: Record<string, string> = { phone: 'phones', email: 'emails', first_name: 'name', last_name: 'name' };
  return ownValue(plain, field) ?? field;
}

function fault(message: string, reason: RequestCause): never {
  throw new CellFault(message, reason);
}

/** What a field of a contact takes; throws CellFault for what it does not. */
function checked<T>(schema: z.ZodType<T>, value: string): NonNullable<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success && parsed.data != null) return parsed.data;
  const [first] = parsed.success ? [] : parsed.error.issues.flatMap(fieldErrorsOf);
  if (first === undefined) throw new Error('what does not fit has a reason');
  const { path: _path, message, ...cause } = first;
  return fault(message, cause as RequestCause);
}

function notOf({ kind }: ContactField): [message: string, reason: RequestCause] {
  return kind === 'number'
    ? ['is no number', { code: 'not_a_number' }]
    : [`is no value of the kind ${kind}`, { code: 'not_of_field', params: { kind } }];
}

/**
 * What stands between the separators, each once: a cell may hold thousands.
 * @param before how many other cells of the row have;
 * @param max of a contact
 */
function partsOf(cell: string, separator: RegExp | string, before: number, max: number): string[] {
  return atMost(
    [
      ...new Set(
        cell
          .split(separator)
          .map((part) => part.trim())
          .filter((part) => part !== ''),
      ),
    ],
    before,
    max,
  );
}

function atMost(parts: string[], before: number, max: number): string[] {
  return before + parts.length > max
    ? fault(`makes more than ${max} of them`, { code: 'too_many', params: { max } })
    : parts;
}

/** Some programs quote the list of tags, others each of them. */
function tagsIn(cell: string, before: number): string[] {
  const unquoted = (text: string) => /^"([^"]*)"$/.exec(text)?.[1] ?? text;
  const list = unquoted(cell);
  return partsOf(list, tagSeparator(list), before, mostOfContact.tags)
    .map(unquoted)
    .filter((tag) => tag !== '');
}

/** A comma can be part of a tag where others are between them. */
function tagSeparator(cell: string): string {
  return [':::', '|', ';'].find((separator) => cell.includes(separator)) ?? ',';
}
