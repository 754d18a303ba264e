import type { Pool } from 'pg';
import type { DealSort } from '../../../contract/deals.ts';
import { plainDecimal, type ShownDeal } from '../../../domain/deals.ts';
import { type CompanyId, type DealId, lastId, type StageId } from '../../../domain/ids.ts';
import type { ContactScope } from '../../../ports/contacts.ts';
import type { DealFilter, ShownMove, StageTotals } from '../../../ports/deals.ts';
import type { Page, PageRequest } from '../../../ports/queryResults.ts';
import { leadsTo, ownerOf } from '../contacts/findContacts.ts';
import { isTimePlace, placeCursor, readPlace, timePlace } from '../placeCursor.ts';
import { Prisma } from '../generated/client.ts';
import { fieldColumns, pageOf, run, type Statement } from '../queries.ts';
import { filteredName } from '../sortedPage.ts';
import { isStorableText } from '../storableValues.ts';

/**
 * Deals with their stage, as far as they are seen. $1 company id, $2 the agent whose deals and contacts are seen beside
 * nobody's, or null: all are. Of nobody's deals those alone whose contact is seen.
 */
const seenDeals = `FROM deal d
  JOIN pipeline_stage s ON s.company_id = $1 AND s.pipeline_id = d.pipeline_id AND s.id = d.stage_id
  LEFT JOIN contact c ON c.company_id = $1 AND c.id = d.contact_id
  WHERE d.company_id = $1 AND ($2::uuid IS NULL OR d.owner_id = $2
    OR d.owner_id IS NULL AND (c.id IS NULL OR c.owner_id IS NULL OR c.owner_id = $2))`;

/** The columns of ShownDeal. */
const columns = `${fieldColumns(Prisma.DealScalarFieldEnum, {
  but: ['stageId', 'value', 'ownerId', 'organisationId', 'expectedClose'],
  of: 'd',
})}, d.value::text AS value, to_char(d.expected_close, 'YYYY-MM-DD') AS "expectedClose",
  json_build_object('id', s.id, 'name', s.name, 'outcome', s.outcome, 'probability', s.probability) AS stage,
  (SELECT json_build_object('id', a.id, 'name', a.name) FROM agent a WHERE a.company_id = $1
    AND a.id = d.owner_id) AS owner,
  (SELECT json_build_object('id', o.id, 'name', o.name) FROM organisation o
    WHERE o.company_id = $1 AND o.id = d.organisation_id) AS organisation,
  CASE WHEN c.id IS NOT NULL AND ($2::uuid IS NULL OR c.owner_id IS NULL OR c.owner_id = $2)
    THEN json_build_object('id', c.id, 'name', c.name) END AS contact`;

function readDeal<T extends ShownDeal>(row: T): T {
  return { ...row, value: row.value === null ? null : plainDecimal(row.value) };
}

/** $3 deal id. */
export const findDeal = { name: 'find_deal', text: `SELECT ${columns} ${seenDeals} AND d.id = $3` };

export async function dealById(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  id: DealId,
): Promise<ShownDeal | null> {
  const [row] = await run<ShownDeal>(pool, findDeal, [companyId, ownerOf(scope), id]);
  return row === undefined ? null : readDeal(row);
}

/** The condition of each filter, on its parameter. A stage is looked for with its pipeline, as the index has them. */
const conditions: Record<keyof DealFilter, (parameter: string) => string> = {
  pipelineId: (p) => `d.pipeline_id = ${p}`,
  stageId: (p) =>
    `d.stage_id = ${p} AND d.pipeline_id = (SELECT i.pipeline_id FROM pipeline_stage i
      WHERE i.company_id = $1 AND i.id = ${p})`,
  state: (p) => `s.outcome = ${p}`,
  ownerId: (p) => `d.owner_id = ${p}`,
  contactId: (p) => `c.id = ${leadsTo(p)} AND ($2::uuid IS NULL OR c.owner_id IS NULL OR c.owner_id = $2)`,
  organisationId: (p) => `d.organisation_id = ${p}`,
  closesFrom: (p) => `d.expected_close >= ${p}::date`,
  closesUntil: (p) => `d.expected_close <= ${p}::date`,
};

type Sort = { by: string; type: string };
type SortName = Exclude<DealSort, `-${string}`>;

/** What a list is sorted by before the id; never null, so that a page can go on behind it. */
const sorts: Record<SortName, Sort> = {
  created: { by: 'd.created_at', type: 'timestamptz' },
  moved: { by: 'd.moved_at', type: 'timestamptz' },
  expected_close: { by: "coalesce(d.expected_close, 'infinity')", type: 'date' },
  value: { by: "coalesce(d.value, 'Infinity')", type: 'numeric' },
  name: { by: 'd.name', type: 'text' },
};

type SortedRow = ShownDeal & { place: string };

function nextOf(rows: SortedRow[], limit: number): Page<ShownDeal> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = rows.length > limit && last !== undefined ? placeCursor(last.place, last.id) : null;
  return { items: items.map(readDeal), nextCursor };
}

const isPlace: Record<SortName, (text: string) => boolean> = {
  created: isTimePlace,
  moved: isTimePlace,
  expected_close: (text) => text === 'infinity' || (/^(?!0000)\d{4}-\d\d-\d\d$/.test(text) && isDay(text)),
  value: (text) => /^(?:-?\d{1,15}(?:\.\d{1,3})?|Infinity)$/.test(text),
  name: (text) => isStorableText(text),
};

