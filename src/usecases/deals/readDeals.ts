import type { BoardQuery, DealBoard, DealMoveView, DealView, ListDealsQuery } from '../../contract/deals.ts';
import type { Principal } from '../../domain/access.ts';
import {
  type AgentId,
  type ContactId,
  type OrganisationId,
  type PipelineId,
  type StageId,
  toId,
} from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/outcome.ts';
import { otherList, scopeOf } from '../contacts/contactScope.ts';
import type { Services } from '../services.ts';
import { dealView, moveView, noSuchDeal, noSuchPipeline } from './dealViews.ts';

type Needs = Pick<Services, 'deals' | 'companyOf'>;

/** One deal, as far as it is shown to the caller. */
export async function readDeal(services: Needs, principal: Principal, id: string): Promise<Outcome<DealView>> {
  const found = await services.deals.find(principal.companyId, await scopeOf(services, principal), toId(id));
  return found === null ? noSuchDeal : ok(dealView(found));
}

/**
 * Deals that fit and are shown to the caller, a page at a time. Refuses a cursor of a list that is sorted otherwise.
 */
export async function listDeals(
  services: Needs,
  principal: Principal,
  query: ListDealsQuery,
): Promise<Outcome<{ deals: DealView[]; next_cursor: string | null }>> {
  const {
    cursor,
    limit,
    sort,
    pipeline,
    stage,
    state,
    owner,
    contact,
    organisation,
    closes_from: closesFrom,
    closes_until: closesUntil,
  } = query;
  const filter = {
    pipelineId: pipeline === undefined ? undefined : toId<PipelineId>(pipeline),
    stageId: stage === undefined ? undefined : toId<StageId>(stage),
    state,
    ownerId: owner === undefined ? undefined : toId<AgentId>(owner),
    contactId: contact === undefined ? undefined : toId<ContactId>(contact),
    organisationId: organisation === undefined ? undefined : toId<OrganisationId>(organisation),
    closesFrom,
    closesUntil,
  };
  const listed = await services.deals.list(principal.companyId, await scopeOf(services, principal), filter, sort, {
    cursor: cursor ?? null,
    limit,
  });
  if (listed === null) return otherList;
  return ok({ deals: listed.items.map(dealView), next_cursor: listed.nextCursor });
}

/** Where a deal has been, the latest move first. */
export async function listMoves(
  services: Needs,
  principal: Principal,
  id: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Outcome<{ moves: DealMoveView[]; next_cursor: string | null }>> {
  const listed = await services.deals.moves(principal.companyId, await scopeOf(services, principal), toId(id), {
    cursor: cursor ?? null,
    limit,
  });
  return listed === null ? noSuchDeal : ok({ moves: listed.items.map(moveView), next_cursor: listed.nextCursor });
}

/** A pipeline as a board: each stage with its totals and its first deals. */
export async function readBoard(
  services: Needs & Pick<Services, 'pipelines'>,
  principal: Principal,
  id: string,
  { owner, limit }: BoardQuery,
): Promise<Outcome<DealBoard>> {
  const { companyId } = principal;
  const pipeline = await services.pipelines.find(companyId, toId(id));
  if (pipeline === null) return noSuchPipeline;
  const scope = await scopeOf(services, principal);
  const filter = { pipelineId: pipeline.id, ownerId: owner === undefined ? undefined : toId<AgentId>(owner) };
  const [totals, pages] = await Promise.all([
    services.deals.totals(companyId, scope, filter),
    services.deals.board(companyId, scope, pipeline.stages, filter, limit),
  ]);
  const stages = pipeline.stages.map((stage) => {
    const total = totals.find(({ stageId }) => stageId === stage.id);
    const page = pages.get(stage.id);
    return {
      ...stage,
      count: total?.count ?? 0,
      sums: total?.sums ?? [],
      deals: page?.items.map(dealView) ?? [],
      next_cursor: page?.nextCursor ?? null,
    };
  });
  return ok({ pipeline_id: pipeline.id, stages });
}
