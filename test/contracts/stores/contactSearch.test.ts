import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContactSearch } from '../../../src/adapters/postgres/contacts/contactSearch.ts';
import { sortName } from '../../../src/adapters/postgres/contacts/findContacts.ts';
import { proposeDuplicates } from '../../../src/adapters/postgres/contacts/proposeDuplicates.ts';
import {
  searchApproximately,
  searchByBeginning,
  searchByNumber,
  searchByParts,
  searchOrganisations,
} from '../../../src/adapters/postgres/contacts/searchContacts.ts';
import { applyMigrations } from '../../../src/adapters/postgres/migrations.ts';
import { createPool } from '../../../src/adapters/postgres/pool.ts';
import type { Statement } from '../../../src/adapters/postgres/queries.ts';
import { toId, type CompanyId } from '../../../src/domain/ids.ts';
import { foldText } from '../../../src/domain/searchText.ts';
import { createDatabase } from '../../support/stores/postgres.ts';
import { createManualClock } from '../../support/time/manualClock.ts';
import { openStores, type Stores } from './openStores.ts';

const large = '00000000-0000-7000-8000-000000000000';
const contacts = 20_000;

/** One company with many contacts among 200 with 20 each. */
const skewed = `
  CREATE FUNCTION pg_temp.company(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-8000-' || lpad((CASE WHEN n < ${contacts} THEN 0 ELSE 1 + n % 200 END)::text,
      12, '0'))::uuid $$;
  INSERT INTO company (id, slug, name, updated_at)
    SELECT DISTINCT pg_temp.company(n), pg_temp.company(n)::text, 'c', now()
    FROM generate_series(${contacts - 1}, ${contacts + 199}) n;
  -- Without what triggers do for each row.
  SET session_replication_role = replica;
  INSERT INTO organisation (company_id, id, name, created_at, updated_at)
    SELECT pg_temp.company(n), gen_random_uuid(), 'Org ' || md5('o' || n), now(), now()
    FROM generate_series(0, ${contacts + 3_999}, 2) n;
  INSERT INTO contact (company_id, id, name, created_at, updated_at)
    SELECT pg_temp.company(n), gen_random_uuid(), md5('a' || n) || ' ' || md5('b' || n), now(), now()
    FROM generate_series(0, ${contacts + 3_999}) n;
  INSERT INTO contact_phone (company_id, phone, contact_id, position)
    SELECT company_id, '+1555' || lpad((row_number() OVER ())::text, 7, '0'), id, 1 FROM contact;
  INSERT INTO contact_search (company_id, contact_id, text) SELECT company_id, id, crm_search_text(name) FROM contact;
  INSERT INTO organisation_search (company_id, organisation_id, text) SELECT company_id, id, crm_search_text(name)
  FROM organisation;
  RESET session_replication_role;
  ANALYZE;`;

const reachable = `
  SET session_replication_role = replica;
  INSERT INTO contact_email (company_id, contact_id, email, position) SELECT company_id, id, id || '@example.com', 1
  FROM contact;
  INSERT INTO screen_pop_entry (company_id, phone, data, external_id) SELECT company_id, phone, '{}', 'C' || phone
  FROM contact_phone;
  RESET session_replication_role;
  ANALYZE contact_email, screen_pop_entry;`;

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: PlanNode[] };

