import type { Pool } from 'pg';
import { dayMs } from '../../../domain/reportWindows.ts';
import type { CallDayToRollUp, CallRollUpStore } from '../../../ports/reports.ts';
import { callIdsSince, callIdsUntil } from '../calls/callIds.ts';
import { inTransaction } from '../inTransaction.ts';
import type { StoreParts } from '../pool.ts';
import { run, type Statement } from '../queries.ts';
import { allAgents, countedFigures, figureColumns, summedFigures } from './callFigures.ts';

/** Calls in figures, rolled up from their records in PostgreSQL. */
export function createCallRollUpStore({ pool }: Pick<StoreParts, 'pool'>): CallRollUpStore {
  return {
    toRollUp: (until) => run<CallDayToRollUp>(pool, findCallsToRollUp, [until]),
    stale: (limit) => run<CallDayToRollUp>(pool, findStaleDays, [limit]),
    rollUp: (day) => rollUpDay(pool, day),
  };
}

/** $1 until when they should be. The first call by its id may have begun a day after the first one by time. */
export const findCallsToRollUp: Statement = {
  name: 'find_calls_to_roll_up',
  text: `SELECT c.id AS "companyId", coalesce(r.until,
    date_bin('1 day', first.created_at - interval '26 hours', 'epoch'::timestamptz)) AS day,
    coalesce(r.version, 0) AS version
  FROM company c LEFT JOIN call_roll_up r ON r.company_id = c.id
  CROSS JOIN LATERAL (SELECT created_at FROM call WHERE company_id = c.id ORDER BY company_id, id LIMIT 1) AS first
  WHERE r.until IS NULL OR r.until < $1`,
};

/** $1 how many at most. Of days that are not rolled up yet nothing is to be done again. */
export const findStaleDays: Statement = {
  name: 'find_stale_call_days',
  text: `SELECT DISTINCT s.company_id AS "companyId", s.at AS day, r.version
    FROM stale_call_day s JOIN call_roll_up r ON r.company_id = s.company_id
  WHERE s.at < r.until LIMIT $1`,
};

/**
 * $1 company id, $2 the end of the day, $3 the version that was read.
 * Whoever comes second finds another version, and writes nothing.
 */
export const takeTurn: Statement = {
  name: 'take_turn_to_roll_up_calls',
  text: `INSERT INTO call_roll_up (company_id, until, version) VALUES ($1, $2, 1)
  ON CONFLICT (company_id) DO UPDATE SET until = greatest(call_roll_up.until, excluded.until),
    version = call_roll_up.version + 1 WHERE call_roll_up.version = $3
  RETURNING version`,
};

/**
 * $1 company id, $2 the day, $3 its end. What is written before is read after: a change that
 * comes between is noted anew.
 */
export const clearDay: Statement = {
  name: 'clear_rolled_up_day',
  text: `WITH stale AS (DELETE FROM stale_call_day WHERE company_id = $1 AND at = $2),
  quarters AS (DELETE FROM call_quarter WHERE company_id = $1
    AND agent_id = ANY (ARRAY (SELECT id FROM agent WHERE company_id = $1) || '${allAgents}'::uuid)
    AND at >= $2 AND at < $3)
  DELETE FROM call_day WHERE company_id = $1 AND at = $2`,
};

/** $1 company id, $2 the day, $3 its end, $4 and $5 bounds of the ids. */
export const rollUpCalls: Statement = {
  name: 'roll_up_calls',
  text: `WITH counted AS MATERIALIZED (
    SELECT date_bin('15 minutes', created_at, 'epoch'::timestamptz) AS at, agent_id,
      coalesce(disposition_code, '') AS code, max(id::text) AS last,
      (max(ARRAY[id::text, disposition_label]))[2] AS label, ${countedFigures}
    FROM call WHERE company_id = $1 AND id >= $4 AND id < $5 AND created_at >= $2 AND created_at < $3 GROUP BY 1, 2, 3
  ), quarters AS (
    INSERT INTO call_quarter (company_id, agent_id, at, ${figureColumns})
    SELECT $1, coalesce(agent_id, '${allAgents}'), at, ${summedFigures} FROM counted
    GROUP BY GROUPING SETS ((at, agent_id), (at))
  )
  INSERT INTO call_day (company_id, at, agent_id, disposition_code, disposition_label, last_call_id, ${figureColumns})
  SELECT $1, $2, agent_id, code, (max(ARRAY[last, label]))[2], max(last)::uuid, ${summedFigures} FROM counted
  GROUP BY agent_id, code`,
  planEachTime: true,
};

async function rollUpDay(pool: Pool, { companyId, day, version }: CallDayToRollUp): Promise<boolean> {
  const end = new Date(day.getTime() + dayMs);
  return inTransaction(pool, async (client) => {
    if ((await run(client, takeTurn, [companyId, end, version])).length === 0) return false;
    await run(client, clearDay, [companyId, day, end]);
    await run(client, rollUpCalls, [companyId, day, end, callIdsSince(day), callIdsUntil(end)]);
    return true;
  });
}
