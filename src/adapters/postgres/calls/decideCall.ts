import type { Pool } from 'pg';
import { type CallId, type CompanyId, firstIdAt } from '../../../domain/ids.ts';
import { deleteOld, run } from '../queries.ts';
import { callColumns, type CallRow } from './callRows.ts';

/** $1 company id, $2 call id. Waits for a transaction that is taking the same id. */
export const ruleOutCall = {
  name: 'rule_out_call',
  text: 'INSERT INTO decided_call (company_id, call_id) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING call_id',
};

/** $1 company id, $2 call id. */
export const isCallRecorded = {
  name: 'is_call_recorded',
  text: 'SELECT id FROM call WHERE company_id = $1 AND id = $2',
};

/**
 * $1 company id, $2 call id. One look at both, since a record may be committed between two.
 * Without a call its id is null.
 */
export const findFate = {
  name: 'find_fate',
  text: `SELECT EXISTS (SELECT FROM decided_call WHERE company_id = $1 AND call_id = $2) AS "isDecided", ${callColumns}
  FROM (SELECT) AS one LEFT JOIN call ON company_id = $1 AND id = $2`,
};

/** $1 the lowest id that stays, $2 how many at most. */
export const pruneDecidedCalls = {
  name: 'prune_decided_calls',
  text: deleteOld('decided_call', ['company_id', 'call_id'], 'WHERE call_id < $1 ORDER BY call_id LIMIT $2'),
};

/** Rules a call out by taking its id, unless the call is recorded. */
export async function ruleOut(pool: Pool, companyId: CompanyId, id: CallId): Promise<'ruled_out' | 'recorded'> {
  if ((await run(pool, ruleOutCall, [companyId, id])).length === 1) return 'ruled_out';
  return (await run(pool, isCallRecorded, [companyId, id])).length === 1 ? 'recorded' : 'ruled_out';
}

/** What is decided, and the call if it is recorded. */
export async function fateOf(
  pool: Pool,
  companyId: CompanyId,
  id: CallId,
): Promise<{ isDecided: boolean; row: CallRow | null }> {
  const [found] = await run<CallRow & { isDecided: boolean }>(pool, findFate, [companyId, id]);
  if (found === undefined) throw new Error('there is always one row');
  const { isDecided, ...row } = found;
  return { isDecided, row: (row.id as string | null) === null ? null : row };
}

/** Deletes what was decided of calls that began before then; how many. */
export async function pruneDecided(pool: Pool, before: Date, limit: number): Promise<number> {
  return (await run(pool, pruneDecidedCalls, [firstIdAt(before.getTime()), limit])).length;
}
