import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool({ url: database.url, max: 1, applicationName: 'import keys test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const counted = async () =>
  (await pool.query<{ id: string }>('SELECT import_id AS id FROM import_key ORDER BY id')).rows.map(({ id }) =>
    id.at(-1),
  );

it('what the rows of an import are known by goes with it, with several at once and with their company, and no others', async () => {
  await pool.query(`INSERT INTO company (id, slug, name, updated_at)
    SELECT gen_random_uuid(), n, n, now() FROM unnest('{one,other}'::text[]) n`);
  await pool.query(`INSERT INTO import (company_id, id, state, source, file_name, agent_id, delimiter, encoding,
      has_header, first_row, mapping, created_at, updated_at)
    SELECT c.id, ('0190a000-0000-7000-8000-00000000000' || n)::uuid, 'canceled', 'file', 'f', c.id, ',', 'utf-8',
      false, '[]', '[]', now(), now() FROM company c, generate_series(1, 3) n`);
  await pool.query(`INSERT INTO import_key (company_id, import_id, pass, key, row)
    SELECT company_id, id, p, 'p:+4930120001', 1 FROM import, generate_series(1, 2) p`);
  expect(await counted()).toEqual([...'111122223333']);
  const ofOne = `company_id = (SELECT id FROM company WHERE slug = 'one')`;
  await pool.query(`DELETE FROM import WHERE ${ofOne} AND right(id::text, 1) IN ('1', '2')`);
  expect(await counted()).toEqual([...'11223333']);
  await pool.query(`DELETE FROM company WHERE slug = 'other'`);
  expect(await counted()).toEqual([...'33']);
});
