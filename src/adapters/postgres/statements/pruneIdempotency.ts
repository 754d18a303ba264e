import type { Pool } from 'pg';
import { run } from './prepared.ts';

/** $1 before when they expired, $2 how many at most. */
export const pruneIdempotency = {
  name: 'prune_idempotency',
  text: `WITH old AS MATERIALIZED (
    SELECT company_id, key FROM idempotency_key WHERE expires_at < $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
  )
  DELETE FROM idempotency_key k USING old WHERE k.company_id = old.company_id AND k.key = old.key RETURNING k.key`,
};

/** Deletes keys that expired before then, the oldest first; how many. */
export async function pruneKeys(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneIdempotency, [before, limit])).length;
}
