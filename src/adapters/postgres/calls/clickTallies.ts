import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { ClickTallies, QuarterOfClicks } from '../../../ports/wallboard.ts';
import { type ClickTally as StoredTally, Prisma } from '../generated/client.ts';
import type { StoreParts } from '../pool.ts';
import { fieldColumns, run } from '../queries.ts';
import { forgetFigures } from '../reports/forgetFigures.ts';

/** Clicks by company and quarter of an hour, in PostgreSQL. */
export function createClickTallyStore({ pool, prisma }: Pick<StoreParts, 'pool' | 'prisma'>): ClickTallies {
  return {
    add: (clicks) => addToTallies(pool, clicks),
    async list(companyId, since) {
      const rows = await prisma.clickTally.findMany({
        where: { companyId, at: { gte: since } },
        orderBy: { at: 'asc' },
      });
      return rows.map(readRow);
    },
    prune: (before, limit) => pruneTallies(pool, before, limit),
  };
}

/**
 * Arrays of equal length, no two elements of one company and quarter: $1 company ids, $2 beginnings of the quarters,
 * $3 to $6 how many clicks. In order of the key, so that two gateways lock the rows in one order.
 */
export const addClicks = {
  name: 'add_clicks',
  text: `INSERT INTO click_tally (company_id, at, dialed, no_ready_agent, agent_not_ready, failed)
  SELECT clicks.* FROM unnest($1::uuid[], $2::timestamptz[], $3::int[], $4::int[], $5::int[], $6::int[])
    AS clicks (company_id, at, dialed, no_ready_agent, agent_not_ready, failed)
  WHERE EXISTS (SELECT FROM company WHERE company.id = clicks.company_id)
  ORDER BY clicks.company_id, clicks.at
  ON CONFLICT (company_id, at) DO UPDATE SET
    dialed = click_tally.dialed + excluded.dialed,
    no_ready_agent = click_tally.no_ready_agent + excluded.no_ready_agent,
    agent_not_ready = click_tally.agent_not_ready + excluded.agent_not_ready,
    failed = click_tally.failed + excluded.failed
  RETURNING ${fieldColumns(Prisma.ClickTallyScalarFieldEnum)}`,
};

/** Adds to the counts; returns the sums of the quarters that changed. */
async function addToTallies(pool: Pool, clicks: QuarterOfClicks[]): Promise<QuarterOfClicks[]> {
  const rows = await run<StoredTally>(pool, addClicks, [
    clicks.map(({ companyId }) => companyId),
    clicks.map(({ at }) => at),
    clicks.map(({ counts }) => counts.dialed),
    clicks.map(({ counts }) => counts.noReadyAgent),
    clicks.map(({ counts }) => counts.agentNotReady),
    clicks.map(({ counts }) => counts.failed),
  ]);
  return rows.map(readRow);
}

function readRow({ companyId, at, ...counts }: StoredTally): QuarterOfClicks {
  return { companyId: companyId as CompanyId, at, counts };
}

/** $1 before when, $2 how many at most. */
export const pruneClicks = { name: 'prune_clicks', text: forgetFigures('click_tally', ['company_id', 'at']) };

/** Deletes the sums of quarters that began before then; how many. */
async function pruneTallies(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneClicks, [before, limit])).length;
}
