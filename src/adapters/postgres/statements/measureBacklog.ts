import type { Pool } from 'pg';
import type { EndpointCondition } from '../../../contract/vocabulary.ts';
import type { Backlog, WaitingFor } from '../../../ports/outbox.ts';
import { run } from './prepared.ts';

/**
 * $1 now. Reads what waits by its partial index, however many deliveries are kept. Until a probe succeeds
 * (`paused_until` is set) the breaker holds an endpoint's deliveries back. The conditions are those of
 * `domain/endpointHealth.ts`.
 */
export const measureBacklog = {
  name: 'measure_backlog',
  text: `WITH waiting AS (
    SELECT d.due_at, CASE
      WHEN d.state = 'in_flight' THEN 'in_flight'
      WHEN d.due_at > $1 THEN 'scheduled'
      WHEN e.paused_until IS NOT NULL THEN 'paused'
      ELSE 'due'
    END AS name
    FROM webhook_delivery d JOIN webhook_endpoint e ON e.company_id = d.company_id
    WHERE d.state IN ('pending', 'in_flight') AND (d.state = 'in_flight' OR e.disabled_at IS NULL)
  ), endpoint AS (
    SELECT CASE
      WHEN disabled_at IS NOT NULL THEN 'disabled'
      WHEN paused_until > $1 THEN 'paused'
      WHEN consecutive_failures > 0 THEN 'failing'
      ELSE 'healthy'
    END AS name
    FROM webhook_endpoint
  )
  SELECT 'delivery' AS what, name, count(*)::int AS count,
    greatest(extract(epoch FROM $1::timestamptz - min(due_at)), 0)::float8 AS "oldestDueSeconds"
  FROM waiting GROUP BY name
  UNION ALL
  SELECT 'endpoint', name, count(*)::int, 0 FROM endpoint GROUP BY name`,
};

type BacklogRow =
  | { what: 'delivery'; name: WaitingFor; count: number; oldestDueSeconds: number }
  | { what: 'endpoint'; name: EndpointCondition; count: number };

/** Counts what waits and how the endpoints do, over all companies. */
export async function backlogAt(pool: Pool, now: Date): Promise<Backlog> {
  const backlog: Backlog = {
    deliveries: { due: 0, scheduled: 0, in_flight: 0, paused: 0 },
    oldestDueSeconds: { due: 0, scheduled: 0, in_flight: 0, paused: 0 },
    endpoints: { healthy: 0, failing: 0, paused: 0, disabled: 0 },
  };
  for (const row of await run<BacklogRow>(pool, measureBacklog, [now])) {
    if (row.what === 'endpoint') {
      backlog.endpoints[row.name] = row.count;
    } else {
      backlog.deliveries[row.name] = row.count;
      backlog.oldestDueSeconds[row.name] = row.oldestDueSeconds;
    }
  }
  return backlog;
}
