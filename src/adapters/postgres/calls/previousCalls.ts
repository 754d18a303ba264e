import type { Pool } from 'pg';
import { type CallId, type CompanyId, firstId, lastId } from '../../../domain/ids.ts';
import type { PhoneNumber } from '../../../domain/phones/phoneNumbers.ts';
import type { ActivityCall, PreviousCalls } from '../../../ports/calls.ts';
import { run } from '../queries.ts';
import { readTags } from './tagRows.ts';

/** The columns of ActivityCallRow, of a call `k` and its agent `a`. */
export const activityCallColumns = `k.id, k.created_at AS at, k.agent_id AS "agentId", a.name, k.direction, k.state,
  k.phone, k.end_reason AS "endReason",
    k.end_detail AS "endDetail", k.answered_at AS "answeredAt", k.ended_at AS "endedAt",
    k.disposition_code AS "dispositionCode",
    k.disposition_label AS "dispositionLabel", k.disposition_notes AS "dispositionNotes", k.callback_at AS "callbackAt",
    k.disposed_at AS "disposedAt", k.tags`;

/** A call as it is told of afterwards. */
export type ActivityCallRow = {
  id: string;
  at: Date;
  agentId: ActivityCall['agentId'];
  name: string | null;
  dispositionCode: string | null;
  dispositionLabel: string | null;
  dispositionNotes: string | null;
  callbackAt: Date | null;
  disposedAt: Date | null;
  tags: unknown;
} & Pick<ActivityCall, 'direction' | 'state' | 'phone' | 'endReason' | 'endDetail' | 'answeredAt' | 'endedAt'>;

export function readActivityCall(row: ActivityCallRow): ActivityCall {
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
  return {
    direction,
    state,
    phone,
    endReason,
    endDetail,
    answeredAt,
    endedAt,
    agentId,
    agentName: row.name ?? '',
    createdAt: row.at,
    disposition,
    tags: readTags(row.tags),
  };
}

/**
 * SQL: calls of the company that have `value` in `column` and an id below `before`, the latest first; read in the order
 * of the index on company, column and id, so that a LIMIT behind it ends the reading. The range holds no other value
 * than an equation would; but of that PostgreSQL believes that few calls have it, and then reads and sorts all of them.
 * $1 company id.
 * @param where what else is asked of each
 */
export function latestCalls(column: 'phone' | 'contact_id', value: string, before: string, where: string): string {
  return `SELECT * FROM call WHERE company_id = $1 AND (${column}, id) < (${value}, ${before})
    AND (${column}, id) >= (${value}, '${firstId}') AND ${where} ORDER BY ${column} DESC, id DESC`;
}

/** A number that is called in vain again and again is read no further back. */
const lookedThrough = 100;

/**
 * $1 company id, $2 phone, $3 calls before this id, $4 how many. These, and the latest one that was answered,
 * if it is an older one. No more calls are read than are looked through.
 */
export const findPreviousCalls = {
  name: 'find_previous_calls',
  text: `WITH found AS MATERIALIZED (
    ${latestCalls('phone', '$2', '$3', "state = 'ended'")} LIMIT ${lookedThrough}
  )
  SELECT ${activityCallColumns} FROM found k LEFT JOIN agent a ON a.company_id = $1 AND a.id = k.agent_id
  WHERE k.id = ANY (ARRAY (SELECT id FROM found ORDER BY id DESC LIMIT $4) || ARRAY (SELECT id FROM found
    WHERE answered_at IS NOT NULL ORDER BY id DESC LIMIT 1))
  ORDER BY k.id DESC`,
};

/** The last calls with a number, and who spoke last. */
export async function previousCallsOf(
  pool: Pool,
  companyId: CompanyId,
  phone: PhoneNumber,
  before: CallId | null,
  limit: number,
): Promise<PreviousCalls> {
  const rows = await run<ActivityCallRow>(pool, findPreviousCalls, [companyId, phone, before ?? lastId, limit]);
  const spoken = rows.find(({ answeredAt }) => answeredAt !== null);
  return {
    calls: rows.slice(0, limit).map((row) => ({ ...readActivityCall(row), id: row.id as CallId })),
    lastSpoken: spoken === undefined ? null : readActivityCall(spoken),
  };
}
