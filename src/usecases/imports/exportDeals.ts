import type { CompanyId } from '../../domain/ids.ts';
import { csvLine } from '../../domain/spreadsheetCells.ts';
import type { Page } from '../../ports/queryResults.ts';
import type { ShownDeal } from '../../domain/deals.ts';
import type { Services } from '../services.ts';
import { byteOrderMark } from './rowsToMend.ts';

/** Deals that are read together; between two pages nothing is held. */
const pageSize = 500;

const headers = [
  'id',
  'name',
  'pipeline',
  'stage',
  'outcome',
  'probability',
  'value',
  'currency',
  'owner_code',
  'owner',
  'contact_id',
  'contact',
  'organisation_id',
  'organisation',
  'expected_close',
  'moved_at',
  'created_at',
  'updated_at',
];

/** All deals of a company as CSV, the earliest first, a page at a time. Values are exact decimals with a point. */
export async function* exportDeals(
  { agentCards, deals, pipelines }: Pick<Services, 'agentCards' | 'deals' | 'pipelines'>,
  companyId: CompanyId,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(headers);
  for (let cursor: string | null = null; ;) {
    const page: Page<ShownDeal> | null = await deals.list(companyId, 'all', {}, 'created', { cursor, limit: pageSize });
    if (page === null) throw new Error('a page of deals gave a cursor that its list does not take');
    const [owners, listed] = await Promise.all([
      agentCards(companyId, [...new Set(page.items.flatMap(({ owner }) => owner?.id ?? []))]),
      pipelines.list(companyId),
    ]);
    const pipelineNames = new Map(listed.map(({ id, name }) => [id, name]));
    yield page.items
      .map((deal) =>
        csvLine([
          deal.id,
          deal.name,
          pipelineNames.get(deal.pipelineId) ?? null,
          deal.stage.name,
          deal.stage.outcome,
          deal.stage.probability.toString(),
          deal.value,
          deal.currency,
          (deal.owner === null ? undefined : owners.get(deal.owner.id))?.agentCode ?? null,
          deal.owner?.name ?? null,
          deal.contactId,
          deal.contact?.name ?? null,
          deal.organisation?.id ?? null,
          deal.organisation?.name ?? null,
          deal.expectedClose,
          deal.movedAt.toISOString(),
          deal.createdAt.toISOString(),
          deal.updatedAt.toISOString(),
        ]),
      )
      .join('');
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
