import type { Pool } from 'pg';
import { type CompanyId, type DeliveryId, idsSince, lastId } from '../../../domain/ids.ts';
import { run } from '../queries.ts';
import { isPending } from './deliveryRows.ts';

// The endpoint's row is locked until the commit: it can be neither removed nor disabled while its
// deliveries are made due.

/**
 * $1 company id, $2 delivery id, $3 now. Changes nothing without an endpoint that is enabled, nor a test, nor what is
 * due where a gateway serves the endpoint: it is being sent, or is next. Later events of the call that never had a try
 * wait for this one alone, so they come with it.
 */
export const redeliver = {
  name: 'redeliver',
  text: `WITH target AS (
    SELECT id FROM webhook_delivery WHERE company_id = $1 AND id = $2
  ), endpoint AS (
    SELECT company_id, coalesce(held_until > $3, false) AS is_served FROM webhook_endpoint
    WHERE company_id = $1 AND disabled_at IS NULL FOR KEY SHARE
  ), changed AS (
    UPDATE webhook_delivery d SET state = 'pending', attempts = 0, due_at = $3, finished_at = NULL
    FROM endpoint
    WHERE d.company_id = $1 AND d.id = $2 AND d.event <> 'integration_test'
      AND NOT (endpoint.is_served AND d.state = 'pending' AND d.due_at <= $3)
    RETURNING d.id, d.call_id, d.sequence
  ), held_back AS (
    UPDATE webhook_delivery later SET due_at = $3 FROM changed
    WHERE later.company_id = $1 AND later.call_id = changed.call_id AND later.sequence > changed.sequence
      AND ${isPending('later')} AND later.attempts = 0 AND later.due_at > $3
  )
  SELECT EXISTS (SELECT FROM changed) AS changed FROM target`,
};

/** SQL: what is logged is gathered anew. What is known of an entry counts only in the CRM in which it was written. */
const gatheredAnew = `prepared = NULL, not_found_at = NULL,
      entry_id = CASE WHEN d.prepared::json->>'provider' = connection.provider THEN d.entry_id END,
      sent_at = CASE WHEN d.prepared::json->>'provider' = connection.provider THEN d.sent_at END`;

/**
 * $1 company id, $2 delivery id, $3 now: the same for a call that is to be logged in the CRM. The admin may have
 * changed what was wrong.
 */
export const redeliverCallLog = {
  name: 'redeliver_call_log',
  text: `WITH target AS (
    SELECT id FROM crm_delivery WHERE company_id = $1 AND id = $2
  ), connection AS (
    SELECT company_id, provider, coalesce(held_until > $3, false) AS is_served FROM crm_connection
    WHERE company_id = $1 FOR KEY SHARE
  ), changed AS (
    UPDATE crm_delivery d SET state = 'pending', attempts = 0, due_at = $3, finished_at = NULL, ${gatheredAnew}
    FROM connection
    WHERE d.company_id = $1 AND d.id = $2 AND NOT (connection.is_served AND d.state = 'pending' AND d.due_at <= $3)
    RETURNING d.id
  )
  SELECT EXISTS (SELECT FROM changed) AS changed FROM target`,
};

/** $1 company id, $2 made since, $3 now, $4 the lowest id: every call that was given up is to be logged now. */
export const redeliverDeadCallLogs = {
  name: 'redeliver_dead_call_logs',
  text: `WITH connection AS (
    SELECT company_id, provider FROM crm_connection WHERE company_id = $1 FOR KEY SHARE
  )
  UPDATE crm_delivery d SET state = 'pending', attempts = 0, due_at = $3, finished_at = NULL, ${gatheredAnew}
  FROM connection
  WHERE d.company_id = $1 AND d.id >= $4 AND d.state = 'dead' AND d.created_at >= $2
  RETURNING d.id`,
};

/** Deliveries looked at by one statement, dead or not: so it takes milliseconds, far from its 10 s time-out. */
const batchSize = 1_000;

/**
 * $1 company id, $2 made since, $3 now, $4 the lowest id, $5 the id before which the batch begins; downwards.
 * Changes nothing without an endpoint that is enabled.
 *
 * looked_at: the batch, as the index has it. Tests are not sent again.
 * held: the dead ones in it, and those of the same calls outside: a call's events come back all at once, so that none
 *   is sent while an earlier one is still given up. In id order, as everybody holds several deliveries.
 */
export const redeliverDead = {
  name: 'redeliver_dead',
  text: `WITH endpoint AS MATERIALIZED (
    SELECT company_id FROM webhook_endpoint WHERE company_id = $1 AND disabled_at IS NULL FOR KEY SHARE
  ), looked_at AS MATERIALIZED (
    SELECT d.id, d.call_id, d.state = 'dead' AND d.created_at >= $2 AND d.event <> 'integration_test' AS lost
    FROM endpoint CROSS JOIN LATERAL (
      SELECT id, call_id, event, state, created_at FROM webhook_delivery
      WHERE company_id = $1 AND id >= $4 AND id < $5
      ORDER BY id DESC LIMIT ${String(batchSize)}
    ) d
  ), held AS MATERIALIZED (
    SELECT id FROM webhook_delivery
    WHERE company_id = $1 AND id = ANY (ARRAY (
      SELECT id FROM looked_at WHERE lost
      UNION
      SELECT id FROM webhook_delivery
      WHERE company_id = $1 AND call_id = ANY (ARRAY (SELECT call_id FROM looked_at WHERE lost))
        AND state = 'dead' AND created_at >= $2
    )) AND state = 'dead'
    ORDER BY id FOR UPDATE
  ), changed AS (
    UPDATE webhook_delivery d SET state = 'pending', attempts = 0, due_at = $3, finished_at = NULL
    FROM held WHERE d.company_id = $1 AND d.id = held.id
    RETURNING d.id
  )
  SELECT (SELECT count(*) FROM looked_at) AS "lookedAt", (SELECT id FROM looked_at ORDER BY id LIMIT 1) AS lowest,
    (SELECT count(*) FROM changed) AS changed`,
};

type Batch = { lookedAt: number; lowest: string | null; changed: number };

/** Makes one delivery of the company due now; whether it did. Undefined: it has no such delivery. */
export async function redeliverOne(
  pool: Pool,
  companyId: CompanyId,
  id: DeliveryId,
  now: Date,
): Promise<boolean | undefined> {
  const values = [companyId, id, now];
  const [row] = await run<{ changed: boolean }>(pool, redeliver, values);
  const [call] = row === undefined ? await run<{ changed: boolean }>(pool, redeliverCallLog, values) : [];
  return (row ?? call)?.changed;
}

/**
 * Makes all dead deliveries made since then due now, batch by batch; how many.
 * The newest first: their calls may still be under way, and later events of such a call must not overtake them.
 */
export async function redeliverAllDead(pool: Pool, companyId: CompanyId, since: Date, now: Date): Promise<number> {
  const bounds = [companyId, since, now, idsSince(since)];
  let changed = (await run(pool, redeliverDeadCallLogs, bounds)).length;
  let before: string | null = lastId;
  while (before !== null) {
    const [batch]: Batch[] = await run<Batch>(pool, redeliverDead, [...bounds, before]);
    if (batch === undefined) throw new Error('a count has no row');
    changed += batch.changed;
    before = batch.lookedAt < batchSize ? null : batch.lowest;
  }
  return changed;
}
