import type { Contact } from '../domain/contacts.ts';
import type { RowOutcome } from '../contract/imports.ts';
import type { CompanyId, ContactId, ImportId, OrganisationId } from '../domain/ids.ts';
import type { Import, JudgedRow, KeptKey, RawRow, RowReason } from '../domain/imports.ts';
import type { RememberedAnswer } from './calls.ts';
import type { Page, PageRequest } from './queryResults.ts';

/** A row with what became of it. */
export type ImportedRow = RawRow & {
  outcome: RowOutcome | null;
  reason: RowReason | null;
  remarks: RowReason[] | null;
  contactId: ContactId | null;
};

/** Rows of one outcome, or those that came in with remarks. */
export type WhichRows = RowOutcome | 'with_remarks';

/** What of a batch of rows may be known already. `phones` with the name that its row has, or null. */
export type RowKeys = {
  ids: string[];
  externalIds: string[];
  phones: { phone: string; name: string | null }[];
  emails: string[];
};

/** Rows that were judged together, and are written together or not at all. */
export type RowBatch = {
  import: Import;
  holder: string;
  /** Where the batch begins: nothing is written when another gateway went on meanwhile. */
  from: number;
  rows: JudgedRow[];
  /** Whether contacts are written, and not only what would become of the rows. */
  writes: boolean;
  organisations: { id: OrganisationId; name: string }[];
  /** Of what contacts that are made are known by: in conflict where somebody with one of them was erased meanwhile. */
  hashes: string[];
  /**
   * Whom the rows were judged by, and an id that was made when they began to be (UUIDv7): in conflict where somebody
   * was made meanwhile who can be the customer of one of them.
   */
  judgedBy: { contacts: ContactId[]; from: string };
  at: Date;
  leaseUntil: Date;
  newId: () => string;
};

/** A row whose contact is to be as before. `before` null: the import made it. */
export type UndoableRow = { row: number; contactId: ContactId; version: number; before: Contact | null };
export type UndoBatch = Omit<RowBatch, 'rows' | 'writes' | 'organisations' | 'hashes' | 'judgedBy'> & {
  rows: UndoableRow[];
};

/**
 * `lost`: another gateway has the import now, or it was canceled. `conflict`: a contact was changed meanwhile;
 * judge the rows again.
 */
export type BatchResult = 'written' | 'lost' | 'conflict';

export interface ImportStore {
  /** False: the company has `atMost` already that are not over. */
  create(one: Import, atMost: number): Promise<boolean>;
  /** Adds rows to an import that is being uploaded; false: it is gone. */
  addRows(companyId: CompanyId, id: ImportId, rows: readonly RawRow[]): Promise<boolean>;
  find(companyId: CompanyId, id: ImportId): Promise<Import | null>;
  /** The latest first. */
  list(companyId: CompanyId, page: PageRequest): Promise<Page<Import>>;
  /**
   * Replaces the one that still has `version - 1` and that nobody works on; `dueAt`: when a gateway may,
   * null where there is no work. With the remembered answer of the request. False: it is another, or the
   * request's key is another's now.
   */
  update(one: Import, dueAt: Date | null, remember?: RememberedAnswer): Promise<boolean>;
  /** Ends a check or a run; what is done stays done. Null: there is none under way. */
  cancel(companyId: CompanyId, id: ImportId, at: Date): Promise<Import | null>;
  /** Removes it with its rows, where nobody works on it. */
  remove(companyId: CompanyId, id: ImportId): Promise<boolean>;
  /**
   * Rows after a number, in their order, to be worked on at once: at least one, where there is one,
   * and no more once they hold so many characters.
   */
  batch(
    companyId: CompanyId,
    id: ImportId,
    after: number,
    atMost: { rows: number; characters: number },
  ): Promise<RawRow[]>;
  /** Rows after a number, in their order. */
  rows(companyId: CompanyId, id: ImportId, after: number, limit: number, which?: WhichRows): Promise<ImportedRow[]>;
  /**
   * What a CRM pushed becomes rows of an import: a row per record, or per number where no record is named.
   * How many, and whether that is all.
   */
  addPushed(companyId: CompanyId, id: ImportId, limit: number): Promise<number>;

  /** Takes the import that has waited longest, over all companies. @param holder of this lease alone, made for it */
  lease(holder: string, now: Date, until: Date): Promise<Import | null>;
  /** Gives back what is held. */
  release(holder: string, now: Date): Promise<void>;
  /** Notes that a batch failed, and when it is tried again; null: never, the import has failed. */
  fail(companyId: CompanyId, id: ImportId, holder: string, again: Date | null, now: Date): Promise<void>;
  /** How often batches failed one after the other. */
  failuresOf(companyId: CompanyId, id: ImportId): Promise<number>;
  /**
   * Contacts that have any of the keys; of those who share a number with more than 50 others the ones with the name.
   */
  known(companyId: CompanyId, keys: RowKeys): Promise<Contact[]>;
  /** The customers of earlier rows of this pass that are known by any of the keys. */
  customers(
    companyId: CompanyId,
    id: ImportId,
    pass: number,
    keys: string[],
  ): Promise<(KeptKey & { row: number; externalId: string | null; name: string })[]>;
  /** The contacts that these rows came to, as they are now, each with its row. */
  reached(companyId: CompanyId, id: ImportId, rows: number[]): Promise<(Contact & { row: number })[]>;
  /** By name without regard to case; the oldest of several. */
  organisationsNamed(companyId: CompanyId, names: string[]): Promise<{ id: OrganisationId; name: string }[]>;
  write(batch: RowBatch): Promise<BatchResult>;

  /** How many numbers and addresses any contact of the company has at most. */
  widest(companyId: CompanyId): Promise<{ phones: number; emails: number }>;
  /** Rows that wrote a contact, after a number, with the contact as it was. */
  written(companyId: CompanyId, id: ImportId, after: number, limit: number): Promise<UndoableRow[]>;
  /** Takes back what the rows wrote where nobody has touched the contact since. */
  undo(batch: UndoBatch): Promise<BatchResult>;
  /** Forgets imports that nobody has touched since, uploads that broke off earlier. How many. */
  prune(before: Date, uploadsBefore: Date, limit: number): Promise<number>;
}
