import type { Pool } from 'pg';
import { run } from './prepared.ts';

/** $1 now. What is in flight with an ended lease is due again. */
export const measureBacklog = {
  name: 'measure_backlog',
  text: `SELECT
    count(*) FILTER (WHERE state = 'pending')::int AS pending,
    count(*) FILTER (WHERE state = 'in_flight')::int AS "inFlight",
    coalesce(extract(epoch FROM $1 - min(due_at) FILTER (WHERE due_at <= $1)), 0)::float8 AS "oldestDueSeconds"
  FROM webhook_delivery WHERE state IN ('pending', 'in_flight')`,
};

export type Backlog = { pending: number; inFlight: number; oldestDueSeconds: number };

/** Counts what waits, over all companies. */
export async function backlogAt(pool: Pool, now: Date): Promise<Backlog> {
  const [row] = await run<Backlog>(pool, measureBacklog, [now]);
  if (row === undefined) throw new Error('a count has no row');
  return row;
}
