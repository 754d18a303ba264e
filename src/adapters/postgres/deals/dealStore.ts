import type { StageId } from '../../../domain/ids.ts';
import type { DealStore } from '../../../ports/deals.ts';
import type { StoreParts } from '../pool.ts';
import { dealById, firstDealsOf, listDeals, movesOf, totalsOf } from './findDeals.ts';
import { insertDeal, replaceDeal } from './writeDeal.ts';

/** Deals of the built-in CRM in PostgreSQL. */
export function createDealStore({ pool }: Pick<StoreParts, 'pool'>): DealStore {
  return {
    create: (deal, more, remember) => insertDeal(pool, deal, more, remember),
    update: (deal, more) => replaceDeal(pool, deal, more),
    find: (companyId, scope, id) => dealById(pool, companyId, scope, id),
    list: (companyId, scope, filter, sort, page) => listDeals(pool, companyId, scope, filter, sort, page),

    async board(companyId, scope, stages, { pipelineId, ownerId = null }, limit) {
      const pages = new Map<StageId, Awaited<ReturnType<typeof firstDealsOf>>>();
      // One after the other: each is quick by its index, and a board must not take all connections.
      for (const { id } of stages)
        pages.set(id, await firstDealsOf(pool, companyId, scope, { pipelineId, stageId: id, ownerId }, limit));
      return pages;
    },

    totals: (companyId, scope, { pipelineId, ownerId = null }) =>
      totalsOf(pool, companyId, scope, { pipelineId, ownerId }),
    moves: (companyId, scope, id, page) => movesOf(pool, companyId, scope, id, page),
  };
}
