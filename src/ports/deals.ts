import type { DealSort } from '../contract/deals.ts';
import type { DealState } from '../contract/vocabulary.ts';
import type { Deal, Pipeline, ShownDeal, Stage } from '../domain/deals.ts';
import type { AgentId, CompanyId, ContactId, DealId, OrganisationId, PipelineId, StageId } from '../domain/ids.ts';
import type { RememberedAnswer } from './calls.ts';
import type { ChangedBy, ContactScope } from './contacts.ts';
import type { OutboxEvent } from './outbox.ts';
import type { Page, PageRequest } from './queryResults.ts';

export type DealFilter = {
  pipelineId?: PipelineId | undefined;
  stageId?: StageId | undefined;
  state?: DealState | undefined;
  ownerId?: AgentId | undefined;
  contactId?: ContactId | undefined;
  organisationId?: OrganisationId | undefined;
  /** Days, both included. */
  closesFrom?: string | undefined;
  closesUntil?: string | undefined;
};

/** A move of a deal; `from` null: it was made. Stages as they were called then. */
export type DealMove = {
  id: string;
  at: Date;
  by: ChangedBy;
  from: { id: StageId; name: string } | null;
  to: { id: StageId; name: string };
};
export type ShownMove = DealMove & { byName: string | null };

/** What stands on the contact's timeline, and what a webhook tells, of a change. */
export type WithDeal = {
  /** Null: it was changed where it is. */
  move: DealMove | null;
  /** The id of the entry on the timeline of its contact. */
  entryId: string;
  events: OutboxEvent[];
};

/** All deals of a stage that somebody sees: how many, and their sums by currency, exact. */
export type StageTotals = { stageId: StageId; count: number; sums: { currency: string; value: string }[] };

/** `unknown`: what it refers to is none of the company, or has gone. */
export type DealWritten =
  'written' | 'not_written' | { kind: 'unknown'; field: 'stage_id' | 'owner_id' | 'contact_id' | 'organisation_id' };

export interface DealStore {
  /**
   * Writes a new deal with its first move, and the remembered answer.
   * `not_written`: the request's key is another's now.
   */
  create(deal: Deal, more: WithDeal, remember?: RememberedAnswer): Promise<DealWritten>;
  /** Replaces the deal that still has `deal.version - 1`. `not_written`: it has another. */
  update(deal: Deal, more: WithDeal): Promise<DealWritten>;
  /** Null: the company has none, or it is not seen. */
  find(companyId: CompanyId, scope: ContactScope, id: DealId): Promise<ShownDeal | null>;
  /** Null: the cursor is none of a list that is sorted so. */
  list(
    companyId: CompanyId,
    scope: ContactScope,
    filter: DealFilter,
    sort: DealSort,
    page: PageRequest,
  ): Promise<Page<ShownDeal> | null>;
  /** The first `limit` deals of each stage of a pipeline, the latest moved first. */
  board(
    companyId: CompanyId,
    scope: ContactScope,
    stages: Pick<Stage, 'id'>[],
    filter: { pipelineId: PipelineId; ownerId?: AgentId | undefined },
    limit: number,
  ): Promise<Map<StageId, Page<ShownDeal>>>;
  /** Of each stage of a pipeline that has deals. */
  totals(
    companyId: CompanyId,
    scope: ContactScope,
    filter: { pipelineId: PipelineId; ownerId?: AgentId | undefined },
  ): Promise<StageTotals[]>;
  /** The latest first. Null: the deal is not seen. */
  moves(companyId: CompanyId, scope: ContactScope, id: DealId, page: PageRequest): Promise<Page<ShownMove> | null>;
}

export interface PipelineStore {
  /**
   * Writes a new one and the remembered answer. `too_many`: the company has `atMost` already;
   * `not_written`: the request's key is another's now.
   */
  create(
    pipeline: Pipeline,
    atMost: number,
    remember?: RememberedAnswer,
  ): Promise<'created' | 'too_many' | 'not_written'>;
  /** Null: the company has none. */
  find(companyId: CompanyId, id: PipelineId): Promise<Pipeline | null>;
  /** In their order. */
  list(companyId: CompanyId): Promise<Pipeline[]>;
  /** A stage with its pipeline. Null: the company has none. */
  findStage(companyId: CompanyId, id: StageId): Promise<{ pipelineId: PipelineId; stage: Stage } | null>;
  /**
   * Replaces the one that still has `pipeline.version - 1`; stages that it has no more are removed.
   * `has_deals`: one of them has deals.
   */
  update(
    pipeline: Pipeline,
  ): Promise<'updated' | 'not_updated' | { kind: 'has_deals'; stageId: StageId; count: number }>;
  /** `has_deals`: it stays. */
  remove(companyId: CompanyId, id: PipelineId): Promise<'removed' | 'missing' | 'has_deals'>;
}
