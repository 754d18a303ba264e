import type { Pool } from 'pg';
import type { OutboxEvent } from '../../../ports/outbox.ts';
import type { FiredReminder, LeasedReminder } from '../../../ports/tasks.ts';
import { announced } from '../deliveries/announce.ts';
import { run } from '../queries.ts';

/**
 * $1 now, $2 until when they are held, $3 how many at most. What another gateway is taking at this moment is passed
 * over. Changed by arrays of keys: the planner does not know that they are few.
 */
export const leaseReminders = {
  name: 'lease_reminders',
  text: `WITH due AS MATERIALIZED (
    SELECT company_id, id FROM task WHERE remind_at <= $1 ORDER BY remind_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  UPDATE task t SET remind_at = $2 FROM unnest(ARRAY (SELECT company_id FROM due), ARRAY (SELECT id FROM due))
    AS k (company_id, id)
  WHERE t.company_id = k.company_id AND t.id = k.id RETURNING t.company_id AS "companyId", t.id,
    t.remind_at AS "leasedUntil"`,
};

export async function lease(pool: Pool, now: Date, until: Date, limit: number): Promise<LeasedReminder[]> {
  return run<LeasedReminder>(pool, leaseReminders, [now, until, limit]);
}

/** $1 company id, $2 task id, $3 until when it is held, $4 now; the webhook as $5 id, $6 event, $7 body, or nulls. */
export const fireReminder = {
  name: 'fire_reminder',
  text: `WITH fired AS (
    UPDATE task SET fired_at = $4 WHERE company_id = $1 AND id = $2 AND remind_at = $3 AND state = 'open'
      AND fired_at IS NULL RETURNING id
  ), ${announced('fired', 5, '$4')}
  SELECT EXISTS (SELECT FROM fired) AS fired,
    EXISTS (SELECT FROM task WHERE company_id = $1 AND id = $2 AND remind_at = $3 AND state = 'open') AS held`,
};

export async function fire(
  pool: Pool,
  { companyId, id, leasedUntil }: LeasedReminder,
  now: Date,
  [event]: OutboxEvent[] = [],
): Promise<FiredReminder> {
  const [row] = await run<{ fired: boolean; held: boolean }>(pool, fireReminder, [
    companyId,
    id,
    leasedUntil,
    now,
    event?.id ?? null,
    event?.event ?? null,
    event?.body ?? null,
  ]);
  if (row?.fired === true) return 'fired';
  return row?.held === true ? 'fired_before' : 'changed';
}

export const findNextReminder = {
  name: 'find_next_reminder',
  text: 'SELECT remind_at AS "at" FROM task WHERE remind_at IS NOT NULL ORDER BY remind_at LIMIT 1',
};

export async function nextReminder(pool: Pool): Promise<Date | null> {
  const [row] = await run<{ at: Date }>(pool, findNextReminder, []);
  return row?.at ?? null;
}
