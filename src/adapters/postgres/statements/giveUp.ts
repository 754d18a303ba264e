import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import { run } from './prepared.ts';

/**
 * $1 company id, or null for all; $2 how many at most, $3 now.
 *
 * stopped: companies that have something waiting (one step in the index per company) and an endpoint that is disabled,
 *   or none.
 * lost: what waits for them. What is in flight under a disabled endpoint is left to whoever sends it, until its lease
 *   ends; under one that is gone, nobody could claim it again.
 * held: in id order, as everybody holds several; what somebody else is changing at this moment is left for the next time.
 */
export const giveUpStopped = {
  name: 'give_up_stopped',
  text: `WITH RECURSIVE waiting AS (
    (
      SELECT company_id FROM webhook_delivery WHERE state IN ('pending', 'in_flight') ORDER BY company_id LIMIT 1
    )
    UNION ALL
    SELECT next.company_id FROM waiting CROSS JOIN LATERAL (
      SELECT d.company_id FROM webhook_delivery d
      WHERE d.state IN ('pending', 'in_flight') AND d.company_id > waiting.company_id ORDER BY d.company_id LIMIT 1
    ) next
  ), stopped AS (
    SELECT waiting.company_id, e.company_id IS NULL AS gone, e.disabled_reason AS reason
    FROM waiting LEFT JOIN webhook_endpoint e ON e.company_id = waiting.company_id
    WHERE ($1::uuid IS NULL OR waiting.company_id = $1) AND (e.company_id IS NULL OR e.disabled_at IS NOT NULL)
  ), lost AS MATERIALIZED (
    SELECT d.id, CASE
      WHEN stopped.gone THEN 'Not sent: the webhook URL was cleared.'
      WHEN stopped.reason = 'gone' THEN 'Not sent: the endpoint answered 410 (Gone) and was disabled.'
      WHEN stopped.reason = 'failing' THEN 'Not sent: the endpoint had failed for five days and was disabled.'
      ELSE 'Not sent: an admin had disabled the endpoint.'
    END AS why
    FROM stopped CROSS JOIN LATERAL (
      SELECT id FROM webhook_delivery w
      WHERE w.company_id = stopped.company_id AND w.state IN ('pending', 'in_flight')
        AND (stopped.gone OR w.state = 'pending' OR w.due_at <= $3)
      LIMIT $2
    ) d
    LIMIT $2
  ), held AS MATERIALIZED (
    SELECT d.id, lost.why FROM lost JOIN webhook_delivery d ON d.id = lost.id
    WHERE d.state IN ('pending', 'in_flight') ORDER BY d.id FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_delivery d SET state = 'dead', claim_id = NULL, last_error = held.why, finished_at = $3
  FROM held WHERE d.id = held.id RETURNING d.id`,
};

/** Ends what waits for endpoints that are disabled or gone; how many. */
export async function giveUpWaiting(pool: Pool, companyId: CompanyId | 'all', limit: number, now: Date): Promise<number> {
  return (await run(pool, giveUpStopped, [companyId === 'all' ? null : companyId, limit, now])).length;
}
