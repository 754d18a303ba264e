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

/**
 * SQL that deletes rows by their primary key, which begins with the company. By arrays of the keys: the planner knows neither
 * how many rows a page has nor that they are few, and would read a whole table for them.
 * @param key the columns of the primary key
 * @param which ends the statement that finds the rows: its WHERE, ORDER BY and LIMIT
 */
export function deleteOld(table: string, key: string[], which: string): string {
  const arrays = key.map((column) => `ARRAY (SELECT ${column} FROM old)`);
  const same = key.map((column) => `t.${column} = k.${column}`);
  return `WITH old AS MATERIALIZED (
    SELECT ${key.join(', ')} FROM ${table} ${which} FOR UPDATE SKIP LOCKED
  )
  DELETE FROM ${table} t USING unnest(${arrays.join(', ')}) AS k (${key.join(', ')})
  WHERE ${same.join(' AND ')} RETURNING t.company_id`;
}
