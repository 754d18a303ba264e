import type { Pool } from 'pg';
import { deleteOld } from './deleteOld.ts';
import { run } from './prepared.ts';

/** $1 before when they expired, $2 how many at most. */
export const pruneIdempotency = {
  name: 'prune_idempotency',
  text: deleteOld('idempotency_key', ['company_id', 'key'], 'WHERE expires_at < $1 ORDER BY expires_at LIMIT $2'),
};

/** Deletes keys that expired before then, the oldest first; how many. */
export async function pruneKeys(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneIdempotency, [before, limit])).length;
}
