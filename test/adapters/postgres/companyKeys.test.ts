import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pool } from 'pg';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

/** The platform's own: tables that are no company's, and why. docs/scaling.md has the same list. */
const platformTables: Record<string, string> = {
  company: 'the companies themselves: its key is the company, and a slug belongs to one of them all',
  _prisma_migrations: 'which migrations the database has',
};

const isOfCompany = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1)`;

/** What is at fault, as `table` or `table key`. $1 the platform's own tables. */
const tablesWithoutCompany = `SELECT c.relname AS fault FROM pg_class c WHERE ${isOfCompany} AND NOT EXISTS (
  SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'company_id' AND a.attnotnull
)`;
const tablesWithoutKey = `SELECT c.relname AS fault FROM pg_class c
  WHERE ${isOfCompany} AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`;
const uniqueKeys = `SELECT c.relname || ' ' || k.relname AS fault FROM pg_index i
  JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class k ON k.oid = i.indexrelid
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
  WHERE ${isOfCompany} AND (i.indisunique OR i.indisexclusion) AND a.attname IS DISTINCT FROM 'company_id'`;
const foreignKeys = `SELECT c.relname || ' ' || o.conname AS fault FROM pg_constraint o
  JOIN pg_class c ON c.oid = o.conrelid
  JOIN pg_attribute own ON own.attrelid = o.conrelid AND own.attnum = o.conkey[1]
  JOIN pg_attribute other ON other.attrelid = o.confrelid AND other.attnum = o.confkey[1]
  WHERE ${isOfCompany} AND o.contype = 'f' AND NOT (
    own.attname = 'company_id' AND (other.attname = 'company_id'
      OR (o.confrelid = 'company'::regclass AND other.attname = 'id'))
  )`;

describe('the keys of a migrated database', () => {
  const platform = Object.keys(platformTables).toSorted();
  let database: TestDatabase;
  let pool: Pool;

  beforeAll(async () => {
    database = await createDatabase();
    pool = createPool({ url: database.url, max: 1, applicationName: 'keys test' });
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  async function faults(statement: string): Promise<string[]> {
    const { rows } = await pool.query<{ fault: string }>(`${statement} ORDER BY 1`, [platform]);
    return rows.map(({ fault }) => fault);
  }

  it("are on tables that name their company, but for the platform's own", async () => {
    expect(await faults(tablesWithoutCompany)).toEqual([]);
    const { rows } = await pool.query(`SELECT relname FROM pg_class WHERE relname = ANY ($1) ORDER BY 1`, [platform]);
    expect(rows.map(({ relname }) => relname)).toEqual(platform);
  });

  it('have the company first in every primary and unique key', async () => {
    expect(await faults(tablesWithoutKey)).toEqual([]);
    expect(await faults(uniqueKeys)).toEqual([]);
  });

  it('have the company first in every foreign key, on both sides', async () => {
    expect(await faults(foreignKeys)).toEqual([]);
  });

  it('let agents, calls and deliveries be of their own company alone, and tell by name what there is already', async () => {
    const uuid = (n: number) => `00000000-0000-7000-8000-00000000000${n}`;
    for (const n of [1, 2]) {
      await pool.query(`
        INSERT INTO company (id, slug, name, updated_at) VALUES ('${uuid(n)}', 'c${n}', 'c', now());
        INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
        VALUES ('${uuid(n + 2)}', '${uuid(n)}', 'Ada', 'a', 'agent', 'h', now());
        INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at)
          VALUES ('${uuid(n + 4)}', '${uuid(n)}', '${uuid(n + 2)}', 'outbound', 'manual_dial', 'dialing', '+1', now());
        INSERT INTO webhook_delivery (id, company_id, event, sequence, body, due_at)
        VALUES ('${uuid(n + 6)}', '${uuid(n)}', 'call_started', 1, '{}', now());
        INSERT INTO webhook_attempt (company_id, id, delivery_id, number, started_at, latency_ms, url, request_headers)
          VALUES ('${uuid(n)}', '${uuid(9)}', '${uuid(n + 6)}', 1, now(), 1, 'https://c', '{}')`);
    }
    const broken = [
      ['call_company_id_agent_id_fkey', `UPDATE call SET agent_id = '${uuid(4)}' WHERE id = '${uuid(5)}'`],
      [
        'webhook_attempt_company_id_delivery_id_fkey',
        `UPDATE webhook_attempt SET delivery_id = '${uuid(8)}' WHERE delivery_id = '${uuid(7)}'`,
      ],
      [
        'agent_company_id_agent_code_key',
        `UPDATE agent SET company_id = '${uuid(1)}', agent_code = ' ADA' WHERE id = '${uuid(4)}'`,
      ],
      [
        'call_active_key',
        `INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at)
        VALUES (gen_random_uuid(), '${uuid(1)}', '${uuid(3)}', 'outbound', 'manual_dial', 'dialing', '+1', now())`,
      ],
    ] as const;
    for (const [constraint, statement] of broken)
      await expect(pool.query(statement)).rejects.toMatchObject({ constraint });
  });

  it('would be named if they had not', async () => {
    await pool.query(`CREATE TABLE stray (id int UNIQUE);
      CREATE TABLE astray (company_id uuid NOT NULL, agent_id uuid, code text, PRIMARY KEY (company_id, agent_id));
      CREATE UNIQUE INDEX astray_code ON astray (lower(code), company_id);
      ALTER TABLE astray ADD CONSTRAINT astray_agent FOREIGN KEY (agent_id, company_id)
        REFERENCES agent (id, company_id)`);
    try {
      expect(await faults(tablesWithoutCompany)).toEqual(['stray']);
      expect(await faults(tablesWithoutKey)).toEqual(['stray']);
      expect(await faults(uniqueKeys)).toEqual(['astray astray_code', 'stray stray_id_key']);
      expect(await faults(foreignKeys)).toEqual(['astray astray_agent']);
    } finally {
      await pool.query('DROP TABLE stray, astray');
    }
  });
});
