import type { DealMoveView, DealView } from '../../contract/deals.ts';
import type { PipelineView } from '../../contract/pipelines.ts';
import type { Pipeline, ShownDeal } from '../../domain/deals.ts';
import { refuse } from '../../domain/outcome.ts';
import type { DealMove, ShownMove } from '../../ports/deals.ts';
import type { OutboxEvent } from '../../ports/outbox.ts';
import type { Services } from '../services.ts';
import { eventOnRequest } from '../webhooks/envelope.ts';

/** The same for one that does not exist, of another company, and of a colleague: nobody learns which. */
export const noSuchDeal = refuse('not_found', 'The company has no such deal, or it is not shown to you.');
export const noSuchPipeline = refuse('not_found', 'The company has no such pipeline.');

/** A deal as the interface shows it. */
export function dealView(deal: ShownDeal): DealView {
  const {
    id,
    name,
    pipelineId,
    stage,
    value,
    currency,
    owner,
    contact,
    organisation,
    expectedClose,
    version,
    movedAt,
    createdAt,
    updatedAt,
  } = deal;
  return {
    id,
    name,
    pipeline_id: pipelineId,
    stage: { id: stage.id, name: stage.name, outcome: stage.outcome, probability: stage.probability },
    value,
    currency,
    owner,
    contact,
    organisation,
    expected_close: expectedClose,
    version,
    moved_at: movedAt.toISOString(),
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}

/** What a webhook tells of a move, for those who ask for it. @param deal as it is after the move */
export function moveEvents(
  services: Pick<Services, 'agentCard' | 'newId' | 'companyOf'>,
  deal: ShownDeal,
  { at, by, from, to }: DealMove,
): Promise<OutboxEvent[]> {
  const { companyId, id, contactId } = deal;
  return eventOnRequest(services, companyId, 'deal_moved', { at, by }, (agent) => ({
    event: 'deal_moved',
    data: { deal_id: id, from, to, contact_id: contactId, agent, deal: dealView(deal) },
  }));
}

/** A move of a deal as the interface shows it. */
export function moveView({ id, at, by, byName, from, to }: ShownMove): DealMoveView {
  return { id, at: at.toISOString(), by: by === null ? null : { id: by, name: byName ?? '' }, from, to };
}

/** A pipeline as the interface shows it. */
export function pipelineView({ id, name, position, stages, version, createdAt, updatedAt }: Pipeline): PipelineView {
  return {
    id,
    name,
    position,
    stages,
    version,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
