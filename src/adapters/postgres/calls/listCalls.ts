import type { Pool } from 'pg';
import type { CompanyId } from '../../../domain/ids.ts';
import type { CallFilter, ListedCall } from '../../../ports/calls.ts';
import type { Page, PageRequest } from '../../../ports/queryResults.ts';
import { pageOf, run, type Statement } from '../queries.ts';
import { callIdsSince, callIdsUntil } from './callIds.ts';
import { type ListedRow, listedColumns, readListedCall } from './callRows.ts';
import { type Condition, ofResult, withText } from './searchCalls.ts';

/** What a column alone holds is found by index, in order; of several their calls are picked out of the company's. */
function among(column: string, type: 'uuid' | 'text', values: string[]): Condition[] {
  const [only] = values;
  return only !== undefined && values.length === 1 ? [[(p) => `${column} = ${p}`, only]] : [[(p) => `${column} = ANY (${p}::${type}[])`, values]];
}

function conditionsOf({ agentIds, phones, state, direction, endReason, dispositionCode, tag, result, text, since, until }: CallFilter, cursor: string | null): Condition[] {
  const equal = (column: string, value: string | undefined): Condition[] => (value === undefined ? [] : [[(p) => `${column} = ${p}`, value]]);
  return [
    ...(agentIds === undefined ? [] : among('agent_id', 'uuid', agentIds)),
    ...(phones === undefined ? [] : among('phone', 'text', phones)),
    ...equal('state', state),
    ...equal('direction', direction),
    ...equal('end_reason', endReason),
    ...equal('disposition_code', dispositionCode),
    ...(tag === undefined ? [] : [[(p) => `tags @> ${p}::jsonb`, JSON.stringify([{ key: tag }])] satisfies Condition]),
    ...(result === undefined ? [] : [ofResult[result]]),
    ...(text === undefined ? [] : [withText(text)]),
    ...(cursor === null ? [] : [[(p) => `id < ${p}`, cursor] satisfies Condition]),
    // Ids grow with the time at which they were made: what is far off is not read.
    ...(since === undefined ? [] : ([[(p) => `id >= ${p}`, callIdsSince(since)], [(p) => `created_at >= ${p}`, since]] satisfies Condition[])),
    ...(until === undefined ? [] : ([[(p) => `id < ${p}`, callIdsUntil(until)], [(p) => `created_at < ${p}`, until]] satisfies Condition[])),
  ];
}

/** A company's calls that fit, newest first. Planned each time: one agent and a thousand are not read alike. */
export async function listCalls(pool: Pool, companyId: CompanyId, filter: CallFilter, { cursor, limit }: PageRequest): Promise<Page<ListedCall>> {
  const conditions = conditionsOf(filter, cursor);
  const values: unknown[] = [companyId, limit + 1];
  const wheres = conditions.map(([sql, ...parameters]) => ` AND ${sql(...parameters.map((value) => `$${String(values.push(value))}`))}`).join('');
  const statement: Statement = { name: 'list_calls', text: `SELECT ${listedColumns} FROM call WHERE company_id = $1${wheres} ORDER BY id DESC LIMIT $2`, planEachTime: true };
  const rows = await run<ListedRow>(pool, statement, values);
  return pageOf(rows, limit, readListedCall);
}
