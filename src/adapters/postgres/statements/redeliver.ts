import type { Pool } from 'pg';
import type { CompanyId, DeliveryId } from '../../../domain/ids.ts';
import { run } from './prepared.ts';

/**
 * $1 company id, $2 delivery id, $3 now.
 * What is in flight is left alone until its lease ends. Later events of the call that never had a try wait for
 * this one alone, so they come with it.
 */
export const redeliver = {
  name: 'redeliver',
  text: `WITH target AS (
    SELECT company_id FROM webhook_delivery WHERE id = $2
  ), endpoint AS (
    SELECT company_id FROM webhook_endpoint WHERE company_id = $1 FOR KEY SHARE
  ), changed AS (
    UPDATE webhook_delivery d SET state = 'pending', attempts = 0, due_at = $3, claim_id = NULL, finished_at = NULL
    FROM endpoint
    WHERE d.id = $2 AND d.company_id = endpoint.company_id AND (d.state <> 'in_flight' OR d.due_at <= $3)
    RETURNING d.id, d.call_id, d.sequence
  ), held_back AS (
    UPDATE webhook_delivery later SET due_at = $3 FROM changed
    WHERE later.call_id = changed.call_id AND later.sequence > changed.sequence
      AND later.state = 'pending' AND later.attempts = 0 AND later.due_at > $3
  )
  SELECT target.company_id AS "companyId", EXISTS (SELECT FROM changed) AS changed FROM target`,
};

/** $1 company id, $2 made since, $3 now. */
export const redeliverDead = {
  name: 'redeliver_dead',
  text: `WITH endpoint AS (
    SELECT company_id FROM webhook_endpoint WHERE company_id = $1 FOR KEY SHARE
  )
  UPDATE webhook_delivery d SET state = 'pending', attempts = 0, due_at = $3, finished_at = NULL
  FROM endpoint
  WHERE d.company_id = endpoint.company_id AND d.state = 'dead' AND d.created_at >= $2
  RETURNING d.id`,
};

/** Makes one delivery due now; the caller compares the company. Undefined: no such delivery. */
export async function redeliverOne(
  pool: Pool,
  companyId: CompanyId,
  id: DeliveryId,
  now: Date,
): Promise<{ companyId: string; changed: boolean } | undefined> {
  const [row] = await run<{ companyId: string; changed: boolean }>(pool, redeliver, [companyId, id, now]);
  return row;
}

/** Makes all dead deliveries made since then due now; how many. */
export async function redeliverAllDead(pool: Pool, companyId: CompanyId, since: Date, now: Date): Promise<number> {
  return (await run(pool, redeliverDead, [companyId, since, now])).length;
}
