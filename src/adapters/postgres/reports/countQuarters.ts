import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CallQuarter, ReportedCalls, StateQuarter } from '../../../ports/reports.ts';
import { run, type Statement } from '../queries.ts';
import { isMissed } from '../calls/searchCalls.ts';
import { callIdsSince, callIdsUntil } from '../calls/callIds.ts';

/** SQL: where that time's quarter of an hour begins. */
const quarterOf = (time: string) => `date_bin('15 minutes', ${time}, 'epoch'::timestamptz)`;
const count = (direction: string, outcome: string) =>
  `count(*) FILTER (WHERE direction = '${direction}' AND ${outcome})::int`;
const answered = 'answered_at IS NOT NULL';
const unanswered = "answered_at IS NULL AND state = 'ended'";

/** $1 company id, $2 and $3 bounds of the ids, $4 since, $5 until, $6 agent ids or null. */
export const countCallQuarters: Statement = {
  name: 'count_call_quarters',
  text: `SELECT ${quarterOf('created_at')} AS at, ${count('inbound', answered)} AS "inboundAnswered",
    ${count('inbound', isMissed)} AS "inboundMissed",
    ${count('outbound', answered)} AS "outboundAnswered", ${count('outbound', unanswered)} AS "outboundUnanswered"
  FROM call WHERE company_id = $1 AND id >= $2 AND id < $3 AND created_at >= $4 AND created_at < $5
    AND ($6::uuid[] IS NULL OR agent_id = ANY ($6))
  GROUP BY 1`,
  planEachTime: true,
};

export async function callQuarters(
  pool: Pool,
  companyId: CompanyId,
  { since, until, agentIds }: ReportedCalls,
): Promise<CallQuarter[]> {
  return run<CallQuarter>(pool, countCallQuarters, [
    companyId,
    callIdsSince(since),
    callIdsUntil(until),
    since,
    until,
    agentIds,
  ]);
}

const quarterMs = 15 * 60_000;
/** SQL: what the agent was doing at that time. */
const stateBefore = (time: string) =>
  `(SELECT state FROM agent_state_change WHERE company_id = $1 AND agent_id = a.id AND at < ${time}
    ORDER BY agent_id DESC, at DESC, version DESC LIMIT 1)`;
/** SQL: 1 where a change begins that state, -1 where it ends it. */
const turn = (state: string) => `((state = '${state}')::int - (before IS NOT DISTINCT FROM '${state}')::int)`;
const turns = (state: string, name: string) =>
  `sum(${turn(state)})::int AS "${name}", coalesce(sum(${turn(state)} * left_ms), 0)::float8 AS "${name}Ms"`;

/**
 * $1 company id, $2 since, $3 until, $4 agent ids or null. How many are Ready and on calls at the beginning (`at`
 * null), then, for each quarter with changes, by how many they become more, and what that adds up to until the
 * quarter's end. Reads by agent, in the order of the key: nothing is sorted. OFFSET 0: what each was doing is looked up
 * once, and not for each count.
 */
export const countStateQuarters: Statement = {
  name: 'count_state_quarters',
  text: `SELECT NULL::timestamptz AS at, count(*) FILTER (WHERE state = 'ready')::int AS ready, 0::float8 AS "readyMs",
    count(*) FILTER (WHERE state = 'on_call')::int AS "onCall", 0::float8 AS "onCallMs"
  FROM (SELECT ${stateBefore('$2')} AS state FROM agent a WHERE company_id = $1
    AND ($4::uuid[] IS NULL OR id = ANY ($4)) OFFSET 0) AS beginning
  UNION ALL
  SELECT quarter, ${turns('ready', 'ready')}, ${turns('on_call', 'onCall')} FROM (
    SELECT c.state, c.before, ${quarterOf('c.at')} AS quarter,
      EXTRACT(EPOCH FROM least(${quarterOf('c.at')} + interval '15 minutes', $3) - c.at) * 1000 AS left_ms
    FROM agent a CROSS JOIN LATERAL (
      SELECT at, state, lag(state, 1, ${stateBefore('$2')}) OVER (ORDER BY at, version) AS before
      FROM agent_state_change WHERE company_id = $1 AND agent_id = a.id AND at >= $2 AND at < $3
    ) AS c
    WHERE a.company_id = $1 AND ($4::uuid[] IS NULL OR a.id = ANY ($4))
  ) AS change
  WHERE ${turn('ready')} <> 0 OR ${turn('on_call')} <> 0
  GROUP BY quarter ORDER BY at NULLS FIRST`,
  planEachTime: true,
};

type Turns = { at: Date | null; ready: number; readyMs: number; onCall: number; onCallMs: number };

export async function stateQuarters(
  pool: Pool,
  companyId: CompanyId,
  { since, until, agentIds }: ReportedCalls,
): Promise<StateQuarter[]> {
  const [beginning, ...changes] = await run<Turns>(pool, countStateQuarters, [companyId, since, until, agentIds]);
  const turned = new Map(changes.map((change) => [change.at?.getTime(), change]));
  let [ready, onCall] = [beginning?.ready ?? 0, beginning?.onCall ?? 0];
  const quarters: StateQuarter[] = [];
  for (let at = since.getTime() - (since.getTime() % quarterMs); at < until.getTime(); at += quarterMs) {
    const lengthMs = Math.min(at + quarterMs, until.getTime()) - Math.max(at, since.getTime());
    const change = turned.get(at);
    const quarter = {
      at: new Date(at),
      readyMs: ready * lengthMs + (change?.readyMs ?? 0),
      onCallMs: onCall * lengthMs + (change?.onCallMs ?? 0),
    };
    ready += change?.ready ?? 0;
    onCall += change?.onCall ?? 0;
    if (quarter.readyMs > 0 || quarter.onCallMs > 0) quarters.push(quarter);
  }
  return quarters;
}
