import type { Pool, PoolClient } from 'pg';
import type { Page } from '../../ports/queryResults.ts';

/**
 * SQL that the server parses once per connection and keeps under its name. `planEachTime`: it is parsed and planned for
 * the values of each use, where one plan for all of them would be a bad one for the largest companies.
 */
export type Statement = { name: string; text: string; planEachTime?: true };

/**
 * Runs a statement.
 * @template R the shape of a row, as the statement's SQL names its columns
 */
export async function run<R extends object>(
  pool: Pool | PoolClient,
  statement: Statement,
  values: unknown[],
): Promise<R[]> {
  const { name, text, planEachTime = false } = statement;
  const result = await pool.query<R>(planEachTime ? { text, values } : { name, text, values });
  return result.rows;
}

/**
 * SQL: columns under the names that Prisma has for them, such as `agent_code AS "agentCode"`.
 * @param fields Prisma's list of a table's, such as `Prisma.AgentScalarFieldEnum`, or some of them
 * @param but of those, what is left out
 * @param of the table's alias
 */
export function fieldColumns<F extends string>(
  fields: Readonly<Record<F, F>> | readonly F[],
  { but = [], of }: { but?: readonly NoInfer<F>[]; of?: string } = {},
): string {
  return Object.values<F>(fields)
    .filter((field) => !but.includes(field))
    .map((field) => {
      const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      return `${of === undefined ? '' : `${of}.`}${column}${column === field ? '' : ` AS "${field}"`}`;
    })
    .join(', ');
}

/**
 * SQL that deletes rows by their primary key, which begins with the company. By arrays of the keys: the planner knows
 * neither how many rows a page has nor that they are few, and would read a whole table for them.
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

/** One page of `limit` items, read with one row too many to know whether there is another. */
export function pageOf<R extends { id: string }, T>(rows: R[], limit: number, read: (row: R) => T): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(read), nextCursor: rows.length > limit && last !== undefined ? last.id : null };
}

// Asked only after the caller's own company has been found to have no such id: an id of another company is answered
// with 403, an unknown one with 404. $1 id.

export const findAgentElsewhere = {
  name: 'find_agent_elsewhere',
  text: 'SELECT true AS found FROM agent WHERE id = $1 LIMIT 1',
};
export const findCallElsewhere = {
  name: 'find_call_elsewhere',
  text: 'SELECT true AS found FROM call WHERE id = $1 LIMIT 1',
};
export const findDeliveryElsewhere = {
  name: 'find_delivery_elsewhere',
  text: `(SELECT true AS found FROM webhook_delivery WHERE id = $1 LIMIT 1)
    UNION ALL (SELECT true FROM crm_delivery WHERE id = $1 LIMIT 1)`,
};

/** What it means that a company has no such id. */
export async function missingId(
  pool: Pool,
  elsewhere: Statement,
  id: string,
): Promise<{ kind: 'unknown' } | { kind: 'wrong_company' }> {
  return { kind: (await run(pool, elsewhere, [id])).length === 0 ? 'unknown' : 'wrong_company' };
}
