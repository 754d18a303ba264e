import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { AgentTimes, CallFigures, ReportedCalls, ReportStore } from '../../../ports/reports.ts';
import type { StoreParts } from '../pool.ts';
import { run, type Statement } from '../queries.ts';
import { callIdsSince, callIdsUntil } from './callIds.ts';

/** Reports, counted by PostgreSQL from the records themselves. */
export function createReportStore({ pool }: Pick<StoreParts, 'pool'>): ReportStore {
  return {
    calls: (companyId, which, by, timeZone) => countCalls(pool, companyId, which, by, timeZone),
    times: (companyId, which, now) => countTimes(pool, companyId, which, now),
    async clicksRefused(companyId, since, until) {
      const [row] = await run<{ refused: number }>(pool, countRefusedClicks, [companyId, since, until]);
      return row?.refused ?? 0;
    },
  };
}

const seconds = (from: string, until: string) => `EXTRACT(EPOCH FROM ${until} - ${from})`;

/** As `durationSeconds` in src/domain/calls.ts has it, so that a report adds up to the list of the calls. */
const figures = `count(*)::int AS calls, count(*) FILTER (WHERE direction = 'outbound')::int AS outbound, count(*) FILTER (WHERE direction = 'inbound')::int AS inbound,
    count(answered_at)::int AS answered, count(*) FILTER (WHERE direction = 'inbound' AND answered_at IS NULL AND state = 'ended')::int AS missed,
    coalesce(sum(greatest(0, round(${seconds('answered_at', 'ended_at')}))), 0)::float8 AS "talkSeconds",
    count(answered_at) FILTER (WHERE direction = 'inbound')::int AS "inboundAnswered",
    coalesce(sum(greatest(0, ${seconds('created_at', 'answered_at')})) FILTER (WHERE direction = 'inbound'), 0)::float8 * 1000 AS "answerMs"`;

/**
 * $1 company id, $2 and $3 bounds of the ids, $4 since, $5 until, $6 agent ids or null. Planned each time: a day and a year are not read alike.
 * @param key SQL; $7 the time zone, where it is used
 */
const countBy = (by: string, key: string, name: string): Statement => ({
  name: `count_calls_by_${by}`,
  text: `SELECT ${key} AS key, ${name} AS name, ${figures} FROM call
  WHERE company_id = $1 AND id >= $2 AND id < $3 AND created_at >= $4 AND created_at < $5 AND ($6::uuid[] IS NULL OR agent_id = ANY ($6))
  GROUP BY 1 ORDER BY 1`,
  planEachTime: true,
});

export const countCallsByDay = countBy('day', "to_char(created_at AT TIME ZONE $7::text, 'YYYY-MM-DD')", 'NULL::text');
export const countCallsByHour = countBy('hour', "to_char(created_at AT TIME ZONE $7::text, 'HH24')", 'NULL::text');
export const countCallsByAgent = countBy('agent', 'agent_id::text', 'NULL::text');
export const countCallsByDisposition = countBy('disposition', 'disposition_code', '(array_agg(disposition_label ORDER BY id DESC))[1]');

const statements = { day: countCallsByDay, hour: countCallsByHour, agent: countCallsByAgent, disposition: countCallsByDisposition };

async function countCalls(pool: Pool, companyId: CompanyId, { since, until, agentIds }: ReportedCalls, by: keyof typeof statements, timeZone: string) {
  const inZone = by === 'day' || by === 'hour' ? [timeZone] : [];
  const values = [companyId, callIdsSince(since), callIdsUntil(until), since, until, agentIds, ...inZone];
  return run<CallFigures & { key: string | null; name: string | null }>(pool, statements[by], values);
}

/**
 * $1 company id, $2 since, $3 until, $4 now, $5 agent ids or null. A state lasts until the agent's next one; the one that reaches into the time
 * began before it.
 */
export const countAgentTimes: Statement = {
  name: 'count_agent_times',
  text: `WITH change AS (
    SELECT agent_id, at, version, state FROM agent_state_change WHERE company_id = $1 AND at >= $2 AND at < $3 AND ($5::uuid[] IS NULL OR agent_id = ANY ($5))
    UNION ALL
    SELECT a.id, before.at, before.version, before.state FROM agent a CROSS JOIN LATERAL (
      SELECT at, version, state FROM agent_state_change WHERE company_id = $1 AND agent_id = a.id AND at < $2 ORDER BY agent_id DESC, at DESC, version DESC LIMIT 1
    ) AS before WHERE a.company_id = $1 AND ($5::uuid[] IS NULL OR a.id = ANY ($5))
  ), span AS (
    SELECT agent_id, state, EXTRACT(EPOCH FROM least(lead(at) OVER (PARTITION BY agent_id ORDER BY at, version), $3::timestamptz, $4::timestamptz) - greatest(at, $2::timestamptz)) * 1000 AS ms
    FROM change
  )
  SELECT agent_id AS "agentId", coalesce(sum(greatest(ms, 0)) FILTER (WHERE state <> 'offline'), 0)::float8 AS "signedInMs",
    coalesce(sum(greatest(ms, 0)) FILTER (WHERE state IN ('reserved', 'on_call', 'wrap_up')), 0)::float8 AS "busyMs",
    coalesce(sum(greatest(ms, 0)) FILTER (WHERE state = 'wrap_up'), 0)::float8 AS "wrapUpMs"
  FROM span GROUP BY 1`,
  planEachTime: true,
};

async function countTimes(pool: Pool, companyId: CompanyId, { since, until, agentIds }: ReportedCalls, now: Date): Promise<AgentTimes[]> {
  return run<AgentTimes>(pool, countAgentTimes, [companyId, since, until, now, agentIds]);
}

/** $1 company id, $2 since, $3 until. */
export const countRefusedClicks: Statement = {
  name: 'count_refused_clicks',
  text: 'SELECT coalesce(sum(no_ready_agent), 0)::int AS refused FROM click_tally WHERE company_id = $1 AND at >= $2 AND at < $3',
};
