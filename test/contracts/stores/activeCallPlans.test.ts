import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findActiveCalls, listActiveCalls } from '../../../src/adapters/postgres/calls/findCalls.ts';
import { toId, type CallId } from '../../../src/domain/ids.ts';
import { openStores, start, type Stores } from './openStores.ts';

const [companies, active, ended] = [100, 5_000, 100_000];
const page = 500;

/** Fewer than a busy machine writes within a statement's time-out. */
const chunk = 10_000;

/** Many calls in a few statements; what the rows say is of no matter, so their references need not be checked. */
const bigInstallation = `
  SET session_replication_role = replica;
  CREATE FUNCTION pg_temp.company(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-8000-' || lpad((n % ${companies})::text, 12, '0'))::uuid $$;
  CREATE FUNCTION pg_temp.agent(n int) RETURNS uuid LANGUAGE sql
    AS $$ SELECT ('00000000-0000-7000-9000-' || lpad((n % ${active})::text, 12, '0'))::uuid $$;
  INSERT INTO company (id, slug, name, updated_at)
    SELECT pg_temp.company(n), 'c' || n, 'c', now() FROM generate_series(1, ${companies}) n;
  INSERT INTO agent (id, company_id, agent_code, name, role, password_hash, updated_at)
    SELECT pg_temp.agent(n), pg_temp.company(n), 'a' || n, 'a', 'agent', 'h', now()
    FROM generate_series(1, ${active}) n;
  ANALYZE company, agent;`;

const nextCalls = `
  INSERT INTO call (id, company_id, agent_id, direction, trigger, state, phone, created_at, ended_at)
    SELECT gen_random_uuid(), pg_temp.company(n), pg_temp.agent(n), 'outbound', 'manual_dial',
      CASE WHEN n <= ${active} THEN 'dialing' ELSE 'ended' END, '+1', '2026-01-01',
      CASE WHEN n > ${active} THEN now() END
        FROM generate_series($1::int, $2::int) n`;

type PlanNode = { 'Node Type': string; 'Index Name'?: string; 'Actual Rows': number; Plans?: PlanNode[] };

describe('the calls under way among many that have ended', () => {
  let stores: Stores;

  beforeAll(async () => {
    stores = await openStores();
    const client = await stores.pool.connect();
    await client.query(bigInstallation);
    for (let n = 1; n <= active + ended; n += chunk)
      await client.query(nextCalls, [n, Math.min(n + chunk - 1, active + ended)]);
    await client.query('ANALYZE call');
    client.release(true);
  });
  afterAll(() => stores.close());

  /** Every node of the plan that a prepared statement keeps whatever its parameters, with the rows it really gave. */
  async function runPlan({ name, text }: { name: string; text: string }, parameters: string): Promise<PlanNode[]> {
    const client = await stores.pool.connect();
    try {
      await client.query('SET plan_cache_mode = force_generic_plan');
      await client.query(`PREPARE ${name} AS ${text}`);
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name}(${parameters})`,
      );
      const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan;
      return plan === undefined ? [] : nodesOf(plan);
    } finally {
      client.release(true);
    }
  }

  it.each([
    ['the first page', '00000000-0000-0000-0000-000000000000'],
    ['a page in the middle', '00000000-0000-7000-8000-000000000050'],
  ])('are read by their own index, no more of them than the page gives: %s', async (_, company) => {
    const nil = '00000000-0000-0000-0000-000000000000';
    const nodes = await runPlan(listActiveCalls, `now(), '${company}', '${nil}', 0, ${page}`);
    expect(nodes.map((node) => [node['Node Type'], node['Index Name'], node['Actual Rows']])).toEqual([
      ['Limit', undefined, page],
      ['Index Scan', 'call_active_key', page],
    ]);
  });

  it('are found by their agent with one look into their own index', async () => {
    const [row] = (await stores.pool.query(`SELECT company_id, agent_id FROM call WHERE ended_at IS NULL LIMIT 1`))
      .rows;
    const nodes = await runPlan(findActiveCalls, `'${row.company_id}', '${row.agent_id}'`);
    expect(nodes.map((node) => [node['Node Type'], node['Index Name'], node['Actual Rows']])).toEqual([
      ['Sort', undefined, 1],
      ['Index Scan', 'call_active_key', 1],
    ]);
  });

  it('are written in place as they go on: no index names what changes before the end', async () => {
    const client = await stores.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        `UPDATE call SET state = 'held', ringing_at = now(), answered_at = now(), held_at = now(), hold_ms = 1,
          steps = '[]', sequence = sequence + 1, version = version + 1, notes_draft = 'x', draft_at = now()
        WHERE (company_id, id) = (SELECT company_id, id FROM call WHERE ended_at IS NULL LIMIT 1)`,
      );
      const { rows } = await client.query(
        `SELECT pg_stat_get_xact_tuples_updated('call'::regclass) AS all,
          pg_stat_get_xact_tuples_hot_updated('call'::regclass) AS "inPlace"`,
      );
      expect(rows).toEqual([{ all: 1, inPlace: 1 }]);
    } finally {
      client.release(true);
    }
  });

  it('are all listed once, page by page', async () => {
    const seen = new Set<CallId>();
    let pages = 0;
    let cursor: string | null = null;
    do {
      const found: Awaited<ReturnType<Stores['calls']['listActive']>> = await stores.calls.listActive(start, {
        cursor,
        limit: page,
      });
      for (const { id } of found.items) seen.add(toId(id));
      cursor = found.nextCursor;
      pages += 1;
    } while (cursor !== null);
    expect([seen.size, pages]).toEqual([active, active / page]);
  });
});

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
