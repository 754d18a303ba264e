import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CompanyId } from '../../../src/domain/ids.ts';
import { createDuplicateFinder } from '../../../src/usecases/contacts/duplicateFinder.ts';
import { quietObserver } from '../../support/stores/quietServices.ts';
import { eventually } from '../../support/time/waiting.ts';
import { openStores, type Stores } from '../../contracts/stores/openStores.ts';

// In their order: whose import is under way comes first.
const [importing, other] = ['1', '2'].map((n) => `0190a000-0000-7000-8000-00000000000${n}` as CompanyId) as [
  CompanyId,
  CompanyId,
];
/** More than are compared in one go, so that the other company is come back to. */
const pairs = 150;

let stores: Stores;

beforeAll(async () => {
  stores = await openStores();
  await stores.pool.query(`INSERT INTO company (id, slug, name, updated_at)
    SELECT id, right(id::text, 1), 'c', now() FROM unnest('{${importing},${other}}'::uuid[]) id`);
  await stores.pool.query(`INSERT INTO contact (company_id, id, external_id, version, created_at, updated_at)
    SELECT c.id, gen_random_uuid(), NULL, 1, now(), now() FROM company c, generate_series(1, ${2 * pairs})`);
  await stores.pool.query(`INSERT INTO contact_email (company_id, contact_id, email, position)
    SELECT company_id, id, ((row_number() OVER (PARTITION BY company_id) + 1) / 2) || '@example.com', 0 FROM contact`);
});
afterAll(() => stores.close());

it('contacts are compared once the import that makes them is done, and those of others meanwhile', async () => {
  const { clock, duplicates, pool } = stores;
  await pool.query(`INSERT INTO import (company_id, id, state, source, file_name, agent_id, delimiter, encoding,
      has_header, first_row, mapping, created_at, updated_at, due_at)
    VALUES ('${importing}', gen_random_uuid(), 'running', 'file', 'f', gen_random_uuid(), ',', 'utf-8', false, '[]',
      '[]', now(), now(), now())`);
  const finder = createDuplicateFinder({ clock, duplicates, observer: quietObserver });
  finder.start();
  await eventually(async () => !(await duplicates.isComparing(other)));
  expect(await duplicates.isComparing(importing)).toBe(true);
  const found = async (companyId: CompanyId) =>
    (await duplicates.list(companyId, { cursor: null, limit: 1_000 })).items.length;
  expect(await found(other)).toBe(pairs);
  expect(await found(importing)).toBe(0);
  await pool.query(`UPDATE import SET state = 'done', due_at = NULL`);
  await eventually(async () => {
    await clock.advance(1_000);
    return !(await duplicates.isComparing(importing));
  });
  expect(await found(importing)).toBe(pairs);
  await finder.stop();
});
