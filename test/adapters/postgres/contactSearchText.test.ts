import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createContacts } from '../../../src/adapters/postgres/contacts/writeContacts.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';

const company = '0190a000-0000-7000-8000-000000000001';
const organisation = '0190a000-0000-7000-8000-000000000002';
const [ada, grace] = ['0190a000-0000-7000-8000-000000000003', '0190a000-0000-7000-8000-000000000004'];
const at = '2026-01-01T00:00:00Z';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = createPool({ url: database.url, max: 1, applicationName: 'search text test' });
  await pool.query(`INSERT INTO company (id, slug, name, updated_at) VALUES ('${company}', 'c', 'c', now())`);
  await pool.query(`INSERT INTO organisation (company_id, id, name, created_at, updated_at)
    VALUES ('${company}', '${organisation}', 'Flow-Matic', now(), now())`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const made = (id: string, name: string, addresses: string[]) => ({
  ...{ id, name, organisation_id: organisation, owner_id: null, tags: ['vip', 'vip', 'new'], tier: null },
  ...{ language: null, time_zone: null, notes: null, do_not_call: false, external_id: null, fields: {}, version: 1 },
  ...{ created_at: at, updated_at: at },
  emails: addresses.map((email, position) => ({ email, label: null, is_primary: position === 0, position })),
});
const found = async () => {
  const { rows } = await pool.query<{ text: string }>('SELECT text FROM contact_search ORDER BY contact_id');
  return rows.map(({ text }) => text);
};
/** How many times texts were written, or were looked at whether they are to be. */
const written = async (work: () => Promise<unknown>) => {
  const read = async () => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ calls: number }>(
      `SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_user_functions WHERE funcname = 'write_contact_search'`,
    );
    return rows[0]?.calls ?? 0;
  };
  await pool.query(`SET track_functions = 'all'`);
  const before = await read();
  await work();
  return (await read()) - before;
};

it('contacts made with their addresses are found by name, organisation and each address, and their texts are written once', async () => {
  const contacts = [made(ada, 'Ada Lovelace', ['ada@a.example', 'ada@b.example']), made(grace, 'Grace Hopper', [])];
  expect(await written(() => pool.query({ ...createContacts, values: [company, JSON.stringify(contacts)] }))).toBe(2);
  expect(await found()).toEqual([' ada lovelace flow matic ada a example ada b example ', ' grace hopper flow matic ']);
  const { rows } = await pool.query('SELECT tag FROM contact_tag ORDER BY contact_id, tag');
  expect(rows.map(({ tag }) => tag)).toEqual(['new', 'vip', 'new', 'vip']);
});

it('a change of name, tags and addresses changes what a contact is found by', async () => {
  await pool.query(`UPDATE contact SET name = 'Ada King', tags = '{vip}' WHERE id = '${ada}'`);
  await pool.query(`INSERT INTO contact_email (company_id, contact_id, email, position)
    VALUES ('${company}', '${grace}', 'grace@g.example', 0)`);
  await pool.query(`DELETE FROM contact_email WHERE contact_id = '${ada}'`);
  expect(await found()).toEqual([' ada king flow matic ', ' grace hopper flow matic grace g example ']);
  const { rows } = await pool.query(`SELECT tag FROM contact_tag WHERE contact_id = '${ada}'`);
  expect(rows).toEqual([{ tag: 'vip' }]);
});
