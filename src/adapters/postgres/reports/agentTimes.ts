import type { PoolClient } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { AgentTimes, AgentTimeStore, ReportedCalls, ToRollUp } from '../../../ports/reports.ts';
import type { StoreParts } from '../pool.ts';
import { run, type Statement } from '../queries.ts';
import { forgetFigures } from './forgetFigures.ts';

/** Agents' times, rolled up from their timelines in PostgreSQL. */
export function createAgentTimeStore({ pool }: Pick<StoreParts, 'pool'>): AgentTimeStore {
  return {
    toRollUp: (until) => run<ToRollUp>(pool, findToRollUp, [until]),
    async beginning(companyId) {
      const [row] = await run<{ at: Date | null }>(pool, findBeginning, [companyId]);
      return row?.at ?? null;
    },
    rollUp: async (companyId, { from, until }, knownSince) =>
      (await run(pool, rollUpTimes, [companyId, from, until, knownSince])).length > 0,
    prune: async (before, limit) => (await run(pool, pruneTimes, [before, limit])).length,
  };
}

/** $1 until when they should be. */
export const findToRollUp: Statement = {
  name: 'find_to_roll_up',
  text: `SELECT c.id AS "companyId", r.rolled_up_until AS "from" FROM company c
    LEFT JOIN report_reach r ON r.company_id = c.id
  WHERE r.rolled_up_until IS NULL OR r.rolled_up_until < $1`,
};

/** $1 company id. By agents, as the timelines are kept. */
export const findBeginning: Statement = {
  name: 'find_beginning_of_timelines',
  text: `SELECT min(first.at) AS at FROM agent a CROSS JOIN LATERAL (
    SELECT at FROM agent_state_change WHERE company_id = $1 AND agent_id = a.id ORDER BY agent_id, at, version LIMIT 1
  ) AS first WHERE a.company_id = $1`,
};

/**
 * Parts of a WITH: what agents did from $2 to $3, one after the other. A state lasts until the agent's next one;
 * the one that reaches into the time began before it. $1 company id.
 * @param ofAgents SQL condition on the agent's id; @param end SQL: the end of what has no next state
 */
const spans = (ofAgents: (id: string) => string, end: string) => `change AS (
    SELECT agent_id, at, version, state FROM agent_state_change WHERE company_id = $1 AND at >= $2 AND at < $3
      AND ${ofAgents('agent_id')}
    UNION ALL
    SELECT a.id, before.at, before.version, before.state FROM agent a CROSS JOIN LATERAL (
      SELECT at, version, state FROM agent_state_change WHERE company_id = $1 AND agent_id = a.id AND at < $2
      ORDER BY agent_id DESC, at DESC, version DESC LIMIT 1
    ) AS before WHERE a.company_id = $1 AND ${ofAgents('a.id')}
  ), span AS (
    SELECT agent_id, state, greatest(at, $2::timestamptz) AS since,
      least(lead(at) OVER (PARTITION BY agent_id ORDER BY at, version), ${end}) AS until FROM change
  )`;

/**
 * Parts of a WITH, after `spans`: the same, cut where quarters of an hour begin,
 * without what agents did while they were away.
 */
const pieces = `piece AS (
    SELECT agent_id, quarter AS at, state, EXTRACT(EPOCH FROM least(until, quarter + interval '15 minutes')
      - greatest(since, quarter)) * 1000 AS ms
    FROM span CROSS JOIN LATERAL generate_series(date_bin('15 minutes', since, 'epoch'::timestamptz), until,
      interval '15 minutes') AS quarter
    WHERE state <> 'offline' AND until > since AND quarter < until
  )`;

/** SQL: how long, by the states of `piece`. */
const sums = {
  signedInMs: 'sum(ms)',
  busyMs: "coalesce(sum(ms) FILTER (WHERE state IN ('reserved', 'on_call', 'wrap_up')), 0)",
  wrapUpMs: "coalesce(sum(ms) FILTER (WHERE state = 'wrap_up'), 0)",
};

/**
 * $1 company id, $2 from, $3 until, $4 since when timelines are complete, unless something is rolled up already.
 * Whoever comes second finds another time rolled up than they have read, and writes nothing.
 */
