import type { DealBoard } from '../../src/contract/deals.ts';
import { percentile } from '../measure/statistics.ts';
import type { Row } from '../report/rows.ts';
import { fillContacts, numberOf } from '../room/contacts.ts';
import { startGateway } from '../room/restStacks.ts';
import type { BenchCase } from './case.ts';

/** Entries of a page. */
const pageSize = 50;

/**
 * The timeline of one contact with very many calls and notes, and a board with very many deals,
 * as an agent's page asks for them.
 */
export const longListsCase: BenchCase = {
  name: 'longLists',
  async run(room, plan) {
    const company = await room.company({ customers: 0, agents: 1, role: 'admin' });
    const [agent] = company.agents;
    await fillContacts(room.pool, company, Math.max(plan.deals, 100));
    const contact = await room.pool.query<{ id: string }>(
      'SELECT contact_id AS id FROM contact_phone WHERE company_id = $1 AND phone = $2',
      [company.id, numberOf(0)],
    );
    const contactId = contact.rows[0]?.id ?? '';
    await fillTimeline(room.pool, {
      companyId: company.id,
      agentId: agent?.id ?? '',
      contactId,
      entries: plan.timelineEntries,
    });
    const { url } = await startGateway(room, company);
    const headers = { authorization: `Bearer ${agent?.token ?? ''}`, 'content-type': 'application/json' };

    async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
      const answer = await fetch(`${url}${path}`, { headers, ...init });
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    }

    const stages = ['New', 'Qualified', 'Offer', 'Negotiation', 'Signing'].map((name) => ({ name }));
    const pipeline = await ask<{ id: string; stages: { id: string }[] }>('/api/crm/pipelines', {
      method: 'POST',
      body: JSON.stringify({ name: 'Sales', stages }),
    });
    await fillDeals(room.pool, {
      companyId: company.id,
      agentId: agent?.id ?? '',
      pipelineId: pipeline.id,
      stageIds: pipeline.stages.map(({ id }) => id),
      deals: plan.deals,
    });

    const timeline = `/api/crm/activities?contact=${contactId}&limit=${pageSize}`;
    const cursors = await cursorsOf(timeline, plan.timelineEntries, ask);
    const board = `/api/crm/pipelines/${pipeline.id}/board`;
    const { stages: columns } = await ask<DealBoard>(board);
    const count = columns.reduce((sum, column) => sum + column.count, 0);
    if (count !== plan.deals) throw new Error(`of ${plan.deals} deals ${count} stand on the board`);

    const asked: Record<string, (n: number) => string> = {
      'timeline, first page': () => timeline,
      'timeline, any page': (n) => `${timeline}&cursor=${cursors[(n * 37) % cursors.length] ?? ''}`,
      'board, first page of each column and totals': () => board,
      'list of deals, by value': () => `/api/crm/deals?pipeline=${pipeline.id}&sort=-value&limit=${pageSize}`,
      'list of deals of one owner, by close date': () =>
        `/api/crm/deals?owner=${agent?.id ?? ''}&sort=expected_close&limit=${pageSize}`,
    };
    const latencies = Object.fromEntries(Object.keys(asked).map((what) => [what, [] as number[][]]));
    for (let repetition = -1; repetition < plan.repetitions; repetition += 1) {
      for (const [what, pathOf] of Object.entries(asked)) {
        const measured: number[] = [];
        for (let n = 0; n < plan.listRequests; n += 1) {
          const begun = performance.now();
          await ask(pathOf(n));
          measured.push(performance.now() - begun);
        }
        // The first round warms up.
        if (repetition >= 0) latencies[what]?.push(measured);
      }
    }
    return Object.entries(latencies).flatMap(([what, runs]) =>
      [50, 99].map((percent): Row => ({
        what: `${what}, p${percent}`,
        unit: 'ms',
        readyline: runs.map((run) => percentile(run, percent)),
        bare: null,
        goal: null,
      })),
    );
  },
};

/** The cursors of all pages after the first; fails where an entry is missing. */
async function cursorsOf(path: string, entries: number, ask: <T>(path: string) => Promise<T>): Promise<string[]> {
  const cursors: string[] = [];
  let seen = 0;
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: { activities: unknown[]; next_cursor: string | null } = await ask(
      `${path}${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    seen += page.activities.length;
    cursor = page.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  if (seen !== entries) throw new Error(`of ${entries} entries the timeline shows ${seen}`);
  return cursors;
}

type Pool = Parameters<typeof fillContacts>[0];

/** Four calls to a note, one an hour, the latest now. */
async function fillTimeline(
  pool: Pool,
  {
    companyId,
    agentId,
    contactId,
    entries,
  }: { companyId: string; agentId: string; contactId: string; entries: number },
): Promise<void> {
  const idAt = `(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
    || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;
  const hours = `SELECT n, now() - n * interval '1 hour' AS at FROM generate_series(0, $1::int - 1) n`;
  await pool.query(
    `INSERT INTO call (company_id, id, agent_id, direction, trigger, state, phone, created_at, answered_at, ended_at,
      end_reason, disposition_code, disposition_label, disposition_notes)
    SELECT $2, ${idAt}, $3, 'outbound', 'manual_dial', 'ended', $4, at, at, at + interval '3 minutes', 'completed',
      'resolved', 'Resolved', 'Spoke about ' || n
    FROM (${hours}) h WHERE n % 5 <> 0`,
    [entries, companyId, agentId, numberOf(0)],
  );
  await pool.query(
    `INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text)
      SELECT $2, $4, ${idAt}, at, 'note', $3, 'Note ' || n FROM (${hours}) h WHERE n % 5 = 0`,
    [entries, companyId, agentId, contactId],
  );
  await pool.query('ANALYZE call, contact_change');
}

async function fillDeals(
  pool: Pool,
  {
    companyId,
    agentId,
    pipelineId,
    stageIds,
    deals,
  }: { companyId: string; agentId: string; pipelineId: string; stageIds: string[]; deals: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO deal (company_id, id, pipeline_id, stage_id, name, value, currency, owner_id, contact_id,
      expected_close, moved_at, created_at, updated_at)
    SELECT $1, gen_random_uuid(), $2, ($3::uuid[])[1 + n % 5], 'Deal ' || n, n * 7 % 99991,
      CASE WHEN n % 4 = 0 THEN 'USD' ELSE 'EUR' END, $4, c.id,
      current_date + (n % 200)::int, now() - n * interval '1 minute', now(), now()
    FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM contact WHERE company_id = $1 LIMIT $5) c`,
    [companyId, pipelineId, stageIds, agentId, deals],
  );
  await pool.query('ANALYZE deal');
}
