import type { Pool } from 'pg';
import type { CallId, CompanyId } from '../../../domain/ids.ts';
import { callColumns, type CallRow } from '../callRows.ts';
import { run } from './prepared.ts';

/** $1 company id, $2 call id. */
export const findCall = { name: 'find_call', text: `SELECT ${callColumns} FROM call WHERE company_id = $1 AND id = $2` };

/** The call, if it is of the company. */
export async function callById(pool: Pool, companyId: CompanyId, id: CallId): Promise<CallRow | undefined> {
  const [row] = await run<CallRow>(pool, findCall, [companyId, id]);
  return row;
}
