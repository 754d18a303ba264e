import type { Pool, PoolClient } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import { splitAtRollUps } from '../../../domain/reportWindows.ts';
import type { CallFigures, CountedBy, ReportedCalls, ReportStore } from '../../../ports/reports.ts';
import { callIdsSince, callIdsUntil } from '../calls/callIds.ts';
import { inTransaction } from '../inTransaction.ts';
import type { StoreParts } from '../pool.ts';
import { run, type Statement } from '../queries.ts';
import { countTimes, findReach } from './agentTimes.ts';
import { allAgents, answeredFigures, countedFigures, summedFigures } from './callFigures.ts';
import { callQuarters, stateQuarters } from './countQuarters.ts';

/** Reports, counted by PostgreSQL from the records themselves, and from what of them is rolled up. */
export function createReportStore({ pool }: Pick<StoreParts, 'pool'>): ReportStore {
  return {
    calls: (companyId, which, by, timeZone) =>
      asOfOneMoment(pool, (client) => countCalls(client, companyId, which, by, timeZone)),
    times: (companyId, which, by, timeZone, now) =>
      asOfOneMoment(pool, (client) => countTimes(client, companyId, which, { by, timeZone, now })),
    callQuarters: (companyId, which) => callQuarters(pool, companyId, which),
    stateQuarters: (companyId, which) => stateQuarters(pool, companyId, which),
    clicksRefused: (companyId, since, until, by, timeZone) =>
      run(pool, refusals[by], [companyId, since, until, timeZone]),
    async reach(companyId) {
      const [row] = await run<{ knownSince: Date | null }>(pool, findReach, [companyId]);
      return row === undefined ? null : { knownSince: row.knownSince };
    },
  };
}

