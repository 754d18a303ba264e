import type { Pool } from 'pg';
import { type CompanyId, type DeliveryId, idsSince, idsUntil } from '../../../domain/ids.ts';
import type { DeliveryFilter } from '../../../ports/outbox.ts';
import type { Prisma } from '../generated/client.ts';
import { deleteOld, run } from '../queries.ts';

/**
 * The filter for a page of the delivery log. Times are compared by id first, which the index has in order: an old window of a
 * long log is found as fast as a new one.
 * @param cursor the id before which the page begins; null: the newest
 */
export function deliveriesThatFit(
  companyId: CompanyId,
  { since, until, ...plain }: DeliveryFilter,
  cursor: string | null,
): Prisma.WebhookDeliveryWhereInput {
  return {
    companyId,
    ...plain,
    AND: [
      ...(cursor === null ? [] : [{ id: { lt: cursor } }]),
      ...(since === undefined ? [] : [{ id: { gte: idsSince(since) }, createdAt: { gte: since } }]),
      ...(until === undefined ? [] : [{ id: { lt: idsUntil(until) }, createdAt: { lt: until } }]),
    ],
  };
}

/** $1 company id, $2 delivery id. */
export const findBody = { name: 'find_body', text: 'SELECT body FROM webhook_delivery WHERE company_id = $1 AND id = $2' };

/** What a delivery sends. */
export async function bodyOfDelivery(pool: Pool, companyId: CompanyId, id: DeliveryId): Promise<string | null> {
  const [row] = await run<{ body: string }>(pool, findBody, [companyId, id]);
  return row?.body ?? null;
}

/**
 * $1 an id above all that are old enough, $2 before when they were written, $3 how many at most. Ids tell their time, so that
 * their index finds the oldest of all companies; `created_at` decides. Rows locked by a redelivery at this moment are
 * skipped. The attempts go with their delivery, by their foreign key.
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
