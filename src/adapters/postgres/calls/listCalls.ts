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
  return only !== undefined && values.length === 1
    ? [[(p) => `${column} = ${p}`, only]]
    : [[(p) => `${column} = ANY (${p}::${type}[])`, values]];
}

function conditionsOf(
  { agentIds, phones, sipCallId, state, direction, endReason, dispositionCode, tag, ...others }: CallFilter,
  cursor: string | null,
): Condition[] {
  const { result, text, since, until } = others;
  const equal = (column: string, value: string | undefined): Condition[] =>
    value === undefined ? [] : [[(p) => `${column} = ${p}`, value]];
  return [
    ...(agentIds === undefined ? [] : among('agent_id', 'uuid', agentIds)),
    ...(phones === undefined ? [] : among('phone', 'text', phones)),
    ...equal('sip_call_id', sipCallId),
    ...equal('state', state),
    ...equal('direction', direction),
    ...equal('end_reason', endReason),
    ...equal('disposition_code', dispositionCode),
    ...(tag === undefined ? [] : [[(p) => `tags @> ${p}::jsonb`, JSON.stringify([{ key: tag }])] satisfies Condition]),
    ...(result === undefined ? [] : [ofResult[result]]),
    ...(text === undefined ? [] : [withText(text)]),
    ...(cursor === null ? [] : [[(p) => `id < ${p}`, cursor] satisfies Condition]),
    // Ids grow with the time at which they were made: what is far off is not read.
    ...(since === undefined
      ? []
      : ([
          [(p) => `id >= ${p}`, callIdsSince(since)],
          [(p) => `created_at >= ${p}`, since],
        ] satisfies Condition[])),
    ...(until === undefined
      ? []
      : ([
          [(p) => `id < ${p}`, callIdsUntil(until)],
          [(p) => `created_at < ${p}`, until],
        ] satisfies Condition[])),
  ];
}

/** So many of the calls of several agents are looked at for words in one go. */
const mostLookedAt = 10_000;

/** A company's calls that fit, newest first. Planned each time: one agent and a thousand are not read alike. */
export async function listCalls(
  pool: Pool,
  companyId: CompanyId,
  filter: CallFilter,
  page: PageRequest,
): Promise<Page<ListedCall>> {
  const { text, ...others } = filter;
  if (text !== undefined && filter.agentIds?.length !== 1) return listCallsWith(pool, companyId, text, others, page);
  const { cursor, limit } = page;
  const values: unknown[] = [companyId, limit + 1];
  const wheres = written(conditionsOf(filter, cursor), values);
  const statement: Statement = {
    name: 'list_calls',
    text: `SELECT ${listedColumns} FROM call WHERE company_id = $1${wheres} ORDER BY id DESC LIMIT $2`,
    planEachTime: true,
  };
  const rows = await run<ListedRow>(pool, statement, values);
  return pageOf(rows, limit, readListedCall);
}

/**
 * The same of the calls of several agents that have words in them, which no index finds. So many of them are looked at,
 * and the next page goes on behind those: a page may be short, or empty, and not be the last.
 */
async function listCallsWith(
  pool: Pool,
  companyId: CompanyId,
  words: NonNullable<CallFilter['text']>,
  others: CallFilter,
  { cursor, limit }: PageRequest,
): Promise<Page<ListedCall>> {
  const values: unknown[] = [companyId, limit + 1, mostLookedAt];
  const wheres = written(conditionsOf(others, cursor), values);
  const fits = written([withText(words)], values);
  const statement: Statement = {
    name: 'list_calls_with',
    text: `SELECT ${listedColumns} FROM (SELECT * FROM call WHERE company_id = $1${wheres} ORDER BY id DESC
      LIMIT $3) call WHERE company_id = $1${fits} ORDER BY id DESC LIMIT $2`,
    planEachTime: true,
  };
  const found = pageOf(await run<ListedRow>(pool, statement, values), limit, readListedCall);
  if (found.nextCursor !== null) return found;
  const places: unknown[] = [companyId, mostLookedAt - 1];
  const behind = written(conditionsOf(others, cursor), places);
  const end: Statement = {
    name: 'list_calls_looked_at',
    text: `SELECT id FROM call WHERE company_id = $1${behind} ORDER BY id DESC OFFSET $2 LIMIT 1`,
    planEachTime: true,
  };
  const [last] = await run<{ id: string }>(pool, end, places);
  return { ...found, nextCursor: last?.id ?? null };
}

/** @param values of the parameters so far; those of the conditions are added */
function written(conditions: Condition[], values: unknown[]): string {
  return conditions
    .map(([sql, ...parameters]) => ` AND ${sql(...parameters.map((value) => `$${String(values.push(value))}`))}`)
    .join('');
}
