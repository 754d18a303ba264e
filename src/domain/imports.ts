import type { RequestCause } from '../contract/causes.ts';
import type {
  ColumnMapping,
  ImportCounts,
  ImportEncoding,
  ImportState,
  importWorks,
  RowOutcome,
} from '../contract/imports.ts';
import type { ContactContent } from './contacts.ts';
import type { AgentId, CompanyId, ContactId, ImportId } from './ids.ts';
import { bytesReader } from './keptBytes.ts';

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
  /**
   * Words of a file whose cells, and those of its first row, are bytes (`keptBytes`), as they are;
   * null: cells are text.
   */
  samples: string[] | null;
  hasHeader: boolean;
  /** The number of the first row in the file; lines above a header are left out, and not counted. */
  firstRowNumber: number;
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

/**
 * Why a row is refused, left or a duplicate, or a cell of it left out, or what is to be known of one that is written;
 * `column`: of which cell, from 0.
 */
export type RowReason = { message: string; column: number | null } & RequestCause;

/**
 * Something that the customer of a row is known by, for the rows that follow; `also`: what else that follows from it,
 * as `keptCustomers.ts` has it.
 */
export type KeptKey = { key: string; also: string };

/** What became, or would become, of a row. */
export type JudgedRow = {
  row: number;
  /** The first row of the same customer; null: this one is. */
  sameAs: number | null;
  outcome: Exclude<RowOutcome, 'undone' | 'left'>;
  reason: RowReason | null;
  /** Of a row that comes in: which of its cells do not, and why. */
  remarks: RowReason[];
  /** The contact that it is about; of one that is created, its id to be. */
  contactId: ContactId | null;
  /** What the contact held; null where there was none. */
  before: (ContactContent & { version: number; createdAt: Date }) | null;
  /** What it will hold; null where nothing is written. */
  after: ContactContent | null;
  /** What its customer is known by from now on and was not before. */
  keys: KeptKey[];
  externalId: string | null;
  /** As `nameKey` has it. */
  name: string;
};

export const noCounts: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  duplicate: 0,
  undone: 0,
  left: 0,
  with_remarks: 0,
};

/** A state in which a gateway works on an import. */
export type WorkState = (typeof importWorks)[number];

/** From which states each can be begun. */
export const beginsFrom = {
  checking: ['ready', 'checked'],
  running: ['ready', 'checked', 'canceled', 'failed'],
  undoing: ['done', 'canceled', 'failed'],
} as const satisfies Record<WorkState, readonly ImportState[]>;

/** Where each ends when all rows are done. */
export const endsAs = { checking: 'checked', running: 'done', undoing: 'undone' } as const satisfies Record<
  WorkState,
  ImportState
>;

/** Where each ends when its batches fail again and again. */
export const failsAs = { checking: 'ready', running: 'failed', undoing: 'done' } as const satisfies Record<
  WorkState,
  ImportState
>;

/** The work that failed last, until another is begun. Null: none. */
export function failedWork({ failures, state }: Pick<Import, 'failures' | 'state'>): WorkState | null {
  if (failures === 0) return null;
  const works = Object.keys(failsAs) as WorkState[];
  return works.find((work) => failsAs[work] === state) ?? null;
}

/** The position of a work that is over: behind every row. */
export const behindAll = 2_147_483_647;

/** The row after which those of contacts begin. */
export function startOf({ firstRowNumber, hasHeader }: Pick<Import, 'firstRowNumber' | 'hasHeader'>): number {
  return firstRowNumber - (hasHeader ? 0 : 1);
}

/** Turns cells of a file as they are kept into what stands in them. */
export type CellReader = (cells: readonly string[]) => string[];

/** How the cells of an import are read. */
export function cellReader({ encoding, samples }: Pick<Import, 'encoding' | 'samples'>): CellReader {
  const read = samples === null ? null : bytesReader(encoding);
  return (cells) => (read === null ? [...cells] : cells.map(read));
}
