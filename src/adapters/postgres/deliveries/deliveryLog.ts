import type { Pool } from 'pg';
import { deliveryTargets } from '../../../contract/vocabulary.ts';
import { type CompanyId, type DeliveryId, firstId, idsSince, idsUntil, lastId } from '../../../domain/ids.ts';
import type { DeliveryFilter } from '../../../ports/outbox.ts';
import { Prisma } from '../generated/client.ts';
import { deleteOld, fieldColumns, run } from '../queries.ts';
import { callLogEvent, type DeliveryRow } from './deliveryRows.ts';

/** Where the two kinds of deliveries are kept. */
const tables = {
  webhook: {
    table: 'webhook_delivery',
    columns: fieldColumns(Prisma.WebhookDeliveryScalarFieldEnum, { but: ['body'] }),
  },
  crm: {
    table: 'crm_delivery',
    columns: `'${callLogEvent}' AS event, ${fieldColumns(Prisma.CrmDeliveryScalarFieldEnum, {
      but: ['prepared', 'sentAt', 'notFoundAt', 'entryId'],
    })}`,
  },
};

/** A page of the delivery log, newest first, of both kinds or one. @param limit how many rows at most */
export async function deliveriesThatFit(
  pool: Pool,
  companyId: CompanyId,
  filter: DeliveryFilter,
  page: { cursor: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const { target, event } = filter;
  const kinds = deliveryTargets.filter(
    (kind) => (target ?? kind) === kind && (event === undefined || (event === callLogEvent) === (kind === 'crm')),
  );
  const pages = await Promise.all(kinds.map((kind) => pageThatFits(pool, tables[kind], companyId, filter, page)));
  return pages
    .flat()
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, page.limit);
}

/**
 * A page of one kind, newest first. Times are compared by id first, which the index has in order: an old window of a
 * long log is found as fast as a new one. The company stands in both bounds, too: PostgreSQL cannot estimate a range of
 * ids, and would now and then read the index of all companies' ids.
 * @param cursor the id before which the page begins; null: the newest
 * @param limit how many rows at most
 */
async function pageThatFits(
  pool: Pool,
  { table, columns }: { table: string; columns: string },
  companyId: CompanyId,
  { since, until, event, state, callId }: DeliveryFilter,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<DeliveryRow[]> {
  const from = since === undefined ? firstId : idsSince(since);
  const values: unknown[] = [companyId, from, cursor ?? lastId];
  const given = (value: unknown) => `$${String(values.push(value))}`;
  const where = ['company_id = $1', '(company_id, id) >= ($1, $2)', '(company_id, id) < ($1, $3)'];
  if (since !== undefined) where.push(`created_at >= ${given(since)}`);
  if (until !== undefined)
    where.push(`(company_id, id) < ($1, ${given(idsUntil(until))}) AND created_at < ${given(until)}`);
  if (event !== undefined && event !== callLogEvent) where.push(`event = ${given(event)}`);
  if (state !== undefined) where.push(`state = ${given(state)}`);
  if (callId !== undefined) where.push(`call_id = ${given(callId)}`);
  const order = 'ORDER BY company_id DESC, id DESC';
  const text = `SELECT ${columns} FROM ${table} WHERE ${where.join(' AND ')} ${order} LIMIT ${given(limit)}`;
  return (await pool.query<DeliveryRow>({ text, values })).rows;
}

/** $1 company id, $2 delivery id. */
export const findBody = {
  name: 'find_body',
  text: 'SELECT body FROM webhook_delivery WHERE company_id = $1 AND id = $2',
};

/** What a delivery sends. */
export async function bodyOfDelivery(pool: Pool, companyId: CompanyId, id: DeliveryId): Promise<string | null> {
  const [row] = await run<{ body: string }>(pool, findBody, [companyId, id]);
  return row?.body ?? null;
}

/**
 * $1 an id above all that are old enough, $2 before when they were written, $3 how many at most. Ids tell their time,
 * so that their index finds the oldest of all companies; `created_at` decides. Rows locked by a redelivery at this
 * moment are skipped. The attempts go with their delivery, by their foreign key.
 */
export const pruneDeliveries = { name: 'prune_deliveries', text: pruning('webhook_delivery') };
export const pruneCallLogs = { name: 'prune_call_logs', text: pruning('crm_delivery') };

function pruning(table: string): string {
  return deleteOld(
    table,
    ['company_id', 'id'],
    "WHERE id < $1 AND created_at < $2 AND state IN ('delivered', 'dead') ORDER BY id LIMIT $3",
  );
}

/** Deletes finished deliveries that were written before then, the oldest first; how many. */
export async function pruneFinished(pool: Pool, before: Date, limit: number): Promise<number> {
  const values = [idsUntil(before), before, limit];
  return (await run(pool, pruneDeliveries, values)).length + (await run(pool, pruneCallLogs, values)).length;
}
