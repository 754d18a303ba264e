import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eraseImportKeys } from '../../../src/adapters/postgres/contacts/eraseStatements.ts';
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

it('of somebody who is erased the rows of an import are known by nothing more, and what they share with others does not name them', async () => {
  const kept: [key: string, also: string, row: number, externalId: string | null, name: string][] = [
    ['x:A-1', '', 1, 'A-1', 'ada'],
    ['p:+4930120001', 'nq', 1, 'A-1', 'ada'],
    ['p:+4930120002', 'nq', 1, 'A-1', 'ada'],
    ['q:1:', 'wi', 1, 'A-1', 'ada'],
    ['w:3', '', 3, null, 'ada'],
    ['i:3', '', 3, 'A-1', ''],
    ['x:B-1', '', 2, 'B-1', 'grace'],
    ['s:+4930120002', '', 2, 'B-1', 'grace'],
    ['n:+4930120002|grace', '', 2, 'B-1', 'grace'],
    ['q:2:', 'wi', 2, 'B-1', 'grace'],
  ];
  await pool.query('DELETE FROM import_key');
  await pool.query(
    `INSERT INTO import_key (company_id, import_id, pass, key, also, row, external_id, name)
      SELECT company_id, id, 1, k->>0, k->>1, (k->>2)::int, k->>3, k->>4
      FROM import, jsonb_array_elements($1::jsonb) k`,
    [JSON.stringify(kept)],
  );
  const company = (await pool.query<{ id: string }>('SELECT id FROM company')).rows[0]?.id;
  const values = [company, ['x:A-1'], ['+4930120001'], ['+4930120002'], ['ada'], ['A-1']];
  expect((await pool.query({ ...eraseImportKeys, values })).rowCount).toBe(6);
  const left = await pool.query('SELECT key, also, row, external_id, name FROM import_key ORDER BY row, key');
  expect(left.rows.map((row) => Object.values(row as object))).toEqual([
    ['p:+4930120002', 'q', 1, null, ''],
    ['q:1:', '', 1, null, ''],
    ...kept.slice(6).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ]);
});
