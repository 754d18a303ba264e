import type { Pool } from 'pg';
import type { ActivityKind } from '../../../contract/contactActivities.ts';
import { type CompanyId, type ContactId, lastId } from '../../../domain/ids.ts';
import type { ContactActivity, ContactChange, ContactScope } from '../../../ports/contacts.ts';
import type { PageRequest } from '../../../ports/queryResults.ts';
import { answeredBy, holdsKey } from '../calls/idempotencyStore.ts';
import { activityCallColumns, type ActivityCallRow, latestCalls, readActivityCall } from '../calls/previousCalls.ts';
import { run } from '../queries.ts';
import { isSeen, leadsTo, ownerOf } from './findContacts.ts';

/** SQL: the ids of a contact, those of contacts that went into it too. $1 company id. */
function contactIds(parameter: string): string {
  return `SELECT ${parameter}::uuid AS id UNION ALL SELECT r.id FROM contact_redirect r
    WHERE r.company_id = $1 AND r.contact_id = ${parameter}`;
}

/**
 * SQL: whether a call with a number `n` of the contact is another's who shares the number: that one popped,
 * or was chosen or named. $1 company id, $2 contact id. With `OFFSET` it is asked of one call after the other, as far as
 * a page goes: without, PostgreSQL may ask it of all calls of the number at once.
 */
const isSharers = `EXISTS (
  SELECT FROM contact_phone o WHERE o.company_id = $1 AND o.phone = n.phone AND o.contact_id <> $2
    AND o.contact_id = ${leadsTo("coalesce(call.screen_pop->>'contact_id', call.contact_id::text)")} OFFSET 0
)`;

/**
 * SQL: the calls of a contact, `k`: those with its numbers but for those of somebody who shares them, and those with
 * others whose click named it. $1 company id, $2 contact id.
 * @param before an id
 * @param where what else is asked of each
 * @param limit how many are read of each number and id
 */
function callsOfContact(before: string, where: string, limit: string): string {
  const latest = (column: 'phone' | 'contact_id', value: string, isTheirs: string) =>
    `${latestCalls(column, value, before, `${isTheirs} AND ${where}`)} LIMIT ${limit}`;
  const isNumbers = `EXISTS (SELECT FROM contact_phone o WHERE o.company_id = $1 AND o.phone = call.phone
    AND o.contact_id = $2 OFFSET 0)`;
  return `(
    SELECT k.* FROM contact_phone n CROSS JOIN LATERAL (
      ${latest('phone', 'n.phone', `NOT ${isSharers}`)}
    ) k WHERE n.company_id = $1 AND n.contact_id = $2
    UNION ALL
    SELECT k.* FROM (${contactIds('$2')}) i CROSS JOIN LATERAL (
      ${latest('contact_id', 'i.id', `contact_id IS NOT NULL AND NOT ${isNumbers}`)}
    ) k
  ) k`;
}

/**
 * $1 company id, $2 contact id, $3 whose contacts are seen beside nobody's or null, $4 ids before this one,
 * $5 how many, $6 of which kind, or null. Ids of calls and of entries are both ordered by time.
 */
export const listActivities = {
  name: 'list_activities',
  text: `SELECT e.*, a.name FROM (
    (SELECT 'change' AS source, t.id, t.at, t.kind, t.agent_id AS "agentId", t.text, t.edits, NULL::text AS direction,
      NULL::text AS state, NULL::text AS phone,
      NULL::text AS "endReason", NULL::text AS "endDetail", NULL::timestamptz AS "answeredAt",
      NULL::timestamptz AS "endedAt",
      NULL::text AS "dispositionCode", NULL::text AS "dispositionLabel", NULL::text AS "dispositionNotes",
      NULL::timestamptz AS "callbackAt", NULL::timestamptz AS "disposedAt", NULL::jsonb AS tags
    FROM contact_change t WHERE t.company_id = $1 AND t.contact_id = $2 AND t.id < $4
      AND $6 IS DISTINCT FROM 'call' AND ($6::text IS NULL OR t.kind = $6) ORDER BY t.id DESC LIMIT $5)
    UNION ALL
    SELECT 'call', k.id, k.created_at, 'call', k.agent_id, NULL, NULL, k.direction, k.state, k.phone, k.end_reason,
      k.end_detail, k.answered_at, k.ended_at,
      k.disposition_code, k.disposition_label, k.disposition_notes, k.callback_at, k.disposed_at, k.tags
    FROM ${callsOfContact('$4', "($6::text IS NULL OR $6 = 'call')", '$5')}
  ) e LEFT JOIN agent a ON a.company_id = $1 AND a.id = e."agentId"
  WHERE EXISTS (SELECT FROM contact c WHERE c.company_id = $1 AND c.id = $2 AND ${isSeen('$3')})
  ORDER BY e.id DESC LIMIT $5`,
};

