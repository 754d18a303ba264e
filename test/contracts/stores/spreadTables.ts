import type { Pool, PoolClient } from 'pg';

/** So many parts has a table that is spread. */
const parts = 8;

/** A constraint, index or trigger: how it is made, and its name. */
type Made = { name: string; made: string };

/**
 * Spreads every table that names a company over parts by it, as an engine that spreads them over servers does:
 * PostgreSQL's own partitions take no primary or unique key without the company, and number the indexes of the parts.
 * The tables are empty.
 */
export async function spreadTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const tables = await tablesOfCompanies(client);
    const references = await madeOf(client, tables, foreignKeys);
    const triggers = await madeOf(client, tables, ownTriggers);
    for (const { name, table } of references) await client.query(`ALTER TABLE "${table}" DROP CONSTRAINT "${name}"`);
    for (const table of tables) await spread(client, table);
    for (const { made } of [...references, ...triggers]) await client.query(made);
    await client.query('COMMIT');
  } finally {
    client.release(true);
  }
}

/** Which part of its table a row of the plan is read from: `agent_part_3` is part 3; null for a table that is whole. */
export function partOf(relation: string): number | null {
  const [, part] = /_part_(\d+)$/.exec(relation) ?? [];
  return part === undefined ? null : Number(part);
}

async function tablesOfCompanies(client: PoolClient): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const foreignKeys = `SELECT conname AS name, relname AS table,
    format('ALTER TABLE %I ADD CONSTRAINT %I %s', relname, conname, pg_get_constraintdef(o.oid)) AS made
  FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE contype = 'f' AND relname = ANY ($1)`;
const ownTriggers = `SELECT tgname AS name, relname AS table, pg_get_triggerdef(t.oid) AS made
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT tgisinternal AND relname = ANY ($1)`;

async function madeOf(client: PoolClient, tables: string[], statement: string): Promise<(Made & { table: string })[]> {
  return (await client.query<Made & { table: string }>(statement, [tables])).rows;
}

async function spread(client: PoolClient, table: string): Promise<void> {
  const { rows: keys } = await client.query<Made>(
    `SELECT conname AS name, format('ALTER TABLE %I ADD CONSTRAINT %I %s', $1::text, conname, pg_get_constraintdef(oid))
      AS made
     FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('p', 'u', 'c')`,
    [table],
  );
  const { rows: indexes } = await client.query<Made>(
    `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS made FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid
     WHERE indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint
       WHERE conindid = indexrelid AND conrelid = indrelid)`,
    [table],
  );
  await client.query(`CREATE TABLE spread (LIKE "${table}" INCLUDING DEFAULTS) PARTITION BY HASH (company_id)`);
  await client.query(`DROP TABLE "${table}"`);
  await client.query(`ALTER TABLE spread RENAME TO "${table}"`);
  for (let part = 0; part < parts; part += 1) {
    await client.query(
      `CREATE TABLE "${table}_part_${part}" PARTITION OF "${table}"
        FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})`,
    );
  }
  for (const { made } of [...keys, ...indexes]) await client.query(made);
  await numberIndexes(client, table);
}

async function numberIndexes(client: PoolClient, table: string): Promise<void> {
  const { rows } = await client.query<{ own: string; whole: string; part: string }>(
    `SELECT own.relname AS own, whole.relname AS whole, substring(part.relname FROM '\\d+$') AS part
     FROM pg_inherits h JOIN pg_class own ON own.oid = h.inhrelid JOIN pg_class whole ON whole.oid = h.inhparent
     JOIN pg_index i ON i.indexrelid = own.oid JOIN pg_class part ON part.oid = i.indrelid
     JOIN pg_index w ON w.indexrelid = whole.oid WHERE w.indrelid = $1::regclass`,
    [table],
  );
  for (const { own, whole, part } of rows) await client.query(`ALTER INDEX "${own}" RENAME TO "${whole}_${part}"`);
}
