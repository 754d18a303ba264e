import type { RequestCause } from '../contract/causes.ts';
import type { ColumnMapping, ImportCounts, ImportEncoding, ImportState, importWorks, RowOutcome } from '../contract/imports.ts';
import type { ContactContent } from './contacts.ts';
import type { AgentId, CompanyId, ContactId, ImportId } from './ids.ts';

/** Rows of contacts on their way into the contacts of a company. */
export type Import = {
  companyId: CompanyId;
  id: ImportId;
  state: ImportState;
  source: 'file' | 'cache';
  fileName: string;
  /** Who brought it. */
  agentId: AgentId;
  delimiter: string;
  encoding: ImportEncoding;
  hasHeader: boolean;
  /** The texts of the first row. */
  firstRow: string[];
  mapping: ColumnMapping[];
  /** Of numbers in national form; null: the company's. */
  defaultCountry: string | null;
  /** Of all rows, a header too. */
  rowCount: number;
  /** The last row that the work under way has done. */
  position: number;
  /** Rises with each check and run. */
  pass: number;
  counts: ImportCounts;
  version: number;
  /** Batches that failed one after the other. */
  failures: number;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

/** `row`: its number in the file, from 1; empty lines count. */
export type RawRow = { row: number; cells: string[] };

/** Why a row is refused, left or a duplicate; `column`: of which cell, from 0. */
export type RowReason = { message: string; column: number | null } & RequestCause;

/** What became, or would become, of a row. */
export type JudgedRow = {
  row: number;
  outcome: Exclude<RowOutcome, 'undone' | 'left'>;
  reason: RowReason | null;
  /** The contact that it is about; of one that is created, its id to be. */
  contactId: ContactId | null;
  /** What the contact held; null where there was none. */
  before: (ContactContent & { version: number; createdAt: Date }) | null;
  /** What it will hold; null where nothing is written. */
  after: ContactContent | null;
  /** What it is known by from now on, for the rows that follow. */
  keys: string[];
  externalId: string | null;
};

export const noCounts: ImportCounts = { created: 0, updated: 0, unchanged: 0, refused: 0, duplicate: 0, undone: 0, left: 0 };

/** A state in which a gateway works on an import. */
export type WorkState = (typeof importWorks)[number];

/** From which states each can be begun. */
export const beginsFrom = {
  checking: ['ready', 'checked'],
  running: ['ready', 'checked', 'canceled', 'failed'],
  undoing: ['done', 'canceled', 'failed'],
} as const satisfies Record<WorkState, readonly ImportState[]>;

/** Where each ends when all rows are done. */
export const endsAs = { checking: 'checked', running: 'done', undoing: 'undone' } as const satisfies Record<WorkState, ImportState>;

/** Where each ends when its batches fail again and again. */
export const failsAs = { checking: 'ready', running: 'failed', undoing: 'done' } as const satisfies Record<WorkState, ImportState>;

/** The work that failed last, until another is begun. Null: none. */
export function failedWork({ failures, state }: Pick<Import, 'failures' | 'state'>): WorkState | null {
  if (failures === 0) return null;
  const works = Object.keys(failsAs) as WorkState[];
  return works.find((work) => failsAs[work] === state) ?? null;
}

/** The position of a work that is over: behind every row. */
export const behindAll = 2_147_483_647;

/** The first row of contacts less one. */
export function startOf({ hasHeader }: Pick<Import, 'hasHeader'>): number {
  return hasHeader ? 1 : 0;
}
