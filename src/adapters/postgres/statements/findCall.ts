import type { Pool } from 'pg';
import type { CallId } from '../../../domain/ids.ts';
import { callColumns, type CallRow } from '../callRows.ts';
import { run } from './prepared.ts';

/** $1 call id. Not by company: an id of another company is told apart from an unknown one. */
export const findCall = { name: 'find_call', text: `SELECT ${callColumns} FROM call WHERE id = $1` };

/** The call of any company; the caller compares the company. */
export async function callById(pool: Pool, id: CallId): Promise<CallRow | undefined> {
  const [row] = await run<CallRow>(pool, findCall, [id]);
  return row;
}
