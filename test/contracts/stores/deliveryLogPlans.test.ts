import type { Pool, QueryConfig } from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redeliverDead } from '../../../src/adapters/postgres/deliveries/redeliver.ts';
import { type CallId, idsSince, lastId, toId } from '../../../src/domain/ids.ts';
import type { DeliveryFilter } from '../../../src/ports/outbox.ts';
import { type MadeCompany, makeCompany, openStores, start, type Stores } from './openStores.ts';
import { url } from './outboxRoom.ts';

const minute = 60_000;
/** One a minute and company: more than a week. */
const perCompany = 12_000;
const companies = 9;

/** $1 company id, $2 the first one's time. Ids as the gateway makes them, in the order of time; every third is dead. */
const longLog = `
  INSERT INTO webhook_delivery (id, company_id, event, call_id, sequence, body, state, due_at, created_at)
  SELECT (lpad(to_hex((extract(epoch FROM made.at) * 1000)::bigint), 12, '0') || '7' ||
      substr(md5(n::text || $1::uuid::text), 2, 3) || '8' || substr(md5($1::uuid::text || n::text), 2, 15))::uuid,
    $1, 'call_started', md5((n / 2)::text || $1::uuid::text)::uuid, n % 2 + 1, '{}',
    CASE WHEN n % 3 = 0 THEN 'dead' ELSE 'delivered' END, made.at, made.at
  FROM generate_series(0, ${perCompany - 1}) n
  CROSS JOIN LATERAL (SELECT $2::timestamptz + make_interval(mins => n) AS at) made`;

type Explained = { 'QUERY PLAN': [{ Plan: PlanNode }] };
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
};