type Row = ActivityCallRow & {
  source: 'change' | 'call';
  kind: ContactChange['kind'];
  text: string | null;
  edits: ContactChange['edits'] | null;
};

export async function activitiesOf(
  pool: Pool,
  companyId: CompanyId,
  scope: ContactScope,
  id: ContactId,
  kind: ActivityKind | null,
  { cursor, limit }: PageRequest,
): Promise<(ContactActivity & { id: string })[]> {
  const rows = await run<Row>(pool, listActivities, [companyId, id, ownerOf(scope), cursor ?? lastId, limit + 1, kind]);
  return rows.map((row) =>
    row.source === 'call' ? { kind: 'call', id: row.id, call: readActivityCall(row) } : readChange(row),
  );
}

function readChange({ id, at, kind, agentId, name, text, edits }: Row): ContactActivity {
  return { id, at, kind, by: agentId, name, text, edits: edits ?? [] };
}

/** $1 company id, $2 contact id, $3 how many. */
export const findRecentCalls = {
  name: 'find_recent_calls',
  text: `SELECT ${activityCallColumns} FROM ${callsOfContact(`'${lastId}'`, "state = 'ended'", '$3')}
    LEFT JOIN agent a ON a.company_id = $1 AND a.id = k.agent_id
  ORDER BY k.id DESC LIMIT $3`,
};

export async function recentCallsOf(
  pool: Pool,
  companyId: CompanyId,
  id: ContactId,
  limit: number,
): Promise<ContactActivity[]> {
  const rows = await run<ActivityCallRow>(pool, findRecentCalls, [companyId, id, limit]);
  return rows.map((row) => ({ kind: 'call', id: row.id, call: readActivityCall(row) }));
}

/** $1 company id, $2 agent id, $3 contact id. */
export const findCallWith = {
  name: 'find_call_with',
  text: `SELECT k.id FROM call k WHERE k.company_id = $1 AND k.agent_id = $2 AND k.ended_at IS NULL
    AND (k.screen_pop->>'contact_id' IN (SELECT i.id::text FROM (${contactIds('$3')}) i)
      OR EXISTS (SELECT FROM contact_phone n WHERE n.company_id = $1 AND n.phone = k.phone AND n.contact_id = $3))`,
};

/**
 * $1 company id, $2 contact id, $3 whose contacts are seen beside nobody's or null, $4 id, $5 when, $6 who or null,
 * $7 text; $8 to $12 the request's key (see answeredBy).
 */
export const addNote = {
  name: 'add_note',
  text: `WITH seen AS (
    SELECT c.company_id, c.id FROM contact c WHERE c.company_id = $1 AND c.id = $2 AND ${isSeen('$3')}
  ), ${answeredBy(8, 'EXISTS (SELECT FROM seen)')}, written AS (
    INSERT INTO contact_change (company_id, contact_id, id, at, kind, agent_id, text)
    SELECT seen.company_id, seen.id, $4::uuid, $5::timestamptz, 'note', $6::uuid, $7 FROM seen
    WHERE ${holdsKey(8)} RETURNING id
  )
  SELECT EXISTS (SELECT FROM written) AS written FROM seen`,
};
