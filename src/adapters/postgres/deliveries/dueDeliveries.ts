import type { Pool } from 'pg';
import type { CompanyId, DeliveryId } from '../../../domain/ids.ts';
import { run, type Statement } from '../queries.ts';
import { isPending } from './deliveryRows.ts';
import { isServedByNobodyElse, type LeasedEndpoint } from './endpointLeases.ts';

/**
 * Larger bodies are read when they are sent: a dispatcher has thousands of deliveries at hand,
 * and sends a few hundred at once.
 */
const bodyBytesAtHand = 4_096;

/**
 * $1 now, $2 how many at most; as arrays: $3 company ids, $4 for how many deliveries of each there is room;
 * $5 delivery ids that are left out.
 *
 * Of each endpoint the oldest, none while an earlier event of its call waits or is being sent.
 * With more than $2, every endpoint gets its first before any gets its second.
 */
function reading(deliveries: 'webhook_delivery' | 'crm_delivery', columns: string): string {
  return `WITH picked AS (
    SELECT leased.company_id, candidate.id, candidate.turn
    FROM unnest($3::uuid[], $4::int[]) AS leased (company_id, room)
    CROSS JOIN LATERAL (
      SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS turn FROM ${deliveries} d
      WHERE d.company_id = leased.company_id AND d.state = 'pending' AND d.due_at <= $1
        AND d.id NOT IN (SELECT at_hand FROM unnest($5::uuid[]) AS at_hand)
        AND NOT EXISTS (
          SELECT FROM ${deliveries} earlier
          WHERE earlier.company_id = d.company_id AND earlier.call_id = d.call_id AND earlier.sequence < d.sequence
            AND ${isPending('earlier')}
        )
      ORDER BY d.due_at, d.id LIMIT leased.room
    ) candidate
    ORDER BY candidate.turn, candidate.due_at, candidate.id LIMIT $2
  )
  SELECT d.id, d.company_id AS "companyId", d.call_id AS "callId", d.sequence, d.attempts, EXISTS (
      SELECT FROM ${deliveries} later
      WHERE later.company_id = d.company_id AND later.call_id = d.call_id AND later.sequence > d.sequence
        AND ${isPending('later')}
    ) AS "callGoesOn", ${columns}
  FROM picked JOIN ${deliveries} d ON d.company_id = picked.company_id AND d.id = picked.id
  ORDER BY picked.turn, d.due_at, d.id`;
}

export const readDueDeliveries = {
  name: 'read_due_deliveries',
  text: reading(
    'webhook_delivery',
    `d.event, d.due_at AS "dueAt", CASE WHEN octet_length(d.body) <= ${String(bodyBytesAtHand)}
      THEN d.body END AS body`,
  ),
};

export const readDueCallLogs = {
  name: 'read_due_call_logs',
  text: reading(
    'crm_delivery',
    'd.prepared, d.sent_at AS "sentAt", d.not_found_at AS "notFoundAt", d.entry_id AS "entryId"',
  ),
};

/** What is due at leased endpoints. @template R a row of the statement's answer */
export async function readDue<R extends { companyId: CompanyId }, E extends LeasedEndpoint & { room: number }>(
  pool: Pool,
  statement: Statement,
  endpoints: ReadonlyMap<CompanyId, E>,
  { now, limit, atHand }: { now: Date; limit: number; atHand: DeliveryId[] },
): Promise<{ row: R; endpoint: E }[]> {
  const open = [...endpoints.values()].filter(({ room }) => room > 0);
  if (open.length === 0) return [];
  const rows = await run<R>(pool, statement, [
    now,
    limit,
    open.map(({ companyId }) => companyId),
    open.map(({ room }) => room),
    atHand,
  ]);
  return rows.flatMap((row) => {
    const endpoint = endpoints.get(row.companyId);
    return endpoint === undefined ? [] : [{ row, endpoint }];
  });
}

/** $1 company id, $2 delivery id, $3 holder, $4 until when. */
export const putOffDelivery = {
  name: 'put_off_delivery',
  text: `UPDATE webhook_delivery d SET due_at = $4 WHERE d.company_id = $1 AND d.id = $2 AND d.state = 'pending'
    AND ${isServedByNobodyElse('webhook_endpoint', '$3')}`,
};

export const putOffCallLog = {
  name: 'put_off_call_log',
  text: `UPDATE crm_delivery d SET due_at = $4 WHERE d.company_id = $1 AND d.id = $2 AND d.state = 'pending'
    AND ${isServedByNobodyElse('crm_connection', '$3')}`,
};
