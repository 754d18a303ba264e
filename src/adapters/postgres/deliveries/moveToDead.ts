import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import { run } from '../queries.ts';
import { notSent } from './errorCauses.ts';

/**
 * $1 how many at most. Companies that have something waiting (one step in the index each) for an endpoint that
 * is disabled, or none.
 */
export const findStoppedCompanies = {
  name: 'find_stopped_companies',
  text: `SELECT company.id FROM company LEFT JOIN webhook_endpoint e ON e.company_id = company.id
  WHERE (e.company_id IS NULL OR e.disabled_at IS NOT NULL) AND EXISTS (
    SELECT FROM webhook_delivery d
    WHERE d.company_id = company.id AND d.state = 'pending'
  ) LIMIT $1`,
};

const urlCleared = notSent('not_sent_url_cleared', 'Not sent: the webhook URL was cleared.');
const gone = notSent('not_sent_gone', 'Not sent: the endpoint answered 410 (Gone) and was disabled.');
const failing = notSent('not_sent_failing', 'Not sent: the endpoint had failed for five days and was disabled.');
const disabled = notSent('not_sent_disabled_by_admin', 'Not sent: an admin had disabled the endpoint.');

/** SQL: why a delivery of the company that is `stopped` is not sent, as a sentence or as its cause. */
function reasonFor(kind: 'error' | 'cause'): string {
  return `CASE WHEN stopped.gone THEN ${urlCleared[kind]} WHEN stopped.reason = 'gone' THEN ${gone[kind]}
      WHEN stopped.reason = 'failing' THEN ${failing[kind]} ELSE ${disabled[kind]} END`;
}

/**
 * $1 company id; $2 how many at most, $3 now.
 *
 * stopped: one row where the company's endpoint is disabled, or there is none.
 * lost: what waits for it. What is being sent at this moment is among it, and is delivered after all if
 * it arrives. held: in id order, as everybody holds several; what somebody else is changing at this
 * moment is left for the next time.
 */
export const moveStoppedToDead = {
  name: 'move_stopped_to_dead',
  text: `WITH stopped AS (
    SELECT e.company_id IS NULL AS gone, e.disabled_reason AS reason
    FROM (SELECT) AS one LEFT JOIN webhook_endpoint e ON e.company_id = $1
    WHERE e.company_id IS NULL OR e.disabled_at IS NOT NULL
  ), lost AS MATERIALIZED (
    SELECT d.id, ${reasonFor('error')} AS why, ${reasonFor('cause')} AS cause
    FROM stopped CROSS JOIN LATERAL (
      SELECT id FROM webhook_delivery w
      WHERE w.company_id = $1 AND w.state = 'pending' LIMIT $2
    ) d
  ), held AS MATERIALIZED (
    SELECT d.id, lost.why, lost.cause FROM lost JOIN webhook_delivery d ON d.company_id = $1 AND d.id = lost.id
    WHERE d.state = 'pending' ORDER BY d.id FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_delivery d SET
    state = 'dead', last_error = held.why, last_error_cause = held.cause, finished_at = $3
  FROM held WHERE d.company_id = $1 AND d.id = held.id RETURNING d.id`,
};

/** Moves deliveries to `dead` that wait for endpoints that are disabled or gone; how many. */
export async function moveWaitingToDead(
  pool: Pool,
  companyId: CompanyId | 'all',
  limit: number,
  now: Date,
): Promise<number> {
  if (companyId !== 'all') return (await run(pool, moveStoppedToDead, [companyId, limit, now])).length;
  const companies = await run<{ id: string }>(pool, findStoppedCompanies, [limit]);
  let ended = 0;
  for (const { id } of companies) {
    if (ended >= limit) break;
    ended += (await run(pool, moveStoppedToDead, [id, limit - ended, now])).length;
  }
  return ended;
}