/** What is rolled up and what is not are read as of one moment, so that nothing is counted twice or not at all. */
function asOfOneMoment<T>(pool: Pool, read: (client: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(pool, read, { level: 'REPEATABLE READ READ ONLY' });
}

/** $1 company id, $2 since, $3 until. */
export const findCallRollUp: Statement = {
  name: 'find_call_roll_up',
  text: `SELECT until, ARRAY (SELECT DISTINCT at FROM stale_call_day WHERE company_id = $1
    AND at >= $2::timestamptz - interval '1 day' AND at < $3) AS stale
  FROM call_roll_up WHERE company_id = $1`,
};

/**
 * Days and hours on the clock of a time zone, told apart by what costs least and named when few are left.
 * $10 the time zone.
 */
const inZone = (at: string) => ({
  day: `(${at} AT TIME ZONE $10::text)::date`,
  hour: `date_part('hour', ${at} AT TIME ZONE $10::text)`,
});
const nameInZone = { day: "to_char(key, 'YYYY-MM-DD')", hour: "to_char(key, 'FM00')" };

type By = {
  /** SQL: what tells the rows of `call` apart, those of what is rolled up, and how they are named. */
  ofCall: string;
  ofRolledUp: string;
  named: string;
  /** Where it is rolled up so. */
  table: 'call_quarter' | 'call_day';
};

const groups: Record<CountedBy, By> = {
  day: { ofCall: inZone('created_at').day, ofRolledUp: inZone('at').day, named: nameInZone.day, table: 'call_quarter' },
  hour: {
    ofCall: inZone('created_at').hour,
    ofRolledUp: inZone('at').hour,
    named: nameInZone.hour,
    table: 'call_quarter',
  },
  agent: { ofCall: 'agent_id', ofRolledUp: 'agent_id', named: 'key::text', table: 'call_day' },
  disposition: {
    ofCall: "coalesce(disposition_code, '')",
    ofRolledUp: 'disposition_code',
    named: "nullif(key, '')",
    table: 'call_day',
  },
};

/** SQL: the disposition's label, behind the id of the call that has it: the highest is the latest. */
const labels = {
  call: 'max(ARRAY[id::text, disposition_label])',
  call_day: 'max(ARRAY[last_call_id::text, disposition_label])',
  call_quarter: 'NULL::text[]',
};

/**
 * $1 company id; what is read from calls: $2 since and $3 until when, $4 and $5 bounds of the ids, arrays of equal
 * length; what is rolled up: $6 since and $7 until when, without the days $8; $9 agent ids or null. $10 the time zone,
 * where it is used. Planned each time: a day and a year are not read alike.
 */
function countBy(by: CountedBy): Statement {
  const { named, ofCall, ofRolledUp, table } = groups[by];
  const label =
    by === 'disposition' ? labels : { call: 'NULL::text[]', call_day: 'NULL::text[]', call_quarter: 'NULL::text[]' };
  const agents =
    table === 'call_quarter'
      ? `agent_id = ANY (coalesce($9::uuid[], ARRAY['${allAgents}'::uuid]))`
      : '($9::uuid[] IS NULL OR agent_id = ANY ($9))';
  return {
    name: `count_calls_by_${by}`,
    text: `WITH counted AS (
    SELECT ${ofCall} AS key, ${label.call} AS label, ${countedFigures}
    FROM unnest($2::timestamptz[], $3::timestamptz[], $4::uuid[], $5::uuid[]) AS w (since, until, first_id, end_id)
    JOIN call ON company_id = $1 AND id >= w.first_id AND id < w.end_id AND created_at >= w.since
      AND created_at < w.until AND ($9::uuid[] IS NULL OR agent_id = ANY ($9))
    GROUP BY 1
    UNION ALL
    SELECT ${ofRolledUp}, ${label[table]}, ${summedFigures} FROM ${table}
    WHERE company_id = $1 AND at >= $6 AND at < $7
      AND date_bin('1 day', at, 'epoch'::timestamptz) <> ALL ($8::timestamptz[]) AND ${agents} GROUP BY 1
  )
  SELECT ${named} AS key, (max(label))[2] AS name, ${answeredFigures} FROM counted GROUP BY counted.key
  ORDER BY counted.key`,
    planEachTime: true,
  };
}

export const countCallsByDay = countBy('day');
export const countCallsByHour = countBy('hour');
export const countCallsByAgent = countBy('agent');
export const countCallsByDisposition = countBy('disposition');

const statements = {
  day: countCallsByDay,
  hour: countCallsByHour,
  agent: countCallsByAgent,
  disposition: countCallsByDisposition,
};

async function countCalls(
  client: PoolClient,
  companyId: CompanyId,
  { agentIds, ...time }: ReportedCalls,
  by: CountedBy,
  timeZone: string,
) {
  const [rollUp] = await run<{ until: Date; stale: Date[] }>(client, findCallRollUp, [
    companyId,
    time.since,
    time.until,
  ]);
  const { records, rolledUp } = splitAtRollUps(time, rollUp?.until ?? null, rollUp?.stale ?? []);
  const ofRecords = [
    records.map(({ since }) => since),
    records.map(({ until }) => until),
    records.map(({ since }) => callIdsSince(since)),
    records.map(({ until }) => callIdsUntil(until)),
  ];
  const ofRolledUp = [rolledUp?.since ?? null, rolledUp?.until ?? null, rollUp?.stale ?? []];
  const zone = by === 'day' || by === 'hour' ? [timeZone] : [];
  return run<CallFigures & { key: string | null; name: string | null }>(client, statements[by], [
    companyId,
    ...ofRecords,
    ...ofRolledUp,
    agentIds,
    ...zone,
  ]);
}

/** $1 company id, $2 since, $3 until, $4 the time zone. */
const countRefused = (by: 'day' | 'hour'): Statement => ({
  name: `count_refused_clicks_by_${by}`,
  text: `SELECT to_char(at AT TIME ZONE $4::text, '${by === 'day' ? 'YYYY-MM-DD' : 'HH24'}') AS key,
    sum(no_ready_agent)::int AS refused FROM click_tally
  WHERE company_id = $1 AND at >= $2 AND at < $3 AND no_ready_agent > 0 GROUP BY 1 ORDER BY 1`,
});

export const countRefusedByDay = countRefused('day');
export const countRefusedByHour = countRefused('hour');

const refusals = { day: countRefusedByDay, hour: countRefusedByHour };
