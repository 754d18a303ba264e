import type { Pool } from 'pg';
import type { Page } from '../../ports/queryResults.ts';
import { run, type Statement } from './statement.ts';

/** One page of `limit` items, read with one row too many to know whether there is another. */
export function pageOf<R extends { id: string }, T>(rows: R[], limit: number, read: (row: R) => T): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(read), nextCursor: rows.length > limit && last !== undefined ? last.id : null };
}

// Asked only after the caller's own company has been found to have no such id: an id of another company is answered with
// 403, an unknown one with 404. $1 id.

export const findAgentElsewhere = { name: 'find_agent_elsewhere', text: 'SELECT true AS found FROM agent WHERE id = $1 LIMIT 1' };
export const findCallElsewhere = { name: 'find_call_elsewhere', text: 'SELECT true AS found FROM call WHERE id = $1 LIMIT 1' };
export const findDeliveryElsewhere = {
  name: 'find_delivery_elsewhere',
  text: 'SELECT true AS found FROM webhook_delivery WHERE id = $1 LIMIT 1',
};

/** What it means that a company has no such id. */
export async function missingId(
  pool: Pool,
  elsewhere: Statement,
  id: string,
): Promise<{ kind: 'unknown' } | { kind: 'wrong_company' }> {
  return { kind: (await run(pool, elsewhere, [id])).length === 0 ? 'unknown' : 'wrong_company' };
}
