import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countNewContacts } from '../../../src/adapters/postgres/imports/contactStatistics.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool({ url: database.url, max: 1, applicationName: 'contact statistics test' });
  // Nobody else counts.
  await pool.query('ALTER TABLE contact SET (autovacuum_enabled = off)');
  await pool.query(`INSERT INTO company (id, slug, name, updated_at) VALUES (gen_random_uuid(), 'c', 'c', now())`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const add = (contacts: number) =>
  pool.query(
    `INSERT INTO contact (company_id, id, created_at, updated_at) SELECT id, gen_random_uuid(), now(), now()
      FROM company, generate_series(1, $1)`,
    [contacts],
  );
const known = async () =>
  (await pool.query<{ known: number }>(`SELECT reltuples::int AS known FROM pg_class WHERE oid = 'contact'::regclass`))
    .rows[0]?.known;

it('lets PostgreSQL count what an import made when that has doubled, as long as it is more than PostgreSQL knew of', async () => {
  await add(500);
  expect(await known()).toBe(-1);
  await countNewContacts(pool, 0, 500);
  expect(await known()).toBe(500);
  await add(10);
  await countNewContacts(pool, 500, 510);
  expect(await known()).toBe(500);
  await add(510);
  await countNewContacts(pool, 510, 1_020);
  expect(await known()).toBe(1_020);
  await add(10);
  await countNewContacts(pool, 0, 10);
  await countNewContacts(pool, 1_030, 1_030);
  expect(await known()).toBe(1_020);
});

it('looks for the contact of each new row by its key from then on, on connections that did otherwise before', async () => {
  const client = await pool.connect();
  try {
    const plan = async () =>
      (
        await client.query<{ 'QUERY PLAN': string }>(
          'EXPLAIN (COSTS OFF) EXECUTE of_contact (gen_random_uuid(), gen_random_uuid())',
        )
      ).rows
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(
      'PREPARE of_contact (uuid, uuid) AS SELECT 1 FROM contact x WHERE company_id = $1 AND id = $2 FOR KEY SHARE OF x',
    );
    expect(await plan()).toContain('contact_pkey');
  } finally {
    client.release(true);
  }
});