export const rollUpTimes: Statement = {
  name: 'roll_up_times',
  text: `WITH turn AS (
    INSERT INTO report_reach (company_id, known_since, rolled_up_until)
    SELECT id, CASE WHEN created_at < $4::timestamptz THEN $4 END, $3::timestamptz FROM company WHERE id = $1
    ON CONFLICT (company_id) DO UPDATE SET rolled_up_until = excluded.rolled_up_until
    WHERE report_reach.rolled_up_until = $2::timestamptz
    RETURNING company_id
  ), ${spans(() => 'true', '$3::timestamptz')}, ${pieces}, kept AS (
    INSERT INTO agent_time (company_id, at, agent_id, signed_in_ms, busy_ms, wrap_up_ms)
    SELECT turn.company_id, at, agent_id, ${sums.signedInMs}, ${sums.busyMs}, ${sums.wrapUpMs}
    FROM piece, turn GROUP BY 1, 2, 3
  )
  SELECT company_id FROM turn`,
  planEachTime: true,
};

/** $1 before when, $2 how many at most. */
export const pruneTimes: Statement = {
  name: 'prune_agent_times',
  text: forgetFigures('agent_time', ['company_id', 'at', 'agent_id']),
};

/**
 * $1 company id, $2 since when timelines are read, $3 until, $4 now, $5 agent ids or null,
 * $6 since when times are asked for: from there to $2 they are rolled up. $7 the time zone, where it is used.
 */
const countTimesBy = (by: string, key: string, named: string): Statement => ({
  name: `count_agent_times_by_${by}`,
  text: `WITH ${spans((id) => `($5::uuid[] IS NULL OR ${id} = ANY ($5))`, '$3::timestamptz, $4::timestamptz')},
    ${pieces}, counted AS (
    SELECT ${key} AS key, ${sums.signedInMs} AS signed_in_ms, ${sums.busyMs} AS busy_ms, ${sums.wrapUpMs} AS wrap_up_ms
    FROM piece GROUP BY 1
    UNION ALL
    SELECT ${key}, sum(signed_in_ms), sum(busy_ms), sum(wrap_up_ms) FROM agent_time
    WHERE company_id = $1 AND at >= $6 AND at < least($2::timestamptz, $3::timestamptz)
      AND ($5::uuid[] IS NULL OR agent_id = ANY ($5)) GROUP BY 1
  )
  SELECT ${named} AS key, sum(signed_in_ms)::float8 AS "signedInMs", sum(busy_ms)::float8 AS "busyMs",
    sum(wrap_up_ms)::float8 AS "wrapUpMs"
  FROM counted GROUP BY counted.key ORDER BY counted.key`,
  planEachTime: true,
});

export const countTimesByDay = countTimesBy('day', '(at AT TIME ZONE $7::text)::date', "to_char(key, 'YYYY-MM-DD')");
export const countTimesByHour = countTimesBy(
  'hour',
  "date_part('hour', at AT TIME ZONE $7::text)",
  "to_char(key, 'FM00')",
);
export const countTimesByAgent = countTimesBy('agent', 'agent_id', 'key::text');

const statements = { day: countTimesByDay, hour: countTimesByHour, agent: countTimesByAgent };

/** $1 company id. */
export const findReach: Statement = {
  name: 'find_report_reach',
  text: `SELECT known_since AS "knownSince", rolled_up_until AS "rolledUpUntil" FROM report_reach
    WHERE company_id = $1`,
};

/** Of what is rolled up and what is not, each once: both are to be read as of one moment. */
export async function countTimes(
  client: PoolClient,
  companyId: CompanyId,
  { since, until, agentIds }: ReportedCalls,
  { by, timeZone, now }: { by: keyof typeof statements; timeZone: string; now: Date },
): Promise<(AgentTimes & { key: string })[]> {
  const [reach] = await run<{ rolledUpUntil: Date }>(client, findReach, [companyId]);
  const rolledUp = reach?.rolledUpUntil ?? since;
  const inZone = by === 'agent' ? [] : [timeZone];
  return run(client, statements[by], [
    companyId,
    rolledUp > since ? rolledUp : since,
    until,
    now,
    agentIds,
    since,
    ...inZone,
  ]);
}
