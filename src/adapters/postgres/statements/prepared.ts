import type { Pool, PoolClient } from 'pg';

/** SQL that the server parses once per connection and keeps under its name. */
export type Statement = { name: string; text: string };

/**
 * Runs a prepared statement.
 * @template R the shape of a row, as the statement's SQL names its columns
 */
export async function run<R extends object>(pool: Pool | PoolClient, statement: Statement, values: unknown[]): Promise<R[]> {
  const result = await pool.query<R>({ ...statement, values });
  return result.rows;
}
