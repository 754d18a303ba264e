import type { Pool } from 'pg';
import { idsUntil } from '../../../domain/deliveryIds.ts';
import { deleteOld } from './deleteOld.ts';
import { run } from './prepared.ts';

/**
 * $1 an id above all that are old enough, $2 before when they were written, $3 how many at most. Ids tell their time,
 * so that their index finds the oldest of all companies; `created_at` decides. What is being made due anew at this moment is left.
 * The attempts go with their delivery, by their foreign key.
 */
export const pruneDeliveries = {
  name: 'prune_deliveries',
  text: deleteOld(
    'webhook_delivery',
    ['company_id', 'id'],
    "WHERE id < $1 AND created_at < $2 AND state IN ('delivered', 'dead') ORDER BY id LIMIT $3",
  ),
};

/** Deletes finished deliveries that were written before then, the oldest first; how many. */
export async function pruneFinished(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneDeliveries, [idsUntil(before), before, limit])).length;
}
