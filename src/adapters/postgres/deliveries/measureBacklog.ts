import type { Pool } from 'pg';
import type { Backlog } from '../../../ports/outbox.ts';
import { run } from '../queries.ts';

/**
 * $1 now.
 *
 * waiting: what each company has waiting, by the partial index of it, however many deliveries are kept. Everything
 *   else looks at one row per company.
 * endpoint: until a probe succeeds (`paused_until` is set) the breaker holds its deliveries back. The conditions are
 *   those of `domain/endpointHealth.ts`.
 */
export const measureBacklog = {
  name: 'measure_backlog',
  text: `WITH waiting AS (
    SELECT company_id,
      count(*) FILTER (WHERE due_at > $1) AS scheduled,
      count(*) FILTER (WHERE due_at <= $1) AS ready,
      min(due_at) AS first_due
    FROM webhook_delivery WHERE state = 'pending' GROUP BY company_id
  ), endpoint AS (
    SELECT waiting.*, e.disabled_at IS NULL AS enabled, e.paused_until IS NOT NULL AS held_back, CASE
      WHEN e.disabled_at IS NOT NULL THEN 'disabled'
      WHEN e.paused_until > $1 THEN 'paused'
      WHEN e.consecutive_failures > 0 THEN 'failing'
      ELSE 'healthy'
    END AS condition
    FROM webhook_endpoint e LEFT JOIN waiting ON waiting.company_id = e.company_id
  )
  SELECT
    coalesce(sum(ready) FILTER (WHERE enabled AND NOT held_back), 0)::int AS due,
    coalesce(sum(scheduled) FILTER (WHERE enabled), 0)::int AS scheduled,
    coalesce(sum(ready) FILTER (WHERE enabled AND held_back), 0)::int AS paused,
    ${secondsSince('min(first_due) FILTER (WHERE enabled AND NOT held_back)')} AS due_age,
    ${secondsSince('min(first_due) FILTER (WHERE enabled AND held_back)')} AS paused_age,
    count(*) FILTER (WHERE condition = 'healthy')::int AS healthy_endpoints,
    count(*) FILTER (WHERE condition = 'failing')::int AS failing_endpoints,
    count(*) FILTER (WHERE condition = 'paused')::int AS paused_endpoints,
    count(*) FILTER (WHERE condition = 'disabled')::int AS disabled_endpoints
  FROM endpoint`,
};

/** 0 for a future time, and where there is none. */
function secondsSince(time: string): string {
  return `greatest(extract(epoch FROM $1::timestamptz - ${time}), 0)::float8`;
}

type BacklogRow = Record<
  | 'due'
  | 'scheduled'
  | 'paused'
  | 'due_age'
  | 'paused_age'
  | 'healthy_endpoints'
  | 'failing_endpoints'
  | 'paused_endpoints'
  | 'disabled_endpoints',
  number
>;

/** Counts what waits and how the endpoints do, over all companies. */
export async function backlogAt(pool: Pool, now: Date): Promise<Backlog> {
  const [row] = await run<BacklogRow>(pool, measureBacklog, [now]);
  if (row === undefined) throw new Error('a count has no row');
  const { due, scheduled, paused } = row;
  return {
    deliveries: { due, scheduled, paused },
    // Scheduled deliveries are not due yet, by definition.
    oldestDueSeconds: { due: row.due_age, scheduled: 0, paused: row.paused_age },
    endpoints: {
      healthy: row.healthy_endpoints,
      failing: row.failing_endpoints,
      paused: row.paused_endpoints,
      disabled: row.disabled_endpoints,
    },
  };
}