function isDay(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

/**
 * Deals of a page: one statement for each set of filters and way to sort, so that each has a plan of its own. $3 how
 * many; on a page behind another $4 place and $5 id of the last deal of that one; then a value for each filter, in
 * their order. @param given the filters
 */
export function dealsStatement(sort: DealSort, isBehind: boolean, given: readonly (keyof DealFilter)[]): Statement {
  const isBackwards = sort.startsWith('-');
  const { by, type } = sorts[nameOf(sort)];
  const [sign, order] = isBackwards ? ['<', 'DESC'] : ['>', 'ASC'];
  const wheres = given
    .map((name, index) => ` AND ${conditions[name](`$${String(index + (isBehind ? 6 : 4))}`)}`)
    .join('');
  const further = isBehind ? ` AND (${by}, d.id) ${sign} ($4::${type}, $5::uuid)` : '';
  const place = type === 'timestamptz' ? timePlace(by) : `(${by})::text`;
  // One plan for all companies would sort what it takes for few deals: it is made for each,
  // save where few are sorted in any.
  const isOfFew = given.some((name) => name === 'contactId' || name === 'organisationId');
  return {
    ...(isOfFew ? {} : { planEachTime: true as const }),
    name: filteredName(
      ['list_deals', isBackwards ? 'down' : 'up', nameOf(sort), ...(isBehind ? ['on'] : [])].join('_'),
      Object.keys(conditions),
      given,
    ),
    text: `SELECT ${columns}, ${place} AS place ${seenDeals}${wheres}${further}
      ORDER BY ${by} ${order}, d.id ${order} LIMIT $3`,
  };
}

function nameOf(sort: DealSort): SortName {
  return sort.replace('-', '') as SortName;
}

/** A page of deals. Null: the cursor is none of such a list. */
export async function listDeals(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  filter: DealFilter,
  sort: DealSort,
  { cursor, limit }: PageRequest,
): Promise<Page<ShownDeal> | null> {
  const given = (Object.keys(conditions) as (keyof DealFilter)[]).filter((name) => filter[name] !== undefined);
  const after = cursor === null ? [] : readPlace(cursor, isPlace[nameOf(sort)]);
  if (after === null) return null;
  const statement = dealsStatement(sort, after.length > 0, given);
  const rows = await run<SortedRow>(pool, statement, [
    companyId,
    ownerOf(scope),
    limit + 1,
    ...after,
    ...given.map((name) => filter[name]),
  ]);
  return nextOf(rows, limit);
}

/** The first deals of one stage, $3 pipeline, $4 stage, $5 how many, $6 of which owner or null. */
export const firstDeals = {
  name: 'first_deals',
  text: `SELECT ${columns}, ${timePlace('d.moved_at')} AS place ${seenDeals}
    AND d.pipeline_id = $3 AND d.stage_id = $4 AND ($6::uuid IS NULL OR d.owner_id = $6)
    ORDER BY d.moved_at DESC, d.id DESC LIMIT $5`,
};

export async function firstDealsOf(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  place: { pipelineId: string; stageId: StageId; ownerId: string | null },
  limit: number,
): Promise<Page<ShownDeal>> {
  const { pipelineId, stageId, ownerId } = place;
  return nextOf(
    await run<SortedRow>(pool, firstDeals, [companyId, ownerOf(scope), pipelineId, stageId, limit + 1, ownerId]),
    limit,
  );
}

/** $3 pipeline, $4 of which owner or null. */
export const totalDeals = {
  name: 'total_deals',
  text: `SELECT d.stage_id AS "stageId", d.currency, count(*)::int AS count, sum(d.value)::text AS value ${seenDeals}
    AND d.pipeline_id = $3 AND ($4::uuid IS NULL OR d.owner_id = $4) GROUP BY d.stage_id, d.currency
    ORDER BY d.stage_id, d.currency`,
};

export async function totalsOf(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  { pipelineId, ownerId }: { pipelineId: string; ownerId: string | null },
): Promise<StageTotals[]> {
  const rows = await run<{ stageId: StageId; currency: string | null; count: number; value: string | null }>(
    pool,
    totalDeals,
    [companyId, ownerOf(scope), pipelineId, ownerId],
  );
  const totals = new Map<StageId, StageTotals>();
  for (const { stageId, currency, count, value } of rows) {
    const total = totals.get(stageId) ?? { stageId, count: 0, sums: [] };
    total.count += count;
    if (currency !== null && value !== null) total.sums.push({ currency, value: plainDecimal(value) });
    totals.set(stageId, total);
  }
  return [...totals.values()];
}

/** $3 deal id, $4 ids before this one, $5 how many. A deal has one move at least: how it was made. */
export const listMoves = {
  name: 'list_deal_moves',
  text: `SELECT m.id, m.at, m.agent_id AS by, (SELECT a.name FROM agent a
    WHERE a.company_id = $1 AND a.id = m.agent_id) AS "byName",
    CASE WHEN m.from_stage_id IS NOT NULL THEN json_build_object('id', m.from_stage_id, 'name', m.from_stage)
      END AS "from",
    json_build_object('id', m.to_stage_id, 'name', m.to_stage) AS "to"
  FROM deal_move m WHERE m.company_id = $1 AND m.deal_id = $3 AND m.id < $4
    AND EXISTS (SELECT ${seenDeals} AND d.id = $3) ORDER BY m.id DESC LIMIT $5`,
};

export async function movesOf(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  id: DealId,
  { cursor, limit }: PageRequest,
): Promise<Page<ShownMove> | null> {
  const rows = await run<ShownMove>(pool, listMoves, [companyId, ownerOf(scope), id, cursor ?? lastId, limit + 1]);
  return rows.length === 0 && cursor === null ? null : pageOf(rows, limit, (move) => move);
}
