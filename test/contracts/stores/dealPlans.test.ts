import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealsStatement } from '../../../src/adapters/postgres/deals/findDeals.ts';
import { openStores, type Stores } from './openStores.ts';

const deals = 10_000;
const large = '00000000-0000-7000-8000-000000000000';

/** One company with many deals, one in four without a value and a date, beside 200 with a few. */
const skewed = `
  CREATE FUNCTION pg_temp.company(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-8000-' || lpad((CASE WHEN n < ${deals} THEN 0 ELSE 1 + n % 200 END)::text,
      12, '0'))::uuid $$;
  INSERT INTO company (id, slug, name, updated_at)
    SELECT DISTINCT pg_temp.company(n), pg_temp.company(n)::text, 'c', now()
    FROM generate_series(${deals - 1}, ${deals + 199}) n;
  INSERT INTO pipeline (company_id, id, name, created_at, updated_at) SELECT id, id, 'p', now(), now() FROM company;
  INSERT INTO pipeline_stage (company_id, pipeline_id, id, name, position, outcome, probability)
    SELECT id, id, gen_random_uuid(), 's', n, 'open', 10 FROM company, generate_series(1, 5) n;
  -- Without what triggers do for each row.
  SET session_replication_role = replica;
  INSERT INTO contact (company_id, id, created_at, updated_at) SELECT pg_temp.company(n), gen_random_uuid(), now(),
    now() FROM generate_series(0, ${deals + 3_999}) n;
  INSERT INTO deal (company_id, id, pipeline_id, stage_id, name, contact_id, value, currency, expected_close, moved_at,
    created_at, updated_at)
    SELECT c.company_id, c.id, s.pipeline_id, s.id, 'd', c.id, CASE WHEN n % 4 > 0 THEN n END,
      CASE WHEN n % 4 > 0 THEN 'EUR' END,
      CASE WHEN n % 4 > 0 THEN date '2026-01-01' + n % 400 END, now(), now(), now()
    FROM (SELECT company_id, id, (row_number() OVER ())::int AS n FROM contact) c
    JOIN pipeline_stage s ON s.company_id = c.company_id AND s.position = 1;
  RESET session_replication_role;
  ANALYZE;`;

type PlanNode = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: PlanNode[] };

describe('the list of deals of a large company', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
    const client = await stores.pool.connect();
    // Nobody else reads the tables before all of it is there.
    await client.query('BEGIN');
    for (const statement of skewed.split(/;\n/)) await client.query(statement);
    await client.query('COMMIT');
    client.release();
  });
  afterAll(() => stores.close());

  async function planOf(text: string, values: unknown[]): Promise<PlanNode[]> {
    const { rows } = await stores.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      values,
    );
    return nodesOf(rows[0]?.['QUERY PLAN'][0].Plan);
  }

  it.each([
    { sort: 'value', place: '7000', index: 'deal_value_idx' },
    { sort: 'expected_close', place: '2026-06-01', index: 'deal_close_idx' },
  ] as const)(
    'is read by index in the order of $sort, either way and from page to page',
    async ({ sort, place, index }) => {
      for (const each of [sort, `-${sort}`] as const) {
        for (const after of [[], [place, large]]) {
          const { name, text, planEachTime } = dealsStatement(each, after.length > 0, []);
          expect(planEachTime, name).toBe(true);
          const nodes = await planOf(text, [large, null, 51, ...after]);
          expect(
            nodes.map((node) => node['Index Name']),
            name,
          ).toContain(index);
          expect(
            nodes.filter((node) => node['Node Type'].endsWith('Sort')),
            name,
          ).toEqual([]);
          // The others have few rows here.
          const scanned = nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']);
          expect(
            scanned.filter((table) => table === 'deal' || table === 'contact'),
            name,
          ).toEqual([]);
        }
      }
    },
  );

  it('is read by the contact where it is of one, however it is sorted', async () => {
    const { rows } = await stores.pool.query<{ id: string }>('SELECT id FROM contact WHERE company_id = $1 LIMIT 1', [
      large,
    ]);
    const { text } = dealsStatement('expected_close', false, ['state', 'contactId']);
    const nodes = await planOf(text, [large, null, 51, 'open', rows[0]?.id]);
    expect(nodes.map((node) => node['Index Name'])).toContain('deal_company_id_contact_id_id_idx');
    expect(nodes.map((node) => node['Index Name'])).not.toContain('deal_close_idx');
  });
});

function nodesOf(plan: PlanNode | undefined): PlanNode[] {
  return plan === undefined ? [] : [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
