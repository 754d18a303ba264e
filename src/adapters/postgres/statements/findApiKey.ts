import type { Pool } from 'pg';
import { run } from './prepared.ts';

/** $1 SHA-256 of the key, hex. */
export const findApiKey = {
  name: 'find_api_key',
  text: `SELECT company_id AS "companyId", api_key_prefix AS prefix FROM integration WHERE api_key_hash = $1`,
};

/** The company whose current key has that hash. */
export async function apiKeyByHash(pool: Pool, hash: string): Promise<{ companyId: string; prefix: string } | undefined> {
  const [row] = await run<{ companyId: string; prefix: string }>(pool, findApiKey, [hash]);
  return row;
}
