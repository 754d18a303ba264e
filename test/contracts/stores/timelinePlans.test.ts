import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPreviousCalls } from '../../../src/adapters/postgres/calls/previousCalls.ts';
import { findRecentCalls, listActivities } from '../../../src/adapters/postgres/contacts/contactActivities.ts';
import type { Statement } from '../../../src/adapters/postgres/queries.ts';
import { idsSince, lastId } from '../../../src/domain/ids.ts';
import { type MadeCompany, makeCompany, openStores, start, type Stores } from './openStores.ts';

const hour = 3_600_000;
const limit = 51;
/** One an hour; every fifth is a note. */
const entries = 10_000;
const number = '+493055512345';
const contactId = '00000000-0000-7000-8000-000000000001';

const idAt = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' ||
  substr(md5(n::text), 2, 3) || '8' || substr(md5(n::text), 2, 15))::uuid`;

/** $1 company id, $2 agent id, $3 how many, $4 now, $5 as which numbers they call, in turn. */
const calls = `
  INSERT INTO call (company_id, id, agent_id, direction, trigger, state, phone, created_at, ended_at)
  SELECT $1, ${idAt}, $2, 'outbound', 'manual_dial', 'ended', ($5::text[])[1 + n % array_length($5::text[], 1)], at, at
  FROM (SELECT n, $4::timestamptz - make_interval(hours => n) AS at FROM generate_series(0, $3::int - 1) n) made`;

describe('the timeline of somebody who has been spoken to thousands of times', () => {
  let stores: Stores;
  let company: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    company = await makeCompany(stores);
    const { companyId, agentId } = company;
    const others = [await makeCompany(stores), await makeCompany(stores), await makeCompany(stores)];
    const numbers = Array.from({ length: 1_000 }, (_, n) => `+493010${10_000 + n}`);
    for (const each of others) await stores.pool.query(calls, [each.companyId, each.agentId, entries, start, numbers]);
    await stores.pool.query(calls, [companyId, agentId, entries, start, [number]]);
    await stores.pool.query(
      'INSERT INTO contact (company_id, id, created_at, updated_at) VALUES ($1, $2, now(), now())',
      [companyId, contactId],
    );
    await stores.pool.query(
      'INSERT INTO contact_phone (company_id, phone, contact_id, position) VALUES ($1, $2, $3, 1)',
      [companyId, number, contactId],
    );
    await stores.pool.query(
      `INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text)
        SELECT $1, $2, ${idAt}, at, 'note', $3, 'n'
        FROM (SELECT n, $5::timestamptz - make_interval(hours => n) AS at FROM generate_series(0, $4::int - 1, 5) n) made`,
      [companyId, contactId, agentId, entries, start],
    );
    await stores.pool.query('ANALYZE call, contact_change');
  });
  afterAll(() => stores.close());

  const before = (hours: number) => idsSince(new Date(start.getTime() - hours * hour));

  // PostgreSQL takes either: a plan for these values, or one for all.
  describe.each(['custom', 'generic'])('by a %s plan', (kind) => {
    it.each<[what: string, statement: Statement, values: () => (string | number | null)[]]>([
      ['its first page', listActivities, () => [company.companyId, contactId, null, lastId, limit, null]],
      ['a page in its middle', listActivities, () => [company.companyId, contactId, null, before(5_000), limit, null]],
      ['a page of calls', listActivities, () => [company.companyId, contactId, null, lastId, limit, 'call']],
      ['a page of notes', listActivities, () => [company.companyId, contactId, null, lastId, limit, 'note']],
      ['the calls of a summary', findRecentCalls, () => [company.companyId, contactId, limit]],
      ['what was before a call', findPreviousCalls, () => [company.companyId, number, lastId, limit]],
    ])('is read for %s no further than the page goes', async (_, { name, text }, valuesOf) => {
      const plan = await planOf(kind, { name, text }, valuesOf());
      expect(plan['Actual Rows']).toBe(limit);
      // A page of calls, and one of entries.
      expect(readBy(plan)).toBeLessThanOrEqual(2 * limit);
    });
  });

  async function planOf(
    kind: string,
    { name, text }: Statement,
    values: (string | number | null)[],
  ): Promise<PlanNode> {
    const client = await stores.pool.connect();
    try {
      await client.query(`SET plan_cache_mode = force_${kind}_plan`);
      await client.query({ name, text, values });
      const given = values.map((value) => (value === null ? 'NULL' : client.escapeLiteral(String(value))));
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}(${given.join(', ')})`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0].Plan;
      if (plan === undefined) throw new Error('there is no plan');
      return plan;
    } finally {
      // The next one has another plan made.
      client.release(true);
    }
  }
});

type PlanNode = {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

/** How many calls and entries are read, whether they are told of or not. */
function readBy(node: PlanNode): number {
  const read = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const own = ['call', 'contact_change'].includes(node['Relation Name'] ?? '') ? read : 0;
  return (node.Plans ?? []).reduce((sum, each) => sum + readBy(each), own);
}
