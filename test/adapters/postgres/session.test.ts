import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCompanyStore } from '../../../src/adapters/postgres/companies/companyStore.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool, createPrisma } from '../../../src/adapters/postgres/pool.ts';
import { prepareSession } from '../../../src/adapters/postgres/session.ts';
import { giveOtherDefaults } from '../../support/stores/otherDefaults.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

const limits = { statementMs: 1_000, lockMs: 2_000, idleInTransactionMs: 3_000 };

describe('a database whose defaults are for other programs', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createDatabase({ empty: true });
    await giveOtherDefaults(database.url);
  });
  afterEach(() => database.drop());

  it('gives a connection the settings that the gateway relies on, whatever it began with', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const show = async (name: string) =>
      (await client.query<{ is: string }>('SELECT current_setting($1) AS is', [name])).rows[0]?.is;
    expect([await show('IntervalStyle'), await show('DateStyle')]).toEqual(['sql_standard', 'SQL, DMY']);
    await prepareSession(client, limits);
    const wanted = {
      TimeZone: 'UTC',
      DateStyle: 'ISO, MDY',
      IntervalStyle: 'postgres',
      bytea_output: 'hex',
      extra_float_digits: '1',
      array_nulls: 'on',
      transform_null_equals: 'off',
      client_encoding: 'UTF8',
      standard_conforming_strings: 'on',
      statement_timeout: '1s',
      lock_timeout: '2s',
      idle_in_transaction_session_timeout: '3s',
      idle_session_timeout: '0',
      transaction_timeout: '0',
      default_transaction_isolation: 'read committed',
      default_transaction_deferrable: 'off',
      default_transaction_read_only: 'off',
      max_parallel_workers_per_gather: '0',
      jit: 'off',
      search_path: 'public, extensions',
    };
    const found: Record<string, unknown> = {};
    for (const name of Object.keys(wanted)) found[name] = await show(name);
    expect(found).toEqual(wanted);
    await client.end();
  });

  it('takes all tables and rows into the schema public, by statements and by Prisma, with the search by parts of words', async () => {
    const pool = createPool({ url: database.url, max: 2, applicationName: 'session test' });
    const prisma = createPrisma(pool);
    try {
      await applyMigrations(pool);
      const { rows: schemas } = await pool.query(
        "SELECT DISTINCT schemaname FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
      );
      expect(schemas).toEqual([{ schemaname: 'public' }]);
      expect((await pool.query("SELECT to_regclass('contact_search_parts_idx') IS NOT NULL AS found")).rows).toEqual([
        { found: true },
      ]);
      const companies = createCompanyStore({ pool, prisma });
      await companies.works();
      const at = new Date('2026-03-04T05:06:07.089Z');
      const byPrisma = {
        id: '00000000-0000-7000-8000-000000000001',
        slug: 'prisma',
        name: 'Ärzte “日本”',
        createdAt: at,
        updatedAt: at,
      };
      await prisma.company.create({ data: byPrisma });
      await pool.query(
        `INSERT INTO company (id, slug, name, created_at, updated_at) SELECT $1, 'sql', name, created_at, $2
          FROM company`,
        ['00000000-0000-7000-8000-000000000002', at],
      );
      const read = await prisma.company.findMany({ select: { name: true, createdAt: true, updatedAt: true } });
      expect(read).toEqual([1, 2].map(() => ({ name: byPrisma.name, createdAt: at, updatedAt: at })));
      expect((await pool.query('SELECT created_at AS at FROM company')).rows).toEqual([{ at }, { at }]);
    } finally {
      await prisma.$disconnect();
      await pool.end();
    }
  });
});

it('the companies do not work where the database takes no changes, though it answers', async () => {
  const database = await createDatabase();
  const pool = createPool({ url: database.url, max: 1, applicationName: 'session test' });
  const prisma = createPrisma(pool);
  const companies = createCompanyStore({ pool, prisma });
  await companies.works();
  await pool.query('SET default_transaction_read_only = on');
  await expect(companies.works()).rejects.toThrow('takes no changes');
  await pool.query('SET default_transaction_read_only = off; SET search_path = pg_catalog');
  await expect(companies.works()).rejects.toThrow('"company" does not exist');
  await prisma.$disconnect();
  await pool.end();
  await database.drop();
});