describe('a log of many thousand deliveries', () => {
  let stores: Stores;
  let company: MadeCompany;
  let other: MadeCompany;

  beforeAll(async () => {
    stores = await openStores();
    const made: MadeCompany[] = [];
    for (let n = 0; n < companies; n += 1) made.push(await makeCompany(stores, url));
    for (const { companyId } of made) await stores.pool.query(longLog, [companyId, start]);
    await stores.pool.query('ANALYZE');
    const [first, second] = made;
    if (first === undefined || second === undefined) throw new Error('there are companies');
    [company, other] = [first, second];
  });
  afterAll(() => stores.close());

  const at = (minutes: number) => new Date(start.getTime() + minutes * minute);
  const page = { cursor: null, limit: 50 };

  /** How many rows of the log PostgreSQL reads for the very statement that a list sends. */
  async function rowsReadFor(filter: DeliveryFilter): Promise<number> {
    const { statement, result } = await listened(stores.pool, () =>
      stores.outbox.list(company.companyId, { target: 'webhook', ...filter }, page),
    );
    const reads = await readsOf(stores.pool, statement);
    const index = 'state' in filter ? 'webhook_delivery_dead_idx' : 'webhook_delivery_pkey';
    expect(reads.map((node) => node['Index Name'])).toEqual([index]);
    expect(result.items.length).toBeGreaterThan(0);
    return reads.reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    );
  }

  it.each([
    ['the oldest hour', { since: at(0), until: at(60) }],
    ['an hour in the middle', { since: at(6_000), until: at(6_060) }],
    ['what is older than a day in the middle', { until: at(6_000) }],
    ['the latest hour', { since: at(perCompany - 60) }],
    ['the dead ones of all times', { state: 'dead' }],
    ['the dead ones of an old hour', { since: at(600), until: at(660), state: 'dead' }],
  ] as const)('is read for %s only there, and a little before and after', async (_, filter) => {
    // A page, and the two margins of 15 minutes.
    expect(await rowsReadFor(filter)).toBeLessThanOrEqual(page.limit + 1 + 60);
  });

  it('gives exactly the deliveries of a time, newest first, page by page', async () => {
    const filter = { since: at(1_000), until: at(1_120) };
    const times: Date[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const { items, nextCursor } = await stores.outbox.list(company.companyId, filter, { cursor, limit: 50 });
      times.push(...items.map(({ createdAt }) => createdAt));
      cursor = nextCursor;
    }
    expect(times).toEqual(Array.from({ length: 120 }, (_, n) => at(1_119 - n)));
  });

  it('is read by index for a batch of a recovery, and by the batch alone', async () => {
    const values = firstBatch(company);
    const client = await stores.pool.connect();
    try {
      await client.query('BEGIN');
      for (const node of await readsOf(client, { text: redeliverDead.text, values })) {
        expect(node['Node Type']).not.toBe('Seq Scan');
        expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(1_000);
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('is recovered call by call: what is in a batch brings the rest of its calls with it', async () => {
    const callId = toId<CallId>(newId());
    const { rows } = await stores.pool.query<{ id: string }>(
      `UPDATE webhook_delivery SET call_id = $2, sequence = CASE created_at WHEN $3 THEN 1 ELSE 2 END
       WHERE company_id = $1 AND created_at IN ($3, $4) RETURNING id`,
      [other.companyId, callId, at(0), at(perCompany - 3)],
    );
    expect(rows).toHaveLength(2);
    await stores.pool.query(redeliverDead.text, firstBatch(other));
    const { items } = await stores.outbox.list(other.companyId, { state: 'pending' }, { cursor: null, limit: 1_000 });
    // A third of the batch, and the first event of the call, which is as old as the log.
    expect(items.length).toBeLessThanOrEqual(1_000 / 3 + 2);
    expect(items.filter((delivery) => delivery.callId === callId).map(({ sequence }) => sequence)).toEqual([2, 1]);
  });

  it("is recovered whole, since a time in the middle, and no other company's with it", async () => {
    const since = at(4_001);
    const lost = Math.floor((perCompany - 1) / 3) - Math.floor(4_000 / 3);
    const deadBefore = await deadOf(stores);
    expect(await stores.outbox.redeliverDeadSince(company.companyId, since, at(perCompany))).toBe(lost);
    const deadAfter = await deadOf(stores);
    expect(deadAfter).toEqual({ ...deadBefore, [company.companyId]: Math.floor(4_000 / 3) + 1 });
    expect(await stores.outbox.redeliverDeadSince(company.companyId, since, at(perCompany))).toBe(0);
  });
});

/** The statement that the action sends, the one and only, and what comes of it. */
async function listened<T>(pool: Pool, action: () => Promise<T>): Promise<{ statement: QueryConfig; result: T }> {
  const sent: QueryConfig[] = [];
  const query = pool.query.bind(pool) as (...given: unknown[]) => unknown;
  pool.query = ((...given: unknown[]) => {
    sent.push(given[0] as QueryConfig);
    return query(...given);
  }) as typeof pool.query;
  try {
    const result = await action();
    const [statement] = sent;
    if (statement === undefined || sent.length !== 1) throw new Error(`${sent.length} statements were sent`);
    const { text, values = [] } = statement;
    return { statement: { text, values }, result };
  } finally {
    Reflect.deleteProperty(pool, 'query');
  }
}

async function deadOf({ pool }: Stores): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ companyId: string; count: number }>(
    `SELECT company_id AS "companyId", count(*) FROM webhook_delivery WHERE state = 'dead' GROUP BY company_id`,
  );
  return Object.fromEntries(rows.map(({ companyId, count }) => [companyId, count]));
}

/** How PostgreSQL reads the log for a statement, which is run for it. */
async function readsOf(client: Pick<Pool, 'query'>, { text, values = [] }: QueryConfig): Promise<PlanNode[]> {
  const { rows } = await client.query<Explained>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (plan === undefined) throw new Error('there is no plan');
  const reads = nodesOf(plan).filter(
    (node) => node['Relation Name'] === 'webhook_delivery' && node['Node Type'].endsWith('Scan'),
  );
  expect(reads.length).toBeGreaterThan(0);
  return reads;
}

/** What a recovery from the beginning passes to its first batch. */
function firstBatch({ companyId }: MadeCompany): unknown[] {
  return [companyId, start, start, idsSince(start), lastId];
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