describe('the search of contacts', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
    // One after the other: all of it in one request takes a busy machine longer than a request may.
    const client = await stores.pool.connect();
    // Nobody else reads the tables before all of it is there.
    await client.query('BEGIN');
    for (const statement of [skewed, reachable].flatMap((text) => text.split(/;\n/))) await client.query(statement);
    await client.query('COMMIT');
    client.release();
  });
  afterAll(() => stores.close());

  async function indexesOf({ text }: Statement, values: unknown[]): Promise<(string | undefined)[]> {
    const { rows } = await stores.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    return nodes.flatMap((node) => node['Index Name'] ?? []);
  }

  const asked = (owner: string | null) => [large, owner, 10];
  const agent = '00000000-0000-7000-9000-000000000000';

  it.each([null, agent])(
    'reads a large company among small ones by index alone, for all of its contacts or for those of %s',
    async (owner) => {
      const parts = searchByParts(['cafe', 'beef']);
      const near = searchApproximately(['decaf', 'beef']);
      const beginning = owner === null ? [] : ['contact_pkey'];
      expect(await indexesOf(searchByBeginning, [...asked(owner), ' cafe%'])).toEqual(
        expect.arrayContaining(['contact_search_begins_idx', ...beginning]),
      );
      expect(await indexesOf(parts.statement, [...asked(owner), ...parts.values])).toEqual(
        expect.arrayContaining(['contact_search_parts_idx', ...beginning]),
      );
      expect(await indexesOf(near!.statement, [...asked(owner), ...near!.values])).toEqual(
        expect.arrayContaining(['contact_search_parts_idx', ...beginning]),
      );
      const byNumber = await indexesOf(searchByNumber, [large, owner, ['+15550001'], '4321', 10, ['+15550002']]);
      expect(byNumber).toEqual(
        expect.arrayContaining(['contact_phone_pkey', 'contact_phone_reversed_idx', ...beginning]),
      );
      const organisations = searchOrganisations(['cafe']);
      expect(await indexesOf(organisations.statement, [large, ' cafe%', 5, ...organisations.values])).toContain(
        'organisation_search_parts_idx',
      );
    },
  );

  it('reads by index whom one of a large company may be the same as', async () => {
    const { rows } = await stores.pool.query<{ id: string }>('SELECT id FROM contact WHERE company_id = $1 LIMIT 5', [
      large,
    ]);
    const indexes = await indexesOf(proposeDuplicates, [large, rows.map(({ id }) => id)]);
    expect(indexes).toEqual(
      expect.arrayContaining([
        'contact_name_sound_idx',
        'contact_phone_reversed_idx',
        'contact_email_company_id_email_idx',
        'screen_pop_entry_company_id_external_id_idx',
      ]),
    );
  });

  it('reads the contacts of a large company by index in the order of their names', async () => {
    for (const order of ['ASC', 'DESC']) {
      const text = `SELECT c.id FROM contact c WHERE c.company_id = $1 AND (${sortName}, c.id) > ('b', $2::uuid)
        ORDER BY ${sortName} ${order}, c.id ${order} LIMIT 50`;
      expect(await indexesOf({ name: 'by_name', text }, [large, large])).toEqual(['contact_name_idx']);
    }
  });

  it('folds texts as the database does', async () => {
    const letters = fc.constantFrom(..."aÄäßøŁıİΣςЖж'’-._@+/ \t\u00a0\u0301éÉœÞ½ª漢🙂%\\0".match(/./gu)!);
    const texts = fc.sample(
      fc.oneof(
        fc.string({ unit: letters, maxLength: 12 }),
        fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0')),
      ),
      2_000,
    );
    const { rows } = await stores.pool.query<{ folded: string }>(
      'SELECT crm_fold(given) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS g (given, n) ORDER BY n',
      [texts],
    );
    expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText));
  });

  it('takes a name of any length', async () => {
    const id = '00000000-0000-7000-a000-000000000001';
    await stores.pool.query(
      'INSERT INTO contact (company_id, id, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())',
      [large, id, `Quux ${'漢'.repeat(195)}`],
    );
    const emails = Array.from({ length: 20 }, (_, n) => `${'é'.repeat(240)}${n}@example.com`);
    await stores.pool.query(
      `INSERT INTO contact_email (company_id, contact_id, email, position) SELECT $1, $2, email, 1
        FROM unnest($3::text[]) email`,
      [large, id, emails],
    );
    expect(await stores.contactSearch.byWords(toId<CompanyId>(large), 'all', ['quux'], 5)).toMatchObject([
      { contact: { id } },
    ]);
  });
});

describe('a database whose owner may not add extensions', () => {
  it('is migrated, and names are found by their beginning', async () => {
    const database = await createDatabase({ empty: true });
    const name = new URL(database.url).pathname.slice(1);
    const owner = createPool({ url: database.url, max: 1, applicationName: 'owner' });
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'secret'];
    await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'; GRANT ALL ON SCHEMA public TO ${name}`);
    const pool = createPool({ url: url.href, max: 2, applicationName: 'guest' });
    try {
      await applyMigrations(pool);
      await pool.query(`INSERT INTO company (id, slug, name, updated_at) VALUES ('${large}', 'c', 'c', now());
        INSERT INTO organisation (company_id, id, name, created_at, updated_at)
        VALUES ('${large}', '${large}', 'Navy', now(), now());
        INSERT INTO contact (company_id, id, name, created_at, updated_at)
        VALUES ('${large}', '${large}', 'Grace Hopper', now(), now());`);
      const search = createContactSearch({ pool, clock: createManualClock(0) });
      const companyId = toId<CompanyId>(large);
      expect(await search.findsParts()).toBe(false);
      expect(await search.byWords(companyId, 'all', ['grace', 'h'], 5)).toMatchObject([
        { contact: { name: 'Grace Hopper' } },
      ]);
      expect(await search.byWords(companyId, 'all', ['hopper'], 5)).toEqual([]);
      expect(await search.organisations(companyId, ['nav'], 5)).toMatchObject([{ name: 'Navy' }]);
    } finally {
      await pool.end();
      await owner.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
      await owner.end();
      await database.drop();
    }
  });
});

function nodesOf(plan: PlanNode | undefined): PlanNode[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
