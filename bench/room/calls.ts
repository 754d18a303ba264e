import type pg from 'pg';
import type { BenchCompany } from './company.ts';

/** Rows made by one statement, which may take ten seconds, also on a busy machine. */
const atOnce = 10_000;

/**
 * Calls over 360 days, the latest now; three of four answered, one of five inbound. Written straight into the database.
 */
export async function fillCalls(
  pool: pg.Pool,
  { id, agents }: Pick<BenchCompany, 'id' | 'agents'>,
  calls: number,
): Promise<void> {
  for (let n = 1; n <= calls; n += atOnce) {
    await pool.query(
      `INSERT INTO call (company_id, id, agent_id, direction, trigger, state, phone, created_at, answered_at, ended_at,
        end_reason, disposition_code, disposition_label, disposed_at)
      SELECT $1, (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3)
        || '8' || substr(md5(n::text), 4, 15))::uuid, ($2::uuid[])[1 + n % cardinality($2::uuid[])],
        CASE WHEN n % 5 = 0 THEN 'inbound' ELSE 'outbound' END, 'manual_dial', 'ended',
        '+4930' || (1000000 + n % 500000), at,
        CASE WHEN n % 4 > 0 THEN at + interval '7 seconds' END, at + interval '3 minutes', 'completed',
        CASE n % 3 WHEN 0 THEN 'resolved' WHEN 1 THEN 'other' END,
        CASE n % 3 WHEN 0 THEN 'Resolved' WHEN 1 THEN 'Other' END, at + interval '4 minutes'
      FROM (SELECT n, now() - n * (interval '360 days' / $3::int) AS at
        FROM generate_series($4::int, least($5::int, $3::int)) n) made`,
      [id, agents.map((agent) => agent.id), calls, n, n + atOnce - 1],
    );
  }
}
