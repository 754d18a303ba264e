import type { Pool } from 'pg';
import type { CompanyId, ContactId } from '../../../domain/ids.ts';
import type { ActivityCall, ContactActivity, ContactChange, ContactScope } from '../../../ports/contacts.ts';
import type { PageRequest } from '../../../ports/queryResults.ts';
import { run } from '../queries.ts';
import { isSeen, ownerOf } from './findContacts.ts';

/** The highest id there can be. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * $1 company id, $2 contact id, $3 whose contacts are seen beside nobody's or null, $4 ids before this one, $5 how many. Ids of calls
 * and of entries are both ordered by time. The calls of each number are read by its index, so that a page reads no more than
 * its length from each.
 */
export const listActivities = {
  name: 'list_activities',
  text: `SELECT e.*, a.name FROM (
    (SELECT 'change' AS source, t.id, t.at, t.kind, t.agent_id AS "agentId", t.text, t.edits, NULL::text AS direction, NULL::text AS state, NULL::text AS phone,
      NULL::text AS "endReason", NULL::text AS "endDetail", NULL::timestamptz AS "answeredAt", NULL::timestamptz AS "endedAt",
      NULL::text AS "dispositionCode", NULL::text AS "dispositionLabel", NULL::text AS "dispositionNotes", NULL::timestamptz AS "callbackAt", NULL::timestamptz AS "disposedAt"
    FROM contact_change t WHERE t.company_id = $1 AND t.contact_id = $2 AND t.id < $4 ORDER BY t.id DESC LIMIT $5)
    UNION ALL
    SELECT 'call', k.id, k.created_at, 'call', k.agent_id, NULL, NULL, k.direction, k.state, k.phone, k.end_reason, k.end_detail, k.answered_at, k.ended_at,
      k.disposition_code, k.disposition_label, k.disposition_notes, k.callback_at, k.disposed_at
    FROM contact_phone n CROSS JOIN LATERAL (
      SELECT * FROM call WHERE company_id = $1 AND phone = n.phone AND id < $4 ORDER BY id DESC LIMIT $5
    ) k WHERE n.company_id = $1 AND n.contact_id = $2
  ) e LEFT JOIN agent a ON a.company_id = $1 AND a.id = e."agentId"
  WHERE EXISTS (SELECT FROM contact c WHERE c.company_id = $1 AND c.id = $2 AND ${isSeen('$3')})
  ORDER BY e.id DESC LIMIT $5`,
};

type Row = {
  source: 'change' | 'call';
  id: string;
  at: Date;
  kind: ContactChange['kind'];
  agentId: ActivityCall['agentId'];
  name: string | null;
  text: string | null;
  edits: ContactChange['edits'] | null;
  dispositionCode: string | null;
  dispositionLabel: string | null;
  dispositionNotes: string | null;
  callbackAt: Date | null;
  disposedAt: Date | null;
} & Pick<ActivityCall, 'direction' | 'state' | 'phone' | 'endReason' | 'endDetail' | 'answeredAt' | 'endedAt'>;

export async function activitiesOf(pool: Pool, companyId: CompanyId, scope: ContactScope, id: ContactId, { cursor, limit }: PageRequest): Promise<(ContactActivity & { id: string })[]> {
  const rows = await run<Row>(pool, listActivities, [companyId, id, ownerOf(scope), cursor ?? lastId, limit + 1]);
  return rows.map((row) => (row.source === 'call' ? { kind: 'call', id: row.id, call: readCall(row) } : readChange(row)));
}

function readChange({ id, at, kind, agentId, name, text, edits }: Row): ContactActivity {
  return { id, at, kind, by: agentId, name, text, edits: edits ?? [] };
}

function readCall(row: Row): ActivityCall {
  const { direction, state, phone, endReason, endDetail, answeredAt, endedAt, agentId } = row;
  const disposition =
    row.dispositionCode === null
      ? null
      : {
          code: row.dispositionCode,
          label: row.dispositionLabel ?? row.dispositionCode,
          notes: row.dispositionNotes,
          callbackAt: row.callbackAt,
          submittedAt: row.disposedAt ?? row.at,
        };
  return { direction, state, phone, endReason, endDetail, answeredAt, endedAt, agentId, agentName: row.name ?? '', createdAt: row.at, disposition };
}

/** $1 company id, $2 contact id, $3 how many. As many of each number are read as are wanted of all. */
export const findRecentCalls = {
  name: 'find_recent_calls',
  text: `SELECT 'call' AS source, k.id, k.created_at AS at, k.agent_id AS "agentId", a.name, k.direction, k.state, k.phone, k.end_reason AS "endReason",
    k.end_detail AS "endDetail", k.answered_at AS "answeredAt", k.ended_at AS "endedAt", k.disposition_code AS "dispositionCode",
    k.disposition_label AS "dispositionLabel", k.disposition_notes AS "dispositionNotes", k.callback_at AS "callbackAt", k.disposed_at AS "disposedAt"
  FROM contact_phone n CROSS JOIN LATERAL (
    SELECT * FROM call WHERE company_id = $1 AND phone = n.phone AND state = 'ended' ORDER BY id DESC LIMIT $3
  ) k LEFT JOIN agent a ON a.company_id = $1 AND a.id = k.agent_id
  WHERE n.company_id = $1 AND n.contact_id = $2 ORDER BY k.id DESC LIMIT $3`,
};

export async function recentCallsOf(pool: Pool, companyId: CompanyId, id: ContactId, limit: number): Promise<ContactActivity[]> {
  const rows = await run<Row>(pool, findRecentCalls, [companyId, id, limit]);
  return rows.map((row) => ({ kind: 'call', id: row.id, call: readCall(row) }));
}

/** $1 company id, $2 agent id, $3 contact id. */
export const findCallWith = {
  name: 'find_call_with',
  text: `SELECT k.id FROM call k WHERE k.company_id = $1 AND k.agent_id = $2 AND k.state <> 'ended'
    AND (k.contact_id = $3 OR EXISTS (SELECT FROM contact_phone n WHERE n.company_id = $1 AND n.phone = k.phone AND n.contact_id = $3))`,
};

/** $1 company id, $2 contact id, $3 whose contacts are seen beside nobody's or null, $4 id, $5 when, $6 who or null, $7 text. */
export const addNote = {
  name: 'add_note',
  text: `INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text)
  SELECT c.company_id, c.id, $4::uuid, $5::timestamptz, 'note', $6::uuid, $7 FROM contact c WHERE c.company_id = $1 AND c.id = $2 AND ${isSeen('$3')}
  RETURNING id`,
};
